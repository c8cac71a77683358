// capture: the tree of this document, whole or as a delta against the version Go has. The order of work matters: nothing
// here writes to the page, and boxes are read in one pass after everything else, so layout is computed once at most.
import { occlude } from './cover';
import { queryAll } from './css';
import { all, deepen, exts, touch } from './dirty';
import { liveOf, refresh } from './facts';
import { ghosts, layout, veiled } from './geometry';
import { hear } from './handlers';
import { dismiss, recOf, record } from './records';
import { forgetLabels } from './native';
import { forgetDisabled } from './state';
import { isSummary } from './role';
import { include, P, reach, scan } from './sheets';
import { nodeOf } from './motion';
import { animations, flush, idOf, shadowOf } from './store';
import { lastOpacity, readStyle } from './style';
import { isBlank } from './text';
import { unveil } from './veiled';
import { Dirty, K, NONE, S, eachKid, isText, kindOf, type Rec } from './tree';
import { delta, whole } from './emit';
import { LONG, escape, tenths } from './wire';

/** Request is what Go asks for. */
export interface Request {
  have?: number; // the version Go's mirror holds; absent: none
  css?: string[]; // selectors to evaluate in the same instant
  full?: boolean; // forget everything that is cached
}

let version = 0;
let root: Rec | null = null;
let frames: Rec[] = [];
let suspects: Rec[] = [];
const controls = new Set<Rec>();
let focus: Element | null = null;
let animated = new Set<Element>();
let wanted: Rec[] = [];
let fresh: Rec[] = []; // elements that came into the tree in this capture
let around = ''; // what the last capture said besides the tree
/** same: the last capture differs from the one before in nothing but its number. */
export let same = false;
let shaped = false; // a style was read again, or an element left, in this capture: other things may lie on top
let topLayer = '';
let viewport = '';

/** capture returns the result as one string; its format is described in wire.ts. */
export function capture(r: Request): string {
  flush();
  const el = document.documentElement;
  const base = r.have && r.have === version && !r.full && root?.node === el ? version : 0;
  version++;
  if (!el) return header(0) + '\n';
  root = record(el);
  if (r.full || all.stale) deepen(root, Dirty.Kids | Dirty.Style | Dirty.Facts);
  notice();
  const restyleAll = all.style || r.full === true;
  const still = base > 0 && !restyleAll && !all.ext && animated.size === 0 && !all.boxes;
  frames = [];
  suspects = [];
  fresh = [];
  shaped = !still;
  update(root, null, restyleAll);
  letGo();
  hear(root, fresh, !base);
  if (all.ext) for (const d of exts) { d.dirty |= Dirty.Facts; touch(d.node as Element); }
  all.style = all.ext = all.stale = all.boxes = false;
  forgetLabels();
  forgetDisabled();
  facts(root);
  const answers = query(r.css ?? []);
  layout(root, still && !(root.below & S.Float));
  unveil();
  occlude(ghosts, veiled, shaped);
  const out: string[] = [header(base)];
  if (base) delta(root, version, out);
  else whole(root, version, out);
  const tree = out.length;
  for (const f of frames) if (f.live) out.push(frameLine(f));
  for (const s of suspects) if (suspicious(s, r.full === true)) out.push('C\t' + s.id);
  const now = out[0].split('\t').slice(3).concat(out.slice(tree), answers).join('\n');
  same = base > 0 && tree === 1 && now === around;
  around = now;
  return out.join('\n') + '\n' + answers.join('');
}

// What a suspect looked like when Go was told of it: it is named again only when it became another thing.
const told = new WeakMap<Rec, string>();

function suspicious(s: Rec, again: boolean): boolean {
  const el = s.node as HTMLElement;
  if (!el.offsetWidth || !el.offsetHeight) return false;
  const key = el.offsetWidth + 'x' + el.offsetHeight + el.matches(':defined');
  if (!again && told.get(s) === key) return false;
  told.set(s, key);
  return true;
}

function header(base: number): string {
  const v = document.scrollingElement ?? document.documentElement;
  return ['H', version, base, tenths(innerWidth), tenths(innerHeight), tenths(v?.scrollLeft ?? 0), tenths(v?.scrollTop ?? 0), focus ? idOf(focus) : 0, document.readyState, escape(location.href), escape(document.title.slice(0, LONG))].join('\t');
}

