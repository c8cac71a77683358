// The result of a capture: one string of lines, so that nothing but a string crosses the protocol. Fields are separated
// by tabs; text is escaped so that neither occurs in it. Go's wire.go is the reader.
//
//   H version base width height scrollX scrollY focus ready url title   header; base 0: a whole tree follows
//   N id kids x y w h vis scroll facts…    whole tree: a node and how many of the following it has as kids, preorder
//   U id x y w h vis scroll facts…         delta: a new node, or one whose facts changed
//   M id x y w h vis scroll                delta: only moved
//   K id kid kid …                         delta: its kids are now these
//   F id x y w h                           a frame element and its content box
//   C id                                   may hold a closed shadow root
//   Q index id id …                        what the index-th selector matched
//   E index message                        the index-th selector is invalid
//
// Lengths are in tenths of a pixel, except scroll.
// facts: role, state bits, then optional fields that begin with their letter (see facts.ts). z: a text before it was cut.

/** escape makes text safe for a field. */
export const escape = (s: string): string => SPECIAL.test(s) ? s.replace(SPECIALS, (c) => c === '\n' ? '\\n' : c === '\t' ? '\\t' : c === '\r' ? '\\r' : c === '\x1f' ? '\\u' : c === '\0' ? '' : '\\\\') : s;

/** LONG is how much of one text Go is given. A page may hold a text of any size; a person reads no longer one, either. */
export const LONG = 1 << 20;

/** field is a text of a node, safe for a field. Of a longer one than LONG comes the beginning, and the field z says so. */
export const field = (s: string): string => s.length > LONG ? escape(s.slice(0, LONG)) + '\tz' : escape(s);

/** attribute is what the page keeps with an element and does not show: nobody misses the end of it. */
export const attribute = (s: string): string => escape(s.length > LONG ? s.slice(0, LONG) : s);

const SPECIAL = /[\n\t\r\\\x1f\0]/;
const SPECIALS = /[\n\t\r\\\x1f\0]/g;

/** tenths is the unit of all lengths in a result: fine enough to aim, stable against noise, and an integer. */
export const tenths = (v: number): number => Math.round(v * 10);
