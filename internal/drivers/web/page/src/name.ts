// Accessible name and description: ACCNAME 1.2 with HTML-AAM's native sources. The letters in comments are its steps.
import { CONTAINERS, NAME_FROM_CONTENT, NAME_PROHIBITED } from './aria';
import { stated } from './internals';
import { firstTag, nativeName, referenced, selectedText, type Source, type Walk } from './native';
import { recOf, refers } from './records';
import { inGrid, isFocusable, roleOf } from './role';
import { readStyle } from './style';
import { collapse, generated, spoken } from './text';
import { S, eachKid, isElement, isText } from './tree';

export let source: Source = '';

/** nameOf computes the name of an element with that role. Its source is left in source. */
export function nameOf(el: Element, role: string, attrs = el.hasAttributes()): string {
  source = '';
  const own = recOf(el);
  if (!attrs && !own?.says && !PLAIN_NATIVE.has(own ? own.tag : el.localName)) {
    if (!fromContent(el, role)) return '';
    if (own?.leaf && !(own.style & (S.Before | S.After | S.Skipped))) {
      source = 'content';
      return collapse((el.firstChild as Text).data);
    }
  }
  const w: Walk = { text: alternative, origin: el, seen: new Set([el]), ref: false, hidden: own?.hidden ?? false };
  // ARIA forbids naming generic and text-level elements; browsers expose such names all the same, and people write them.
  const refs = labelled(el);
  if (refs.length) {
    const t = join(refs, w);
    if (t) return source = 'ref', t;
  }
  const label = collapse(stated(el, 'aria-label') ?? '');
  if (label) return source = 'label', label;
  const native = nativeName(el, role, w);
  if (native !== null) {
    const t = collapse(native.text);
    if (t || native.final) return source = native.from, t;
  }
  if (fromContent(el, role)) {
    const t = collapse(content(el, w)) || collapse(content(el, { ...w, seen: new Set([el]), ref: true }));
    if (t) return source = 'content', t;
  }
  if (NAME_PROHIBITED.has(role) && el.localName !== 'abbr' && el.localName !== 'label') return '';
  const title = tooltip(el);
  if (title) return source = 'title', title;
  const hint = placeholder(el);
  if (hint) return source = 'placeholder', hint;
  return '';
}

// Tags whose native name has its own rule even when they hold nothing but text.
const PLAIN_NATIVE = new Set(['button', 'input', 'textarea', 'select', 'fieldset', 'table', 'figure', 'svg', 'output', 'option', 'meter', 'progress']);

/** fromContent: the role takes its name from what is inside. */
export function fromContent(el: Element, role: string): boolean {
  return NAME_FROM_CONTENT.has(role) || role === 'row' && inGrid(el) || role === 'math' && el.localName !== 'math';
}

// tooltip is the title, unless it repeats what the element says anyway.
const tooltip = (el: Element): string => {
  const t = collapse(el.getAttribute('title') ?? '');
  return t && t !== collapse(el.textContent ?? '') ? t : '';
};

const placeholder = (el: Element): string =>
  /^(?:input|textarea)$/.test(el.localName) || el.hasAttribute('aria-placeholder')
    ? collapse(el.getAttribute('placeholder') || el.getAttribute('aria-placeholder') || '') : '';

/** descOf computes the description; name and its source are those just computed. */
export function descOf(el: Element, role: string, name: string, from: Source, attrs = el.hasAttributes()): string {
  if (!attrs && role !== 'table') return '';
  const refs = referenced(el, 'aria-describedby');
  if (refs.length) {
    const t = join(refs, { text: alternative, origin: el, seen: new Set(), ref: true, hidden: false });
    if (t) return t;
  }
  const stated = collapse(el.getAttribute('aria-description') ?? '');
  if (stated) return stated;
  if (role === 'table' && from !== 'native') {
    const caption = firstTag(el, 'caption');
    const t = caption ? collapse(content(caption, { text: alternative, origin: el, seen: new Set(), ref: false, hidden: false })) : '';
    if (t) return t;
  }
  if (el.localName === 'svg') {
    const d = firstTag(el, 'desc');
    if (d) return collapse(d.textContent ?? '');
  }
  const title = tooltip(el);
  return from !== 'title' && title !== name ? title : '';
}

// labelled are the elements that aria-labelledby names; browsers read the other spelling, too.
const labelled = (el: Element): Element[] => {
  const refs = referenced(el, 'aria-labelledby');
  return refs.length ? refs : referenced(el, 'aria-labeledby');
};

function join(refs: Element[], w: Walk): string {
  return collapse(refs.map((r) => {
    refers(r);
    w.seen.add(r); // what was told once is not told again in the same name
    return alternative(r, { text: alternative, origin: w.origin, seen: new Set(w.seen), ref: true, hidden: isHidden(r) }, true);
  }).join(' '));
}

/** isHidden: the node does not take part in the accessibility tree, for itself or for an ancestor. */
export function isHidden(el: Element): boolean {
  const rec = recOf(el);
  if (!rec || rec.hidden) return true;
  for (let r: typeof rec | null = rec; r; r = r.parent) if ((r.node as Element).getAttribute('aria-hidden') === 'true') return true;
  return false;
}

