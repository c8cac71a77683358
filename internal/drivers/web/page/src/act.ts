// Actions seen from the page: wait until an element can be acted on, aim, arm the guard; and after the event, say what
// came of it. Go sends the events in between.
import { byId, idOf, listen } from './store';
import type { Request } from './capture';
import { arm, controlOf, current, deepest, deepFocus, describe, disarm, flatParent, hits, keysDown, labelsOf, watchTouch, within, type Guard, type Kind } from './hit';
import { canvasAt } from './canvas';
import { look, unlike, type Look } from './look';
import { carrying, remaining, shifting } from './motion';
import { anew, boxes, boxOf, bring, bringPoint, covered, dodge, reach, shown, type Aim, type Box } from './reveal';
import { standIn, unseen } from './standin';
import { ascribed, began, ended, mark, type Cause } from './cause';
import { awaited, capped, enter, frame, leave, overdue, quiet, scripted, tally, turn, type Tally } from './settle';

/** Query is an action that is about to be sent. */
export interface Query {
  id: number; // the element; 0: whatever has the focus, or the document
  t: number; // names the action in later calls
  ms: number; // how long to wait for the element
  kind: Kind | 'hover' | 'none';
  at?: [number, number]; // offset from the element's corner
  force?: boolean; // do not ask whether the event would arrive
  still?: boolean; // an attempt was in vain: let the page come to rest first
  free?: boolean; // disabled elements will do
  ends?: number; // releases (or inputs) after which the events are through
  touch?: boolean;
  seen?: Request; // do nothing unless the document looks as in the capture before
  have?: string; // when checkedOf says this, there is nothing to do
  byHand?: boolean; // a person acts: nothing is guarded
}

/** Refusal says why nothing can be sent. */
export interface Refusal { ok: false; why: string; what: 'gone' | 'replaced' | 'hidden' | 'disabled' | 'moving' | 'covered' | 'unfit' | 'unfocused' | 'option' | 'changed'; log: string[]; instead?: number; seen?: Look }

/** Ready says that the guard is armed and where to send the event. */
export interface Ready { ok: true; x: number; y: number; box: Box; log: string[]; waited: boolean; has?: boolean; canvas?: Box | null; seen?: Look }

interface Action {
  t: number;
  el: Element;
  base: Tally;
  forms: string[];
  focus: Element | null;
  caret: Caret;
  since: number;
  url: string;
  guard: Guard | null;
  query: Query;
  done: Promise<void>;
  through: () => void;
  inputs: number;
  downs: number; // keysDown before the first of its keys
  ups: number; // likewise keysUp
  late: boolean; // the browser was asked to insert text, which may still be on its way
  left: number; // changes that a text field reports because the press took the focus from it: it had its value before
  value: () => Reading;
}

/** Reading is what a field holds. */
export interface Reading {
  read: string; // its value
  typed: string; // without what the page completed and selected; '' when it completed nothing
  drawn: string[]; // what an editor shows that draws its text itself
}

const nothing: Reading = { read: '', typed: '', drawn: [] };

let action: Action | null = null;

/** elementOf is the element with that number; a run of text stands for the element around it. */
export function elementOf(id: number): Element | null {
  const n = byId(id);
  return n && (n.nodeType === 1 ? n as Element : n.parentElement);
}

const signature = (el: Element): string =>
  [el.localName, el.id, ...['data-testid', 'name', 'type', 'role', 'aria-label', 'href', 'placeholder'].map((a) => el.getAttribute(a) ?? ''),
    (el.textContent ?? '').slice(0, 80)].join('\u0001');

/** lost says what became of an element that is not in the page any more. */
export function lost(el: Element | null): Pick<Refusal, 'why' | 'what'> {
  if (!el) return { what: 'gone', why: 'the element is gone' };
  const s = signature(el);
  for (const o of document.getElementsByTagName(el.localName)) {
    if (signature(o) === s) return { what: 'replaced', why: `the page replaced ${describe(el)} by an equal element` };
  }
  return { what: 'gone', why: `${describe(el)} was removed from the page` };
}

/** disabledBy says why the element takes no input, or ''. */
export function disabledBy(el: Element): string {
  const c = controlOf(el);
  if (el.matches(':disabled') || c.matches(':disabled')) return `${describe(c)} is disabled`;
  const aria = c.closest('[aria-disabled="true"]');
  if (aria && (aria === c || aria === el || aria.contains(c))) return `${describe(aria)} is disabled (aria-disabled)`;
  const inert = el.closest('[inert]');
  return inert ? `${describe(inert)} is inert` : '';
}

