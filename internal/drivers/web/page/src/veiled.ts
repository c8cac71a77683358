// Fields that are transparent themselves and stand over the picture of a field, as most custom check boxes do: a person
// sees the picture and clicks the field.
import { candidates, veiled, Vis, type Candidate } from './geometry';
import { deepest, hits, labelsOf } from './hit';

/** unveil decides which of the transparent fields on screen people see and use. The others are Transparent. */
export function unveil(): void {
  if (!veiled.size) return;
  for (const c of candidates) if (veiled.has(c.rec) && !(takes(c) && drawn(c.rec.node as Element))) c.rec.vis = Vis.Transparent;
}

/** takes: what is clicked in its middle acts on the field. */
const takes = (c: Candidate): boolean => hits(deepest((c.x + c.r) / 2, (c.y + c.b) / 2), c.rec.node as Element);

/** drawn: something visible of about its size stands where the field is, or a label draws it. */
function drawn(el: Element): boolean {
  if (labelsOf(el).some((l) => seen(l) && paints(l, true))) return true;
  const r = el.getBoundingClientRect();
  const near = (e: Element): boolean => {
    const b = e.getBoundingClientRect();
    return b.width > 0 && b.left < r.right && b.right > r.left && b.top < r.bottom && b.bottom > r.top && b.height <= 3 * r.height + 20 &&
      (b.width <= 3 * r.width + 20 || e.localName === 'label' || getComputedStyle(e).backgroundImage !== 'none'); // a row may draw the box at its left
  };
  const around: Element[] = [];
  for (let p = el.parentElement, i = 0; p && i < 3 && p !== document.body; p = p.parentElement, i++) around.push(p, ...p.children);
  around.push(...document.elementsFromPoint(r.x + r.width / 2, r.y + r.height / 2));
  return around.some((e) => e !== el && near(e) && seen(e) && (paints(e, false) || [...e.children].some((k) => k !== el && near(k) && seen(k) && paints(k, false))));
}

function seen(e: Element): boolean {
  const c = getComputedStyle(e);
  return c.visibility === 'visible' && c.display !== 'none' && +c.opacity > 0.02;
}

const PICTURE = /^(?:svg|img|canvas|picture|video|path|rect|circle)$/;

/** paints: the element shows something of its own, words included when they count. */
function paints(e: Element, words: boolean): boolean {
  if (PICTURE.test(e.localName)) return true;
  const fills = (c: CSSStyleDeclaration): boolean => c.backgroundImage !== 'none' || c.maskImage !== 'none' || c.boxShadow !== 'none' ||
    !/^(?:transparent|rgba\(.*, 0\))$/.test(c.backgroundColor) || ['Top', 'Right', 'Bottom', 'Left'].some((s) => parseFloat(c[`border${s}Width` as 'borderTopWidth']) > 0);
  if (fills(getComputedStyle(e))) return true;
  for (const which of ['::before', '::after']) {
    const c = getComputedStyle(e, which);
    if (c.content !== 'none' && c.content !== 'normal' && (fills(c) || c.content !== '""')) return true;
  }
  return [...e.childNodes].some((n) => n.nodeType === 3 && (n as Text).data.trim() !== '') && (words || e.localName === 'i' || (e.textContent ?? '').trim().length < 3);
}
