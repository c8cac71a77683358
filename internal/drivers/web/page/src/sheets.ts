// What the page's style sheets can react to. The answer bounds how far a change can restyle: without :has(), for one, a
// class cannot restyle anything before it.

/** P names the properties that style.ts reads. One that no rule sets has its initial or inherited value, and need not be read. */
export const enum P { Visibility = 1, Cursor = 2, Events = 4, Opacity = 8, Overflow = 16, Position = 32, Clip = 64, Skip = 128, Display = 256, Float = 512, Transform = 1024, All = 2047 }

const BITS: Record<string, number> = {
  visibility: P.Visibility, cursor: P.Cursor, 'pointer-events': P.Events, opacity: P.Opacity, 'overflow-x': P.Overflow, 'overflow-y': P.Overflow,
  'overflow-block': P.Overflow, 'overflow-inline': P.Overflow, position: P.Position, 'clip-path': P.Clip, clip: P.Clip, 'content-visibility': P.Skip, all: P.All, display: P.Display, float: P.Display | P.Float,
};

/** Reach is what selectors anywhere in the document look at. Unreadable (cross-origin) sheets count as looking at everything. */
export interface Reach {
  has: boolean; // :has(): any change can restyle anything
  siblings: boolean; // + ~ :nth-child and kin: a change restyles its siblings
  hover: boolean; active: boolean; focus: boolean; form: boolean; target: boolean;
  pseudo: boolean; // generated content exists
  attrs: Set<string>; // attributes that selectors name
  props: number; // P bits: properties that some rule sets
  all: boolean; // could not look
}

const blank = (): Reach => ({ has: false, siblings: false, hover: false, active: false, focus: false, form: false, target: false, pseudo: false, attrs: new Set(), props: 0, all: false });

export let reach: Reach = blank();
let signature = '';
const known = new WeakMap<CSSStyleSheet, { size: number; reach: Reach }>();

/** scan looks at the sheets again and says whether they are others than last time. */
export function scan(roots: Iterable<Document | ShadowRoot>): boolean {
  const all = Array.from(roots, sheetsOf), now = all.map(signed).join('');
  if (now === signature) return false;
  signature = now;
  reach = blank();
  for (const s of all.flat()) merge(reach, reachOf(s));
  return true;
}

/** include adds the sheets of a tree that was found after the scan, before the style of anything in it is read. */
export function include(root: ShadowRoot): void {
  const sheets = sheetsOf(root);
  signature += signed(sheets);
  for (const s of sheets) merge(reach, reachOf(s));
}

const sheetsOf = (r: Document | ShadowRoot): CSSStyleSheet[] => [...r.styleSheets, ...r.adoptedStyleSheets];
const signed = (sheets: CSSStyleSheet[]): string => '|' + sheets.map((s) => sizeOf(s) + (s.disabled ? 'd' : 'e') + idOf(s) + ',').join('');

let next = 0;
const ids = new WeakMap<CSSStyleSheet, number>();
const idOf = (s: CSSStyleSheet): number => ids.get(s) ?? (ids.set(s, ++next), next);

function sizeOf(s: CSSStyleSheet): number {
  try {
    return s.cssRules.length;
  } catch {
    return -1; // another origin's
  }
}

function reachOf(s: CSSStyleSheet): Reach {
  const size = sizeOf(s);
  const old = known.get(s);
  if (old && old.size === size) return old.reach;
  const r = blank();
  if (size < 0) r.all = r.has = r.siblings = r.hover = r.active = r.focus = r.form = r.target = r.pseudo = true, r.props = P.All;
  else rules(s.cssRules, r);
  known.set(s, { size, reach: r });
  return r;
}

function rules(list: CSSRuleList, r: Reach): void {
  for (const rule of list) {
    const sel = (rule as CSSStyleRule).selectorText;
    if (sel !== undefined) look(sel, r);
    const style = (rule as CSSStyleRule).style;
    if (style && r.props !== P.All) for (let i = 0; i < style.length; i++) r.props |= style[i] === 'text-transform' ? (style.textTransform === 'none' ? 0 : P.Transform) : BITS[style[i]] ?? 0;
    const inner = (rule as CSSGroupingRule).cssRules;
    if (inner?.length) rules(inner, r);
    const imported = (rule as CSSImportRule).styleSheet;
    if (imported) merge(r, reachOf(imported));
  }
}

function look(sel: string, r: Reach): void {
  if (sel.includes(':')) {
    if (sel.includes('::before') || sel.includes('::after')) r.pseudo = true;
    if (sel.includes(':has(')) r.has = true;
    if (/:(?:nth-|first-|last-|only-|empty)/.test(sel)) r.siblings = true;
    if (sel.includes(':hover')) r.hover = true;
    if (sel.includes(':active')) r.active = true;
    if (sel.includes(':focus')) r.focus = true;
    if (/:(?:checked|indeterminate|default|(?:user-)?(?:in)?valid|(?:in|out-of)-range|placeholder-shown|required|optional|autofill|blank)/.test(sel)) r.form = true;
    if (sel.includes(':target')) r.target = true;
  }
  if (/[+~]/.test(sel)) r.siblings = true;
  if (sel.includes('[')) for (const m of sel.matchAll(/\[\s*([\w-]+)/g)) r.attrs.add(m[1].toLowerCase());
}

function merge(into: Reach, r: Reach): void {
  for (const k of ['has', 'siblings', 'hover', 'active', 'focus', 'form', 'target', 'pseudo', 'all'] as const) into[k] ||= r[k];
  into.props |= r.props;
  for (const a of r.attrs) into.attrs.add(a);
}
