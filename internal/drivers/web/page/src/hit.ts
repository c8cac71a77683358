// What lies at a point, whose element that is, and the guard that lets a pointer or key event through only when it
// arrives where it was aimed.
import { shadowOf } from './store';

/** flatParent is the element around n in the flat tree, over shadow borders and slots. */
export function flatParent(n: Node): Element | null {
  const slot = (n as Element).assignedSlot ?? closedSlot(n);
  if (slot) return slot;
  const p = n.parentNode;
  if (p instanceof ShadowRoot) return p.host;
  return p && p.nodeType === 1 ? p as Element : null;
}

// A closed shadow root does not tell which slot a node is shown in.
function closedSlot(n: Node): Element | null {
  const host = n.parentElement;
  const root = host && !host.shadowRoot ? shadowOf(host) : null;
  if (!root) return null;
  for (const s of root.querySelectorAll('slot')) if (s.assignedNodes().includes(n as Element)) return s;
  return null;
}

/** within says whether n is el or inside it, in the flat tree or in the DOM tree. */
export function within(n: Node | null, el: Element): boolean {
  for (let c: Node | null = n; c; c = flatParent(c)) if (c === el) return true;
  return !!n && el.contains(n);
}

/** deepest is the innermost element at a point of the viewport, looking into shadow trees. */
export function deepest(x: number, y: number): Element | null {
  let root: Document | ShadowRoot = document;
  let found: Element | null = null;
  for (;;) {
    const e: Element | null = root.elementFromPoint(x, y);
    if (!e || e === found || (root !== document && e.getRootNode() !== root)) return found;
    found = e;
    const inner = shadowOf(e);
    if (!inner) return found;
    root = inner;
  }
}

const CONTROL = 'button,a[href],summary,label,option,[role=button],[role=link],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=tab],[role=checkbox],[role=radio],[role=switch],[role=treeitem]';
const FIELD = 'input,select,textarea,[contenteditable]';

/** controlOf is the control that el is a part of: a click on the text of a button is a click on the button. */
export function controlOf(el: Element): Element {
  for (let c: Element | null = el; c; c = flatParent(c)) {
    if (c.matches(FIELD) || c.matches(CONTROL)) return c;
  }
  return el;
}

// Cells and rows take the focus in turn and yet are parts of their table.
const PARTS = '[role=row],[role=gridcell],[role=cell],[role=columnheader],[role=rowheader],td,th,tr';

/** acts says whether people act on c itself: a field, a control, anything the keyboard can reach. */
const acts = (c: Element): boolean =>
  c.matches(FIELD) || (c.localName === 'label' ? !!(c as HTMLLabelElement).control : c.matches(CONTROL)) || ((c as HTMLElement).tabIndex >= 0 && !c.matches(PARTS));

/** nestedIn is another control inside el that an event at n would go to, or null. */
export function nestedIn(n: Element, el: Element): Element | null {
  for (let c: Element | null = n; c && c !== el; c = flatParent(c)) {
    if (acts(c)) return within(c, el) && c !== (el as HTMLLabelElement).control && !fills(c, el) ? c : null;
  }
  return null;
}

// A control that fills el, or is all that a mere container says, is what a person means by el.
function fills(c: Element, el: Element): boolean {
  const a = c.getBoundingClientRect(), b = el.getBoundingClientRect();
  if (a.width * a.height >= 0.8 * b.width * b.height) return true;
  const text = (el.textContent ?? '').trim();
  return text !== '' && text === (c.textContent ?? '').trim() && !acts(el);
}

/** labelsOf are the labels that act for a control. */
export const labelsOf = (el: Element): HTMLLabelElement[] => [...((el as HTMLInputElement).labels ?? [])];

/** hits says whether an event at n counts as one on target. */
export function hits(n: Node | null, target: Element): boolean {
  if (!n) return false;
  if (within(n, target)) return true;
  const own = controlOf(target);
  if (own !== target && within(n, own)) {
    // Another control inside the same one is something else: the close button in a tab.
    const other = controlOf(n as Element);
    return other === own || !within(other, own);
  }
  for (let c: Element | null = n as Element; c; c = flatParent(c)) {
    if (c.localName === 'label') {
      const control = (c as HTMLLabelElement).control;
      return control === target || (!!control && within(control, target) && control !== n);
    }
  }
  // A label's click goes to its control, so hitting the control of the label aimed at is as good.
  const label = target.closest('label');
  return !!label && label.control === n;
}

/** describe names an element for a person: div.overlay, button#save. */
export function describe(el: Element | null): string {
  if (!el) return 'nothing';
  let s = el.localName;
  if (el.id) s += '#' + el.id;
  const classes = [...el.classList].slice(0, 3);
  if (classes.length) s += '.' + classes.join('.');
  const name = el.getAttribute('aria-label') ?? el.getAttribute('data-testid');
  if (name && !el.id) s += ` "${name.slice(0, 40)}"`;
  return s;
}

/** coverer is what to name when hit lies over target: the outermost element of its branch, which is what a person sees, or of
    that the outermost that stays in place while the page scrolls. */