/** notice finds what changes without mutations: values set by script, focus, sheets, animations, the top layer, the viewport. */
function notice(): void {
  if (scan(allRoots())) all.style = true;
  for (const c of controls) {
    const el = c.node as Element;
    if (!el.isConnected) controls.delete(c);
    else if (c.values !== liveOf(el)) {
      c.dirty |= Dirty.Facts;
      touch(el);
      if (reach.form) all.style = true;
    }
  }
  const now = activeElement();
  if (now !== focus) {
    for (const e of [focus, now]) { const r = e && recOf(e); if (r) r.dirty |= Dirty.Facts; }
    if (reach.focus) all.style = true;
    focus = now;
  }
  const moving = new Set<Element>();
  for (const a of animations()) {
    const t = nodeOf(a);
    if (t) moving.add(t);
  }
  for (const t of new Set([...moving, ...animated])) {
    const r = recOf(t);
    if (r) deepen(r, Dirty.Style);
  }
  animated = moving;
  const layer = Array.from(document.querySelectorAll(':modal,:popover-open'), idOf).join();
  const view = innerWidth + 'x' + innerHeight + '@' + devicePixelRatio;
  if (layer !== topLayer || view !== viewport) all.style = true;
  topLayer = layer;
  viewport = view;
}

const shadowRoots = new Set<ShadowRoot>();

function* allRoots(): Iterable<Document | ShadowRoot> {
  yield document;
  for (const r of shadowRoots) {
    if (r.host.isConnected) yield r;
    else shadowRoots.delete(r);
  }
}

function activeElement(): Element | null {
  let a: Element | null = document.activeElement;
  for (let inner = a && shadowOf(a)?.activeElement; inner; inner = shadowOf(inner)?.activeElement) a = inner;
  return a === document.body || a === document.documentElement ? null : a;
}


/** update brings structure and style of rec and everything below up to date. */
function update(rec: Rec, parent: Rec | null, restyleAll: boolean): void {
  const el = rec.node as Element;
  const own = rec.kind & K.Host ? shadowOf(el) : null;
  if (own !== rec.root) {
    rec.root = own;
    if (own) {
      if (!shadowRoots.has(own)) include(own);
      shadowRoots.add(own);
      for (const a of own.getAnimations()) { const t = nodeOf(a); if (t) animated.add(t); }
    }
    rec.dirty |= Dirty.Kids;
    touch(el);
  }
  if (rec.dirty & Dirty.Kids) {
    adoptKids(rec, el);
    if (rec.kind & K.Live) controls.add(rec);
  }
  const inCut = parent !== null && (parent.cut || (parent.style & S.Skipped) !== 0 || closed(parent) && !isSummary(el));
  if ((restyleAll || rec.dirty & Dirty.Style) && !inCut) {
    shaped = true;
    look(rec, el, parent);
  }
  const cut = inCut || (rec.style & S.None) !== 0;
  if (cut !== rec.cut) {
    rec.cut = cut;
    touch(el);
    deepen(rec, Dirty.Style | Dirty.Facts);
  }
  const hidden = cut || (rec.style & S.Invisible) !== 0;
  if (hidden !== rec.hidden) {
    rec.hidden = hidden;
    rec.dirty |= Dirty.Facts;
    touch(el);
  }
  if (!(cut && rec.style !== 0 && inCut)) rec.dirty = rec.dirty & ~Dirty.Style | (rec.dirty & Dirty.Style ? Dirty.Boxes : 0);
  if (!cut && rec.kind & K.Frame) frames.push(rec);
  if (!cut && !own && rec.kind & K.Host && (!el.firstChild || rec.tag.includes('-'))) suspects.push(rec);
  const kids = rec.kids;
  const mute = hidden || (rec.style & S.Skipped) !== 0 || closed(rec); // text right in here does not show
  for (let i = 0; i < kids.length; i++) {
    const k = kids[i];
    if (!k.tag) k.cut = k.hidden = mute;
    else update(k, rec, restyleAll);
  }
}


// closed: a disclosure that shows nothing but its summary; a style can show the rest all the same.
const closed = (r: Rec): boolean => r.tag === 'details' && !(r.node as HTMLDetailsElement).open &&
  !(reach.props & P.Skip && /visible|auto/.test(getComputedStyle(r.node as Element, '::details-content').contentVisibility));

const NAMING = S.None | S.Invisible | S.Inline | S.Skipped | S.Before | S.After;

function look(rec: Rec, el: Element, parent: Rec | null): void {
  const s = readStyle(el, rec.tag, parent ? parent.style : 0, animated.has(el));
  const was = rec.style;
  rec.opacity = lastOpacity;
  rec.style = s;
  if (s === was && !(s & (S.Before | S.After))) return;
  if ((s ^ was) & NAMING || s & (S.Before | S.After)) touch(el);
  if ((s ^ was) & (S.Pointer | S.Grab)) {
    rec.dirty |= Dirty.Facts;
    for (const k of rec.kids) k.dirty |= Dirty.Facts;
  }
  if ((s ^ was) & S.Print) {
    rec.dirty |= Dirty.Facts;
    for (const k of rec.kids) if (!k.tag) k.dirty |= Dirty.Facts;
  }
  if ((s ^ was) & S.None) for (const k of rec.kids) deepen(k, Dirty.Style);
}

