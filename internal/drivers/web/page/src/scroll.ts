// Scrolling: which container a scroll is for, and whether it moved.
import { begin, elementOf, lost, type Query, type Refusal } from './act';
import { deepest, describe, flatParent } from './hit';
import { boxOf, bring, reach, scrollersOf, type Box, view } from './reveal';
import { frame } from './settle';

/** Plan is where a wheel turns to scroll a container. */
export interface Plan { ok: true; x: number; y: number; box: Box; can: boolean; what: string; log: string[] }

let scroller: Element | null = null;
let from: [number, number] = [0, 0];
let wheelPrevented = false;

/** room says whether s can move in that direction. */
function room(s: Element, dx: number, dy: number): boolean {
  const rtl = s.scrollLeft < 0;
  const maxX = s.scrollWidth - s.clientWidth, maxY = s.scrollHeight - s.clientHeight;
  const x = rtl ? maxX + s.scrollLeft : s.scrollLeft;
  return (dx > 0 && x < maxX - 1) || (dx < 0 && x > 1) || (dy > 0 && s.scrollTop < maxY - 1) || (dy < 0 && s.scrollTop > 1);
}

function rolls(s: Element): boolean {
  if (s === document.scrollingElement) return true;
  const c = getComputedStyle(s);
  return /auto|scroll|overlay/.test(c.overflowX + c.overflowY) && (s.scrollHeight > s.clientHeight || s.scrollWidth > s.clientWidth);
}

// The page's own viewport when it can move, else the biggest container in view: pages whose body does not scroll have one.
function main(dx: number, dy: number): Element {
  const root = document.scrollingElement ?? document.documentElement;
  if (room(root, dx, dy)) return root;
  let best: Element = root, size = 0;
  for (let c = deepest(innerWidth / 2, innerHeight / 2); c; c = flatParent(c)) if (rolls(c) && room(c, dx, dy)) return c;
  for (const e of document.querySelectorAll('*')) {
    if (e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth || !rolls(e) || !room(e, dx, dy)) continue;
    const r = e.getBoundingClientRect();
    const area = Math.max(0, Math.min(r.right, innerWidth) - Math.max(0, r.left)) * Math.max(0, Math.min(r.bottom, innerHeight) - Math.max(0, r.top));
    if (area > size) { size = area; best = e; }
  }
  return best;
}

/** planScroll finds the container and a point in it. */
export function planScroll(q: Query, dx: number, dy: number): Plan | Refusal {
  let s: Element;
  let what = 'the page';
  const root = document.scrollingElement ?? document.documentElement;
  if (q.id) {
    const el = elementOf(q.id);
    if (!el?.isConnected) return { ok: false, log: [], ...lost(el) };
    const chain = [el, ...scrollersOf(el)].filter(rolls);
    s = chain.find((c) => room(c, dx, dy)) ?? chain[0] ?? root;
    if (s !== root && !inView(s)) bring(s, 'center');
  } else s = main(dx, dy);
  if (s !== root) what = describe(s);
  scroller = s;
  wheelPrevented = false;
  begin({ ...q, kind: 'none' }, s);
  from = [s.scrollLeft, s.scrollTop];
  const box: Box = s === root ? [0, 0, innerWidth, innerHeight] : boxOf(s);
  const a = s === root ? { x: innerWidth / 2, y: innerHeight / 2 } : reach(s, null, false, false);
  return { ok: true, x: a.x, y: a.y, box, can: room(s, dx, dy), what, log: [] };
}

function inView(el: Element): boolean {
  const r = el.getBoundingClientRect();
  return r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth;
}

addEventListener('wheel', (e) => { if (e.isTrusted && e.defaultPrevented) wheelPrevented = true; }, { passive: true });

/** moved waits until a scroll under way has ended; when a wheel did not move the container, it is moved by script. */
export async function moved(dx: number, dy: number, can: boolean): Promise<{ dx: number; dy: number; method: string }> {
  const s = scroller;
  if (!s) return { dx: 0, dy: 0, method: 'wheel' };
  const at = (): [number, number] => [s.scrollLeft, s.scrollTop];
  const done = (method: string): { dx: number; dy: number; method: string } => ({ dx: s.scrollLeft - from[0], dy: s.scrollTop - from[1], method });
  for (let i = 0; i < 60; i++) { // a smooth scroll takes some frames
    const before = at().join();
    if (i > 0 || before === from.join()) await frame();
    if (at().join() === before && (before !== from.join() || i > 0 || !can)) break;
  }
  if (at().join() !== from.join() || !can || wheelPrevented) return done('wheel');
  s.scrollBy({ left: dx, top: dy, behavior: 'instant' });
  await frame();
  return done('scrollBy');
}

/** showNode scrolls an element into view. */
export function showNode(q: Query): Plan | Refusal {
  const el = elementOf(q.id);
  if (!el?.isConnected) return { ok: false, log: [], ...lost(el) };
  begin({ ...q, kind: 'none' }, el);
  const r = el.getBoundingClientRect();
  if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth || sliver(el, r) || !reach(el, null, false, false).ok) {
    const around = scrollersOf(el).map((s): [Element, number, number] => [s, s.scrollLeft, s.scrollTop]);
    el.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const can = around.some(([s, x, y]) => s.scrollLeft !== x || s.scrollTop !== y);
    return { ok: true, ...center(el), box: boxOf(el), can, what: describe(el), log: [] };
  }
  return { ok: true, ...center(el), box: boxOf(el), can: false, what: describe(el), log: [] };
}

// sliver: its scroll containers leave a pixel of it at most, which nobody reads.
function sliver(el: Element, box: DOMRect): boolean {
  const [l, t, r, b] = view(el);
  return Math.min(r, box.right) - Math.max(l, box.left) <= 1 || Math.min(b, box.bottom) - Math.max(t, box.top) <= 1;
}

function center(el: Element): { x: number; y: number } {
  const r = el.getBoundingClientRect();
  return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
}

/** visibleNow says whether any part of the element is in the viewport. */
export const visibleNow = (id: number): boolean => { const el = elementOf(id); return !!el && inView(el); };

/** coasted waits until a scroll that a finger set going has run out. */
export async function coasted(): Promise<void> {
  let at = '';
  for (let i = 0; i < 60; i++) {
    await frame();
    const all = [document.scrollingElement, ...scrollersNow()].map((s) => s ? s.scrollLeft + ',' + s.scrollTop : '').join(';');
    if (all === at) return;
    at = all;
  }
}

// What a finger in the middle of the view can have moved.
function scrollersNow(): Element[] {
  const el = deepest(innerWidth / 2, innerHeight / 2);
  return el ? scrollersOf(el) : [];
}