const bits = (el: Element): number => {
  const r = recOf(el);
  return r && r.style > 0 || r && !r.hidden ? r.style : readStyle(el, el.localName, 0, true);
};

/** alternative is the text an element contributes to another element's name (steps 2A–2I); top: it was referenced directly. */
export function alternative(el: Element, w: Walk, top = false): string {
  w.seen.add(el);
  if (el.localName === 'slot') return content(el, w); // it only says where something goes
  const attrs = el.hasAttributes();
  if (attrs && !top && !w.hidden && el.getAttribute('aria-hidden') === 'true') return ''; // A
  if (attrs && !w.ref) { // B
    const refs = labelled(el);
    const t = refs.length ? join(refs, w) : '';
    if (t) return t;
  }
  const role = attrs || el.localName !== 'span' ? roleOf(el) : 'generic';
  if (el !== w.origin) { // C
    const v = embedded(el, role);
    if (v !== null) return v;
  }
  if (attrs) { // D
    const label = collapse(el.getAttribute('aria-label') ?? '');
    if (label) return label;
  }
  const native = nativeName(el, role, w); // E
  if (native !== null) {
    const t = collapse(native.text);
    if (t || native.final) return t;
  }
  const inner = top || w.ref || !apart(el, role) ? content(el, w) : ''; // F
  if (inner.trim() || !attrs) return inner;
  return collapse(el.getAttribute('title') ?? '') || placeholder(el) || inner; // I
}

// apart: what is inside has a meaning of its own, which its surroundings are not named by.
const apart = (el: Element, role: string): boolean => CONTAINERS.has(role) && !(el.localName in JOINED && !el.hasAttribute('role'));
const JOINED: Record<string, true> = { address: true, details: true, hgroup: true, table: true }; // groups of text, and tables for layout

/** embedded is the value of a control inside a label; null when el is none of these controls. */
function embedded(el: Element, role: string): string | null {
  switch (role) {
    case 'textbox': case 'searchbox':
      return 'value' in el ? ((el as HTMLInputElement).type === 'password' ? '' : (el as HTMLInputElement).value) : el.textContent ?? '';
    case 'combobox': if (el.matches('[role=combobox]') && !el.firstElementChild && !isFocusable(el)) return el.getAttribute('aria-valuetext') ?? ''; // falls through
    case 'listbox': return selectedText(el);
    case 'slider': case 'spinbutton': case 'progressbar': case 'meter': case 'scrollbar': {
      const stated = el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow');
      return stated ?? ('value' in el ? String((el as HTMLInputElement).value) : null);
    }
  }
  return null;
}

// Content of these is not text on the page.
const OPAQUE = new Set(['input', 'textarea', 'select', 'iframe', 'frame', 'video', 'audio', 'object', 'embed', 'script', 'style', 'template', 'noscript', 'head', 'datalist']);

/** content is the text of everything inside (step F), uncollapsed. */
export function content(el: Element, w: Walk): string {
  if (OPAQUE.has(el.localName)) return '';
  const own = recOf(el);
  const s = bits(el);
  let acc = s & S.Before ? generatedPart(el, '::before') : '';
  const mute = !w.hidden && (s & (S.Invisible | S.Skipped)) !== 0;
  eachKid(el, (kid) => {
    if (isText(kid)) {
      if (!mute) acc += kid.data;
    } else if (isElement(kid)) acc += w.seen.has(kid) ? (kid === w.origin ? ' ' : '') : part(kid, w, own?.hidden ?? false);
  });
  if (el.hasAttribute('aria-owns')) {
    for (const o of referenced(el, 'aria-owns')) {
      refers(o);
      if (!w.seen.has(o) && !recOf(o)?.hidden) acc += ' ' + alternative(o, w) + ' ';
    }
  }
  return s & S.After ? acc + generatedPart(el, '::after') : acc;
}

function part(kid: Element, w: Walk, parentHidden: boolean): string {
  if (kid.localName === 'br') return ' ';
  const s = bits(kid);
  if (!w.hidden && !parentHidden) {
    if (s & (S.None | S.Skipped) || recOf(kid)?.hidden && !(s & S.Invisible)) return '';
    if (s & S.Invisible && !kid.firstElementChild) return '';
  }
  const t = alternative(kid, w);
  return t && (!(s & S.Inline) || named(kid)) ? ' ' + t + ' ' : t;
}

// A text that stands for the element, not in it, is a word of its own.
const named = (el: Element): boolean =>
  el.hasAttributes() && (el.hasAttribute('aria-label') || el.hasAttribute('aria-labelledby') || el.hasAttribute('title')) || el.localName === 'img' || el.localName === 'svg' || el.localName === 'input' || el.localName === 'select';

function generatedPart(el: Element, which: '::before' | '::after'): string {
  const c = getComputedStyle(el, which);
  if (c.display === 'none' || c.visibility !== 'visible') return '';
  const t = generated(el, which);
  return t && (c.display !== 'inline' || spoken(el, which)) ? ' ' + t + ' ' : t;
}
