// Animations that matter to aiming and settling: those that end, and that move, size or fade something.
import { flatParent, within } from './hit';
import { animations } from './store';

// Painting only: neither where a thing is nor whether it can be seen depends on it.
const PAINT = /^(?:color|background|borderColor|border.*Color|outline|boxShadow|textShadow|textDecoration|fill|stroke|caretColor|accentColor|columnRuleColor|filter|backdropFilter|cursor|visibility|zIndex|offset|easing|composite|computedOffset|content)/;

/** nodeOf is the element an animation plays on. */
export const nodeOf = (a: Animation): Element | null => (a.effect as KeyframeEffect | null)?.target ?? null;

const motions = new WeakMap<AnimationEffect, boolean>();

/** isMotion says whether the animation changes geometry or opacity. */
export function isMotion(a: Animation): boolean {
  const e = a.effect as KeyframeEffect | null;
  if (!e) return false;
  let m = motions.get(e);
  if (m === undefined) {
    const property = (a as CSSTransition).transitionProperty;
    m = property !== undefined
      ? !PAINT.test(camel(property))
      : e.getKeyframes().some((k) => Object.keys(k).some((p) => !PAINT.test(p)));
    motions.set(e, m);
  }
  return m;
}

const camel = (s: string): string => s.replace(/-(.)/g, (_, c: string) => c.toUpperCase());

/** remaining is how many ms the animation still has, Infinity when it does not end by itself. */
export function remaining(a: Animation): number {
  const t = a.effect?.getComputedTiming();
  if (!t || a.playbackRate === 0) return Infinity;
  const end = Number(t.endTime);
  if (!isFinite(end)) return Infinity;
  const now = a.currentTime === null ? 0 : Number(a.currentTime);
  return Math.max(0, (a.playbackRate > 0 ? end - now : now) / Math.abs(a.playbackRate));
}

// Scroll-driven animations stand still with the page; paused ones do not move either.
const moves = (a: Animation): boolean =>
  (a.playState === 'running' || a.pending) && a.timeline === document.timeline && nodeOf(a) !== null && isMotion(a);

const LONGEST = 10_000; // an animation longer than this is scenery, as endless ones are

/** runningSince are the animations that will end, and that began after since or play on or around region. What plays
    inside the region and takes no events (the ripple of a button) is left out. */
export function runningSince(since: number, region: Element | null): Animation[] {
  const all = animations();
  if (!all.length) return all;
  return all.filter((a) => {
    if (!moves(a) || remaining(a) > LONGEST) return false;
    const el = nodeOf(a)!;
    if (region && el !== region && within(el, region)) return getComputedStyle(el).pointerEvents !== 'none';
    const began = a.startTime === null ? Infinity : Number(a.startTime);
    return began >= since || (!!region && within(region, el));
  });
}

const LAYOUT = /^(?:width|height|m(?:in|ax)(?:Width|Height)|margin|padding|top|left|right|bottom|inset|gap|flex|grid|fontSize|lineHeight|border.*Width|blockSize|inlineSize|rowGap|columnGap)/;

/** carrying are the animations on el or around it that may move it. */
export function carrying(el: Element): Animation[] {
  const all = animations();
  if (!all.length) return all;
  const chain = new Set<Element>();
  for (let c: Element | null = el; c; c = flatParent(c)) chain.add(c);
  return all.filter((a) => moves(a) && chain.has(nodeOf(a)!) && !fades(a));
}

/** shifting says whether an animation that ends changes the layout of something, and with it of others. */
export const shifting = (): boolean => animations().some((a) => moves(a) && remaining(a) <= LONGEST && shifts(a));

function properties(a: Animation): string[] {
  const property = (a as CSSTransition).transitionProperty;
  if (property !== undefined) return [camel(property)];
  return (a.effect as KeyframeEffect).getKeyframes().flatMap((k) => Object.keys(k)).filter((p) => !PAINT.test(p));
}

const shifts = (a: Animation): boolean => properties(a).some((p) => LAYOUT.test(p));
const fades = (a: Animation): boolean => properties(a).every((p) => p === 'opacity');
