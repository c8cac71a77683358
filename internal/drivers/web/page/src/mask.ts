// mask: nothing that shows a secret may be read off a picture. It is painted over by style sheets, which no mutation observer
// of the page hears about, and only while a picture is taken.
import { byId, shadowOf } from './store';

// Transitions would show what was there for as long as they take; they are the one thing that wins over !important.
const still = 'transition:none!important;animation:none!important;';
const mute = still + 'color:transparent!important;-webkit-text-fill-color:transparent!important;-webkit-text-stroke-color:transparent!important;' +
  'text-shadow:none!important;';
const paint = mute + 'caret-color:transparent!important;background:#8a8a8a!important;border-image:none!important;' +
  'list-style-image:none!important;-webkit-text-security:disc!important';
const away = still + 'opacity:0!important';
const parts = ['first-line', 'first-letter', 'selection', 'placeholder', 'marker'];
// Whatever a page's own rules weigh, these weigh more.
const heavy = ':not(' + '#_'.repeat(16) + ')';

let sheets: { root: Document | ShadowRoot; sheet: CSSStyleSheet }[] = [];

/** path selects exactly one element of its tree, by position. */
function path(el: Element): string {
  const steps: string[] = [];
  for (let e: Element | null = el; e && e !== document.documentElement; e = e.parentElement) {
    const siblings = e.parentNode?.children ?? [];
    steps.unshift(`:nth-child(${Array.prototype.indexOf.call(siblings, e) + 1})`);
  }
  return [el.getRootNode() === document ? ':root' : ':host', ...steps].join('>') + (steps.length || el.getRootNode() === document ? heavy : '');
}

/** drawn: no colour of text paints over it, so all of it is taken away. */
const drawn = (el: Element): boolean => el instanceof SVGElement || /^(?:img|canvas|video|picture|object|embed|iframe|frame)$/.test(el.localName) ||
  el instanceof HTMLInputElement && el.type === 'image';

function rule(el: Element): string {
  const p = path(el);
  if (drawn(el)) return `${p}{${away}}`;
  return `${p}{${paint}}` + parts.map((q) => `${p}::${q}{${mute}}`).join('') + `${p}::before,${p}::after{${away}}`;
}

function adopt(root: Document | ShadowRoot, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  sheets.push({ root, sheet });
}

/** mask paints over the numbered elements and over every password field until unmask, and says how many there were. */
export function mask(ids: number[]): number {
  unmask();
  const fields = new Set<Element>();
  passwords(document, fields);
  for (const id of ids) {
    const el = byId(id);
    if (el instanceof Element && el.isConnected) fields.add(el);
  }
  const rules = new Map<Document | ShadowRoot, string>();
  for (const el of fields) {
    const root = el.getRootNode() as Document | ShadowRoot;
    rules.set(root, (rules.get(root) ?? '') + rule(el));
  }
  for (const [root, css] of rules) adopt(root, css);
  for (const el of fields) insist(el);
  return fields.size;
}

function passwords(root: Document | ShadowRoot, into: Set<Element>): void {
  for (const el of root.querySelectorAll('*')) {
    if (el instanceof HTMLInputElement && el.type === 'password') into.add(el);
    const inner = shadowOf(el);
    if (inner) passwords(inner, into);
  }
}

// A page's own "!important" can still win: in a style attribute, or in a layer. Then something else must hide the element,
// and when nothing does there must be no picture.
const ways: [css: string, gone: (c: CSSStyleDeclaration) => boolean][] = [
  [away, (c) => c.opacity === '0'],
  [still + 'clip-path:inset(50%)!important', (c) => c.clipPath === 'inset(50%)'],
  [still + 'display:none!important', (c) => c.display === 'none'],
];

function insist(el: Element): void {
  const hidden = (c: CSSStyleDeclaration): boolean => c.opacity === '0' || !drawn(el) && clear(c.color) && clear(c.webkitTextFillColor) && c.backgroundColor === 'rgb(138, 138, 138)' && c.backgroundImage === 'none';
  if (hidden(getComputedStyle(el))) return;
  for (const [css, gone] of ways) {
    adopt(el.getRootNode() as Document | ShadowRoot, `${path(el)}{${css}}`);
    if (gone(getComputedStyle(el))) return;
  }
  unmask();
  throw new Error('the page does not let go of what shows a secret');
}

const clear = (colour: string): boolean => colour === 'rgba(0, 0, 0, 0)' || colour === 'transparent';

/** covered ends when the frame with the paint has gone to the browser. The browser asks a process for its third frame from now only
 * when it has taken over the first; a frame that is not on the screen is asked for none. */
export async function covered(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
}

/** unmask takes the paint off again. */
export function unmask(): void {
  for (const { root, sheet } of sheets) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((s) => s !== sheet);
  sheets = [];
}