/** hiddenBy refuses an element that nobody sees, and names what stands in for it. */
export function hiddenBy(el: Element): { what: 'hidden'; why: string; instead: number; final: boolean } | null {
  const boxed = shown(el), why = boxed ? unseen(el) : 'is hidden';
  if (!why) return null;
  const instead = standIn(el);
  return { what: 'hidden', why: `${describe(el)} ${why}`, instead, final: boxed && instead > 0 }; // what replaced it stays
}

// A control that is hidden behind its label, as styled check boxes are, is acted on through the label.
function stand(el: Element): Element {
  const r = el.getBoundingClientRect();
  if (shown(el) && r.width > 1 && r.height > 1) return el;
  return labelsOf(el).find(shown) ?? el;
}

/** change ends when something happens that may clear the way. Style sheets edited by script tell nobody: hence the timer. */
export function change(ms: number): Promise<void> {
  return new Promise((done) => {
    const types = ['resize', 'transitionend', 'animationend', 'load', 'scroll', 'pointermove'];
    const stop = listen(() => end());
    const timer = setTimeout(() => end(), Math.max(0, Math.min(ms, 100)));
    const end = (): void => {
      stop();
      clearTimeout(timer);
      for (const t of types) removeEventListener(t, end, true);
      done();
    };
    for (const t of types) addEventListener(t, end, { capture: true, passive: true, once: true });
  });
}

type Step = { aim: Aim; el: Element; has?: boolean } | { what: Refusal['what']; why: string; final?: boolean; wait?: Promise<unknown>; instead?: number };

const dropDown = (s: HTMLSelectElement | null): boolean => !!s && s.size < 2 && !s.multiple;

async function attempt(q: Query, patience: number): Promise<Step> {
  const named = elementOf(q.id);
  if (!named?.isConnected) return { ...lost(named), final: true };
  const el = stand(named);
  if (q.have !== undefined && checkedOf(named) === q.have) return { aim: { x: 0, y: 0, ok: true, by: null, out: false }, el, has: true };
  if (named.localName === 'option' && dropDown(named.closest('select'))) return { what: 'option', why: 'an option of a drop-down list', final: true };
  const no = hiddenBy(el);
  if (no) return no;
  if (!q.free) {
    const why = disabledBy(named);
    if (why) return { what: 'disabled', why };
  }
  const carried = carrying(el);
  const ending = carried.filter((a) => remaining(a) < patience);
  // An element moves when its box does, whatever else is playing. What carries it for ever is not waited for.
  if (!q.force && (ending.length || !carried.length && (scripted() || shifting()))) {
    const before = boxOf(el).join();
    await frame();
    if (boxOf(el).join() !== before) {
      return { what: 'moving', why: `${describe(el)} is moving`, wait: ending.length ? Promise.race(ending.map((a) => a.finished.catch(() => undefined))) : frame() };
    }
  }
  const offset = q.at ?? null;
  let aim = reach(el, offset, true, !!q.force);
  if (!aim.ok && (aim.out || !boxesInView(el))) {
    bring(el, 'center');
    aim = reach(el, offset, true, !!q.force);
    if (!aim.ok && aim.out && offset) {
      bringPoint(el, aim.x, aim.y);
      aim = reach(el, offset, true, !!q.force);
    }
  }
  aim = dodge(el, offset, aim);
  if (!aim.ok && !offset) aim = reach(el, null, false, false);
  // What clips an element is worked out from style; where the pointer really gets through has the last word.
  if (!aim.ok && aim.out && !offset) aim = straight(el) ?? aim;
  if (aim.ok) return { aim, el };
  return { what: 'covered', why: `${describe(el)} is ${covered(aim)}`, instead: aim.by ? layer(aim.by, el) : 0 };
}

/** layer is the largest part of the page around what lies over el that holds nothing of el. */
function layer(by: Element, el: Element): number {
  for (let p = flatParent(by); p instanceof Element && !within(el, p); p = flatParent(p)) by = p;
  return idOf(by);
}

