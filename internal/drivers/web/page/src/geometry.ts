// Where things are, and whether a person could see them: one pass over the records from the top, reading boxes only.
// What covers what is decided afterwards, in cover.ts, for the few that are on screen.
import { type Rec, S } from './tree';
import { tenths } from './wire';

export const enum Vis { Visible = 0, Offscreen = 1, Covered = 2, Clipped = 3, Transparent = 4, Hidden = 5 }

/** Clip is a box that cuts off what lies outside it, inside the boxes that cut it off itself. */
interface Clip {
  up: Clip | null;
  x: number; y: number; r: number; b: number;
  hardX: boolean; hardY: boolean; softX: boolean; softY: boolean;
  fromX: number; fromY: number; toX: number; toY: number; // what scrolling can bring into a soft box, viewport px
}

/** Place is what a record's children inherit. */
interface Place {
  clip: Clip;
  opacity: number;
  readonly page: Clip; // the viewport of what scrolls with the page
  readonly fixed: Clip; // and of what does not
}

/** Candidate is a node on screen that something might cover, and the part of its box that shows. */
export interface Candidate { rec: Rec; x: number; y: number; r: number; b: number }

export let candidates: Candidate[] = [];
/** ghosts are elements that take no pointer events: the hit test does not see them, people do. */
export let ghosts: Rec[] = [];
/** veiled are fields in view that only their own opacity hides; see veiled.ts. */
export let veiled = new Set<Rec>();
export let width = 0;
export let height = 0;
let range: Range | null = null;
let still = false;
let lock = { x: false, y: false };

/** layout reads every box. quiet: only what the marks in the records tell has happened since the last time, so that parts
 * that are clean, off screen and where they were need no look inside. */
export function layout(root: Rec, quiet: boolean): void {
  candidates = [];
  ghosts = [];
  veiled = new Set();
  const d = document.documentElement;
  const view = document.scrollingElement ?? d;
  width = innerWidth;
  height = innerHeight;
  const locked = viewportLocked(d);
  still = quiet && locked.x === lock.x && locked.y === lock.y;
  lock = locked;
  const cw = d.clientWidth || width;
  const rtl = view.scrollLeft < 0 || getComputedStyle(d).direction === 'rtl';
  const fromX = -view.scrollLeft - (rtl ? view.scrollWidth - cw : 0);
  const page: Clip = {
    up: null, x: 0, y: 0, r: width, b: height, hardX: locked.x, hardY: locked.y, softX: !locked.x, softY: !locked.y,
    fromX, fromY: -view.scrollTop, toX: fromX + view.scrollWidth, toY: -view.scrollTop + view.scrollHeight,
  };
  const fixed: Clip = { ...page, hardX: true, hardY: true, softX: false, softY: false };
  transformed = new Map();
  visit(root, { clip: page, opacity: 1, page, fixed }, null);
}

function viewportLocked(d: HTMLElement): { x: boolean; y: boolean } {
  const h = getComputedStyle(d);
  let x = h.overflowX;
  let y = h.overflowY;
  if (x === 'visible' && y === 'visible' && document.body) {
    const b = getComputedStyle(document.body);
    x = b.overflowX;
    y = b.overflowY;
  }
  const hard = (v: string): boolean => v === 'hidden' || v === 'clip';
  return { x: hard(x), y: hard(y) };
}

const CLEAR = 0.02; // opacity below which nobody sees anything

