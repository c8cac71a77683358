// Text as a person reads it: white space collapsed the way rendering does, kept where the page keeps it.

const BLANK = /[ \t\n\r\f]+/g;
const WORTHWHILE = /[ \t\n\r\f]{2}|[\t\n\r\f]|^ | $/;

/** collapse folds runs of white space into one space and trims; no-break spaces stay. */
export const collapse = (s: string): string => {
  if (!WORTHWHILE.test(s)) return s;
  return s.replace(BLANK, ' ').replace(/^ | $/g, '');
};

/** run is a text node's text; the space that parts it from its neighbour stays: "Thank you, <b>Robin</b>". */
export function run(n: Text): string {
  const t = collapse(n.data);
  if (t === '' || t === n.data) return t;
  return (n.previousSibling && /^[ \t\n\r\f]/.test(n.data) ? ' ' : '') + t + (n.nextSibling && /[ \t\n\r\f]$/.test(n.data) ? ' ' : '');
}

/** isBlank: nothing but collapsible white space. */
export const isBlank = (s: string): boolean => !/[^ \t\n\r\f]/.test(s);

/** rendered is the element's own text as it is shown; preformatted text keeps its lines. */
export function rendered(el: Element, raw: string): string {
  if (!WORTHWHILE.test(raw)) return raw;
  if (/[\t\n\r\f]| {2}/.test(raw)) {
    const ws = getComputedStyle(el).whiteSpace;
    if (ws.startsWith('pre') && ws !== 'pre-line' || ws === 'break-spaces') return raw.replace(/^\n|\s+$/g, '');
    if (ws === 'pre-line') return raw.replace(/[ \t]*\n[ \t]*/g, '\n').replace(/[ \t]+/g, ' ').trim();
  }
  return collapse(raw);
}

/** generated is the text of a ::before or ::after box, with its alternative text (after the slash) if it has one. */
export function generated(el: Element, which: '::before' | '::after'): string {
  const content = getComputedStyle(el, which).content;
  if (content === 'none' || content === 'normal') return '';
  let text = '';
  let alt: string | null = null;
  for (const m of content.matchAll(/(?:open|close)-quote|"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(?:[\w-]*gradient|url|counters?|image-set)\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\)|\//g)) {
    if (m[0] === '/') alt = '';
    else if (m[0].endsWith('-quote')) text += m[0] === 'open-quote' ? '“' : '”';
    else {
      const part = m[1] !== undefined ? unescaped(m[1]) : m[2] ? el.getAttribute(m[2]) ?? '' : '';
      if (alt === null) text += part;
      else alt += part;
    }
  }
  return alt ?? text;
}

/** spoken: the generated text is an alternative for what is drawn, and so a word of its own. */
export const spoken = (el: Element, which: string): boolean => / \/ /.test(getComputedStyle(el, which).content.replace(/"(?:[^"\\]|\\.)*"/g, ''));

/** flowing is generated text that people read in one with the element's own. Signs of icon fonts are no text, and what is
 * placed elsewhere (a hint that shows on hover, a ribbon) is not a part of it. */
export function flowing(el: Element, which: '::before' | '::after'): string {
  const c = getComputedStyle(el, which);
  if (c.display === 'none' || c.visibility !== 'visible' || c.opacity === '0' || /absolute|fixed/.test(c.position) || spoken(el, which)) return '';
  return generated(el, which).replace(/[\ue000-\uf8ff]/g, '');
}

/** unescaped is what a string of a style sheet says. */
export const unescaped = (s: string): string =>
  s.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, hex, ch) => hex ? String.fromCodePoint(parseInt(hex, 16)) : ch);