function straight(el: Element): Aim | null {
  const r = el.getBoundingClientRect();
  const x = (Math.max(0, r.left) + Math.min(innerWidth, r.right)) / 2, y = (Math.max(0, r.top) + Math.min(innerHeight, r.bottom)) / 2;
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && hits(deepest(x, y), el) ? { x, y, ok: true, by: null, out: false } : null;
}

function boxesInView(el: Element): boolean {
  const r = el.getBoundingClientRect();
  return r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth;
}

/** wait repeats try until it says ok, gives up for good, or time is over. */
export async function wait<T extends object>(ms: number, log: string[], attempt: (left: number) => Promise<T | Extract<Step, { why: string }>>): Promise<T | Refusal> {
  await overdue();
  const end = performance.now() + ms;
  for (;;) {
    const r = await attempt(end - performance.now());
    if (!('why' in r)) return r as T;
    const no = r as Extract<Step, { why: string }>;
    if (log[log.length - 1] !== no.why && log.length < 12) log.push(no.why);
    const left = end - performance.now();
    if (no.final || left <= 0) return { ok: false, what: no.what, why: no.why, log, instead: no.instead };
    await capped(Promise.race([no.wait ?? change(left), change(left)]), left);
  }
}

/** asSeen captures the document when the query wants it to look as it did; no: it does not, and nothing may be done. */
export async function asSeen(q: Query): Promise<{ seen?: Look; no?: Refusal }> {
  if (!q.seen) return {};
  await overdue();
  const { seen, differs } = unlike(q.seen);
  return { seen, no: differs ? { ok: false, what: 'changed', why: 'the page has changed since it was looked at', log: [], seen } : undefined };
}

/** aim waits until the element can be acted on, scrolls it into view, picks the point and arms the guard. */
export async function aim(q: Query): Promise<Ready | Refusal> {
  const log: string[] = [];
  anew();
  if (q.still) await frame();
  const { seen, no } = await asSeen(q);
  if (no) return no;
  const r = await wait(q.ms, log, (left) => attempt(q, left));
  if ('ok' in r) return { ...r, seen };
  const found = { ok: true as const, seen, x: r.aim.x, y: r.aim.y, box: boxOf(r.el), log, waited: log.length > 0 };
  if (r.aim.by) log.push(`the middle of ${describe(r.el)} is ${describe(r.aim.by)}, another control, so the point lies beside that`);
  if (r.has) return { ...found, has: true };
  begin(q, r.el);
  return { ...found, canvas: canvasAt(r.aim.x, r.aim.y) };
}

/** begin takes stock and arms the guard. */
export function begin(q: Query, el: Element, value: () => Reading = () => nothing, had: Element | null = deepFocus()): void {
  enter();
  began();
  mark('begin');
  at = null;
  let through = (): void => undefined;
  const done = new Promise<void>((d) => { through = d; });
  const a: Action = {
    t: q.t, el, base: tally(), forms: forms(), focus: had, caret: caret(q.kind), since: Number(document.timeline.currentTime ?? 0), url: location.href,
    guard: null, query: q, done, through, inputs: 0, downs: action?.t === q.t ? action.downs : keysDown(),
    ups: action?.t === q.t ? action.ups : keysUp, late: false, left: 0, value,
  };
  action = a;
  watchTouch(!!q.touch);
  if (q.byHand || q.kind === 'hover' || q.kind === 'none') return;
  a.guard = arm(q.t, el, q.kind, !!q.force, (first, e) => {
    if (first) tellDelivery(q.t);
    keyCame();
    // What the pointer's way to the element changed is not an effect of the press.
    if (first && q.kind === 'pointer') { a.base = tally(); a.forms = forms(); a.focus = deepFocus(); a.caret = caret(q.kind); }
    const g = a.guard!;
    if (a.late) through();
    if (g.state === 'blocked') { if (q.kind !== 'pointer' || g.ended > 0) through(); return; }
    if (q.touch ? e.type === 'click' : q.ends && g.ended >= q.ends) through();
  });
}

// Go learns of a delivery at once: the document may end with it and report nothing any more.
const tellDelivery = (t: number): void => { (globalThis as { trailblazeDelivered?: (t: string) => void }).trailblazeDelivered?.(String(t)); };

// Where the pointer was last, since the action began.
let at: { x: number; y: number } | null = null, moved = (): void => undefined;

addEventListener('mousemove', (e) => {
  if (!e.isTrusted) return;
  at = { x: e.clientX, y: e.clientY };
  moved();
}, { capture: true, passive: true });

