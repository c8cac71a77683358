// What Go calls to act on a page.
import {
  acked, again, aim, arrived, aside, bar, barred, boxNow, end, endSide, find, finish, focusId, focusOn, idAt, originOf, pressed, showPoint, sideEffect, through,
  watch, watchZoom, zoom,
} from './act';
import { choose, fileInputOf, files, prepare, refocus, setValue } from './entry';
import { coasted, moved, planScroll, showNode, visibleNow } from './scroll';
import { enter, leave, quiet } from './settle';

/** rest waits for a document that nobody acted in to come to rest, a new one for instance. */
async function rest(cap: number): Promise<string[]> {
  enter();
  try {
    return await quiet(0, null, cap);
  } finally {
    leave();
  }
}

export const act = {
  aim, find, watch, through, aside, bar, barred, sideEffect, endSide, pressed, arrived, acked, finish, again, end, rest, boxNow, focusId, focusOn, originOf,
  showPoint, idAt, watchZoom, zoom,
  prepare, refocus, setValue, choose, fileInputOf, files,
  planScroll, moved, showNode, visibleNow, coasted,
};
