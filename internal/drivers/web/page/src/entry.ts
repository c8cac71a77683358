// Text entry and selects: bring a field into a state in which text can only go where it was meant for, and read back
// what became of it.
import { idOf, shadowOf } from './store';
import { acked, asSeen, begin, disabledBy, elementOf, finish, focusedIn, hiddenBy, lost, wait, type Outcome, type Query, type Refusal } from './act';
import type { Request } from './capture';
import type { Look } from './look';
import { contextual, surfaceOf, textsOf } from './drawn';
import { current, deepFocus, describe, flatParent } from './hit';
import { anew, boxOf, bring, covered, dodge, reach, shown, type Aim, type Box } from './reveal';
import { turn } from './settle';
import { standIn } from './standin';

/** Entry asks for a field to be made ready. */
export interface Entry extends Query {
  clear: boolean; // all of it is selected, so that text replaces it
}

/** Field is ready for text. */
export interface Field {
  ok: true; id: number; sort: 'text' | 'number' | 'value' | 'rich'; type: string; before: string; box: Box; log: string[]; waited: boolean; secret: boolean;
  keys: boolean; // it is emptied by the keyboard: what an editor holds is more than what can be selected from here
  drawn: string[]; // what an editor shows that draws its text itself, see textsOf
  head: string; tail: string; // what is left before and after the text that is typed
  cut: string; // what it replaces
  seen?: Look;
}

type Control = HTMLInputElement | HTMLTextAreaElement;
const isControl = (el: Element): el is Control => el.localName === 'input' || el.localName === 'textarea';
export const BY_VALUE = new Set(['date', 'month', 'week', 'time', 'datetime-local', 'color', 'range']);
const NO_TEXT = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'hidden']);

const rich = (el: Element): boolean => (el as HTMLElement).isContentEditable;

/** takesText says whether a person types into el itself. */
export const takesText = (el: Element): boolean => isControl(el) ? !NO_TEXT.has((el as HTMLInputElement).type) : rich(el);

/** fieldOf is what takes the text when a person types into el: itself, the field of its label, the only field in it. */
export function fieldOf(el: Element): Element | null {
  const takes = (e: Element | null): boolean => !!e && (takesText(e) || !isControl(e) && contextual(e));
  if (takes(el)) return el;
  if (el.localName === 'label') {
    const c = (el as HTMLLabelElement).control;
    if (takes(c)) return c;
  }
  if (el === document.documentElement && takes(document.body)) return document.body;
  const found: Element[] = [];
  const look = (root: Element | ShadowRoot): void => {
    for (const e of root.querySelectorAll('*')) {
      if (takes(e) && !(rich(e) && e.parentElement && rich(e.parentElement)) && shown(e)) found.push(e);
      const s = shadowOf(e);
      if (s) look(s);
    }
  };
  const own = shadowOf(el);
  if (own) look(own);
  look(el);
  return found.length === 1 ? found[0] : null;
}

/** valueOf reads a field the way a person does. */
export function valueOf(el: Element): string {
  if (isControl(el)) return el.value;
  return (el as HTMLElement).innerText.replace(/\u00a0/g, ' ').replace(/\u200b|\ufeff/g, '').replace(/\n$/, '');
}

function select(el: Element, all: boolean, had: boolean): void {
  if (isControl(el)) {
    if (all) { el.select(); return; }
    if (had) return; // the caret stays where it is
    try {
      el.setSelectionRange(el.value.length, el.value.length);
    } catch {
      getSelection()?.modify('move', 'forward', 'documentboundary'); // numbers and addresses have no selection range
    }
    return;
  }
  const s = getSelection();
  if (!s || (!all && had && s.anchorNode && el.contains(s.anchorNode))) return;
  const r = document.createRange();
  r.selectNodeContents(el);
  if (!all) r.collapse(false);
  s.removeAllRanges();
  s.addRange(r);
}

let field: Element | null = null;

// A person clicks into a field before typing: what lies over all of it keeps them out. What is no larger than the field
// itself is a part of how it is drawn, such as its hint.
function overlay(el: Element): Aim {
  const mid = dodge(el, null, reach(el, null, true, false));
  if (mid.ok || mid.out || !mid.by) return { ...mid, ok: true, by: null };
  const size = (e: Element): number => { const r = e.getBoundingClientRect(); return r.width * r.height; };
  return { ...mid, ok: size(mid.by) <= 2 * size(el) || reach(el, null, false, false).ok };
}

// A person cannot change what it holds.
const locked = (el: Element): boolean => isControl(el) && el.readOnly || el.closest('[aria-readonly="true"]') === el;

