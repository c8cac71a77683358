// Drawings leave no trace in the tree. Go compares the pixels of the canvas that an action falls on.
import { deepest } from './hit';
import type { Box } from './reveal';

/** canvasAt is the part in view of the largest canvas people see at a point, or null. What lies on top of it, as the
 * buttons of a map do, may well draw on it. */
export function canvasAt(x: number, y: number): Box | null {
  let best: Box | null = null;
  const inner = deepest(x, y)?.getRootNode();
  for (const list of [document.getElementsByTagName('canvas'), inner instanceof ShadowRoot ? inner.querySelectorAll('canvas') : []]) {
    for (const c of list) {
      const box = drawable(c);
      if (x < box[0] || y < box[1] || x >= box[0] + box[2] || y >= box[1] + box[3] || best && box[2] * box[3] <= best[2] * best[3]) continue;
      if (c.checkVisibility({ opacityProperty: true, visibilityProperty: true })) best = box;
    }
  }
  return best;
}

// Without the border, which may show that the canvas has the focus.
function drawable(c: HTMLCanvasElement): Box {
  const r = c.getBoundingClientRect();
  const sx = c.offsetWidth ? r.width / c.offsetWidth : 1, sy = c.offsetHeight ? r.height / c.offsetHeight : 1;
  const left = Math.max(0, Math.ceil(r.left + c.clientLeft * sx)), top = Math.max(0, Math.ceil(r.top + c.clientTop * sy));
  const right = Math.min(innerWidth, Math.floor(r.left + (c.clientLeft + c.clientWidth) * sx)), bottom = Math.min(innerHeight, Math.floor(r.top + (c.clientTop + c.clientHeight) * sy));
  return [left, top, Math.max(0, right - left), Math.max(0, bottom - top)];
}
