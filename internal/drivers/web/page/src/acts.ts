// What Go calls to act on a page.
import {
  acked, again, aim, arrived, aside, bar, barred, boxNow, causes, end, endSide, find, finish, focusId, focusOn, idAt, originOf, pointed, pressed, showPoint, sideEffect, through,
  watch, watchZoom, zoom,
} from './act';
import { choose, fileInputOf, files, prepare, refocus, setValue } from './entry';
import type { Request } from './capture';
import { look, type Look } from './look';
import { coasted, moved, planScroll, showNode, visibleNow } from './scroll';
import { enter, leave, quiet } from './settle';
import { listen } from './store';

/** rest waits for a document that nobody acted in to come to rest, a new one for instance; with then it also captures it. */
async function rest(cap: number, then: Request | null = null): Promise<{ busy: string[]; look?: Look }> {
  enter();
  try {
    const busy = await quiet(0, null, cap);
    return then && !busy.length ? { busy, look: look(then) } : { busy };
  } finally {
    leave();
  }
}

const SHOWN = 'img,svg,canvas,video,input,button,select,textarea,iframe';

/** legible waits until a document that is still arriving shows something, or has arrived. */
function legible(): Promise<void> {
  const shows = (): boolean => document.readyState !== 'loading' || !!document.body && (document.body.querySelector(SHOWN) !== null || document.body.innerText.trim() !== '');
  return new Promise((done) => {
    const check = (): void => {
      if (!shows()) return;
      stop();
      document.removeEventListener('readystatechange', check);
      done();
    };
    const stop = listen(check);
    document.addEventListener('readystatechange', check);
    check();
  });
}

export const act = {
  aim, find, watch, through, aside, bar, barred, sideEffect, endSide, pointed, pressed, arrived, acked, finish, again, end, rest, legible, boxNow, causes, focusId, focusOn, originOf,
  showPoint, idAt, watchZoom, zoom,
  prepare, refocus, setValue, choose, fileInputOf, files,
  planScroll, moved, showNode, visibleNow, coasted,
};
