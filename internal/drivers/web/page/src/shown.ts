// shown: all that the pixels of this document tell in words, whoever drew them, for a search that happens elsewhere: what is
// looked for is never told to a page, and not to this script either. Records are those of the last capture.
import { recOf } from './records';
import { idOf } from './store';
import { unescaped } from './text';
import { S, eachKid, isElement, isText } from './tree';

/** Shown is what a document shows. A number names the element to paint over. */
export interface Shown {
  flow: [number, string][]; // texts in the order of the tree
  lines: number[]; // the same as a reader meets them: indexes into flow, line by line
  alone: [number, string][]; // what stands for itself: hints, labels, pictures that are written down
  sealed: number[]; // what may show anything, and cannot be read: videos, and canvases that are not only drawn on in 2D
}

interface Box { at: number; x: number; y: number; h: number }

const SILENT = /^(?:checkbox|radio|hidden|password|range|color)$/;
const longest = 1 << 18; // of what is written down

/** shown reads the document as it is now; word is what canvases tell their texts for. */
export function shown(word: string): Shown {
  const out: Shown = { flow: [], lines: [], alone: [], sealed: [] };
  const boxes: Box[] = [];
  const range = document.createRange();
  const say = (el: Element, text: string | null | undefined, box?: { getBoundingClientRect(): DOMRect }): void => {
    if (!text) return;
    const r = box?.getBoundingClientRect();
    if (r && r.width > 0 && r.height > 0) boxes.push({ at: out.flow.length, x: r.x, y: r.y + r.height / 2, h: r.height });
    out.flow.push([idOf(el), text]);
  };
  const alone = (el: Element, text: string | null | undefined): void => {
    if (text && text.length <= longest) out.alone.push([idOf(el), text]);
  };
  const seal = (el: Element): void => {
    const r = el.getBoundingClientRect();
    if (r.width > 0 && r.height > 0) out.sealed.push(idOf(el));
  };

  // A closed select shows an option's text as its own: then it is what is painted over.
  const walk = (el: Element, select: Element | null): void => {
    const rec = recOf(el);
    if (!rec || rec.cut) return;
    if (el instanceof HTMLSelectElement && !(el.size > 1 || el.multiple)) select = el;
    const painted = select ?? el;
    if (rec.style & S.Before) say(painted, drawn(el, '::before'));
    let kids = true;
    if (el instanceof HTMLInputElement) {
      if (!SILENT.test(el.type)) say(el, el.value, el);
      if (!el.value) alone(el, el.placeholder);
      if (el.type === 'image') alone(el, el.src);
    } else if (el instanceof HTMLTextAreaElement) {
      say(el, el.value, el);
      if (!el.value) alone(el, el.placeholder);
      kids = false;
    } else if (el instanceof HTMLOptionElement || el instanceof HTMLOptGroupElement) say(painted, el.getAttribute('label'));
    else if (rec.tag === 'li') alone(el, getComputedStyle(el).listStyleType);
    else if (el instanceof HTMLVideoElement) seal(el);
    else if (el instanceof HTMLCanvasElement) {
      const text = written(el, word);
      if (text === null) seal(el);
      else alone(el, text);
    }
    if (kids) {
      eachKid(el, (n) => {
        if (isElement(n)) walk(n, select);
        else if (isText(n) && !rec.hidden) {
          range.selectNodeContents(n);
          say(painted, n.data, range);
        }
      });
    }
    if (rec.style & S.After) say(painted, drawn(el, '::after'));
    pictured(el, alone);
  };
  if (document.documentElement) walk(document.documentElement, null);
  out.lines = reading(boxes);
  return out;
}

/** drawn is what a generated box shows in words. */
function drawn(el: Element, which: '::before' | '::after'): string {
  const c = getComputedStyle(el, which);
  let text = '';
  for (const m of c.content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(?:open|close)-quote/g)) {
    if (m[1] !== undefined) text += unescaped(m[1]);
    else if (m[2]) text += el.getAttribute(m[2]) ?? '';
    else for (const q of c.quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g)) text += unescaped(q[1]);
  }
  return text;
}

/** pictured finds pictures that are written down where they are shown: their source is their text. */
function pictured(el: Element, say: (el: Element, text: string | null) => void): void {
  for (const name of ['src', 'srcset', 'data', 'poster', 'href', 'xlink:href']) {
    const v = el.getAttribute(name);
    if (v && v.includes('data:') && el.localName !== 'a') say(el.localName === 'source' ? el.parentElement ?? el : el, v);
  }
  for (const which of [undefined, '::before', '::after']) {
    const c = getComputedStyle(el, which);
    for (const v of [c.backgroundImage, c.content, c.borderImageSource, c.listStyleImage]) if (v.includes('data:')) say(el, v);
    if (!which && !((recOf(el)?.style ?? 0) & (S.Before | S.After))) break;
  }
}

/** written is what the page drew on a canvas as text: canvas.js heard it in the page's world, and tells it for the word. It is
 * silent about a canvas on which something else may be, null here. */
function written(el: HTMLCanvasElement, word: string): string | null {
  let text: string | null = null;
  const hear = (e: Event): void => { text = String((e as CustomEvent).detail); };
  el.addEventListener(word + '-told', hear);
  el.dispatchEvent(new CustomEvent(word, { bubbles: true, composed: true }));
  el.removeEventListener(word + '-told', hear);
  return text;
}

/** reading orders texts as they stand on the screen: lines from top to bottom, each from left to right. */
function reading(boxes: Box[]): number[] {
  boxes.sort((a, b) => a.y - b.y);
  const out: number[] = [];
  let line: Box[] = [];
  const end = (): void => {
    line.sort((a, b) => a.x - b.x);
    for (const b of line) out.push(b.at);
    line = [];
  };
  for (const b of boxes) {
    if (line.length && b.y - line[0].y > Math.max(b.h, line[0].h) / 2) end();
    line.push(b);
  }
  end();
  return out;
}