/** pointed says whether the pointer came to a point of this document within ms: for a while after a scroll the browser takes
 * a frame of another process to be where it was. */
export async function pointed(x: number, y: number, ms: number): Promise<boolean> {
  const there = (): boolean => !!at && Math.abs(at.x - x) < 1.5 && Math.abs(at.y - y) < 1.5;
  const end = performance.now() + ms;
  for (let left = ms; !there() && left > 0; left = end - performance.now()) await capped(new Promise<void>((d) => { moved = d; }), left);
  return there();
}

addEventListener('input', (e) => {
  const a = action;
  if (a?.query.kind === 'text' && e.isTrusted && (e.composedPath().includes(a.el) || deepFocus() === a.el) && ++a.inputs >= (a.query.ends ?? Infinity)) a.through();
}, { capture: true, passive: true });

// What a key types comes between its press and its release.
let keysUp = 0;
addEventListener('keyup', (e) => { if (e.isTrusted) { keysUp++; keyCame(); } }, { capture: true, passive: true });

addEventListener('change', (e) => {
  const a = action, from = e.composedPath()[0] as HTMLInputElement;
  if (a?.query.kind === 'pointer' && e.isTrusted && from === a.focus && from !== a.el && /^(?:input|textarea)$/.test(from.localName) && from.matches(ENTRY)) a.left++;
}, { capture: true, passive: true });

/** watch takes stock for an action that has no element, and says which canvas its point lies on. */
export function watch(q: Query): Box | null {
  begin(q, document.documentElement);
  return q.at ? canvasAt(q.at[0], q.at[1]) : null;
}

/** find waits until the element can be reached, as aim does, and arms nothing: the end of a drag. */
export async function find(q: Query): Promise<Ready | Refusal> {
  const log: string[] = [];
  const r = await wait(q.ms, log, (left) => attempt({ ...q, force: true }, left));
  if ('ok' in r) return r;
  return { ok: true, x: r.aim.x, y: r.aim.y, box: boxOf(r.el), log, waited: log.length > 0 };
}

/** pressed says whether the press of a drag has arrived, and whether the browser began to drag. */
export const pressed = (t: number): { state: string; dragging: boolean } => {
  const g = action?.t === t ? action.guard : null;
  return { state: g?.state ?? 'delivered', dragging: g?.dragging ?? false };
};

/** arrived waits until the browser has handed every event to the page. */
export const arrived = async (t: number): Promise<void> => { if (action?.t === t) await action.done; };

/** focusOn brings the focus to the element, or leaves it where it is when there is none, and guards the keys. */
export async function focusOn(q: Query): Promise<Ready | Refusal> {
  const log: string[] = [];
  const had = deepFocus();
  if (q.still) await turn();
  const r = await wait<{ el: Element }>(q.ms, log, async () => {
    if (!q.id) return { el: deepFocus() ?? document.documentElement };
    const el = elementOf(q.id);
    if (!el?.isConnected) return { ...lost(el), final: true };
    if (focusedIn(el) || el === document.body || el === document.documentElement) return { el };
    const why = disabledBy(el);
    if (why) return { what: 'disabled', why };
    if (!shown(el)) return { what: 'hidden', why: `${describe(el)} is hidden` };
    bring(el, 'nearest');
    (el as HTMLElement).focus({ preventScroll: true });
    if (!focusedIn(el)) return { what: 'unfit', why: `${describe(el)} does not take the focus; ${describe(deepFocus())} has it` };
    return { el };
  });
  if ('ok' in r) return r;
  begin({ ...q, force: !q.id }, r.el, undefined, had);
  return { ok: true, x: 0, y: 0, box: boxOf(r.el), log, waited: log.length > 0 };
}

/** originOf is where the viewport of the frame that owner shows begins in this one. */
export const originOf = (owner: number): [number, number] => {
  const el = elementOf(owner) as HTMLElement | null;
  const p = el?.isConnected ? inside(el, 0, 0) : { x: 0, y: 0 };
  return [p.x, p.y];
};

/** showPoint scrolls so that a point of the frame that owner shows is in view, and says where it is then. */
export function showPoint(owner: number, x: number, y: number): { X: number; Y: number; Moved: boolean } {
  const el = elementOf(owner) as HTMLElement | null;
  if (!el?.isConnected) return { X: x, Y: y, Moved: false };
  const before = inside(el, x, y);
  bringPoint(el, before.x, before.y);
  const p = inside(el, x, y);
  return { X: p.x, Y: p.y, Moved: p.x !== before.x || p.y !== before.y };
}

