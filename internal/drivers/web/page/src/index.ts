// The script's public face: one object in the isolated world. To add a module, import it here and list the functions that
// Go calls; nothing else belongs in this file.
import { capture } from './capture';
import { byId, changes, idOf, registerClosedRoot } from './store';

const api = {
  // capture.ts, store.ts
  capture, registerClosedRoot, changes,
  node: byId, id: idOf,
};

export type Api = typeof api;

Object.defineProperty(globalThis, '__trailblaze', { value: api });
