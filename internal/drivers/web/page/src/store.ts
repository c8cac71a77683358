// Per-document state that every module shares: numbers for nodes, the flat tree's shadow roots, and counters of what
// happened in the document. One store lives exactly as long as its document's isolated world.

let lastId = 0;
const ids = new WeakMap<Node, number>();
// Numbered nodes that have no record; records hold theirs, see records.ts.
const loose = new Map<number, WeakRef<Node>>();
const gone = new FinalizationRegistry<number>((id) => void loose.delete(id));

/** held finds the node of a record; records.ts fills it in. */
export const held: { find: (id: number) => Node | undefined } = { find: () => undefined };

/** number draws a node's number without noting where the node is: whoever calls holds it. */
export function number(n: Node): number {
  let id = ids.get(n);
  if (id === undefined) ids.set(n, id = ++lastId);
  return id;
}

/** idOf gives a node its number, for good: numbers grow and are never reused in this document. */
export function idOf(n: Node): number {
  let id = ids.get(n);
  if (id === undefined) {
    id = number(n);
    loosen(n, id);
  }
  return id;
}

/** loosen notes where a node is that no record holds: it can be found while the page itself keeps it. */
export function loosen(n: Node, id: number): void {
  if (loose.has(id)) return;
  loose.set(id, new WeakRef(n));
  gone.register(n, id);
}

/** knownId is the node's number, or 0 when nobody has asked for one yet. */
export const knownId = (n: Node): number => ids.get(n) ?? 0;

/** byId finds the node again: null when it was never numbered, or is gone from memory. It may be detached. */
export function byId(id: number): Node | null {
  return held.find(id) ?? loose.get(id)?.deref() ?? null;
}

/** attached says whether the node is in this document's flat tree at all. */
export const attached = (n: Node): boolean => n.isConnected && n.ownerDocument === document;

// Closed shadow roots cannot be seen from script; Go finds them over the protocol and hands them in.
const closedRoots = new WeakMap<Element, ShadowRoot>();

/** shadowOf is the element's shadow root, open or registered. */
export const shadowOf = (el: Element): ShadowRoot | null => el.shadowRoot ?? closedRoots.get(el) ?? null;

/** registerClosedRoot makes a closed root visible to everything in this script. */
export function registerClosedRoot(host: Element, root: ShadowRoot): boolean {
  if (closedRoots.get(host) === root) return false;
  closedRoots.set(host, root);
  watchRoot(root);
  note('tree', host);
  return true;
}

/** Changes counts what happened since the document's script started. Counters only grow. */
export interface Changes {
  tree: number; // DOM mutations: nodes, text and attributes, light and shadow
  value: number; // input and change events
  focus: number;
  scroll: number;
  at: number; // performance.now() of the last tree mutation
}

const counts: Changes = { tree: 0, value: 0, focus: 0, scroll: 0, at: 0 };

/** changes delivers what observers still hold back, then copies the counters. */
export function changes(): Changes {
  flush();
  return { ...counts };
}

/** Listener hears about every change, synchronously after the counters moved. */
export type Listener = (kind: 'tree' | 'value' | 'focus' | 'scroll', target: Node, records?: MutationRecord[]) => void;
const listeners = new Set<Listener>();

/** listen subscribes until the returned function is called. */
export function listen(l: Listener): () => void {
  listeners.add(l);
  return () => void listeners.delete(l);
}

/** note counts one change and tells the listeners. */
export function note(kind: 'tree' | 'value' | 'focus' | 'scroll', target: Node, records?: MutationRecord[]): void {
  counts[kind] += records?.length ?? 1;
  if (kind === 'tree') counts.at = performance.now();
  for (const l of listeners) l(kind, target, records);
}

const observed = new WeakSet<Node>();
let shadows: WeakRef<ShadowRoot>[] = [];
const observer = new MutationObserver((r) => deliver(r));
const deliver = (r: MutationRecord[]): void => { if (r.length) note('tree', r[0].target, r); };

/** flush hands over mutations the observer has queued but not delivered yet. */
export const flush = (): void => {
  move();
  deliver(observer.takeRecords());
};

// A frame's first real document takes over the window of the empty one before it when both are of one origin, and this
// script's world with it.
let home = document;

function move(): void {
  if (document === home) return;
  home = document;
  reopened();
}

/** watchRoot starts observing a tree: the document, or one shadow root. Repeating it costs nothing. */
export function watchRoot(root: Document | ShadowRoot): void {
  if (observed.has(root)) return;
  observed.add(root);
  if (root !== document) shadows.push(new WeakRef(root as ShadowRoot));
  observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });
  const on = (type: string, kind: 'value' | 'focus' | 'scroll'): void =>
    root.addEventListener(type, (e) => { if (e.target instanceof Node) note(kind, e.target); }, { capture: true, passive: true });
  // A shadow root hears its own events too: those that are not composed never leave it.
  for (const t of ['input', 'change']) on(t, 'value');
  for (const t of ['focus', 'blur']) on(t, 'focus');
  on('scroll', 'scroll');
}

/** animations are those of the document and of every shadow tree in it: a document lists only those of its own tree. */
export function animations(): Animation[] {
  const out = document.getAnimations();
  shadows = shadows.filter((r) => r.deref());
  for (const r of shadows) {
    const root = r.deref();
    if (root?.isConnected) out.push(...root.getAnimations());
  }
  return out;
}

/** reopened restores what document.open() took away: it removes every listener from its document. */
export function reopened(): void {
  observed.delete(document);
  watchRoot(document);
  note('tree', document);
}

watchRoot(document);
