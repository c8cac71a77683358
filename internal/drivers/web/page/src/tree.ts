// The record tree: one record per element of the flat tree (and per text run in mixed content), kept between captures.
import { UNRENDERED } from './aria';
import { shadowOf, watchRoot } from './store';

/** What is stale in a record. */
export const enum Dirty { Clean = 0, Facts = 1, Style = 2, Kids = 4, Up = 8, Boxes = 16 } // Up: its ancestors and referrers are marked as well; Boxes: it was restyled, so it may lie elsewhere

/** Style bits that matter here; see style.ts. */
export const enum S {
  None = 1, // display: none
  Invisible = 2, // visibility: hidden or collapse
  Inline = 4, // flows in a line of text
  Contents = 8, // display: contents
  Pointer = 16, // cursor: pointer
  NoEvents = 32, // pointer-events: none
  Skipped = 64, // content-visibility: hidden
  HardX = 128, SoftX = 256, HardY = 512, SoftY = 1024, // overflow: cut off, or scrollable
  Absolute = 2048, Fixed = 4096, Positioned = 8192, // Positioned: anything but static
  ClipPath = 16384,
  Styled = 131072, // has a style attribute
  Float = 262144,
  Cell = 524288, // a table cell: its content may move within it
  Hosting = 1048576, // has a shadow root; only in Rec.below
  Before = 32768, After = 65536, // has generated content
  Upper = 2097152, Lower = 4194304, Capital = 8388608, // text-transform
  Print = 14680064, // any of these
  Grab = 16777216, // a cursor that says: drag this
}

/** What a tag can be; looked up once per tag. */
export const enum K { Live = 1, Frame = 2, Host = 4, Childless = 8, Unrendered = 16, Inline = 32, Block = 64, Stateful = 128, Apart = 256 } // Inline, Block: what the browser's own sheet makes of it

const LIVE = /^(?:input|textarea|select|option|progress|meter|dialog)$/;
const FRAMES = /^(?:iframe|frame|object|embed)$/;
const HOSTS = /^(?:article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
// What these hold is not part of the page: a fallback, or a browser's own tree.
const CHILDLESS = /^(?:input|textarea|iframe|frame|video|audio|embed|img|script|style|template|noscript|datalist)$/;
const INLINE = /^(?:span|b|i|em|strong|small|code|cite|abbr|sub|sup|mark|kbd|u|s|del|ins|time|var|samp|dfn|data|bdi|bdo)$/;
const BLOCK = /^(?:div|p|section|article|header|footer|main|nav|aside|ul|ol|li|h[1-6]|form|pre|blockquote|figure|figcaption|address|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th|caption|search|hgroup|menu)$/;
// Tags that have states or can be acted on even without attributes.
const STATEFUL = /^(?:input|select|textarea|button|option|optgroup|fieldset|summary|dialog|label|a|area|iframe|audio|video)$/;
// What is right in these shows elsewhere than they do, or not at all: it is looked at by itself.
const APART = /^(?:details|canvas|progress|meter|svg|object)$/;
const kinds = new Map<string, number>();

/** kindOf is what a tag can be, as K bits. */
export function kindOf(tag: string): number {
  let k = kinds.get(tag);
  if (k === undefined) {
    k = (LIVE.test(tag) ? K.Live : 0) | (FRAMES.test(tag) ? K.Frame : 0) | (HOSTS.test(tag) || tag.includes('-') ? K.Host : 0) |
      (CHILDLESS.test(tag) ? K.Childless : 0) | (UNRENDERED.has(tag) ? K.Unrendered : 0) |
      (INLINE.test(tag) ? K.Inline : 0) | (BLOCK.test(tag) ? K.Block : 0) | (STATEFUL.test(tag) ? K.Stateful : 0) | (APART.test(tag) ? K.Apart : 0);
    kinds.set(tag, k);
  }
  return k;
}

/** NONE is everybody's empty list; most elements have no kids. */
export const NONE: Rec[] = [];

/** Rec is what is known about one node of the flat tree. */
export class Rec {
  parent: Rec | null = null;
  kids: Rec[] = NONE;
  root: ShadowRoot | null = null; // the shadow root whose children these kids are
  dirty: number = Dirty.Facts | Dirty.Style | Dirty.Kids;

  style = 0; // S bits; -1: never read
  opacity = 1;
  gone = false; // out of the tree, held weakly
  shadow = false; // lives in a shadow tree

  cut = false; // it or an ancestor makes no boxes: display: none, a closed disclosure, skipped content
  hidden = false; // cut, or visibility: hidden
  role = '';
  name = '';
  desc = '';
  text = ''; // its only content is this text
  leaf = false; // holds nothing but one text node
  value = '';
  state = 0;
  line = ''; // the serialised facts
  emit = false; // carries meaning, so it is in the tree Go sees
  live = false; // Go has it
  seen = 0; // the version of the last capture that wrote it
  below = 0; // S bits of everything inside
  clean = false; // nothing in here changed since the last capture
  skipped = false; // the last look passed over what is inside: it cannot have moved
  near = true; // something in here was on screen
  area = false; // something in here has an area
  values = ''; // what script can change without an event or a mutation: the values of a control
  ext = false; // its facts depend on elements outside it
  secret = false; // was a password field once
  heard = 0; // what is known of its event listeners, see handlers.ts
  says = ''; // what a custom element declares through its internals, as JSON

  clip: unknown = null; // what cuts off its contents, see geometry.ts
  // geometry of the last look
  x = 0; y = 0; w = 0; h = 0; vis = 0;
  scroll = ''; // scroll overflow
  sentX = 0; sentY = 0; sentW = 0; sentH = 0; sentVis = 0; sentScroll = ''; sentLine = '';
  sentKids: Rec[] = NONE;
  want = false; // a selector of this capture matched it

  readonly kind: number; // K bits
  readonly tag: string; // "" for text
  constructor(readonly node: Element | Text, readonly id: number, tag: string) {
    this.tag = tag;
    this.kind = tag ? kindOf(tag) : 0;
  }
}

/** isElement narrows by node type, which costs less than instanceof and works across frames. */
export const isElement = (n: Node): n is Element => n.nodeType === 1;

/** isText narrows to text. */
export const isText = (n: Node): n is Text => n.nodeType === 3;

/** eachKid visits the node's children in the flat tree. */
export function eachKid(el: Element, f: (n: Node) => void): void {
  const root = shadowOf(el);
  if (root) watchRoot(root);
  else if (el.localName === 'slot' && el.getRootNode() instanceof ShadowRoot) {
    const assigned = (el as HTMLSlotElement).assignedNodes();
    if (assigned.length) return assigned.forEach(f);
  }
  for (let n = (root ?? el).firstChild; n; n = n.nextSibling) f(n);
}
