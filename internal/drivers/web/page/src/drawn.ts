// Editors that draw their own text take the keys in a field nobody sees, and show the text around it.
import { flatParent } from './hit';
import { view } from './reveal';

/** contextual says whether the keys typed at el go to an EditContext: the page itself draws what comes of them. */
export const contextual = (el: Element): boolean => !!(el as Element & { editContext?: unknown }).editContext;

/** surfaceOf is the element that shows the text of an editor's field which is not seen itself; null for other fields. */
export function surfaceOf(el: Element): Element | null {
  if (el.localName !== 'textarea' && !contextual(el) || !unseen(el)) return null;
  for (let p = flatParent(el); p && p !== document.body; p = flatParent(p)) {
    const r = p.getBoundingClientRect();
    if (r.width >= 40 && r.height >= 14) return p;
  }
  return null;
}

function unseen(el: Element): boolean {
  if (contextual(el) || getComputedStyle(el).opacity === '0') return true;
  const [l, t, r, b] = view(el);
  const box = el.getBoundingClientRect();
  return Math.min(r, box.right) - Math.max(l, box.left) <= 2 || Math.min(b, box.bottom) - Math.max(t, box.top) <= 2;
}

interface Piece { text: string; line: number; left: number; sort: string }

/** textsOf reads what a surface shows, line by line: all of it, and all but the line numbers in its margin. */
export function textsOf(surface: Element): string[] {
  const frame = surface.getBoundingClientRect();
  const range = document.createRange();
  const walk = document.createTreeWalker(surface, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const text = (n as Text).data, p = n.parentElement!;
    if (!text.trim() || !p.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    range.selectNodeContents(n);
    const r = range.getClientRects()[0];
    const y = r ? r.top + r.height / 2 : 0;
    if (!r || y < frame.top || y > frame.bottom || p.localName === 'textarea') continue;
    pieces.push({ text, line: Math.round(y / 6), left: r.left, sort: p.localName + '.' + p.className });
  }
  pieces.sort((a, b) => a.line - b.line || a.left - b.left);
  const margin = numbers(pieces);
  return [pieces, pieces.filter((p) => !margin.has(p))].map((list) => list.map((p, i) => (i && p.line !== list[i - 1].line ? '\n' : '') + p.text).join(''));
}

// Line numbers count up from line to line, furthest to the left.
function numbers(pieces: Piece[]): Set<Piece> {
  const columns = new Map<string, Piece[]>();
  for (const p of pieces) {
    // The line the caret is in may be styled as another sort: the first class tells the column.
    const key = p.sort.split(' ')[0];
    if (/^\s*\d+\s*$/.test(p.text)) columns.set(key, [...columns.get(key) ?? [], p]);
  }
  const counting = [...columns.values()].filter((c) => c.every((p, i) => !i || Number(p.text) === Number(c[i - 1].text) + 1 && p.line > c[i - 1].line));
  counting.sort((a, b) => a[0].left - b[0].left);
  return new Set(counting[0]);
}
