// When a document has come to rest after an action, and what the action changed in it. Everything here waits for events:
// mutations, ends of animations, and the turn of the event loop in which nothing is left to do.
import { flush, listen } from './store';
import { byHand, Cause, causeOf, due, elementAt, noted, scheduler, watched } from './cause';
import { describe } from './hit';
import { nodeOf, remaining, runningSince } from './motion';

/** Tally counts changes that the page does not explain; unsure are those of which it cannot be told. */
export interface Tally { tree: number; value: number; focus: number; scroll: number; own: number; unsure: number }

const counts: Tally = { tree: 0, value: 0, focus: 0, scroll: 0, own: 0, unsure: 0 };
let acting = false;
let stir = 0; // changes that are waited for

// A ticker is a node that keeps changing while nobody acts: a clock, a progress bar, a carousel. Its changes are neither
// an effect nor a reason to wait.
interface Rhythm { n: number; first: number; last: number; late: number } // late: lateness when it last changed
const rhythms = new WeakMap<Node, Rhythm>();
const restless = new WeakMap<Node, { last: number; late: number }>(); // outlasted the cap of an earlier wait; its last change

/** ticks says whether the node keeps changing by itself. */
export function ticks(n: Node, now: number): boolean {
  const el = n.nodeType === 1 ? n as Element : n.parentElement;
  if (!el) return false;
  if (goesOn(el, now) || regular(el, now)) return true;
  // A clock that is rendered anew with every tick: its small container is what keeps changing.
  const p = el.parentElement;
  return !!p && (goesOn(p, now) || regular(p, now)) && p.getElementsByTagName('*').length < 10;
}

const REST = 300;

function note(el: Element, now: number): void {
  restless.set(el, { last: now, late: lateness(now) });
  ticked = now;
  pulse(now);
}

// What came to rest after all may change again because of an action.
function goesOn(el: Element, now: number): boolean {
  const r = restless.get(el);
  if (!r) return false;
  const on = now - r.last <= REST + lateness(now) - r.late;
  if (on) note(el, now);
  else restless.delete(el);
  return on;
}

function regular(el: Element, now: number): boolean {
  const r = rhythms.get(el);
  return !!r && r.n >= 4 && r.last - r.first > 400 && now - r.last < 2 * (r.last - r.first) / (r.n - 1) + 250 + lateness(now) - r.late;
}

function beat(n: Node, now: number): void {
  const el = elementAt(n);
  if (!el || el === document.body || el === document.documentElement) return;
  goesOn(el, now);
  const r = rhythms.get(el);
  if (!r) rhythms.set(el, { n: 1, first: now, last: now, late: lateness(now) });
  else if (now - r.last > PAUSE) { r.n = 1; r.first = r.last = now; r.late = lateness(now); }
  else tick(r, now);
}

function tick(r: Rhythm, now: number): void {
  if (now - r.last <= 10) return;
  r.n++;
  r.last = now;
  r.late = lateness(now);
  if (r.n < 4) return;
  ticked = now;
  pulse(now);
}

// A ticker goes on while somebody acts, however long that takes.
function goOn(n: Node, now: number): void {
  const el = n.nodeType === 1 ? n as Element : n.parentElement;
  for (const e of [el, el?.parentElement]) {
    if (e && regular(e, now)) tick(rhythms.get(e)!, now);
  }
}

const PAUSE = 5000, PULSE = 100;
let behind = 0; // ms by which our timer ran late, in all
let at = 0; // when it is due; 0: it is not set
let ticked = 0;

// A busy machine runs timers late, a ticker's like ours: while something ticks, one of ours measures by how much.
function pulse(now: number): void {
  if (at) return;
  at = now + PULSE;
  setTimeout(() => {
    const then = performance.now();
    behind = lateness(then);
    at = 0;
    if (then - ticked < PAUSE) pulse(then);
  }, PULSE);
}

const lateness = (now: number): number => behind + (at ? Math.max(0, now - at) : 0);

const ownScroll = new WeakMap<Node, [number, number]>();

