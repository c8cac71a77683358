// wake: the one way to wait for this document to change, driven by events alone.
import { changes, listen, type Changes } from './store';

// What can change the picture without touching the tree, a value, the focus or the scroll position.
const quiet = ['transitionend', 'animationstart', 'animationend', 'load', 'error', 'toggle', 'fullscreenchange', 'slotchange'];

let sleepers: (() => void)[] = [];
let stop: (() => void) | null = null;

function wakeAll(): void {
  stop?.();
  stop = null;
  const all = sleepers;
  sleepers = [];
  for (const w of all) w();
}

function watch(): () => void {
  const unlisten = listen(wakeAll);
  for (const t of quiet) document.addEventListener(t, wakeAll, { capture: true, passive: true });
  addEventListener('resize', wakeAll);
  return () => {
    unlisten();
    for (const t of quiet) document.removeEventListener(t, wakeAll, { capture: true });
    removeEventListener('resize', wakeAll);
  };
}

/** wake resolves when the document has changed since seen, at once when it already has; null: from now on. */
export function wake(seen: Changes | null): Promise<void> {
  const now = changes();
  if (seen && (now.tree !== seen.tree || now.value !== seen.value || now.focus !== seen.focus || now.scroll !== seen.scroll)) {
    return Promise.resolve();
  }
  stop ??= watch();
  return new Promise((resolve) => sleepers.push(resolve));
}
