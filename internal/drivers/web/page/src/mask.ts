// mask: nothing that a secret was typed into may be read off a picture. The fields are painted over by style sheets, which
// no mutation observer of the page hears about, and only while a picture is taken.
import { byId } from './store';

const paint = 'color:transparent!important;-webkit-text-fill-color:transparent!important;text-shadow:none!important;' +
  'caret-color:transparent!important;background:#8a8a8a!important;-webkit-text-security:disc!important';

let sheets: { root: Document | ShadowRoot; sheet: CSSStyleSheet }[] = [];

/** path selects exactly one element of its tree, by position. */
function path(el: Element): string {
  const steps: string[] = [];
  for (let e: Element | null = el; e && e !== document.documentElement; e = e.parentElement) {
    const siblings = e.parentNode?.children ?? [];
    steps.unshift(`:nth-child(${Array.prototype.indexOf.call(siblings, e) + 1})`);
  }
  return [el.getRootNode() === document ? ':root' : ':host', ...steps].join('>');
}

/** mask paints over the numbered elements and over every password field until unmask, and says how many there were. */
export function mask(ids: number[]): number {
  unmask();
  const fields = new Set<Element>(document.querySelectorAll('input[type=password]'));
  for (const id of ids) {
    const el = byId(id);
    if (el instanceof Element && el.isConnected) fields.add(el);
  }
  const rules = new Map<Document | ShadowRoot, string[]>();
  for (const el of fields) {
    const root = el.getRootNode() as Document | ShadowRoot;
    rules.set(root, [...(rules.get(root) ?? []), path(el)]);
  }
  for (const [root, selectors] of rules) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${selectors.join(',')}{${paint}}`);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    sheets.push({ root, sheet });
  }
  return fields.size;
}

/** unmask takes the paint off again. */
export function unmask(): void {
  for (const { root, sheet } of sheets) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((s) => s !== sheet);
  sheets = [];
}