/** idAt is the number of the element at a point. */
export const idAt = (x: number, y: number): number => { const el = deepest(x, y); return el ? idOf(el) : 0; };

/** causes are what the changes in each of these elements come of since the last action; 0 is the title. */
export const causes = (ids: number[]): Cause[] => ids.map((id) => { const el = id ? elementOf(id) : document.querySelector('title'); return el ? ascribed(el) : 0; });

/** watchZoom takes stock before a pinch; zoom is how far the page is zoomed in. */
export const zoom = (): number => visualViewport?.scale ?? 1;
export const watchZoom = (q: Query): number => { watch(q); return zoom(); };

// An action aimed at another frame, and how this document stood before it.
let side: { t: number; base: Tally } | null = null;

/** aside takes stock in a document that the action is not aimed at: it may change all the same. */
export function aside(t: number): void {
  if (side?.t === t) return;
  enter();
  began();
  mark('aside');
  side = { t, base: tally() };
}

/** bar lets no event through into this document: the action is aimed at another frame. */
export function bar(t: number): void {
  aside(t);
  arm(t, null, 'pointer', false, () => undefined);
}

/** barred says what the barred event hit, '' when none arrived, and ends the bar. */
export function barred(t: number): string {
  const g = current(t);
  const by = g?.state === 'blocked' ? g.by : '';
  disarm(t);
  return by;
}

/** sideEffect waits until this document has come to rest as well, and says what changed in it. */
export async function sideEffect(t: number, cap: number): Promise<Tally & { busy: string[] }> {
  const busy = side?.t === t ? await quiet(Infinity, null, cap) : [];
  const now = tally(), b = side?.t === t ? side.base : now;
  for (const k of Object.keys(now) as (keyof Tally)[]) now[k] -= b[k];
  return { ...now, busy };
}

/** endSide closes the books of such a document. */
export function endSide(t: number): void {
  disarm(t);
  if (side?.t === t) { side = null; mark('end'); leave(); ended(); }
}

let keyCame = (): void => undefined;

// A busy browser answers for the last key before all of them have come.
async function allCame(a: Action, keys: number): Promise<void> {
  for (let had = -1, n = 0; a.guard && a.guard.state !== 'blocked' && (n = a.query.kind === 'text' ? keysUp - a.ups : keysDown() - a.downs) < keys && n > had;) {
    had = n;
    await capped(new Promise<void>((d) => { keyCame = d; }), 700);
  }
}

/** acked says that the browser has handed every event to the page, keys of them that press a key down. Inserted text may
    come a moment after that. */
export async function acked(t: number, late = false, keys = 0): Promise<void> {
  const a = action;
  if (a?.t !== t) return;
  if (late && a.guard?.state === 'armed') { a.late = true; await capped(a.done, 350); }
  if (a.query.touch && a.guard?.state !== 'blocked') { await turn(); await capped(a.done, 350); } // the click follows the touch
  await allCame(a, keys);
  a.through();
}

// The values of all fields, which script can change without an event. The cap keeps huge forms cheap.
function forms(): string[] {
  const out: string[] = [];
  for (const e of document.querySelectorAll<HTMLInputElement>('input,textarea,select')) {
    if (out.length >= 400) break;
    out.push(e.type === 'checkbox' || e.type === 'radio' ? String(e.checked) : e.value);
  }
  return out;
}

const differ = (a: string[], b: string[]): boolean => a.length !== b.length || a.some((v, i) => v !== b[i]);

/** Caret is where the caret stands or what is selected, as far as people can see it. */
type Caret = [Node | null, number, Node | null, number];

// A click puts an invisible caret into whatever text it hits: outside of fields that is no effect of a press.
function caret(kind: Query['kind']): Caret {
  const el = deepFocus() as HTMLInputElement | null;
  if (el && /^(?:input|textarea)$/.test(el.localName) && el.matches(ENTRY)) return [el, el.selectionStart ?? -1, el, el.selectionEnd ?? -1];
  const s = getSelection();
  const seen = s && (el as HTMLElement | null)?.isContentEditable || s?.type === 'Range' && kind !== 'pointer';
  return seen ? [s.anchorNode, s.anchorOffset, s.focusNode, s.focusOffset] : [null, 0, null, 0];
}

