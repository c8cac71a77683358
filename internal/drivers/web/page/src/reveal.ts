// Bringing things into view, and the points of an element that a pointer can reach.
import { coverer, deepest, describe, flatParent, hits, nestedIn, stays, within } from './hit';
import { weScrolled } from './settle';

/** Box is x, y, width, height in this document's viewport. */
export type Box = [number, number, number, number];

/** boxes are the element's boxes; several for text that wraps, those of its content when it has none of its own. */
export function boxes(el: Element): DOMRect[] {
  if (el.localName === 'area') return areaBox(el as HTMLAreaElement);
  let list = [...el.getClientRects()].filter((r) => r.width > 0 && r.height > 0);
  if (!list.length && el.childNodes.length && getComputedStyle(el).display === 'contents') {
    const r = document.createRange();
    r.selectNodeContents(el);
    list = [...r.getClientRects()].filter((b) => b.width > 0 && b.height > 0);
  }
  return list;
}

// An area of an image map has no box of its own: it lies on the picture that uses the map.
function areaBox(area: HTMLAreaElement): DOMRect[] {
  const map = area.closest('map');
  const img = map && document.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
  const r = img?.getBoundingClientRect();
  if (!r || !r.width || !r.height) return [];
  const n = area.coords.split(',').map(Number);
  if (area.shape === 'default' || n.length < 3 || n.some(Number.isNaN)) return [r];
  if (area.shape === 'circle') return [new DOMRect(r.x + n[0] - n[2], r.y + n[1] - n[2], 2 * n[2], 2 * n[2])];
  const xs = n.filter((_, i) => i % 2 === 0), ys = n.filter((_, i) => i % 2 === 1);
  const x = Math.min(...xs), y = Math.min(...ys);
  return [new DOMRect(r.x + x, r.y + y, Math.max(...xs) - x, Math.max(...ys) - y)];
}

/** boxOf is the one box around the element. */
export function boxOf(el: Element): Box {
  const r = el.getBoundingClientRect();
  return [r.x, r.y, r.width, r.height];
}

const clips = (v: string): boolean => v !== 'visible';

// inside is the box within the borders and scrollbars of a container, as large as it is drawn.
function inside(p: HTMLElement): { left: number; top: number; right: number; bottom: number } {
  const r = p.getBoundingClientRect();
  const sx = p.offsetWidth ? r.width / p.offsetWidth : 1, sy = p.offsetHeight ? r.height / p.offsetHeight : 1;
  const left = r.left + p.clientLeft * sx, top = r.top + p.clientTop * sy;
  return { left, top, right: left + p.clientWidth * sx, bottom: top + p.clientHeight * sy };
}

/** view is the part of the viewport in which el can be seen: what its scroll containers leave of it. */
export function view(el: Element): [number, number, number, number] {
  let l = 0, t = 0, r = innerWidth, b = innerHeight;
  let position = getComputedStyle(el).position;
  for (let p = flatParent(el); p && p !== document.documentElement; p = flatParent(p)) {
    if (position === 'fixed') break;
    const s = getComputedStyle(p);
    if (position === 'absolute' && s.position === 'static' && s.transform === 'none') continue;
    if (p !== document.body && (clips(s.overflowX) || clips(s.overflowY)) && s.display !== 'inline' && s.display !== 'contents') {
      const box = inside(p as HTMLElement);
      if (clips(s.overflowX)) { l = Math.max(l, box.left); r = Math.min(r, box.right); }
      if (clips(s.overflowY)) { t = Math.max(t, box.top); b = Math.min(b, box.bottom); }
    }
    if (s.position !== 'static') position = s.position;
  }
  return [l, t, r, b];
}

/** Aim is a point on the element that a pointer reaches, or what keeps it from there. With ok, by is the other control
    that the point evades. */
export interface Aim { x: number; y: number; ok: boolean; by: Element | null; out: boolean }

const SPREAD: [number, number][] = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.15, 0.2], [0.85, 0.8], [0.85, 0.2], [0.15, 0.8], [0.04, 0.5], [0.96, 0.5]];

/** reach looks for such a point without moving anything: the middle, at an offset from the corner, or anywhere. */
export function reach(el: Element, offset: [number, number] | null, middle: boolean, force: boolean): Aim {
  const [l, t, r, b] = view(el);
  let first: Aim | null = null;
  let nested: Aim | null = null;
  for (const box of boxes(el)) {
    const points: [number, number][] = [];
    if (offset) points.push([box.x + offset[0], box.y + offset[1]]);
    else {
      const [x0, y0, x1, y1] = [Math.max(l, box.left), Math.max(t, box.top), Math.min(r, box.right), Math.min(b, box.bottom)];
      if (x1 - x0 <= 0 || y1 - y0 <= 0) continue;
      for (const [fx, fy] of middle ? SPREAD.slice(0, 1) : SPREAD) points.push([x0 + (x1 - x0) * fx, y0 + (y1 - y0) * fy]);
    }
    for (const [x, y] of points) {
      if (x < l || y < t || x >= r || y >= b) { first ??= { x, y, ok: false, by: null, out: true }; continue; }
      if (force) return { x, y, ok: true, by: null, out: false };
      const hit = deepest(x, y);
      if (hits(hit, el)) {
        const other = offset ? null : nestedIn(hit!, el);
        if (!other) return { x, y, ok: true, by: nested?.by ?? null, out: false };
        nested ??= { x, y, ok: true, by: other, out: false };
        continue;
      }
      first ??= { x, y, ok: false, by: hit && coverer(hit, el), out: false };
    }
    if (offset) break;
  }
  if (!nested) return first ?? { x: 0, y: 0, ok: false, by: null, out: true };
  // The middle lies on another control inside el: look beside it before that one gets the event.
  return middle ? reach(el, null, false, force) : { ...nested, by: null };
}

