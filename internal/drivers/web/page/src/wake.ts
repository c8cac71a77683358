// wake: the one way to wait for this document to change, driven by events alone.
import { ticks } from './settle';
import { changes, listen, type Changes, type Listener } from './store';

// What can change the picture without touching the tree, a value, the focus or the scroll position.
const quiet = ['transitionend', 'animationstart', 'animationend', 'load', 'error', 'slotchange'];
const news = ['toggle', 'fullscreenchange'];

let sleepers: (() => void)[] = [];
let waiters: (() => void)[] = []; // for news: what a clock or the end of a hover's transition does is none
let stop: (() => void) | null = null;

function wakeAll(): void {
  stop?.();
  stop = null;
  const all = [...sleepers, ...waiters];
  sleepers = [];
  waiters = [];
  for (const w of all) w();
}

const hear: Listener = (kind, _, records) => {
  const now = performance.now();
  if (sleepers.length || kind !== 'tree' || !records || records.some((r) => !ticks(r.target, now))) wakeAll();
};

const stir = (): void => { if (sleepers.length) wakeAll(); };

function watch(): () => void {
  const unlisten = listen(hear);
  for (const t of quiet) document.addEventListener(t, stir, { capture: true, passive: true });
  for (const t of news) document.addEventListener(t, wakeAll, { capture: true, passive: true });
  addEventListener('resize', wakeAll);
  return () => {
    unlisten();
    for (const t of quiet) document.removeEventListener(t, stir, { capture: true });
    for (const t of news) document.removeEventListener(t, wakeAll, { capture: true });
    removeEventListener('resize', wakeAll);
  };
}

/** wake resolves when the document has changed since seen, at once when it already has; null: from now on,
    by something else than what keeps changing by itself. */
export function wake(seen: Changes | null): Promise<void> {
  const now = changes();
  if (seen && (now.tree !== seen.tree || now.value !== seen.value || now.focus !== seen.focus || now.scroll !== seen.scroll)) {
    return Promise.resolve();
  }
  stop ??= watch();
  return new Promise((resolve) => (seen ? sleepers : waiters).push(resolve));
}