/** Outcome is what an action did to this document. */
export interface Outcome extends Reading {
  state: 'armed' | 'delivered' | 'blocked' | 'lost';
  by: string;
  tree: number; value: boolean; focus: boolean; selection: boolean; scroll: boolean; url: string;
  own: number; unsure: number;
  busy: string[]; // what kept the document from coming to rest
  connected: boolean; // the element is still there
  hover: boolean; // the pointer is over it
  due: boolean; // with given: timers that the action set have not run
  given: boolean; // the press gave the focus to the element, which is no effect by itself
  checked: string; // 'true', 'false', 'mixed' or ''
  dragging: boolean;
  look?: Look; // how the document looks at the end, when that was asked for
}

/** finish waits for the events to arrive and for the document to come to rest, at most cap ms, and reports. With then it
    also captures the document: whoever acts looks next, and this saves the question. */
export async function finish(t: number, cap: number, then: Request | null = null): Promise<Outcome> {
  const a = action;
  if (a?.t !== t) return outcome(null, []);
  await a.done;
  if (a.guard?.state === 'blocked') return outcome(a, []);
  let busy = await quiet(a.since, a.el, cap);
  if (a.query.kind === 'text' || a.query.kind === 'key') await overdue(); // suggestions and results wait for a pause in typing
  let out = outcome(a, busy);
  if (!busy.length && !(out.tree || out.value || out.focus || out.selection || out.scroll)) {
    // What the page asked to run in the next frame comes of the action as well.
    await frame();
    busy = await quiet(a.since, a.el, cap);
    out = outcome(a, busy);
  }
  if (then && out.state === 'delivered' && !busy.length) out.look = look(then);
  return out;
}

/** again waits for rest once more, after what the action started elsewhere has ended. */
export async function again(t: number, cap: number): Promise<Outcome> {
  const a = action;
  if (a?.t !== t) return outcome(null, []);
  return outcome(a, await quiet(a.since, a.el, cap));
}

/** attend takes stock for what a person does by hand, and says what came of what they did before. */
export function attend(t: number, el: Element, kind: Kind): { t: number; out: Outcome } | undefined {
  const before = action?.query.byHand ? { t: action.t, out: outcome(action, []) } : undefined;
  if (before) end(before.t);
  begin({ id: idOf(el), t, ms: 0, kind, byHand: true }, el);
  return before;
}

/** came says that the browser has handed every event of what a person does to the page. */
export function came(t: number): void { if (action?.t === t) action.through(); }

/** end closes an action's books. */
export function end(t: number): void {
  disarm(t);
  watchTouch(false);
  if (action?.t === t) { action = null; mark('end'); leave(); ended(); }
}

function outcome(a: Action | null, busy: string[]): Outcome {
  if (!a) {
    return {
      state: 'lost', by: '', tree: 0, value: false, focus: false, selection: false, scroll: false, own: 0, unsure: 0, url: location.href, busy, connected: false, hover: false,
      given: false, due: false, ...nothing, checked: '', dragging: false,
    };
  }
  const now = tally(), given = focusGiven(a);
  return {
    state: a.guard ? a.guard.state : 'delivered', by: a.guard?.by ?? '',
    tree: now.tree - a.base.tree, own: now.own - a.base.own, unsure: now.unsure - a.base.unsure,
    value: now.value - a.left > a.base.value || differ(a.forms, forms()),
    focus: focusMoved(a),
    selection: reselected(a),
    scroll: now.scroll > a.base.scroll,
    url: location.href, busy,
    connected: a.el.isConnected, hover: hovered(a.el), given, due: given && awaited(),
    ...a.value(), checked: checkedOf(elementOf(a.query.id) ?? a.el),
    dragging: a.guard?.dragging ?? false,
  };
}

// A caret that goes with the focus is as little an effect of a press as the focus itself.
function reselected(a: Action): boolean {
  const now = caret(a.query.kind);
  return (now[0] !== null || a.query.kind !== 'pointer') && now.some((v, i) => v !== a.caret[i]);
}

