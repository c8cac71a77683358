// What Go calls to act on a page.
import {
  acked, again, aim, arrived, aside, bar, barred, boxNow, end, endSide, find, finish, focusId, focusOn, idAt, originOf, pointed, pressed, showPoint, sideEffect, through,
  watch, watchZoom, zoom,
} from './act';
import { choose, fileInputOf, files, prepare, refocus, setValue } from './entry';
import { coasted, moved, planScroll, showNode, visibleNow } from './scroll';
import { enter, leave, quiet } from './settle';
import { listen } from './store';

/** rest waits for a document that nobody acted in to come to rest, a new one for instance. */
async function rest(cap: number): Promise<string[]> {
  enter();
  try {
    return await quiet(0, null, cap);
  } finally {
    leave();
  }
}

const SHOWN = 'img,svg,canvas,video,input,button,select,textarea,iframe';

/** legible waits until a document that is still arriving shows something, or has arrived. */
function legible(): Promise<void> {
  const shows = (): boolean => document.readyState !== 'loading' || !!document.body && (document.body.querySelector(SHOWN) !== null || document.body.innerText.trim() !== '');
  return new Promise((done) => {
    const look = (): void => {
      if (!shows()) return;
      stop();
      document.removeEventListener('readystatechange', look);
      done();
    };
    const stop = listen(look);
    document.addEventListener('readystatechange', look);
    look();
  });
}

export const act = {
  aim, find, watch, through, aside, bar, barred, sideEffect, endSide, pointed, pressed, arrived, acked, finish, again, end, rest, legible, boxNow, focusId, focusOn, originOf,
  showPoint, idAt, watchZoom, zoom,
  prepare, refocus, setValue, choose, fileInputOf, files,
  planScroll, moved, showNode, visibleNow, coasted,
};