const position = (n: Node): [number, number] => {
  const el = n.nodeType === 9 ? (n as Document).scrollingElement : n as Element;
  return el ? [el.scrollLeft, el.scrollTop] : [0, 0];
};

/** weScrolled keeps the events of our own scrolling from being taken for an effect. */
export function weScrolled(n: Element): void {
  const node = n === document.scrollingElement ? document : n;
  ownScroll.set(node, position(node));
}

let styled = 0; // when something's style last changed by script
let stylings = 0; // how many changes of style followed each other closely, frame after frame
let changed: Set<Node> | null = null; // what changed since a wait began
let styledNow = false;
let lastScroll = 0;

// counted says whether a change is to be counted, and books what it comes of.
function counted(n: Node, now: number): boolean {
  const el = elementAt(n), hand = byHand();
  if (!el) return true;
  const on = acting && ticks(n, now);
  const cause = !watched(now) ? Cause.Own : hand ? Cause.Hand : on ? Cause.Own : causeOf(el, now, lateness(now));
  noted(el, now, cause);
  if (!acting && !hand) beat(n, now);
  if (!acting || !watched(now)) return !on; // nobody acts, or the document only has to come to rest
  if (cause === Cause.Own) counts.own++;
  if (cause === Cause.Unsure) counts.unsure++;
  return cause < Cause.Own;
}

listen((kind, target, records) => {
  const now = performance.now();
  if (kind === 'tree') {
    for (const r of records ?? []) {
      const some = counted(r.target, now);
      if (r.type === 'attributes' && (r.attributeName === 'style' || r.attributeName === 'class')) {
        if (now - styled > 8) stylings = now - styled < 100 ? stylings + 1 : 1;
        styled = now;
      }
      const on = acting && ticks(r.target, now);
      if (on) goOn(r.target, now);
      if (!some) continue;
      counts.tree++;
      if (on) continue; // what goes on is not waited for
      stir++;
      if (changed) {
        changed.add(r.target);
        if (r.type === 'attributes' && (r.attributeName === 'style' || r.attributeName === 'class') || r.type === 'childList' && arrives(r)) styledNow = true;
      }
    }
    return;
  }
  if (kind === 'scroll') {
    const own = ownScroll.get(target);
    const [x, y] = position(target);
    if (own && Math.abs(own[0] - x) < 1 && Math.abs(own[1] - y) < 1) return;
    lastScroll = now;
    if (!counted(target, now)) return;
  }
  counts[kind]++;
});

// Things that open, close or play without touching the tree.
for (const t of ['toggle', 'play', 'pause', 'fullscreenchange', 'volumechange']) {
  addEventListener(t, (e) => { if (e.isTrusted && e.target instanceof Node && counted(e.target, performance.now())) { counts.tree++; stir++; } }, { capture: true, passive: true });
}

// An element that came with a transition of its own will probably move with the next frames.
function arrives(r: MutationRecord): boolean {
  let looked = 0;
  for (const n of r.addedNodes) {
    if (n.nodeType !== 1 || ++looked > 8) continue;
    const s = getComputedStyle(n as Element);
    if (/[1-9]/.test(s.transitionDuration)) return true;
  }
  return false;
}

/** scripted says whether script seems to be moving things right now: style changes frame after frame, or scrolling. */
export const scripted = (): boolean => {
  const now = performance.now();
  return (stylings >= 2 && now - styled < 100) || now - lastScroll < 60;
};

/** tally delivers pending mutations and copies the counters. */
export function tally(): Tally {
  flush();
  return { ...counts };
}

/** enter and leave bracket an action: what changes outside of one is the page's own doing. */
export function enter(): void {
  flush();
  acting = true;
  changed = new Set();
  styledNow = false;
}

export function leave(): void {
  flush();
  acting = false;
  changed = null;
}

/** turn ends when what is ready to run now has run: a timer of no delay, a message, then a task that yields to all.
    begun runs with the timer: whatever led to this turn is over then. */
