// attend: what a person does to this document by hand, for recording it. Everything is heard in the capture phase and let
// through as it is; what Go learns of it leaves before the page sees the event, with the document as it was before.
import { attend, came } from './act';
import { deepest, deepFocus, flatParent, within } from './hit';
import { look, type Look } from './look';
import { takesText, valueOf, BY_VALUE } from './entry';
import { idOf, shadowOf } from './store';

/** Report is a part of what a person does: "begin" takes stock, what follows with the same number says what it was.
    "leave" says that the document of the tab ends, and that its script does not close the tab. */
interface Report {
  t: number;
  what: 'leave' | 'begin' | 'click' | 'type' | 'key' | 'choose' | 'check' | 'upload' | 'drag';
  ids?: number[]; // begin: the element and those around it, the innermost first
  look?: Look; // begin: the document before
  prior?: ReturnType<typeof attend>; // begin: what came of what the person did before
  count?: number; button?: string; modifiers?: string[]; at?: [number, number]; // click
  text?: string; secret?: boolean; after?: string; // type: all that the field holds, and what it held before where that stays
  key?: string;
  options?: string[]; // choose
  checked?: boolean; // check
  files?: { name: string; size: number; modified: number }[]; // upload
  to?: number[]; place?: string; dx?: number; dy?: number; // drag
}

const send = (r: Report): void => (globalThis as { trailblazeGesture?: (r: string) => void }).trailblazeGesture?.(JSON.stringify(r));

// What the browser does of itself comes with the event or right after it; of a key it comes until the key is up again.
const LONG = 500;

function say(r: Report): void {
  send(r);
  setTimeout(() => came(r.t), r.what === 'key' ? LONG : 0);
}

let last = 0;

/** around lists an element and those around it, the innermost first. */
export function around(el: Element | null): number[] {
  const ids: number[] = [];
  for (let c = el; c && ids.length < 16; c = flatParent(c)) ids.push(idOf(c));
  return ids;
}

function begin(el: Element, kind: 'pointer' | 'key' | 'text'): number {
  const seen = look({}), t = --last;
  send({ t, what: 'begin', ids: around(el), look: seen, prior: attend(t, el, kind) });
  return t;
}

// What happens inside a closed shadow tree looks from here as if it happened to its host.
function targetOf(e: Event): Element | null {
  const el = e.composedPath()[0];
  if (!(el instanceof Element)) return null;
  const p = e as MouseEvent;
  return shadowOf(el) && (p.clientX || p.clientY) ? deepest(p.clientX, p.clientY) ?? el : el;
}

const input = (el: Element | null, ...types: string[]): el is HTMLInputElement => el?.localName === 'input' && types.includes((el as HTMLInputElement).type);
const box = (el: Element | null): el is HTMLInputElement => input(el, 'checkbox', 'radio');
const picked = (el: Element | null): el is HTMLInputElement => !!el && input(el, ...BY_VALUE);

// The control that a press on el is for: a label stands for its own.
function meant(el: Element): Element {
  for (let c: Element | null = el; c; c = flatParent(c)) {
    if (c.localName === 'label') return (c as HTMLLabelElement).control ?? el;
    if (c.matches('a[href],button,input,select,textarea')) return c;
  }
  return el;
}

// ---- the pointer

/** Press is the pointer going down, until what comes of it is known. */
interface Press { t: number; el: Element; x: number; y: number; over: boolean; dragging: boolean }
let press: Press | null = null;

function pointerdown(e: PointerEvent): void {
  const el = e.isTrusted ? targetOf(e) : null;
  if (!el) return;
  typing = null;
  press = { t: begin(el, 'pointer'), el, x: e.clientX, y: e.clientY, over: false, dragging: false };
}

const BUTTONS = ['left', 'middle', 'right'];
const heldKeys = (e: MouseEvent | KeyboardEvent): string[] =>
  [e.altKey && 'Alt', e.ctrlKey && 'Control', e.metaKey && 'Meta', e.shiftKey && 'Shift'].filter((m): m is string => !!m);

function click(e: MouseEvent): void {
  const el = e.isTrusted ? targetOf(e) : null;
  if (!el) return;
  if (box(el) && e.button === 0) { // also by its label, and by the keyboard
    say({ t: press && !press.over ? press.t : begin(el, 'pointer'), what: 'check', checked: el.checked, ids: [idOf(el)] });
    if (press) press.over = true;
    return;
  }
  const p = press;
  if (!p || p.over || e.detail === 0 && e.type === 'click') return; // that of a key, or what a label hands on
  const control = meant(el);
  if (box(control) && control !== el) return; // its own click follows
  p.over = true;
  if (control.localName === 'select' || control.localName === 'option' || picked(control) || input(control, 'file')) return; // a change says what was chosen
  const r = p.el.getBoundingClientRect();
  say({
    t: p.t, what: 'click', count: e.type === 'click' ? (e.detail - 1) % 3 + 1 : 1, button: BUTTONS[e.button], modifiers: heldKeys(e),
    at: /^(?:canvas|map|area|video)$/.test(p.el.localName) ? [Math.round(p.x - r.left), Math.round(p.y - r.top)] : undefined,
  });
}

