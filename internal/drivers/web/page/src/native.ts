// HTML-AAM §4.1: names that the markup itself gives, by element.
import { recOf, refers } from './records';
import { collapse } from './text';
import { S, isText } from './tree';

/** Walk is the state of one computation. */
export interface Walk {
  readonly origin: Element; // whose name it is
  readonly seen: Set<Element>; // visited in this traversal
  readonly ref: boolean; // inside an aria-labelledby reference: further ones are not followed
  readonly text: (el: Element, w: Walk, top?: boolean) => string; // alternative of name.ts, which imports this file
  readonly hidden: boolean; // the reference points at something hidden: hidden content counts
}

/** Source says where a name came from; the description must not repeat it. */
export type Source = '' | 'ref' | 'label' | 'native' | 'content' | 'title' | 'placeholder';

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
      return alt === null ? null : native(alt, alt === '');
    }
    case 'fieldset': return childText(el, 'legend', w);
    case 'table': return childText(el, 'caption', w) ?? (el.hasAttribute('summary') ? native(el.getAttribute('summary')!) : null);
    case 'optgroup': return native(el.getAttribute('label') ?? '');
    case 'option': {
      const label = el.getAttribute('label');
      return label ? native(label) : native((el as HTMLOptionElement).text);
    }
  }
  if (el.namespaceURI === 'http://www.w3.org/2000/svg') {
    const title = firstTag(el, 'title');
    if (title) return native(title.textContent ?? '');
    if (el.localName === 'a') return el.hasAttribute('xlink:title') ? native(el.getAttribute('xlink:title')!) : null;
  }
  if (role !== 'generic' && el.localName.includes('-')) return labelText(el, w); // one that takes part in forms
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
    case 'file': return native(el.multiple ? 'Choose Files' : 'Choose File');
    case 'image': {
      const alt = el.getAttribute('alt') || el.getAttribute('value') || el.getAttribute('title');
      return native(alt || 'Submit');
    }
  }
  return label;
}

// Labels by control. The platform's .labels walks the document for every control; one pass does for all.
let labels: Map<Node, WeakMap<Element, Element[]>> = new Map();

/** forgetLabels starts a new capture. */
export const forgetLabels = (): void => void (labels = new Map());

function labelsOf(el: Element): Element[] {
  const root = el.getRootNode() as Document | ShadowRoot;
  let index = labels.get(root);
  if (!index) {
    labels.set(root, index = new WeakMap());
    if (root.querySelectorAll) {
      for (const l of root.querySelectorAll('label')) {
        const c = (l as HTMLLabelElement).control;
        if (!c) continue;
        const list = index.get(c);
        if (list) list.push(l);
        else index.set(c, [l]);
      }
    }
  }
  return index.get(el) ?? [];
}

// hostLabels are the labels of the custom element that draws el, its only field, in its shadow tree: a label's own
// document cannot name what lies in there.
function hostLabels(el: Element): Element[] {
  const root = el.getRootNode();
  if (!(root instanceof ShadowRoot) || !root.host.localName.includes('-')) return [];
  const list = labelsOf(root.host);
  return list.length && root.querySelectorAll(FIELDS).length === 1 ? list : [];
}

const FIELDS = 'input:not([type=hidden]),button,textarea,select,meter,progress,output';

/** labelText joins the label elements of a control. */
function labelText(el: Element, w: Walk): Native | null {
  refers(el); // ids elsewhere decide which labels are its own
  const own = labelsOf(el), list = own.length ? own : hostLabels(el);
  if (!list.length) return null;
  const parts: string[] = [];
  for (const l of list) {
    refers(l);
    if (w.seen.has(l)) continue; // we came from there
    const only = l.firstChild;
    if (only && only === l.lastChild && isText(only) && !l.hasAttribute('aria-label') && !l.hasAttribute('aria-labelledby') && plain(l)) parts.push(only.data);
    else parts.push(w.text(l, { text: w.text, origin: w.origin, seen: new Set(w.seen).add(el), ref: w.ref, hidden: recOf(l)?.hidden ?? true }, true));
  }
  return native(parts.join(' '));
}

const plain = (l: Element): boolean => { const r = recOf(l); return r !== undefined && !r.hidden && !(r.style & (S.Before | S.After)); };

function childText(el: Element, tag: string, w: Walk): Native | null {
  const c = firstTag(el, tag);
  return c ? native(w.text(c, { ...w, seen: new Set(w.seen) })) : null;
}

/** selectedText is what a combobox or listbox shows as chosen. */
export function selectedText(el: Element): string {
  if (el instanceof HTMLSelectElement) return Array.from(el.selectedOptions, (o) => collapse(o.label)).join(' ');
  if (el instanceof HTMLInputElement) return el.value;
  for (const box of [el, ...referenced(el, 'aria-owns')]) {
    const chosen = box.querySelectorAll('[role=option][aria-selected=true]');
    if (chosen.length) return Array.from(chosen, (o) => collapse(o.textContent ?? '')).join(' ');
  }
  return el.getAttribute('aria-valuetext') ?? (el.matches('[role=combobox]') ? collapse(el.textContent ?? '') : '');
}

/** firstTag is el's first child with that tag. */
export function firstTag(el: Element, tag: string): Element | null {
  for (let c = el.firstElementChild; c; c = c.nextElementSibling) if (c.localName === tag) return c;
  return null;
}

type Reflecting = Element & Record<'ariaLabelledByElements' | 'ariaDescribedByElements' | 'ariaOwnsElements', Element[] | null | undefined>;

const REFLECT = { 'aria-labelledby': 'ariaLabelledByElements', 'aria-labeledby': 'ariaLabelledByElements', 'aria-describedby': 'ariaDescribedByElements', 'aria-owns': 'ariaOwnsElements' } as const;

/** referenced are the elements that an id list names, set by attribute or by property. */
export function referenced(el: Element, attr: keyof typeof REFLECT): Element[] {
  const ids = el.getAttribute(attr);
  if (ids === null) return [];
  refers(el); // the attribute makes the facts depend on ids elsewhere, even while they do not resolve
  if (ids === '') return (el as Reflecting)[REFLECT[attr]] ?? [];
  const root = el.getRootNode() as Document | ShadowRoot;
  const out: Element[] = [];
  for (const id of ids.split(/[ \t\n\r\f]+/)) {
    const hit = id ? root.getElementById?.(id) : null;
    if (hit) out.push(hit);
  }
  return out;
}
