// Writing the record tree out: whole, or what differs from what Go was told last.
import { NONE, type Rec } from './tree';

/** inTree: the record is a node Go sees; its kids are hoisted otherwise. */
const inTree = (r: Rec): boolean => r.emit || r.want || r.scroll !== '';

/** kidsOf are the nodes that Go sees directly below rec. */
const kidsOf = (rec: Rec): Rec[] => rec.kids.length ? gather(rec, []) : NONE;

function gather(rec: Rec, into: Rec[]): Rec[] {
  const kids = rec.kids;
  for (let i = 0; i < kids.length; i++) {
    const k = kids[i];
    if (inTree(k)) into.push(k);
    else if (k.kids.length) gather(k, into);
  }
  return into;
}

const geometry = (r: Rec): string => r.x + '\t' + r.y + '\t' + r.w + '\t' + r.h + '\t' + (r.vis || '') + '\t' + r.scroll;

/** sent notes what Go now knows about the record. */
function sent(r: Rec, version: number, kids: Rec[]): void {
  r.live = true;
  r.seen = version;
  r.sentLine = r.line;
  r.sentX = r.x; r.sentY = r.y; r.sentW = r.w; r.sentH = r.h; r.sentVis = r.vis; r.sentScroll = r.scroll;
  r.sentKids = kids;
}

/** whole writes every node in preorder. */
export function whole(r: Rec, version: number, out: string[]): void {
  forget(r);
  write(r, version, out);
}

/** forget: Go has nothing. */
function forget(r: Rec): void {
  r.live = false;
  for (const k of r.kids) forget(k);
}

function write(r: Rec, version: number, out: string[]): void {
  const kids = kidsOf(r);
  out.push('N\t' + r.id + '\t' + kids.length + '\t' + geometry(r) + '\t' + r.line);
  sent(r, version, kids);
  for (let i = 0; i < kids.length; i++) write(kids[i], version, out);
}

/** delta writes what changed since the version before. */
export function delta(r: Rec, version: number, out: string[]): void {
  const left: Rec[] = [];
  differ(r, version, out, left);
  for (const l of left) leave(l, version);
}

/** leave: what was not written below another parent is no longer in Go's tree, nor is what was below it. */
function leave(r: Rec, version: number): void {
  if (r.seen === version || !r.live) return;
  r.live = false;
  for (const k of r.sentKids) leave(k, version);
}

function differ(r: Rec, version: number, out: string[], left: Rec[]): void {
  const fresh = !r.live;
  if (!fresh && r.skipped) return void (r.seen = version);
  const kids = kidsOf(r);
  if (fresh || r.line !== r.sentLine) out.push('U\t' + r.id + '\t' + geometry(r) + '\t' + r.line);
  else if (r.x !== r.sentX || r.y !== r.sentY || r.w !== r.sentW || r.h !== r.sentH || r.vis !== r.sentVis || r.scroll !== r.sentScroll) out.push('M\t' + r.id + '\t' + geometry(r));
  if (fresh ? kids.length > 0 : !same(kids, r.sentKids)) {
    let line = 'K\t' + r.id;
    for (const k of kids) line += '\t' + k.id;
    out.push(line);
    if (!fresh) left.push(...r.sentKids);
  }
  sent(r, version, kids);
  for (let i = 0; i < kids.length; i++) differ(kids[i], version, out, left);
}

function same(a: Rec[], b: Rec[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