// Records that were unlinked in this capture; those that nobody took in are let go of.
let lost: Rec[] = [];

function letGo(): void {
  for (const r of lost) if (!r.parent && !r.gone) drop(r);
  lost = [];
}

function drop(r: Rec): void {
  if (r.tag) shaped = true;
  dismiss(r);
  controls.delete(r);
  exts.delete(r);
  for (const k of r.kids) if (k.parent === r) drop(k);
}

function take(n: Node, into: Rec[]): void {
  const type = n.nodeType;
  if (type === 1) {
    const tag = (n as Element).localName;
    if (!(kindOf(tag) & K.Unrendered)) into.push(record(n as Element, tag));
  } else if (type === 3 && !isBlank((n as Text).data)) into.push(record(n as Text, ''));
}

/** adoptKids reads the element's children in the flat tree and links their records. */
function adoptKids(rec: Rec, el: Element): void {
  rec.dirty &= ~Dirty.Kids;
  rec.dirty |= Dirty.Facts;
  const before = rec.kids;
  let kids: Rec[] = NONE;
  rec.leaf = false;
  if (!(rec.kind & K.Childless)) {
    const only = el.firstChild;
    const slot = rec.tag === 'slot';
    if (only && !rec.root && !slot && !(rec.kind & K.Apart) && isText(only) && !only.nextSibling) {
      rec.leaf = !isBlank(only.data);
    } else if (rec.root || slot || only) {
      kids = [];
      if (rec.root || slot) eachKid(el, (n) => take(n, kids));
      else for (let n: Node | null = only; n; n = n.nextSibling) take(n, kids);
    }
  }
  for (const k of before) if (k.parent === rec) k.parent = null;
  if (before.length) lost.push(...before);
  const shadow = rec.shadow || rec.root !== null;
  for (const k of kids) {
    if (k.parent !== rec) {
      k.dirty |= Dirty.Facts | Dirty.Style | Dirty.Kids;
      if (k.tag) fresh.push(k);
    }
    k.parent = rec;
    const inShadow = shadow && k.node.getRootNode() instanceof ShadowRoot;
    if (inShadow !== k.shadow) { k.shadow = inShadow; k.dirty |= Dirty.Facts; }
  }
  rec.kids = kids;
}

/** facts recomputes what is marked. Styles of the whole tree are known by now. */
function facts(rec: Rec): void {
  if (rec.dirty & Dirty.Facts) {
    refresh(rec, rec.node === focus);
    if (rec.ext) exts.add(rec);
  }
  // What is below is known once the kids are; a clean subtree may keep its geometry.
  let below = rec.root ? S.Hosting : 0;
  let clean = rec.dirty === 0;
  rec.dirty &= Dirty.Style;
  const kids = rec.kids;
  for (let i = 0; i < kids.length; i++) {
    const k = kids[i];
    facts(k);
    below |= k.below | k.style;
    if (!k.clean) clean = false;
  }
  rec.below = below;
  rec.clean = clean;
}

function query(css: string[]): string[] {
  for (const w of wanted) soil(w).want = false;
  wanted = [];
  return css.map((s, i) => {
    try {
      const ids: number[] = [];
      for (const el of queryAll(s)) {
        const r = recOf(el);
        if (!r || !reaches(r)) continue;
        soil(r).want = true;
        wanted.push(r);
        ids.push(r.id);
      }
      return 'Q\t' + [i, ...ids].join('\t') + '\n';
    } catch (e) {
      return `E\t${i}\t${escape(e instanceof Error ? e.message : String(e))}\n`;
    }
  });
}

/** soil: who is in the tree below here is not what it was. */
function soil(r: Rec): Rec {
  for (let a: Rec | null = r; a; a = a.parent) a.clean = false;
  return r;
}

/** reaches: the record is still part of the tree. */
function reaches(r: Rec): boolean {
  let a: Rec | null = r;
  while (a && a !== root) a = a.parent;
  return a !== null;
}

function frameLine(f: Rec): string {
  const el = f.node as HTMLElement;
  const c = getComputedStyle(el);
  const n = (v: string): number => parseFloat(v) || 0;
  const x = f.x / 10 + el.clientLeft + n(c.paddingLeft);
  const y = f.y / 10 + el.clientTop + n(c.paddingTop);
  return ['F', f.id, tenths(x), tenths(y), tenths(el.clientWidth - n(c.paddingLeft) - n(c.paddingRight)), tenths(el.clientHeight - n(c.paddingTop) - n(c.paddingBottom))].join('\t');
}
