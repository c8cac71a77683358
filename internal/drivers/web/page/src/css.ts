// CSS queries as recorded trails write them: standard CSS that pierces shadow roots, and Playwright's additions that
// appear in recordings: >> chains, css= text= id= data-testid= prefixes, :has-text(), :text(), :text-is(), :visible and
// :nth-match(). What the browser knows itself is left to the browser. element= finds an element by its number: the driver asks
// so for one whose ref was given away.
import { byId, shadowOf } from './store';
import { recOf } from './records';
import { collapse } from './text';
import { isElement } from './tree';

type Root = Document | ShadowRoot | Element;

/** queryAll finds what a selector matches, in document order. It throws on an invalid selector. */
export function queryAll(selector: string): Element[] {
  let scopes: Root[] = [document];
  for (const part of split(selector, '>>')) {
    const nth = /^\s*nth=(-?\d+)\s*$/.exec(part);
    if (nth) {
      const at = (scopes.filter((n) => n !== document) as Element[]).sort(order).at(+nth[1]);
      scopes = at ? [at] : [];
      continue;
    }
    const found = new Set<Element>();
    for (const s of scopes) for (const el of engine(part.trim(), s)) found.add(el);
    scopes = [...found];
  }
  return scopes.filter((n): n is Element => n !== document).sort(order);
}

