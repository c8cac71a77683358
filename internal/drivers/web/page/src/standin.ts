// Controls that nobody sees, and what people use in their place: page scripts hide a native control and draw their own.
import { deepest, describe, hits, labelsOf } from './hit';
import { recOf } from './records';
import { State } from './state';
import { up } from './role';
import { shown } from './reveal';
import { idOf } from './store';

const FIELD = /^(?:input|select|textarea)$/;

/** unseen says why nobody sees a field that has a box, '' when people may see it. */
export function unseen(el: Element): string {
  if (!FIELD.test(el.localName) || (el as HTMLInputElement).type === 'file') return '';
  const r = el.getBoundingClientRect();
  if (r.width <= 1.5 || r.height <= 1.5) return 'is too small to be seen';
  const c = getComputedStyle(el);
  if (/^(?:absolute|fixed)$/.test(c.position) && /^rect\((?:0px,? ?|1px,? ?){4}\)$/.test(c.clip) || /^inset\((?:[5-9]\d|100)(?:\.\d+)?%\)$/.test(c.clipPath)) return 'is cut off';
  if (+c.opacity < 0.02 && !labelsOf(el).some(shown)) {
    const hit = deepest(r.x + r.width / 2, r.y + r.height / 2);
    if (hit && !hits(hit, el)) return `is transparent, and ${describe(hit)} takes its clicks`;
  }
  if (r.right + scrollX <= 0 && document.dir !== 'rtl' || r.bottom + scrollY <= 0) return 'lies off the page';
  return '';
}

const ACTS = State.Clickable | State.Focusable | State.Editable;

/** standIn is the number of what people use in place of a control that they cannot: its label, or the control drawn next to
 * it; 0 when nothing is found. */
export function standIn(el: Element): number {
  const label = labelsOf(el).find(shown);
  if (label && el.localName === 'input') return idOf(label);
  const role = recOf(el)?.role;
  for (let p = up(el), i = 0; p && i < 3 && (i === 0 || p !== document.body); p = up(p), i++) {
    let found: Element | null = null, after = false;
    for (const e of p.querySelectorAll('*')) {
      if (e === el) after = true;
      const rec = recOf(e);
      if (!rec || !(rec.state & ACTS) || e === el || e.contains(el) || e.localName === 'label' || !shown(e) || unseen(e)) continue;
      if (rec.role === role) return idOf(e);
      if (!found || after && !(el.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_FOLLOWING)) found = e;
    }
    if (found) return idOf(found);
  }
  return 0;
}