/** visit places rec and everything below; it returns whether anything there has an area. */
function visit(rec: Rec, p: Place, parent: Rec | null): boolean {
  if (rec.cut) return void hide(rec), false;
  const node = rec.node as Element;
  if (!rec.tag) {
    return settle(rec, textBox(node), (parent!.style & S.Invisible) !== 0, p.clip, p.opacity);
  }
  const s = rec.style;
  let { clip, opacity } = p;
  if (s & (S.Fixed | S.Absolute)) clip = containing(rec, (s & S.Fixed) !== 0, p.fixed, p.page);
  if (rec.opacity < 1) opacity *= rec.opacity;
  const cutsOff = (s & (S.HardX | S.HardY | S.SoftX | S.SoftY | S.ClipPath)) !== 0 && parent !== null && rec.tag !== 'body';
  let own = false;
  let inner = clip;
  rec.scroll = '';
  rec.skipped = false;
  if (rec.emit || rec.want || cutsOff || s & S.NoEvents) {
    const r = s & S.Contents && rec.leaf ? textBox(node) : node.getBoundingClientRect();
    if (still && rec.clean && rec.live && !rec.near && p.clip === p.page && !cutsOff && unmoved(rec, s, r)) {
      rec.skipped = true;
      return rec.area;
    }
    if (cutsOff) inner = clipOf(rec, node, r, clip, s);
    if (s & S.NoEvents && r.width > 0 && r.bottom > 0 && r.y < height) ghosts.push(rec);
    const veil = opacity < CLEAR && p.opacity >= CLEAR && /^(?:input|select|textarea)$/.test(rec.tag);
    own = settle(rec, r, (s & S.Invisible) !== 0, s & S.ClipPath ? inner : clip, veil ? p.opacity : opacity);
    if (veil && rec.vis === Vis.Visible) veiled.add(rec);
  }
  const kids = rec.kids;
  const seen = candidates.length;
  if (kids.length) {
    rec.clip = inner;
    const q = inner === p.clip && opacity === p.opacity ? p : { clip: inner, opacity, fixed: p.fixed, page: p.page };
    let any = false;
    for (let i = 0; i < kids.length; i++) if (visit(kids[i], q, rec)) any = true;
    if (any && !own && (rec.emit || rec.want)) {
      adopt(rec);
      own = true;
    } else if (any) own = true;
  }
  rec.near = candidates.length > seen || rec.vis === Vis.Visible;
  return rec.area = own;
}

