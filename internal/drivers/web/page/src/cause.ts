// What the changes in a document come of: of the action, as far as its events set them off, or of the page itself. timers.js
// tells from the page's own world which callbacks the page had set before the action.
import { flush } from './store';

/** Cause is what a change comes of, as far as can be told. */
export const enum Cause { Unknown, Hand, Own, Unsure }

const TIMERS = 'trailblaze-timers';

/** mark tells the script that hears the page's timers where an action begins and ends, and what its events set off. */
export const mark = (what: 'begin' | 'aside' | 'end' | 'ask' | 'late' | 'hand' | 'free'): boolean => document.dispatchEvent(new CustomEvent(TIMERS, { detail: what }));

/** due is in how many ms the last of the timers is due that are waited for; NaN when none is left. */
export function due(what: 'ask' | 'late' = 'ask'): number {
  let left = NaN;
  const hear = (e: Event): void => { const n = Number((e as CustomEvent).detail); if (isFinite(n)) left = n; };
  addEventListener(TIMERS, hear, true);
  mark(what);
  removeEventListener(TIMERS, hear, true);
  return left;
}

interface Scheduler { postTask(f: () => void, o: { priority: string }): Promise<void> }

/** scheduler runs tasks by priority. */
export const scheduler = (globalThis as { scheduler?: Scheduler }).scheduler;

const SOON = 50, BEFORE = 1000, AFTER = 2000, RECENT = 10_000;
let acting = false;
let since = 0; // when the last action began
let until = 0; // changes are ascribed for a while after an action
let handed = false; // an event of the action runs, or a callback that it set
let callback = ''; // of the page that runs: 'own', or 'first' when it has not run before
let own = -1e9, first = -1e9; // when such a callback ran last

/** watched says whether changes are ascribed now. */
export const watched = (now: number): boolean => acting || now < until;

/** began and ended bracket an action. */
export function began(): void {
  if (!acting) {
    past = past.filter((p) => p.cause !== Cause.Hand && (p.cause || !p.during)); // what came of actions is no habit of the page
    for (const p of past) p.cause = Cause.Own;
    habits = null;
  }
  acting = true;
  since = performance.now();
}

export function ended(): void {
  acting = false;
  until = performance.now() + AFTER;
}

// What an event sets off at once has happened before the next task runs.
function open(): void {
  flush();
  if (handed) return;
  handed = true;
  mark('hand');
  const close = (): void => { flush(); handed = false; mark('free'); };
  if (scheduler) void scheduler.postTask(close, { priority: 'user-blocking' });
  else setTimeout(close);
}

// Events that nothing but input makes. A pointer that only moves, or under which the page moves, is no press.
for (const t of ['pointerdown', 'mousedown', 'pointermove', 'mousemove', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu',
  'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'paste', 'wheel', 'dragstart', 'dragover', 'drop', 'dragend']) {
  const moves = /move$/.test(t);
  addEventListener(t, (e) => { if (acting && e.isTrusted && (!moves || (e as MouseEvent).buttons)) open(); }, { capture: true, passive: true });
}

addEventListener('trailblaze-cause', (e) => {
  const what = String((e as CustomEvent).detail);
  if (what === 'hand') return open();
  flush();
  callback = what;
  if (!what) return;
  own = performance.now();
  if (what === 'first') first = own;
}, true);

/** byHand says whether what changes now comes of the action. */
export const byHand = (): boolean => !callback && handed;

// Changes, the last of them: where, when, and what they come of.
interface Past { el: WeakRef<Element>; at: number; cause: Cause; during: boolean } // during: while somebody acted
let past: Past[] = [];
let habits: Map<Element, Habit> | null = null; // by region, made of past when asked for
interface Habit { n: number; first: number; last: number; called: boolean } // called: by callbacks of the page

/** elementAt is the element that a change belongs to. */
export const elementAt = (n: Node): Element | null => n.nodeType === 1 ? n as Element : n.nodeType === 9 ? (n as Document).documentElement : n.parentElement;

/** noted keeps a change. */
export function noted(el: Element, at: number, cause: Cause): void {
  if (document.readyState === 'loading' && !watched(at)) return; // the parser, which no callback of the page is
  const top = past[past.length - 1];
  if (top && top.cause === cause && at - top.at < 10 && top.el.deref() === el) return;
  past.push({ el: new WeakRef(el), at, cause, during: acting });
  if (past.length > 400) past.splice(0, 200);
  if (!watched(at)) habits = null;
}

const SERIES = 'table,ul,ol,dl,[role=table],[role=grid],[role=treegrid],[role=list],[role=listbox],[role=tree],[role=feed],[role=log]';

// regionOf is the table, list or row of equal boxes that el is in: what ticks now here, now there, ticks in all of it.
function regionOf(el: Element): Element {
  const series = el.closest(SERIES);
  if (series) return series;
  let found = el;
  for (let c = el, i = 0; i < 4 && c.parentElement && c.parentElement !== document.body; c = c.parentElement, i++) {
    const all = c.parentElement.children;
    if (all.length < 3) continue;
    let same = true;
    for (let j = 0; j < all.length && same; j++) same = all[j].localName === c.localName;
    if (same) found = c.parentElement;
  }
  return found;
}

function habitOf(el: Element, now: number): Habit | undefined {
  if (!habits) {
    habits = new Map();
    for (const p of past) {
      const e = p.cause >= Cause.Own && now - p.at < RECENT && p.el.deref();
      if (e) beat(habits, regionOf(e), p.at);
    }
  }
  return habits.size ? habits.get(regionOf(el)) : undefined;
}

function beat(all: Map<Element, Habit>, region: Element, at: number): Habit {
  let h = all.get(region);
  if (!h) all.set(region, h = { n: 1, first: at, last: at, called: false });
  if (at - h.last > 100) h.n++;
  h.last = at;
  return h;
}

const goesOn = (h: Habit, now: number, late: number): boolean =>
  h.n >= 3 && h.last - h.first > 400 && now - h.last < 2 * (h.last - h.first) / (h.n - 1) + 250 + late;

/** causeOf is what a change at el comes of that no event of the action made: the page's callbacks that ran, and what it
    changed before, where and how often, tell. late is by how much the machine runs behind. */
export function causeOf(el: Element, now: number, late: number): Cause {
  const h = habitOf(el, now), recently = (t: number): boolean => now - t <= SOON + late;
  const anew = !h && (callback === 'first' || recently(first));
  if (!anew && !(h && (callback || recently(own) && (h.called || h.n > 1) || goesOn(h, now, late)))) return Cause.Unknown;
  beat(habits!, regionOf(el), now).called ||= !!callback || recently(own); // it goes on while somebody acts
  return callback && !anew ? Cause.Own : Cause.Unsure;
}

/** ascribed is what the changes in el since the last action come of, and those just before it. */
export function ascribed(el: Element): Cause {
  let found = Cause.Unknown, any = false;
  flush();
  for (const p of past) {
    const e = p.at > since - BEFORE && p.el.deref();
    if (!e || !e.contains(el) && !el.contains(e)) continue;
    if (p.cause === Cause.Hand) return Cause.Hand;
    if (p.cause === Cause.Unknown) any = true;
    else if (found !== Cause.Unsure) found = p.cause;
  }
  return any ? Cause.Unknown : found;
}
