// Covered: something opaque lies on top. Asked only about nodes on screen, and of the browser's own hit test first.
import { candidates, height, width, Vis, type Candidate } from './geometry';
import { recOf } from './records';
import { up } from './role';
import { shadowOf } from './store';
import { isText, type Rec } from './tree';

let before = -1; // how many were asked about in the last capture

/** occlude turns Visible into Covered where it must. ghosts are opaque elements that the hit test does not see; veiled are
 * fields that have been looked at already. Hit tests are the dearest part of a capture, so where nothing took another shape
 * and every box lies where it lay, the last answers hold. */
export function occlude(ghosts: Rec[], veiled: Set<Rec>, shaped: boolean): void {
  const asked = candidates.filter(({ rec }) => rec.vis === Vis.Visible && (rec.emit || rec.want || rec.scroll !== '') && !veiled.has(rec));
  const same = !shaped && asked.length === before && asked.every(({ rec }) => stayed(rec));
  before = asked.length;
  if (same) {
    for (const { rec } of asked) rec.vis = rec.sentVis;
    return;
  }
  const solid = ghosts.filter((g) => paints(g.node as Element));
  for (const c of asked) if (isCovered(c, solid)) c.rec.vis = Vis.Covered;
}

/** stayed: the box lies where the last capture saw it, and was asked about then. */
const stayed = (r: Rec): boolean => r.live && r.x === r.sentX && r.y === r.sentY && r.w === r.sentW && r.h === r.sentH &&
  (r.sentVis === Vis.Visible || r.sentVis === Vis.Covered);

// The middle first: most nodes are settled by one look.
const SAMPLES: readonly [number, number][] = [[0.5, 0.5], [0.12, 0.2], [0.88, 0.2], [0.12, 0.8], [0.88, 0.8]];

function isCovered(c: Candidate, ghosts: Rec[]): boolean {
  const el = (isText(c.rec.node) ? c.rec.parent!.node : c.rec.node) as Element;
  const x0 = Math.max(c.x, 0), y0 = Math.max(c.y, 0), x1 = Math.min(c.r, width), y1 = Math.min(c.b, height);
  if (x1 <= x0 || y1 <= y0) return false;
  for (const [fx, fy] of SAMPLES) {
    if (!coveredAt(el, x0 + (x1 - x0) * fx, y0 + (y1 - y0) * fy, ghosts)) return false;
  }
  return true;
}

function coveredAt(el: Element, x: number, y: number, ghosts: Rec[]): boolean {
  for (const g of ghosts) {
    const ge = g.node as Element;
    if (x * 10 >= g.x && y * 10 >= g.y && x * 10 < g.x + g.w && y * 10 < g.y + g.h && !related(ge, el) && above(ge, el)) return true;
  }
  const hit = deepest(x, y);
  if (!hit || within(hit, el)) return false;
  if (buried(el, x, y)) return true;
  if (within(el, hit)) return false;
  const stack = document.elementsFromPoint(x, y);
  const seen = stack.some((e) => e === el || related(e, el) && within(e, el) || within(el, e) && shadowOf(e));
  for (const e of [hit, ...stack]) {
    if (related(e, el)) {
      if (within(e, el)) return false; // reached the node itself
      continue;
    }
    if (opaque(e, el, x, y) && (seen || above(e, el))) return true;
  }
  return false;
}

/** buried: el lies below the background of a box around it, as a layer of negative order does that no box in between
 * holds. */
function buried(el: Element, x: number, y: number): boolean {
  let sunk = false;
  for (let a: Element | null = el; a && a !== document.documentElement; a = up(a)) {
    const c = getComputedStyle(a);
    if (stacks(c) || c.zIndex !== 'auto' && /flex|grid/.test(display(up(a)))) {
      sunk = +c.zIndex < 0;
      continue;
    }
    if (!sunk || a === document.body && lendsPaint()) continue;
    const r = a.getBoundingClientRect();
    if (x >= r.x && y >= r.y && x < r.right && y < r.bottom && paints(a)) return true;
  }
  return false;
}

const display = (el: Element | null): string => el ? getComputedStyle(el).display : '';

/** lendsPaint: the body's background is the canvas, below everything. */
const lendsPaint = (): boolean => {
  const c = getComputedStyle(document.documentElement);
  return alpha(c.backgroundColor) === 0 && c.backgroundImage === 'none';
};