export function turn(begun?: () => void): Promise<void> {
  return new Promise((done) => {
    let open = true;
    const end = (): void => { if (open) { open = false; done(); } };
    setTimeout(() => {
      begun?.();
      const c = new MessageChannel();
      c.port1.onmessage = () => {
        c.port1.close();
        if (!scheduler) return end();
        void scheduler.postTask(end, { priority: 'background' });
        setTimeout(end, 30); // a page that never yields would starve the background task
      };
      c.port2.postMessage(0);
    });
  });
}

/** frame ends with the second frame from now: what the page asked to run in the next one has run and been painted. */
export function frame(): Promise<void> {
  return new Promise((done) => {
    let open = true;
    const end = (): void => { if (open) { open = false; done(); } };
    requestAnimationFrame(() => requestAnimationFrame(end));
    setTimeout(end, 200); // a tab that does not paint has no frames
  });
}

/** capped is p, or undefined after ms. */
export function capped<T>(p: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((done) => {
    const t = setTimeout(() => done(undefined), Math.max(0, ms));
    const end = (v?: T): void => { clearTimeout(t); done(v); };
    p.then(end, () => end());
  });
}

const LONGEST = 450; // a little more than what timers.js calls short

/** awaited says whether a timer is left that the action set, be it a longer one. */
export const awaited = (): boolean => due('late') > -50;

/** overdue waits for the short timers that the action before started: what they change is what comes of that action. */
export async function overdue(): Promise<void> {
  let left = due();
  if (isNaN(left)) return;
  const since = Number(document.timeline.currentTime ?? 0), end = performance.now() + LONGEST, open = acting;
  if (!open) enter();
  // The page's timer may run a moment after one of ours that is due at the same time.
  for (; !isNaN(left) && performance.now() < end; left = due()) await new Promise((done) => { setTimeout(done, Math.max(1, left)); });
  await quiet(since, null, LONGEST);
  if (!open) leave();
}

/** quiet waits until the document has come to rest since enter, at most cap ms, and says what keeps it from that.
    since is the document timeline's time before the action; region is what was acted on. */
export async function quiet(since: number, region: Element | null, cap: number): Promise<string[]> {
  const end = performance.now() + cap;
  const late = (): boolean => performance.now() >= end;
  const playing = players(since, region);
  for (;;) {
    let before = 0;
    playing(); // what begins now may be over before the turn ends on a busy machine, and its promise not kept yet
    await turn(() => { // the rest of the event that led here has run: what it changed calls for no turn of its own
      flush();
      before = stir;
      playing();
    });
    flush();
    if (stir !== before) {
      if (!late()) continue;
      return giveUp('changes of the page');
    }
    const moving = playing();
    if (moving.length) {
      if (late()) {
        for (const a of moving) tired.add(nodeOf(a)!);
        return [...new Set(moving.map((a) => 'animation of ' + describe(nodeOf(a))))];
      }
      await capped(Promise.allSettled(moving.map((a) => a.finished)), Math.min(end - performance.now(), Math.max(...moving.map(remaining)) + 250));
      continue;
    }
    if (!styledNow) return [];
    if (late()) return giveUp('style changes of the page');
    styledNow = false;
    await frame();
    flush();
  }
}

// The animations that are waited for, asked for again and again: those seen to play, each until its promise is kept. That
// happens in the frame after the animation's end, and a busy machine has few frames.
function players(since: number, region: Element | null): () => Animation[] {
  const open = new Set<Animation>();
  return () => {
    for (const a of runningSince(since, region)) {
      if (open.has(a) || tired.has(nodeOf(a)!) || ticks(nodeOf(a)!, performance.now())) continue;
      open.add(a);
      const over = (): void => { open.delete(a); };
      a.finished.then(over, over);
    }
    return [...open].filter((a) => a.playState !== 'paused' && nodeOf(a) !== null && isFinite(remaining(a)) && !ticks(nodeOf(a)!, performance.now()));
  };
}

const tired = new WeakSet<Element>(); // its animations outlasted the cap of an earlier wait

// What never rests is not waited for again in this document.
function giveUp(what: string): string[] {
  for (const n of changed ?? []) {
    const el = n.nodeType === 1 ? n as Element : n.parentElement;
    if (el && el !== document.body && el !== document.documentElement) note(el, performance.now());
  }
  return [what];
}