function engine(part: string, scope: Root): Element[] {
  const m = /^(css|text|id|data-testid|data-test-id|data-test|visible|role|xpath|element)=([\s\S]*)$/.exec(part);
  if (!m && /^(?:\/\/|\.\.)/.test(part)) return xpath(part, scope);
  if (!m) return /^(['"]).*\1$/.test(part) ? byText(part, scope) : css(part, scope);
  switch (m[1]) {
    case 'css': return css(m[2], scope);
    case 'text': return byText(m[2], scope);
    case 'id': return css('#' + CSS.escape(m[2]), scope);
    case 'visible': return isElement(scope) && visible(scope) === (m[2] === 'true') ? [scope] : [];
    case 'role': return byRole(m[2], scope);
    case 'xpath': return xpath(m[2], scope);
    case 'element': return [byId(+m[2])].filter((n): n is Element => !!n && isElement(n));
    default: return css(`[${m[1]}="${CSS.escape(m[2])}"]`, scope);
  }
}

function xpath(path: string, scope: Root): Element[] {
  const r = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  return Array.from({ length: r.snapshotLength }, (_, i) => r.snapshotItem(i)!).filter(isElement);
}

/** role=button[name="Save"]: case-insensitive and partial with i, exact with s or plain quotes as Playwright's role engine has it. */
function byRole(arg: string, scope: Root): Element[] {
  const m = /^([\w-]+)(?:\[name=(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\/((?:[^/\\]|\\.)*)\/([a-z]*))\s*([is])?\])?$/.exec(arg.trim());
  if (!m) throw new SyntaxError(`'role=${arg}' is not role=ROLE[name="NAME"]`);
  const want = (m[2] ?? m[3])?.replace(/\\(.)/g, '$1');
  const re = m[4] !== undefined ? new RegExp(m[4], m[5]) : null;
  const out: Element[] = [];
  walk(scope, (el) => {
    const r = recOf(el);
    if (!r || r.role !== m[1] || r.hidden) return;
    if (re ? re.test(r.name) : want === undefined || (m[6] === 'i' ? r.name.toLowerCase().includes(want.toLowerCase()) : r.name === want)) out.push(el);
  });
  return out;
}

/** text= : the smallest elements that contain the text; quoted: exactly it, case-sensitive. */
function byText(arg: string, scope: Root): Element[] {
  const quoted = /^(['"])([\s\S]*)\1$/.exec(arg);
  const re = /^\/([\s\S]*)\/([a-z]*)$/.exec(arg);
  const test = re ? ((r) => (t: string) => r.test(t))(new RegExp(re[1], re[2].replace('g', ''))) : textTest(quoted ? quoted[2] : arg, !!quoted);
  const out: Element[] = [];
  walk(scope, (el) => { if (holds(el, test)) out.push(el); });
  return out;
}

const textTest = (want: string, exact: boolean): ((t: string) => boolean) => {
  const w = collapse(want);
  if (exact) return (t) => t === w;
  const low = w.toLowerCase();
  return (t) => t.toLowerCase().includes(low);
};

const SILENT = /^(?:script|style|noscript|head|template|title)$/;

/** textOf is the text Playwright matches: textContent, or a button-like input's value. */
function textOf(el: Element): string {
  if (SILENT.test(el.localName)) return '';
  if (el.localName === 'input' && /^(?:submit|button|reset)$/.test((el as HTMLInputElement).type)) return (el as HTMLInputElement).value;
  const root = shadowOf(el);
  let t = '';
  if (root) for (const c of root.childNodes) t += c.nodeType === 3 ? (c as Text).data : isElement(c) ? textOf(c) : '';
  for (const c of el.childNodes) t += c.nodeType === 3 ? (c as Text).data : isElement(c) ? textOf(c) : '';
  return t;
}

function holds(el: Element, test: (t: string) => boolean): boolean {
  if (SILENT.test(el.localName) || !test(collapse(textOf(el)))) return false;
  // Not .children: a form's field of that name would hide it.
  for (let c = el.firstElementChild; c; c = c.nextElementSibling) if (test(collapse(textOf(c)))) return false;
  const root = shadowOf(el);
  if (root) for (const c of root.children) if (test(collapse(textOf(c)))) return false;
  return true;
}

const COMBINED = /[^\s,][\s>+~]+[^\s,]/;
const EXTRAS = /:(?:has-text|text-is|text-matches|text|visible|nth-match)\b/;

function css(selector: string, scope: Root): Element[] {
  if (!EXTRAS.test(selector)) {
    const found = native(selector, scope);
    if (!COMBINED.test(selector) || !hosts(document).length) return found;
    // With shadow trees about, a combinator may cross their borders, which the browser's own matching never does.
    return [...new Set([...found, ...split(selector, ',').flatMap((alt) => extended(alt.trim(), scope))])];
  }
  const out = new Set<Element>();
  for (const alt of split(selector, ',')) for (const el of extended(alt.trim(), scope)) out.add(el);
  return [...out];
}

function native(selector: string, scope: Root): Element[] {
  const out: Element[] = Array.from(scope.querySelectorAll(selector));
  eachRoot(scope, (r) => { for (const el of r.querySelectorAll(selector)) out.push(el); });
  return out;
}

/** extended evaluates one complex selector with additions: compound by compound, so that a filter may stand anywhere. */
function extended(selector: string, scope: Root): Element[] {
  const nth = /^:nth-match\(([\s\S]*),\s*(\d+)\s*\)$/.exec(selector);
  if (nth) return css(nth[1], scope).sort(order).slice(+nth[2] - 1, +nth[2]);
  const steps = compounds(selector);
  let now: Element[] | null = null;
  for (const { comb, compound } of steps) {
    const { plain, filters } = strip(compound);
    const base = native(plain || '*', scope);
    const prev: Set<Element> | null = now && new Set(now);
    now = base.filter((el) => (!prev || joined(el, comb, prev)) && filters.every((f) => f(el)));
  }
  return now ?? [];
}

function joined(el: Element, comb: string, prev: Set<Element>): boolean {
  switch (comb) {
    case '>': { const p = parentOf(el); return p !== null && prev.has(p); }
    case '+': return el.previousElementSibling !== null && prev.has(el.previousElementSibling);
    case '~': for (let s = el.previousElementSibling; s; s = s.previousElementSibling) if (prev.has(s)) return true; return false;
  }
  for (let p = parentOf(el); p; p = parentOf(p)) if (prev.has(p)) return true;
  return false;
}

const parentOf = (el: Element): Element | null => el.parentElement ?? (el.parentNode as ShadowRoot | null)?.host ?? null;

type Filter = (el: Element) => boolean;

/** strip takes the additions off a compound selector. */
function strip(compound: string): { plain: string; filters: Filter[] } {
  const filters: Filter[] = [];
  let plain = '';
  for (let i = 0; i < compound.length;) {
    const m = /^:(has-text|text-is|text-matches|text|visible)(\(?)/.exec(compound.slice(i));
    if (m && (m[1] === 'visible' || m[2])) {
      const end = m[2] ? closing(compound, i + m[0].length - 1) : i + m[0].length - 1;
      filters.push(filter(m[1], m[2] ? compound.slice(i + m[0].length, end).trim() : ''));
      i = end + 1;
      continue;
    }
    const n = compound[i] === '(' || compound[i] === '[' ? closing(compound, i) : skipQuoted(compound, i);
    plain += compound.slice(i, n + 1);
    i = n + 1;
  }
  return { plain, filters };
}

function filter(kind: string, arg: string): Filter {
  const args = split(arg, ',').map(unquote);
  switch (kind) {
    case 'visible': return visible;
    case 'has-text': { const t = textTest(unquote(arg), false); return (el) => t(collapse(textOf(el))); }
    case 'text-is': { const t = textTest(unquote(arg), true); return (el) => holds(el, t); }
    case 'text-matches': { const r = new RegExp(args[0], args[1] ?? ''); return (el) => holds(el, (t) => r.test(t)); }
    default: { const t = textTest(unquote(arg), false); return (el) => holds(el, t); }
  }
}

const unquote = (s: string): string => {
  const m = /^(['"])([\s\S]*)\1$/.exec(s.trim());
  return m ? m[2].replace(/\\(.)/g, '$1') : s.trim();
};

function visible(el: Element): boolean {
  const rec = recOf(el);
  const r = el.getBoundingClientRect();
  return r.width > 0 && r.height > 0 && !(rec?.hidden ?? !el.checkVisibility({ visibilityProperty: true }));
}

/** compounds cuts a complex selector at its combinators. */
function compounds(s: string): { comb: string; compound: string }[] {
  const out: { comb: string; compound: string }[] = [];
  let comb = ' ';
  let cur = '';
  const push = (): void => { if (cur) out.push({ comb, compound: cur }); cur = ''; };
  for (let i = 0; i < s.length; i++) {
    const m = /^\s*([>+~])\s*|^\s+/.exec(s.slice(i));
    if (m && m[0]) {
      push();
      comb = m[1] ?? ' ';
      i += m[0].length - 1;
      continue;
    }
    const n = s[i] === '(' || s[i] === '[' ? closing(s, i) : skipQuoted(s, i);
    cur += s.slice(i, n + 1);
    i = n;
  }
  push();
  return out;
}

/** split cuts at a separator that is outside quotes and brackets. */
export function split(s: string, sep: string): string[] {
  const out: string[] = [];
  let from = 0;
  for (let i = 0; i < s.length; i++) {
    if (s.startsWith(sep, i)) {
      out.push(s.slice(from, i));
      i += sep.length - 1;
      from = i + 1;
    } else i = s[i] === '(' || s[i] === '[' ? closing(s, i) : skipQuoted(s, i);
  }
  out.push(s.slice(from));
  return out;
}

/** closing is the index of the bracket that closes the one at i, or the last index. */
function closing(s: string, i: number): number {
  const close = s[i] === '(' ? ')' : ']';
  const open = s[i];
  let depth = 0;
  for (let k = i; k < s.length; k++) {
    if (s[k] === open) depth++;
    else if (s[k] === close && --depth === 0) return k;
    else k = skipQuoted(s, k);
  }
  throw new SyntaxError(`'${s}' lacks a closing ${close}`);
}

/** skipQuoted is the index of the last character of the escape or string that begins at i; i itself otherwise. */
function skipQuoted(s: string, i: number): number {
  if (s[i] === '\\') return Math.min(i + 1, s.length - 1);
  if (s[i] !== '"' && s[i] !== "'") return i;
  for (let k = i + 1; k < s.length; k++) {
    if (s[k] === '\\') k++;
    else if (s[k] === s[i]) return k;
  }
  return i;
}

function walk(scope: Root, f: (el: Element) => void): void {
  for (const el of scope.querySelectorAll('*')) f(el);
  eachRoot(scope, (r) => { for (const el of r.querySelectorAll('*')) f(el); });
}

/** eachRoot visits every shadow root below scope, nested ones too. */
function eachRoot(scope: Root, f: (r: ShadowRoot) => void): void {
  if (isElement(scope)) {
    const own = shadowOf(scope);
    if (own) { f(own); eachRoot(own, f); }
  }
  for (const host of hosts(scope)) {
    const r = shadowOf(host)!;
    f(r);
    eachRoot(r, f);
  }
}

function hosts(scope: Root): Element[] {
  const out: Element[] = [];
  for (const el of scope.querySelectorAll('*')) if (shadowOf(el)) out.push(el);
  return out;
}

/** order compares by place in the composed document. */
function order(a: Element, b: Element): number {
  if (a === b) return 0;
  const pa = pathOf(a);
  const pb = pathOf(b);
  let i = 0;
  while (i < pa.length && i < pb.length && pa[i] === pb[i]) i++;
  if (i === pa.length) return -1;
  if (i === pb.length) return 1;
  const pos = pa[i].compareDocumentPosition(pb[i]);
  return pos & Node.DOCUMENT_POSITION_DISCONNECTED ? (pa[i].getRootNode() instanceof ShadowRoot ? -1 : 1) : pos & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function pathOf(el: Element): Element[] {
  const out: Element[] = [];
  for (let e: Element | null = el; e; e = parentOf(e)) out.push(e);
  return out.reverse();
}