// unclicked says of a press that no click follows, because its element went away when the pointer went down or up.
function unclicked(p: Press): void {
  if (press !== p || p.over || p.el.isConnected) return;
  p.over = true;
  say({ t: p.t, what: 'click', count: 1, button: BUTTONS[0], modifiers: [] });
}

const FAR = 8; // px that the pointer moves before a press is a drag

function pointerup(e: PointerEvent): void {
  const p = press;
  if (!p || p.over || !e.isTrusted || p.dragging || picked(meant(p.el))) return;
  if (Math.hypot(e.clientX - p.x, e.clientY - p.y) < FAR) {
    if (e.button === 0) setTimeout(() => unclicked(p), 0);
    return;
  }
  p.over = true;
  if (getSelection()?.type === 'Range' || takesText(meant(p.el))) return; // text was selected
  dropped(p, e);
}

function dropped(p: Press, e: MouseEvent): void {
  const under = document.elementsFromPoint(e.clientX, e.clientY).find((o) => !within(o, p.el) && !within(p.el, o)) ?? null;
  let to: Element | null = p.dragging ? targetOf(e) : under, place: string | undefined;
  if (to && (within(p.el, to) || within(to, p.el))) to = under;
  const [mine, its] = to ? siblings(p.el, to) : [null, null];
  if (mine && its) {
    to = its;
    place = mine.compareDocumentPosition(its) & Node.DOCUMENT_POSITION_FOLLOWING ? 'after' : 'before';
  }
  say({ t: p.t, what: 'drag', to: to ? around(to) : undefined, place, dx: Math.round(e.clientX - p.x), dy: Math.round(e.clientY - p.y) });
}

// The items of one list that two elements are in, when they are alike.
function siblings(a: Element, b: Element): [Element, Element] | [null, null] {
  for (let x: Element | null = a; x; x = flatParent(x)) {
    const around = flatParent(x);
    for (let y: Element | null = b; y && around; y = flatParent(y)) {
      if (flatParent(y) === around && y !== x) return x.localName === y.localName && x.className === y.className ? [x, y] : [null, null];
    }
  }
  return [null, null];
}

function dragstart(e: DragEvent): void { if (press && e.isTrusted) press.dragging = true; }

function drop(e: DragEvent): void {
  if (!press?.dragging || press.over || !e.isTrusted) return;
  press.over = true;
  dropped(press, e);
}

// ---- text and keys

/** typing is the field that a person types into, since they began: its text then (held), and the text last reported (sent). */
let typing: { t: number; el: Element; held: string; sent: string } | null = null;
/** entry is the field and the text that were reported last. */
let entry: { el: Element; text: string } | null = null;

function textual(e: Event): Element | null {
  const el = shadowOf(targetOf(e) ?? document.body) || e.type === 'keydown' || e.type === 'keyup' ? deepFocus() : targetOf(e);
  if (!el || !takesText(el) || picked(el)) return null;
  let host = el;
  if (!/^(?:input|textarea)$/.test(host.localName)) for (let p = flatParent(host) as HTMLElement | null; p?.isContentEditable; p = flatParent(p) as HTMLElement | null) host = p;
  return host;
}

function beforeinput(e: InputEvent): void {
  const el = e.isTrusted ? textual(e) : null;
  if (!el || typing?.el === el || e.inputType === 'insertLineBreak' && !multiline(el)) return; // Enter submits
  const held = valueOf(el);
  typing = { t: begin(el, 'text'), el, held, sent: held };
}

function typed(e: Event): void {
  if (!typing || !e.isTrusted || textual(e) !== typing.el && e.type !== 'keyup') return;
  const text = valueOf(typing.el);
  if (text === typing.sent || e.type === 'keyup' && text === '') return; // what empties a field is the page, when no text was deleted
  typing.sent = text;
  entry = { el: typing.el, text };
  const adds = (typing.el as HTMLElement).isContentEditable && typing.held.trim() && text.startsWith(typing.held); // what stands there has its own looks
  say({ t: typing.t, what: 'type', text, secret: hides(typing.el), after: adds ? typing.held : undefined });
}

// A password stays one while the page shows it.
const passwords = new WeakSet<Element>();
const hides = (el: Element): boolean => input(el, 'password') || passwords.has(el) || /(?:current|new)-password/.test(el.getAttribute('autocomplete') ?? '');

