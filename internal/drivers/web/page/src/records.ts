// Where the records live: element → record, and the listeners' view of which records depend on which elements.
import { held, knownId, loosen, number } from './store';
import { Rec } from './tree';

const recs = new Map<number, Rec>();
held.find = (id) => recs.get(id)?.node;

/** recOf is the node's record, if it is in the tree. */
export const recOf = (n: Node): Rec | undefined => {
  const id = knownId(n);
  return id ? recs.get(id) : undefined;
};

/** record finds or makes the node's record. */
export function record(n: Element | Text, tag = n.nodeType === 1 ? (n as Element).localName : ''): Rec {
  const id = number(n);
  let r = recs.get(id);
  if (!r) recs.set(id, r = new Rec(n, id, tag));
  return r;
}

/** dismiss forgets the record of a node that left the tree; its number stays its own. */
export function dismiss(r: Rec): void {
  r.gone = true;
  recs.delete(r.id);
  loosen(r.node, r.id);
}

// referrers: element → the records whose facts were taken from it though it lies outside them.
const referrers = new WeakMap<Element, Set<Rec>>();

let reader: Rec | null = null;

/** reading runs f for rec and books every element outside it that f consults as a source of rec's facts. */
export function reading(rec: Rec, f: (rec: Rec, focused: boolean) => void, focused: boolean): void {
  reader = rec;
  f(rec, focused);
  reader = null;
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