// A press gives the focus to what is pressed, or takes it from a field: that is its delivery and not an effect, or no
// button would ever be dead. To a field it is what was wanted, and anywhere else somebody has moved it.
function focusMoved(a: Action): boolean {
  const now = deepFocus();
  if (now === a.focus) return false;
  if (a.query.kind !== 'pointer') return true;
  if (!now || now === document.body) return false;
  if (!within(now, a.el) && !within(a.el, now) && a.el.closest('label')?.control !== now) return controlOf(a.el) !== now;
  return now.matches(ENTRY) || (now as HTMLElement).isContentEditable;
}

// What a press gives the focus to and does nothing else for may be there for the keys: only what follows can show it.
function focusGiven(a: Action): boolean {
  const now = deepFocus();
  return a.query.kind === 'pointer' && !!now && now !== a.focus && now !== document.body && !focusMoved(a);
}

const ENTRY = 'input:not([type=button],[type=submit],[type=reset],[type=image],[type=checkbox],[type=radio],[type=file]),textarea,select,[role=textbox],[role=searchbox],[role=combobox],[role=spinbutton],[role=slider]';

function hovered(el: Element): boolean {
  if (el.isConnected) return el.matches(':hover');
  // Replaced while the pointer came over it: an equal element under the pointer is the same to a person.
  const s = signature(el).split('\u0001').slice(0, 9).join();
  return [...document.querySelectorAll(el.localName + ':hover')].some((o) => signature(o).split('\u0001').slice(0, 9).join() === s);
}

export function focusedIn(el: Element): boolean {
  for (let c: Element | null = deepFocus(); c; c = flatParent(c)) if (c === el) return true;
  return false;
}

/** checkedOf reads the state of a check box, radio button or switch. */
export function checkedOf(el: Element): string {
  const c = el.localName === 'label' ? (el as HTMLLabelElement).control ?? el : el;
  const box = c as HTMLInputElement;
  if (c.localName === 'input' && (box.type === 'checkbox' || box.type === 'radio')) return box.indeterminate ? 'mixed' : String(box.checked);
  return c.getAttribute('aria-checked') ?? c.getAttribute('aria-pressed') ?? c.getAttribute('aria-selected') ?? '';
}

/** through is where a point of the frame that owner shows lies in this document, once it can be reached there. */
export async function through(owner: number, x: number, y: number, ms: number): Promise<Ready | Refusal> {
  const log: string[] = [];
  anew();
  const r = await wait<{ x: number; y: number }>(ms, log, async () => {
    const el = elementOf(owner) as HTMLIFrameElement | null;
    if (!el?.isConnected) return { ...lost(el), final: true };
    let p = inside(el, x, y);
    const out = p.x < 0 || p.y < 0 || p.x >= innerWidth || p.y >= innerHeight;
    let hit = reach(el, offsetOf(el, p), true, false);
    if (!hit.ok && (out || hit.out)) {
      bringPoint(el, p.x, p.y);
      p = inside(el, x, y);
      hit = reach(el, offsetOf(el, p), true, false);
    }
    if (!hit.ok) {
      hit = dodge(el, offsetOf(el, p), hit);
      p = inside(el, x, y);
    }
    if (!hit.ok) return { what: 'covered', why: `the frame ${describe(el)} is ${covered(hit)}` };
    return p;
  });
  if ('ok' in r) return r;
  const el = elementOf(owner)!;
  return { ok: true, x: r.x, y: r.y, box: boxOf(el), log, waited: log.length > 0 };
}

const offsetOf = (el: Element, p: { x: number; y: number }): [number, number] => {
  const r = boxes(el)[0] ?? el.getBoundingClientRect();
  return [p.x - r.x, p.y - r.y];
};

/** inside maps a point of the frame's viewport to this one, with borders, padding and scaling. */
function inside(el: HTMLElement, x: number, y: number): { x: number; y: number } {
  const r = el.getBoundingClientRect();
  const s = getComputedStyle(el);
  const sx = el.offsetWidth ? r.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
  return {
    x: r.left + (el.clientLeft + parseFloat(s.paddingLeft) + x) * sx,
    y: r.top + (el.clientTop + parseFloat(s.paddingTop) + y) * sy,
  };
}

/** boxNow is where the element is now, for the marks in a report. */
export const boxNow = (id: number): Box | null => {
  const el = elementOf(id);
  return el?.isConnected ? boxOf(el) : null;
};

/** focusId is the number of the focused element, 0 when nothing in this document has the focus. */
export function focusId(): number {
  const el = deepFocus();
  return el && el !== document.body ? idOf(el) : 0;
}