/** prepare waits until the field takes text, gives it the focus, selects, and arms the guard. */
export async function prepare(q: Entry): Promise<Field | Refusal> {
  const log: string[] = [];
  anew();
  const had = deepFocus();
  let named = q.id ? elementOf(q.id) : had;
  if (q.still) await turn();
  const { seen, no } = await asSeen(q);
  if (no) return no;
  let surface: Element | null = null, over: Element | null = null;
  const r = await wait<{ el: Element }>(q.ms, log, async () => {
    if (!q.id) named = deepFocus();
    if (!q.id && (!named || named === document.documentElement || named === document.body && !rich(named))) {
      const soon = document.querySelector('[autofocus]'); // it gets the focus with a frame to come
      return { what: 'unfocused', why: 'nothing on the page has the focus, so the text would go nowhere', final: !soon };
    }
    if (!named?.isConnected) return { ...lost(named), final: true };
    const el = fieldOf(named);
    if (!el && !q.id) return { what: 'unfocused', why: `the focus is on ${describe(named)}, which takes no text`, final: true };
    if (!el) return { what: 'unfit', why: `${describe(named)} is not a field that takes text` };
    const bare = contextual(el);
    if (!shown(el) && !bare) return { what: 'hidden', why: `${describe(el)} is hidden`, instead: standIn(el) };
    const why = disabledBy(el);
    if (why) return { what: 'disabled', why };
    const here = focusedIn(el) && document.hasFocus();
    if (!here) bring(el, 'nearest');
    surface = surfaceOf(el);
    const way = overlay(surface ?? el);
    if (!way.ok && !here) return { what: 'covered', why: `${describe(surface ?? el)} is ${covered(way)}` };
    over = way.by;
    if (!here) focusOn(el);
    if (locked(el)) return { what: 'unfit', why: `${describe(el)} is read-only` };
    if (!focusedIn(el) || !document.hasFocus()) return { what: 'unfit', why: `the focus went from ${describe(el)} to ${describe(deepFocus())}` };
    if (!surface) select(el, q.clear && !byKeys(el), here);
    return { el };
  });
  if ('ok' in r) return { ...r, seen };
  const el = field = r.el;
  if (over) log.push(`${describe(surface ?? el)} is partly covered by ${describe(over)}`);
  const before = valueOf(el);
  const shows = surface;
  begin(q, el, () => ({ read: valueOf(el), typed: typedOf(el), drawn: shows ? textsOf(shows) : [] }), had);
  const type = isControl(el) ? el.type : '';
  return {
    ok: true, seen, id: idOf(el), before, box: boxOf(surface ?? el), log, waited: log.length > 0, type, secret: type === 'password',
    sort: BY_VALUE.has(type) ? 'value' : type === 'number' ? 'number' : isControl(el) ? 'text' : 'rich',
    keys: !!surface || byKeys(el), drawn: surface ? textsOf(surface) : [], ...rest(el, before),
  };
}

// An editor as a whole is emptied by its keys. What is only a part of one is selected.
const byKeys = (el: Element): boolean => !isControl(el) && !(el.parentElement && rich(el.parentElement));

function rest(el: Element, before: string): Pick<Field, 'head' | 'tail' | 'cut'> {
  const [a, b] = isControl(el) ? [el.selectionStart, el.selectionEnd] : [null, null];
  if (a === null || b === null) return { head: before, tail: '', cut: String(getSelection() ?? '') }; // numbers and addresses do not tell where
  return { head: before.slice(0, a), tail: before.slice(b), cut: before.slice(a, b) };
}

// A field that completes what is typed selects what it added: typing on replaces that.
function typedOf(el: Element): string {
  if (!isControl(el) || el.selectionStart === null || el.selectionEnd !== el.value.length) return '';
  return el.selectionStart < el.selectionEnd ? el.value.slice(0, el.selectionStart) : '';
}

// The element that takes the focus for a part of an editor is the editor.
function focusOn(el: Element): void {
  let host = el as HTMLElement;
  if (!isControl(el)) for (let p = flatParent(host); p && rich(p); p = flatParent(p)) host = p as HTMLElement;
  if (host === document.body) window.focus(); // a frame whose body is an editor
  host.focus({ preventScroll: true });
}

/** refocus makes the field ready once more, after the focus was taken from it, all of it selected when all. */
export function refocus(t: number, all: boolean): boolean {
  if (!field?.isConnected) return false;
  focusOn(field);
  if (!surfaceOf(field)) select(field, all, false);
  const g = current(t);
  if (g) { g.state = 'armed'; g.by = ''; }
  return focusedIn(field);
}

/** setValue sets the value of a field that people pick one for, a date or a colour, and tells the page with the events
    of a person's input. A page that refuses input keeps what it has. */
export async function setValue(t: number, text: string, cap: number, then: Request | null = null): Promise<Outcome> {
  const el = field as HTMLInputElement | null;
  const event = { bubbles: true, composed: true, inputType: 'insertReplacementText', data: text };
  if (el?.isConnected && BY_VALUE.has(el.type) && el.dispatchEvent(new InputEvent('beforeinput', { ...event, cancelable: true }))) {
    el.value = text;
    el.dispatchEvent(new InputEvent('input', event));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  }
  return finish(t, cap, then);
}