/** deepest is the element a click at the point would hit, inside shadow trees. */
function deepest(x: number, y: number): Element | null {
  let e = document.elementFromPoint(x, y);
  for (let i = 0; e && i < 32; i++) {
    const inner: Element | null | undefined = shadowOf(e)?.elementFromPoint(x, y);
    if (!inner || inner === e) break;
    e = inner;
  }
  return e;
}

/** within: a is b, or lies inside it. */
function within(a: Element, b: Element): boolean {
  for (let e: Element | null = a; e; e = up(e)) if (e === b) return true;
  return false;
}

const related = (a: Element, b: Element): boolean => a === b || within(a, b) || within(b, a);

/** opaque: e, or a box around it that does not hold el, hides what is behind it at the point. */
function opaque(e: Element, el: Element, x: number, y: number): boolean {
  for (let a: Element | null = e; a && !within(el, a); a = up(a)) {
    const r = a.getBoundingClientRect();
    if (x >= r.x && x < r.right && y >= r.y && y < r.bottom ? paints(a) : backdrop(a)) return true;
  }
  return false;
}

const REPLACED = /^(?:img|video|canvas|iframe|embed|object|input|select|textarea|button)$/;

/** paints: the box is filled, and shows. */
function paints(el: Element): boolean {
  const c = getComputedStyle(el);
  if (c.visibility !== 'visible') return false;
  const tag = el.localName;
  const filled = alpha(c.backgroundColor) > 0.9 || c.backgroundImage !== 'none' && !/gradient/.test(c.backgroundImage) ||
    /gradient/.test(c.backgroundImage) && !/transparent|rgba?\([^)]*(?:,|\/)\s*0?\.?\d*\s*\)/.test(c.backgroundImage) ||
    (/^(?:img|video|iframe|embed|object)$/.test(tag) && REPLACED.test(tag));
  return filled && strength(el) > 0.9;
}

function backdrop(el: Element): boolean {
  if (!el.matches(':modal')) return false;
  return alpha(getComputedStyle(el, '::backdrop').backgroundColor) > 0.9;
}

/** strength is the product of the opacities from the element up. */
function strength(el: Element): number {
  let o = 1;
  for (let e: Element | null = el; e; e = up(e)) o *= recOf(e)?.opacity ?? +getComputedStyle(e).opacity;
  return o;
}

/** alpha of a computed colour. */
function alpha(color: string): number {
  if (color === 'transparent') return 0;
  const m = /^rgba\(.*,\s*([\d.]+)\)$/.exec(color) ?? /\/\s*([\d.]+)\s*\)$/.exec(color);
  return m ? +m[1] : 1;
}

/** above: by the rules of stacking, a is painted later than b. Used where the hit test is blind. */
function above(a: Element, b: Element): boolean {
  const pa = layers(a);
  const pb = layers(b);
  let i = 0;
  while (i < pa.length && i < pb.length && pa[i].el === pb[i].el) i++;
  const la = pa[i];
  const lb = pb[i];
  if (!la) return false; // a is an ancestor's layer: it paints before what it holds
  if (!lb) return la.z >= 0;
  if (la.top !== lb.top) return la.top > lb.top;
  if (la.z !== lb.z) return la.z > lb.z;
  return (la.el.compareDocumentPosition(lb.el) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}

/** stacks: the box paints as a unit in the order of the boxes around it. */
const stacks = (c: CSSStyleDeclaration): boolean =>
  c.position !== 'static' && c.zIndex !== 'auto' || c.position === 'fixed' || c.position === 'sticky' || +c.opacity < 1 ||
  c.transform !== 'none' || c.filter !== 'none' || c.isolation === 'isolate' || c.mixBlendMode !== 'normal';

interface Layer { el: Element; z: number; top: number }

/** layers are the boxes around el, outermost first, that paint as a unit in their own order; el itself comes last. */
function layers(el: Element): Layer[] {
  const out: Layer[] = [];
  let first = true;
  for (let e: Element | null = el; e; e = up(e)) {
    const c = getComputedStyle(e);
    const positioned = c.position !== 'static';
    const top = e.matches(':modal,:popover-open,:fullscreen') ? 1 : 0;
    if (stacks(c) || top) out.push({ el: e, z: c.zIndex === 'auto' ? 0.5 : +c.zIndex + (+c.zIndex >= 0 ? 0.5 : 0), top });
    else if (positioned) out.push({ el: e, z: 0.5, top });
    else if (first) out.push({ el: e, z: 0, top });
    first = false;
  }
  return out.reverse();
}
