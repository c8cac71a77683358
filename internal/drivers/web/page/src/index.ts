// The script's public face: one object in the isolated world. To add a module, import it here and list the functions that
// Go calls; nothing else belongs in this file.
import { act } from './acts';
import { around, hearGestures } from './attend';
import { capture } from './capture';
import { legible } from './legible';
import { look } from './look';
import { covered, mask, unmask } from './mask';
import { shown } from './shown';
import { byId, changes, idOf, registerClosedRoot, reopened } from './store';
import { wake } from './wake';

const api = {
  // acts.ts, attend.ts
  act, around, hearGestures,
  // capture.ts, look.ts, store.ts
  capture, look, registerClosedRoot, reopened, changes,
  node: byId, id: idOf,
  origin: (): string => self.origin,
  // legible.ts, mask.ts, shown.ts, wake.ts
  legible, mask, covered, unmask, shown, wake,
};

export type Api = typeof api;

Object.defineProperty(globalThis, '__trailblaze', { value: api });