/** textBox is where the text in a node stands. */
function textBox(node: Node): DOMRect {
  range ??= document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

// Inside these, or with these inside, a box may stay where it is while its content moves.
const SHIFTY = S.Inline | S.Contents | S.Cell | S.Fixed | S.Absolute;
const SHIFTY_INSIDE = S.HardX | S.HardY | S.SoftX | S.SoftY | S.Fixed | S.Float | S.Hosting | S.ClipPath;

/** unmoved: the box is where it was, and then so is everything in it. */
function unmoved(rec: Rec, s: number, r: DOMRect): boolean {
  if (s & SHIFTY || rec.below & SHIFTY_INSIDE || rec.below & S.Absolute && !(s & S.Positioned)) return false;
  return tenths(r.x) === rec.x && tenths(r.y) === rec.y && tenths(r.width) === rec.w && tenths(r.height) === rec.h;
}

let transformed = new Map<Rec, boolean>();

/** containing is the clip that counts for an absolute or fixed box: that of its containing block. */
function containing(rec: Rec, fixed: boolean, viewport: Clip, page: Clip): Clip {
  for (let a = rec.parent; a; a = a.parent) {
    if (!fixed && a.style & S.Positioned || transforms(a)) return a.clip as Clip;
  }
  return fixed ? viewport : page;
}

/** transforms: the box contains even fixed boxes inside it. */
function transforms(a: Rec): boolean {
  let t = transformed.get(a);
  if (t === undefined) {
    const c = getComputedStyle(a.node as Element);
    t = c.transform !== 'none' || c.filter !== 'none' || c.perspective !== 'none' || c.translate !== 'none' || c.scale !== 'none' || c.rotate !== 'none' ||
      /transform|filter|perspective/.test(c.willChange) || /paint|strict|content|layout/.test(c.contain);
    transformed.set(a, t);
  }
  return t;
}

/** settle stores the box and decides everything but Covered. */
function settle(rec: Rec, r: DOMRect, invisible: boolean, clip: Clip, opacity: number): boolean {
  const x = r.x, y = r.y, w = r.width, h = r.height; // each read is a call into the browser
  rec.x = tenths(x);
  rec.y = tenths(y);
  rec.w = tenths(w);
  rec.h = tenths(h);
  if (w <= 0 || h <= 0) {
    rec.vis = Vis.Hidden;
    return false;
  }
  if (invisible) rec.vis = Vis.Hidden;
  else if (opacity < CLEAR) rec.vis = Vis.Transparent;
  else rec.vis = clipped(rec, x, y, x + w, y + h, clip);
  return !invisible;
}

const thin = (rec: Rec): boolean => rec.text !== '' || rec.name !== '';

// clipped: what a box that scrolls leaves no more than a pixel of is out of view like all beyond its edge, and what
// scrolling shows of it counts; a box that does not scroll leaves what it leaves.
function clipped(rec: Rec, x: number, y: number, r: number, b: number, clip: Clip): Vis {
  let off = false;
  for (let c: Clip | null = clip; c; c = c.up) {
    if (c.hardX || c.softX) {
      const lo = x < c.x ? c.x : x, hi = r > c.r ? c.r : r, left = hi - lo;
      if (left > 1 || left === r - x || c.hardX && left > 0) {
        x = lo; r = hi;
      } else {
        const from = x < c.fromX ? c.fromX : x, to = r > c.toX ? c.toX : r;
        if (c.hardX || to <= from) return Vis.Clipped;
        off = true;
        const w = Math.min(to - from, c.r - c.x);
        if (x < c.x) { x = c.x; r = x + w; } else { r = c.r; x = r - w; }
      }
    }
    if (c.hardY || c.softY) {
      const lo = y < c.y ? c.y : y, hi = b > c.b ? c.b : b, left = hi - lo;
      if (left > 1 || left === b - y || c.hardY && left > 0) {
        y = lo; b = hi;
      } else {
        const from = y < c.fromY ? c.fromY : y, to = b > c.toY ? c.toY : b;
        if (c.hardY || to <= from) return Vis.Clipped;
        off = true;
        const h = Math.min(to - from, c.b - c.y);
        if (y < c.y) { y = c.y; b = y + h; } else { b = c.b; y = b - h; }
      }
    }
  }
  // What is left of a label or control is no wider than a hair: text put there for screen readers only.
  if ((r - x <= 1 && rec.w > 10 || b - y <= 1 && rec.h > 10 || r - x <= 1 && b - y <= 1) && thin(rec)) return Vis.Clipped;
  if (off) return Vis.Offscreen;
  candidates.push({ rec, x, y, r, b });
  return Vis.Visible;
}

/** clipOf is the clip an element's contents get. Scroll positions are read here, and nowhere else. */
function clipOf(rec: Rec, el: Element, r: DOMRect, up: Clip, s: number): Clip {
  const x = r.x + el.clientLeft;
  const y = r.y + el.clientTop;
  const c: Clip = {
    up, x, y, r: x + el.clientWidth, b: y + el.clientHeight, fromX: 0, fromY: 0, toX: 0, toY: 0,
    hardX: (s & S.HardX) !== 0, hardY: (s & S.HardY) !== 0, softX: (s & S.SoftX) !== 0, softY: (s & S.SoftY) !== 0,
  };
  let scroll = '';
  if (s & (S.SoftX | S.SoftY)) {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = el;
    const moreX = scrollWidth - clientWidth;
    const moreY = scrollHeight - clientHeight;
    c.fromX = x - scrollLeft - (scrollLeft < 0 ? moreX : 0);
    c.fromY = y - scrollTop - (scrollTop < 0 ? moreY : 0);
    c.toX = c.fromX + scrollWidth;
    c.toY = c.fromY + scrollHeight;
    if (s & S.SoftX && moreX > 0 || s & S.SoftY && moreY > 0) {
      const left = s & S.SoftX ? Math.max(0, Math.round(x - c.fromX)) : 0;
      const above = s & S.SoftY ? Math.max(0, Math.round(y - c.fromY)) : 0;
      scroll = `${above},${s & S.SoftY ? Math.max(0, moreY - above) : 0},${left},${s & S.SoftX ? Math.max(0, moreX - left) : 0}`;
    }
  }
  rec.scroll = scroll;
  if (s & S.ClipPath) return clipPath(el, r, c);
  return c;
}

/** clipPath narrows c by the element's clip-path or clip, as far as boxes can say it. */
function clipPath(el: Element, r: DOMRect, c: Clip): Clip {
  const cs = getComputedStyle(el);
  let box: [number, number, number, number] | null = null; // left, top, right, bottom
  const path = cs.clipPath;
  const rect = /^rect\(([^)]*)\)/.exec(cs.clip);
  if (path !== 'none') box = pathBox(path, r);
  else if (rect) {
    const v = rect[1].split(/[ ,]+/).map((t) => t === 'auto' ? NaN : parseFloat(t));
    const or = (n: number, d: number): number => Number.isNaN(n) ? d : n;
    box = [r.x + or(v[3], 0), r.y + or(v[0], 0), r.x + or(v[1], r.width), r.y + or(v[2], r.height)];
  }
  if (!box) return c;
  const hard = c.hardX || c.softX || c.hardY || c.softY;
  return { up: hard ? c : c.up, x: box[0], y: box[1], r: box[2], b: box[3], hardX: true, hardY: true, softX: false, softY: false, fromX: 0, fromY: 0, toX: 0, toY: 0 };
}

