// HTML-AAM §4.1: names that the markup itself gives, by element.
import { recOf, refers } from './records';
import { alternative, content, firstTag, type Source, type Walk } from './name';
import { collapse } from './text';

/** Native is a name from markup; final says that an empty one ends the search (alt=""). */
export interface Native { text: string; from: Source; final: boolean }

const native = (text: string, final = false): Native => ({ text, from: 'native', final });

/** nativeName is the name by the element's own markup, or null when the element has no such rule. */
export function nativeName(el: Element, role: string, w: Walk): Native | null {
  switch (el.localName) {
    case 'input': return inputName(el as HTMLInputElement, w);
    case 'button': case 'textarea': case 'select': case 'meter': case 'progress': case 'output':
      return labelText(el, w);
    case 'img': case 'area': case 'image': {
      const alt = el.getAttribute('alt');
      return alt === null ? null : native(alt, alt === '' && !el.getAttribute('title'));
    }
    case 'fieldset': return childText(el, 'legend', w);
    case 'table': return childText(el, 'caption', w);
    case 'figure': return childText(el, 'figcaption', w);
    case 'optgroup': return native(el.getAttribute('label') ?? '');
    case 'option': {
      const label = el.getAttribute('label');
      return label ? native(label) : native((el as HTMLOptionElement).text);
    }
    case 'abbr': return w.origin === el || !el.hasAttribute('title') ? null : null;
  }
  if (el.namespaceURI === 'http://www.w3.org/2000/svg') {
    const title = firstTag(el, 'title');
    if (title) return native(title.textContent ?? '');
    if (el.localName === 'a') return el.hasAttribute('xlink:title') ? native(el.getAttribute('xlink:title')!) : null;
  }
  return role === 'math' && el.hasAttribute('alttext') ? native(el.getAttribute('alttext')!) : null;
}

function inputName(el: HTMLInputElement, w: Walk): Native | null {
  const label = labelText(el, w);
  if (label && collapse(label.text)) return label;
  switch (el.type) {
    case 'submit': case 'reset': case 'button': {
      const v = el.getAttribute('value');
      if (v !== null) return v.trim() || el.type === 'button' ? native(v) : null;
      return el.type === 'submit' ? native('Submit') : el.type === 'reset' ? native('Reset') : null;
    }
    case 'image': {
      const alt = el.getAttribute('alt') || el.getAttribute('value') || el.getAttribute('title');
      return native(alt || 'Submit');
    }
  }
  return label;
}

/** labelText joins the label elements of a control. */
function labelText(el: Element, w: Walk): Native | null {
  const labels = (el as HTMLInputElement).labels;
  if (!labels?.length) return null;
  const parts: string[] = [];
  for (const l of labels) {
    refers(l);
    if (w.seen.has(l)) continue; // we came from there
    const rec = recOf(l);
    parts.push(alternative(l, { origin: w.origin, seen: new Set(w.seen).add(el), ref: w.ref, hidden: rec?.hidden ?? true }, true));
  }
  return native(parts.join(' '));
}

function childText(el: Element, tag: string, w: Walk): Native | null {
  const c = firstTag(el, tag);
  return c ? native(alternative(c, { ...w, seen: new Set(w.seen) })) : null;
}

/** selectedText is what a combobox or listbox shows as chosen. */
export function selectedText(el: Element): string {
  if (el instanceof HTMLSelectElement) return Array.from(el.selectedOptions, (o) => collapse(o.label)).join(' ');
  if (el instanceof HTMLInputElement) return el.value;
  const chosen = el.querySelectorAll('[role=option][aria-selected=true]');
  if (chosen.length) return Array.from(chosen, (o) => collapse(o.textContent ?? '')).join(' ');
  return el.getAttribute('aria-valuetext') ?? (el.matches('[role=combobox]') ? collapse(el.textContent ?? '') : '');
}

export { content };