const NAMED = /^(?:Enter|Escape|Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Delete|Backspace|Insert|F\d+| )$/;
const EDITING = /^(?:[acvxyzACVXYZ]|Arrow.*|Home|End|Delete|Backspace)$/;
const BROWSER = /^(?:Control\+(?:[dfhjlnoprtw0-9+=-]|Tab|PageUp|PageDown)|Control\+Shift\+.|Alt\+(?:Arrow.*|[a-z]|Home)|F(?:3|5|6|7|11|12))$/i;
const multiline = (el: Element): boolean => el.localName === 'textarea' || (el as HTMLElement).isContentEditable;

let entered = 0; // the number of an Enter that may be a line of the text

function keydown(e: KeyboardEvent): void {
  if (!e.isTrusted || e.isComposing || /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Tab|Process|Unidentified)$/.test(e.key) || e.getModifierState('AltGraph')) return;
  const el = deepFocus() ?? document.body, text = textual(e);
  if (input(el, 'password')) passwords.add(el);
  const held = heldKeys(e).filter((m) => m !== 'Shift' || e.key.length > 1);
  const key = [...held, e.key === ' ' ? 'Space' : e.key].join('+'), chord = held.some((m) => m !== 'Shift');
  if (BROWSER.test(key)) return;
  if (text) {
    const popup = el.getAttribute('aria-expanded') === 'true' || el.hasAttribute('aria-activedescendant');
    const enter = e.key === 'Enter' && !chord;
    if (chord ? EDITING.test(e.key) : !enter && e.key !== 'Escape' && !/^(?:F\d+|Page.*)$/.test(e.key) && !(popup && /^Arrow(?:Up|Down)$/.test(e.key))) return;
    if (enter && multiline(el) && !popup) {
      typing = null;
      entered = begin(el, 'key');
      return;
    }
  } else {
    if (box(el) && /^(?: |Arrow.*)$/.test(e.key) || el.localName === 'select' || picked(el)) return; // a change says what was chosen
    if (!chord && !NAMED.test(e.key) && e.key.length > 1) return;
    if (el === document.body && /^(?: |Arrow.*|Page.*|Home|End)$/.test(e.key) && !chord) return; // it scrolls
  }
  typing = null;
  say({ t: begin(el, 'key'), what: 'key', key });
}

function keyup(e: KeyboardEvent): void {
  if (!e.isTrusted) return;
  if (e.key === 'Enter' && entered) {
    if (!typing) say({ t: entered, what: 'key', key: [...heldKeys(e), 'Enter'].join('+') }); // no line came of it
    entered = 0;
  }
  setTimeout(() => came(last), 0);
  typed(e);
}

// ---- choices and files

/** picking is the element whose value a person picks, since they began. */
let picking: { t: number; el: Element } | null = null;

function change(e: Event): void {
  const el = e.isTrusted ? targetOf(e) : null;
  if (!el) return;
  const t = (): number => press && !press.over || press && meant(press.el) === el ? press.t : begin(el, 'pointer');
  if (el.localName === 'select') {
    say({ t: t(), what: 'choose', ids: [idOf(el)], options: [...(el as HTMLSelectElement).selectedOptions].map((o) => (o.label || o.text).replace(/\s+/g, ' ').trim()) });
  } else if (input(el, 'file')) {
    say({ t: t(), what: 'upload', ids: [idOf(el)], files: [...(el.files ?? [])].map((f) => ({ name: f.name, size: f.size, modified: f.lastModified })) });
  } else if (picked(el) || input(el, 'number') && typing?.el !== el && !(entry?.el === el && entry.text === el.value)) {
    const n = picking?.el === el && picking.t === last ? last : t(); // a date is typed digit by digit
    picking = { t: n, el };
    say({ t: n, what: 'type', ids: [idOf(el)], text: el.value });
  } else return;
  if (press) press.over = true;
  press = null;
}

/** hearGestures begins to tell Go what a person does. */
export function hearGestures(): void {
  const o = { capture: true, passive: true };
  const on = <E extends Event>(type: string, hear: (e: E) => void): void => addEventListener(type, hear as (e: Event) => void, o);
  on('pointerdown', pointerdown);
  on('pointerup', pointerup);
  for (const type of ['click', 'auxclick', 'contextmenu']) on(type, click);
  on('dragstart', dragstart);
  on('drop', drop);
  on('keydown', keydown);
  on('beforeinput', beforeinput);
  on('input', typed);
  on('keyup', keyup);
  on('change', change);
  on('pagehide', () => { if (window === top && !window.closed) send({ t: 0, what: 'leave' }); });
}