/** Choice asks for options of a select. */
export interface Choice extends Query { options: string[]; cap: number; then?: Request }

/** Chosen says what the select holds after. */
export interface Chosen { ok: true; out: Outcome; match: boolean; read: string; box: Box; log: string[]; seen?: Look }

const squeeze = (s: string): string => s.replace(/\s+/g, ' ').trim();

function pick(list: HTMLOptionElement[], want: string): HTMLOptionElement | undefined {
  const text = squeeze(want);
  const by = [(o: HTMLOptionElement) => squeeze(o.label || o.text) === text, (o: HTMLOptionElement) => squeeze(o.text) === text, (o: HTMLOptionElement) => o.value === want];
  for (const f of by) {
    const hit = list.filter(f);
    if (hit.length) return hit.find((o) => !off(o)) ?? hit[0];
  }
  return /^\d+$/.test(want) ? list[+want] : undefined;
}

const off = (o: HTMLOptionElement): boolean => o.disabled || (o.parentElement?.localName === 'optgroup' && (o.parentElement as HTMLOptGroupElement).disabled);

/** choose waits until the options are there, selects them, and reads back what is selected once the page has come to rest. */
export async function choose(q: Choice): Promise<Chosen | Refusal> {
  const log: string[] = [];
  anew();
  const { seen, no: changed } = await asSeen(q);
  if (changed) return changed;
  if (seen && q.then) q.then.have = q.seen!.have! + 1; // the capture at the end goes on from this one
  const r = await wait<{ el: HTMLSelectElement; want: HTMLOptionElement[] }>(q.ms, log, async () => {
    const named = elementOf(q.id);
    if (!named?.isConnected) return { ...lost(named), final: true };
    const el = (named.localName === 'label' ? (named as HTMLLabelElement).control : named.localName === 'select' ? named : named.closest('select')) as HTMLSelectElement | null;
    if (el?.localName !== 'select') return { what: 'unfit', why: `${describe(named)} is not a select`, final: true };
    const no = hiddenBy(el);
    if (no) return no;
    const why = disabledBy(el);
    if (why) return { what: 'disabled', why };
    bring(el, 'nearest');
    const way = overlay(el);
    if (!way.ok && !focusedIn(el)) return { what: 'covered', why: `${describe(el)} is ${covered(way)}` };
    if (!el.multiple && q.options.length > 1) return { what: 'unfit', why: `${describe(el)} takes one option only`, final: true };
    const list = [...el.options];
    const want: HTMLOptionElement[] = named.localName === 'option' ? [named as HTMLOptionElement] : [];
    if (want.length && off(want[0])) return { what: 'disabled', why: `option "${squeeze(want[0].text)}" of ${describe(el)} is disabled` };
    for (const o of q.options) {
      const hit = pick(list, o);
      if (!hit) return { what: 'unfit', why: `${describe(el)} has no option "${o}"; it has ${list.slice(0, 20).map((x) => `"${squeeze(x.label || x.text)}"`).join(', ') || 'none'}` };
      if (off(hit)) return { what: 'disabled', why: `option "${squeeze(hit.text)}" of ${describe(el)} is disabled` };
      want.push(hit);
    }
    return { el, want };
  });
  if ('ok' in r) return { ...r, seen };
  const { el, want } = r;
  const values = want.map((o) => o.value).join('\u0001');
  const selected = (): string => [...el.selectedOptions].map((o) => o.value).join('\u0001');
  begin({ ...q, kind: 'none' }, el);
  const before = selected();
  el.focus({ preventScroll: true });
  for (const o of el.options) o.selected = want.includes(o);
  if (selected() !== before) {
    el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  }
  const out = await ended(q);
  const inOrder = [...el.options].filter((o) => want.includes(o)).map((o) => o.value).join('\u0001');
  return {
    ok: true, seen, out, box: boxOf(el), log, match: el.isConnected && (selected() === inOrder || selected() === values),
    read: [...el.selectedOptions].map((o) => squeeze(o.label || o.text)).join(', '),
  };
}

// Nothing has to arrive from outside here.
function ended(q: Choice): Promise<Outcome> {
  const r = finish(q.t, q.cap, q.then);
  void acked(q.t);
  return r;
}

/** fileInputOf finds the file input that el is or stands for. */
export function fileInputOf(id: number): Element | null {
  const el = elementOf(id);
  if (!el) return null;
  const is = (e: Element | null): boolean => !!e && e.localName === 'input' && (e as HTMLInputElement).type === 'file';
  if (is(el)) return el;
  const label = el.closest('label');
  if (label && is(label.control)) return label.control;
  const inner = el.querySelectorAll('input[type=file]');
  return inner.length === 1 ? inner[0] : null;
}

/** files says what a file input holds. */
export const files = (e: HTMLInputElement): { names: string[]; multiple: boolean; disabled: string } =>
  ({ names: [...(e.files ?? [])].map((f) => f.name), multiple: e.multiple, disabled: disabledBy(e) });
