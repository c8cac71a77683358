// legible looks closely at one element: at the ink of its text and at where the very words stand. A capture does not, for
// that would cost every element a look that only the one which an assertion rests on is worth.
import type { Request } from './capture';
import { look, type Look } from './look';
import { byId, shadowOf } from './store';
import { isText } from './tree';

const HTML = 'http://www.w3.org/1999/xhtml';
const BLANK = /[\s\u00ad\u200b-\u200f\u2060\u061c\u202a-\u202e\u2066-\u2069\ufeff]/;

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom' | 'width' | 'height'>;

const up = (n: Node): Element | null => (n as Element).assignedSlot ?? n.parentElement ?? (n.parentNode as ShadowRoot | null)?.host ?? null;
const style = (e: Element, which?: string): CSSStyleDeclaration => getComputedStyle(e, which);
const alpha = (c: string): number => c === 'transparent' ? 0 : +(/^rgba\(.*,\s*([\d.]+)\)$/.exec(c) ?? /\/\s*([\d.]+)\s*\)$/.exec(c) ?? [0, 1])[1];

// ink: what speaks against the text of p, as it is drawn.
function ink(p: Element): string {
  const c = style(p);
  if (parseFloat(c.fontSize) < 2) return 'its text is too small to be read';
  if (p.namespaceURI !== HTML) return '';
  const drawn = parseFloat(c.webkitTextStrokeWidth) > 0 || c.textShadow !== 'none' || /text/.test(c.webkitBackgroundClip);
  return alpha(c.webkitTextFillColor) < 0.05 && !drawn ? 'its text is transparent' : '';
}