function pathBox(path: string, r: DOMRect): [number, number, number, number] | null {
  const m = /^(inset|circle|ellipse|polygon)\(([^)]*(?:\([^)]*\)[^)]*)*)\)/.exec(path);
  if (!m) return null;
  const len = (t: string, whole: number): number => t.endsWith('%') ? parseFloat(t) / 100 * whole : parseFloat(t);
  const args = m[2].split(/ round | at /)[0].trim();
  switch (m[1]) {
    case 'inset': {
      const v = args.split(/\s+/);
      const [t, rt = t, b = t, l = rt] = v;
      return [r.x + len(l, r.width), r.y + len(t, r.height), r.right - len(rt, r.width), r.bottom - len(b, r.height)];
    }
    case 'circle': return parseFloat(args) === 0 ? [r.x, r.y, r.x, r.y] : null;
    case 'ellipse': return args.split(/\s+/).some((t) => parseFloat(t) === 0) ? [r.x, r.y, r.x, r.y] : null;
    case 'polygon': {
      const pts = args.split(',').map((t) => t.trim().split(/\s+/)).filter((t) => t.length === 2 && /^-?[\d.]+(?:px|%)?$/.test(t[0]) && /^-?[\d.]+(?:px|%)?$/.test(t[1]));
      if (!pts.length) return null;
      const xs = pts.map((t) => r.x + len(t[0], r.width));
      const ys = pts.map((t) => r.y + len(t[1], r.height));
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    }
  }
  return null;
}

/** adopt gives a boxless container the area of what it shows. */
function adopt(rec: Rec): void {
  let x = Infinity, y = Infinity, r = -Infinity, b = -Infinity, vis: number = Vis.Hidden;
  const each = (k: Rec): void => {
    if (!k.emit && !k.want) return void k.kids.forEach(each);
    if (k.vis === Vis.Hidden) return;
    x = Math.min(x, k.x); y = Math.min(y, k.y); r = Math.max(r, k.x + k.w); b = Math.max(b, k.y + k.h);
    vis = Math.min(vis, k.vis);
  };
  rec.kids.forEach(each);
  if (r < x || rec.style & (S.HardX | S.HardY)) return;
  rec.x = x; rec.y = y; rec.w = r - x; rec.h = b - y;
  rec.vis = vis;
  if (vis === Vis.Visible) candidates.push({ rec, x: x / 10, y: y / 10, r: r / 10, b: b / 10 });
}

function hide(rec: Rec): void {
  rec.vis = Vis.Hidden;
  rec.skipped = rec.near = rec.area = false;
  rec.x = rec.y = rec.w = rec.h = 0;
  rec.scroll = '';
  for (const k of rec.kids) hide(k);
}