/** pinned is the part of what is drawn around el that keeps its place while the page scrolls under it, or null. */
function pinned(el: Element): Element | null {
  for (let c: Element | null = el; c; c = flatParent(c)) if (stays(c)) return c;
  return null;
}

/** dodgeable says whether scrolling could bring el out from under what covers it. */
function dodgeable(by: Element, el: Element): boolean {
  const bar = pinned(by);
  if (!bar) return false;
  const p = getComputedStyle(bar).position, r = bar.getBoundingClientRect(), need = Math.min(20, el.getBoundingClientRect().height);
  if (p !== 'fixed' && p !== 'sticky') return true; // how much its style draws is not known
  return r.top >= need || r.bottom <= innerHeight - need || r.left >= 20 || r.right <= innerWidth - 20;
}

const scrollable = (el: Element): boolean => {
  if (el === document.scrollingElement) return true;
  if (el.scrollHeight <= el.clientHeight && el.scrollWidth <= el.clientWidth) return false;
  const s = getComputedStyle(el);
  return /auto|scroll|hidden|overlay/.test(s.overflowX + s.overflowY);
};

/** scrollersOf are the scroll containers around el, inner first. */
export function scrollersOf(el: Element): Element[] {
  const out: Element[] = [];
  for (let c = flatParent(el); c; c = flatParent(c)) if (c !== document.body && scrollable(c)) out.push(c);
  const root = document.scrollingElement;
  if (root && !out.includes(root)) out.push(root);
  return out;
}

const ALIGNMENTS: ScrollLogicalPosition[] = ['center', 'start', 'end', 'nearest'];

let dodges = 0; // for the action under way: what covers an element in every place is not fled for ever

/** anew begins to count for another action. */
export const anew = (): void => { dodges = 0; };

/** dodge is reach for the middle or the offset; what stays in place over el while the page scrolls is scrolled out of the way. */
export function dodge(el: Element, offset: [number, number] | null, found: Aim): Aim {
  let aim = found;
  for (let i = 0; !aim.ok && aim.by && dodgeable(aim.by, el) && dodges < 10 && i <= ALIGNMENTS.length; i++, dodges++) {
    if (i < ALIGNMENTS.length) bring(el, ALIGNMENTS[i]);
    else intoGap(el, offset);
    aim = reach(el, offset, true, false);
  }
  return aim;
}

// intoGap scrolls so that the point lies in the middle of the longest stretch above and below it that no bar covers.
function intoGap(el: Element, offset: [number, number] | null): void {
  const r = el.getBoundingClientRect(), x = Math.min(Math.max(0, r.left + (offset ? offset[0] : r.width / 2)), innerWidth - 1);
  let top = 0, best = 0, middle = innerHeight / 2;
  for (let y = 0; y <= innerHeight; y += 8) {
    const hit = y < innerHeight ? deepest(x, y) : null;
    if (y < innerHeight && !(hit && !within(el, hit) && pinned(hit) && !within(el, pinned(hit)!))) continue;
    if (y - top > best) { best = y - top; middle = (y + top) / 2; }
    top = y + 8;
  }
  for (const s of scrollersOf(el)) {
    const now = el.getBoundingClientRect();
    s.scrollBy({ left: 0, top: now.top + (offset ? offset[1] : now.height / 2) - middle, behavior: 'instant' });
    weScrolled(s);
  }
}

/** bring scrolls el into view without animation. */
export function bring(el: Element, block: ScrollLogicalPosition): void {
  const around = scrollersOf(el);
  el.scrollIntoView({ block, inline: block === 'nearest' ? 'nearest' : 'center', behavior: 'instant' });
  for (const s of around) weScrolled(s);
}

/** bringPoint scrolls so that a point of the viewport comes into view: a part of something larger than the view. */
export function bringPoint(el: Element, x: number, y: number): void {
  for (const s of scrollersOf(el)) {
    const box = s === document.scrollingElement ? new DOMRect(0, 0, innerWidth, innerHeight) : s.getBoundingClientRect();
    const dx = x < box.left || x >= box.right ? x - (box.left + box.width / 2) : 0;
    const dy = y < box.top || y >= box.bottom ? y - (box.top + box.height / 2) : 0;
    if (!dx && !dy) continue;
    const [sx, sy] = [s.scrollLeft, s.scrollTop];
    s.scrollBy({ left: dx, top: dy, behavior: 'instant' });
    weScrolled(s);
    x -= s.scrollLeft - sx;
    y -= s.scrollTop - sy;
  }
}

/** covered puts what is in the way into words. */
export const covered = (a: Aim): string => a.out ? 'outside of the view' : `covered by ${describe(a.by)}`;

/** shown says whether the element has a box that is not hidden. */
export function shown(el: Element): boolean {
  const s = getComputedStyle(el);
  return s.visibility === 'visible' && (s.display !== 'none' || el.localName === 'area') && boxes(el).length > 0;
}
