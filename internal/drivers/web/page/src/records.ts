// Where the records live: element → record, and the listeners' view of which records depend on which elements.
import { idOf } from './store';
import { Rec } from './tree';

const recs = new WeakMap<Node, Rec>();

/** recOf is the node's record, if it has one. */
export const recOf = (n: Node): Rec | undefined => recs.get(n);

/** record finds or makes the node's record. */
export function record(n: Element | Text): Rec {
  let r = recs.get(n);
  if (!r) recs.set(n, r = new Rec(n, idOf(n)));
  return r;
}

// referrers: element → the records whose facts were taken from it though it lies outside them.
const referrers = new WeakMap<Element, Set<Rec>>();

let reader: Rec | null = null;

/** reading runs f and books every element that f visits outside rec as a source of rec's facts. */
export function reading<T>(rec: Rec, f: () => T): T {
  const before = reader;
  reader = rec;
  try {
    return f();
  } finally {
    reader = before;
  }
}

/** refers notes that the record being computed depends on el. */
export function refers(el: Element): void {
  if (!reader) return;
  reader.ext = true;
  let s = referrers.get(el);
  if (!s) referrers.set(el, s = new Set());
  s.add(reader);
}

/** referrersOf are the records whose facts were taken from el. */
export const referrersOf = (el: Element): Set<Rec> | undefined => referrers.get(el);