export function coverer(hit: Element, target: Element): Element {
  let c = hit, bar: Element | null = null;
  for (let p: Element | null = hit; p && p !== document.documentElement && !within(target, p); p = flatParent(p)) {
    if (stays(p)) bar = p;
    if (p !== document.body) c = p;
  }
  return bar ?? c;
}

/** stays says whether el, or what its style draws beside it, keeps its place while the page scrolls. */
export const stays = (el: Element): boolean => [undefined, '::before', '::after'].some((part) => {
  const s = getComputedStyle(el, part);
  return (s.position === 'fixed' || s.position === 'sticky') && (!part || s.content !== 'none');
});

/** Verdict is what became of the events that were let loose. */
export interface Verdict {
  state: 'armed' | 'delivered' | 'blocked';
  by: string; // with blocked: what they hit
  started: number; // presses that arrived
  ended: number; // releases that arrived
  clicked: number;
  dragging: boolean; // the browser began to drag
}

/** Kind is what a guard watches: the pointer, one key, or text, all of which must arrive. */
export type Kind = 'pointer' | 'key' | 'text';

/** Guard lets trusted events of the kinds it watches through only when they reach the target. */
export interface Guard extends Verdict {
  token: number;
  target: Element | null; // null: no event may arrive in this document at all
  kind: Kind;
  force: boolean;
  at: (first: boolean, e: Event) => void;
}

let guard: Guard | null = null;

/** arm replaces the guard. at is told of every event that was let through. */
export function arm(token: number, target: Element | null, kind: Kind, force: boolean, at: Guard['at']): Guard {
  guard = {
    token, target, kind, force, at, state: 'armed', by: '', started: 0, ended: 0, clicked: 0, dragging: false,
  };
  return guard;
}

/** disarm lets everything through again. */
export function disarm(token: number): void {
  if (guard?.token === token) guard = null;
}

/** current is the guard with that token. */
export const current = (token: number): Guard | null => guard?.token === token ? guard : null;

const STARTS = new Set(['pointerdown', 'mousedown', 'touchstart']);
const ENDS = new Set(['pointerup', 'touchend']);
const KEYS = new Set(['keydown', 'keypress', 'beforeinput', 'textInput', 'paste']);

function reaches(e: Event, g: Guard): boolean {
  const target = g.target;
  if (!target || !target.isConnected) return false;
  const path = e.composedPath();
  if (path.includes(target)) return true;
  const inner = path[0];
  if (!(inner instanceof Element)) return false;
  if (g.kind !== 'pointer') return within(deepFocus(), target);
  // What happens inside a closed shadow tree looks from here as if it happened to its host.
  const shadow = shadowOf(inner);
  const p = e as PointerEvent;
  const point = e.type === 'touchstart' ? (e as TouchEvent).changedTouches[0] : p;
  return hits(shadow && point ? deepest(point.clientX, point.clientY) : inner, target);
}

/** deepFocus is the focused element, looking into shadow trees. */
export function deepFocus(): Element | null {
  let el = document.activeElement;
  for (let root = el && shadowOf(el); root?.activeElement; root = el && shadowOf(el)) el = root.activeElement;
  return el;
}

let downs = 0;

/** keysDown is how many keys of real input have gone down in this document so far. */
export const keysDown = (): number => downs;

function watch(e: Event): void {
  if (e.type === 'keydown' && e.isTrusted) downs++;
  const g = guard;
  if (!g || !e.isTrusted) return;
  const key = KEYS.has(e.type);
  if (key !== (g.kind !== 'pointer')) return;
  if (g.state === 'armed' && !g.force) {
    if (!reaches(e, g)) {
      g.state = 'blocked';
      g.by = describe(e.composedPath()[0] instanceof Element ? e.composedPath()[0] as Element : document.documentElement);
    }
  } else if (g.kind === 'text' && g.state === 'delivered' && !reaches(e, g)) {
    // The focus left in the middle of the keys: the rest must not land elsewhere.
    g.state = 'blocked';
    g.by = describe(deepFocus());
  }
  if (g.state === 'blocked') {
    e.preventDefault();
    e.stopImmediatePropagation();
    if (ENDS.has(e.type)) g.ended++;
    g.at(false, e);
    return;
  }
  const first = g.state === 'armed';
  g.state = 'delivered';
  if (STARTS.has(e.type) || key) g.started++;
  if (e.type === 'click' || e.type === 'auxclick') g.clicked++;
  if (ENDS.has(e.type)) g.ended++;
  g.at(first, e);
}

for (const t of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu', ...KEYS]) {
  addEventListener(t, watch, { capture: true });
}

// Listeners for touch cost every page smooth scrolling, so they are there only while a finger of ours is.
let touching = false;

/** watchTouch makes the guard see touch events too. */
export function watchTouch(on: boolean): void {
  if (on === touching) return;
  touching = on;
  for (const t of ['touchstart', 'touchend']) {
    if (on) addEventListener(t, watch, { capture: true, passive: false });
    else removeEventListener(t, watch, { capture: true });
  }
}

addEventListener('dragstart', (e) => { if (guard && e.isTrusted) guard.dragging = true; }, { capture: true });