// whole: what speaks against all of e, and its boxes around it.
function whole(e: Element | null): string {
  for (let a = e; a; a = up(a)) {
    const c = style(a);
    if (/opacity\((?:0|0?\.0\d*)\)/.test(c.filter)) return 'it is transparent';
    const mask = c.maskImage || c.webkitMaskImage || 'none';
    const stops = /gradient\(/.test(mask) && !/url\(/.test(mask) ? mask.match(/rgba?\([^)]*\)/g) : null;
    if (stops && stops.every((s) => alpha(s) === 0)) return 'it is masked away';
    if (c.backfaceVisibility === 'hidden' && turned(a)) return 'it shows its back';
  }
  return '';
}

function turned(e: Element): boolean {
  let front = true;
  for (let a: Element | null = e; a; a = up(a)) {
    const t = style(a).transform;
    if (t.startsWith('matrix3d') && +t.slice(9, -1).split(',')[10] < 0) front = !front;
    const around = up(a);
    if (!around || style(around).transformStyle !== 'preserve-3d') break;
  }
  return !front;
}

// place: whether the rects of a run of text in p are cut off, or off the page.
function place(rects: Box[], p: Element): string {
  let all = 0, left = 0, off = true;
  for (const r of rects) {
    let x = r.left, y = r.top, x2 = r.right, y2 = r.bottom;
    all += r.width * r.height;
    if (x2 + scrollX > 0 && y2 + scrollY > 0 || document.dir === 'rtl') off = false;
    let position = style(p).position;
    for (let a: Element | null = p; a && a !== document.body && a !== document.documentElement; a = up(a)) {
      const c = style(a);
      if (a !== p && (position === 'fixed' || position === 'absolute' && c.position === 'static' && c.transform === 'none')) continue;
      position = a === p ? position : c.position === 'static' ? position : c.position;
      if (c.display === 'inline' || c.display === 'contents') continue;
      const b = a.getBoundingClientRect();
      if (/hidden|clip/.test(c.overflowX)) { x = Math.max(x, b.left); x2 = Math.min(x2, b.right); }
      if (/hidden|clip/.test(c.overflowY)) { y = Math.max(y, b.top); y2 = Math.min(y2, b.bottom); }
    }
    left += Math.max(0, x2 - x) * Math.max(0, y2 - y);
  }
  if (!all) return '';
  if (off) return 'its text lies off the page';
  return left / all < 0.5 ? 'its text is cut off' : '';
}

// camouflage: the text has exactly the colour of what is behind it. Whatever is in doubt is no camouflage.
function camouflage(r: Box, p: Element): string {
  const c = style(p), colour = c.webkitTextFillColor;
  if (p.namespaceURI !== HTML || alpha(colour) < 1 || c.textShadow !== 'none' || parseFloat(c.webkitTextStrokeWidth) > 0) return '';
  if (p.getRootNode() !== document) return '';
  const x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
  const stack = document.elementsFromPoint(x, y);
  const at = stack.indexOf(p);
  if (at < 0) return '';
  for (const e of stack.slice(at)) {
    const s = style(e);
    const plain = s.backgroundImage === 'none' && s.mixBlendMode === 'normal' && s.backdropFilter === 'none' && ['::before', '::after'].every((w) => /^(?:none|normal)$/.test(style(e, w).content));
    const a = alpha(s.backgroundColor);
    if (!plain || /^(?:img|video|canvas|svg|iframe|object|embed|picture)$/.test(e.localName) || a > 0 && a < 1) return '';
    if (a === 1) return s.backgroundColor === colour ? 'its text has the colour of what is behind it' : '';
  }
  return colour === 'rgb(255, 255, 255)' && self === top && style(document.documentElement).colorScheme === 'normal' ? 'its text has the colour of the page' : '';
}

type Char = [Text, number];

// gather lists every character below n that leaves ink, in the order of the flat tree.
function gather(n: Node, chars: Char[]): void {
  if (isText(n)) {
    for (let i = 0; i < n.data.length; i++) if (!BLANK.test(n.data[i])) chars.push([n, i]);
    return;
  }
  if (n.nodeType !== 1 && n.nodeType !== 11) return;
  const el = n as Element;
  const slotted = el.localName === 'slot' ? (el as HTMLSlotElement).assignedNodes() : [];
  for (const k of slotted.length ? slotted : (n.nodeType === 1 && shadowOf(el) || n).childNodes) gather(k, chars);
}

/** legible says why a person could not read the words in the node, or not see the node at all when there are none to read;
 * "" when nothing speaks against it. null: it is not on the page any more. With then it also captures the document. */
export const legible = (id: number, want: string, then: Request | null): { why: string | null; look?: Look } =>
  ({ why: objection(byId(id), want), look: then ? look(then) : undefined });

function objection(n: Node | null, want: string): string | null {
  if (!n?.isConnected) return null;
  let words = [...want].filter((c) => !BLANK.test(c)).join('');
  let chars: Char[] = [];
  if (words) gather(n, chars);
  const holder = n.nodeType === 1 ? n as Element : up(n); // a run of text is drawn by what it stands in
  let why = whole(holder);
  // A transparent field that stands over its picture is seen and used, but what it holds is not read.
  if (words && !why && holder && +style(holder).opacity < 0.02) why = 'it is transparent';
  if (why || !words) return why;
  let said = chars.map(([t, i]) => t.data[i]).join('');
  if (!said.includes(words)) { // a style prints it in other letters, or letters and their marks stand apart
    const plain = chars.map(([t, i]) => bare(t.data[i]));
    chars = chars.flatMap((c, k) => Array<Char>(plain[k].length).fill(c));
    [words, said] = [bare(words), plain.join('')];
  }
  let at = said.indexOf(words);
  if (at < 0) return /^(?:input|textarea|select)$/.test((n as Element).localName) ? ink(n as Element) : '';
  for (; at >= 0; at = said.indexOf(words, at + 1)) {
    const no = against(chars, at, at + words.length);
    if (!no) return '';
    why ||= no;
  }
  return why;
}

// bare is text regardless of case, with its marks taken off its letters.
const bare = (s: string): string => s.normalize('NFD').toUpperCase();

// against is what speaks against the characters from the one number to the other, each run of them looked at for itself.
function against(chars: Char[], i: number, end: number): string {
  let no = '';
  while (i < end && !no) {
    const [text, from] = chars[i];
    let to = from;
    while (i < end && chars[i][0] === text) to = chars[i++][1];
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to + 1);
    const p = up(text)!, rects = [...range.getClientRects()];
    no = ink(p) || whole(p) || place(rects, p) || (rects.length ? camouflage(rects[0], p) : '');
  }
  return no;
}
