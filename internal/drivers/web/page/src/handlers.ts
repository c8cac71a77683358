// What only the page's own world knows of elements: their event listeners, the marks of frameworks, what custom elements
// declare through ElementInternals. handlers.js reads it there and answers over a node that is in no document.
import { recOf } from './records';
import { Dirty, type Rec } from './tree';
import { touch } from './dirty';

/** Heard is what is known of an element: bits, as handlers.js gives them. */
export const enum Heard { Listens = 1, Handles = 2, Passes = 4 } // Passes: it listens for what is inside it

let bridge: Element | null = null;
addEventListener('__trailblaze', (e) => { bridge = (e as MouseEvent).relatedTarget as Element | null; }, { capture: true, once: true });

// Custom elements whose internals say something: they change without a mutation.
const declaring = new Set<Rec>();

let next = 0; // when the whole document may be asked again
const LATEST = 1000; // ms after which all are asked again in any case
const SHARE = 32; // asking again takes at most this part of the time

/** hear brings what is known of elements up to date: of the fresh ones at once, of all when that costs little enough. */
export function hear(root: Rec, fresh: Rec[], all: boolean): void {
  if (!bridge) return;
  const start = performance.now();
  if (!all && start < next) {
    const tops = new Set<Element>();
    for (const r of fresh) tops.add(inDocument(r.node as Element));
    for (const r of declaring) if (r.says && !r.gone) tops.add(inDocument(r.node as Element)); else declaring.delete(r);
    for (const el of tops) if (!within(el, tops)) ask(el);
    return;
  }
  ask(root.node as Element);
  const end = performance.now();
  next = end + Math.min((end - start) * SHARE, LATEST);
}

// An event of another tree names the host in place of what is in its shadow.
function inDocument(el: Element): Element {
  for (let r = el.getRootNode(); r instanceof ShadowRoot; r = el.getRootNode()) el = r.host;
  return el;
}

function within(el: Element, tops: Set<Element>): boolean {
  for (let p = el.parentElement; p; p = p.parentElement) if (tops.has(p)) return true;
  return false;
}

/** ask reads what is known of an element of the document and of everything inside it. Both sides walk in the same order. */
function ask(el: Element): void {
  const b = bridge!;
  b.dispatchEvent(new MouseEvent('ask', { relatedTarget: el }));
  const answer = b.getAttribute('answer') ?? '';
  let at = 0, from = 0, place = -1, bits = 0, says = '';
  const read = (): void => {
    place = -1;
    if (from >= answer.length) return;
    const to = answer.indexOf('\n', from);
    const line = answer.slice(from, to);
    from = to + 1;
    const a = line.indexOf(' '), c = line.indexOf(' ', a + 1);
    place = +line.slice(0, a);
    bits = +line.slice(a + 1, c);
    says = line.slice(c + 1);
  };
  const visit = (e: Element): void => {
    const mine = at++ === place;
    const rec = recOf(e);
    if (rec) take(rec, mine ? bits : 0, mine ? says : '');
    if (mine) read();
    for (let c = e.shadowRoot?.firstElementChild; c; c = c.nextElementSibling) visit(c);
    for (let c = e.firstElementChild; c; c = c.nextElementSibling) visit(c);
  };
  read();
  visit(el);
}

function take(rec: Rec, bits: number, says: string): void {
  if (rec.heard === bits && rec.says === says) return;
  rec.heard = bits;
  rec.says = says;
  if (says) declaring.add(rec);
  rec.dirty |= Dirty.Facts;
  touch(rec.node as Element);
}
