// Everything about one element that is not geometry: role, name, description, value, states, native words. The result is
// kept in the record as one serialised line (format in wire.ts), so that unchanged elements cost nothing to compare.
import { RANGES } from './aria';
import { descOf, nameOf, source } from './name';
import { selectedText } from './native';
import { reading } from './records';
import { roleOf } from './role';
import { State, stateOf } from './state';
import { collapse, flowing, rendered, run } from './text';
import { attribute, field } from './wire';
import { K, S, type Rec } from './tree';

/** refresh recomputes a record's facts. Its style must be known. */
export function refresh(rec: Rec, focused: boolean): void {
  if (!rec.tag) refreshText(rec);
  else reading(rec, refreshElement, focused);
}

function refreshText(rec: Rec): void {
  const t = run(rec.node as Text);
  rec.name = t;
  rec.emit = t !== '';
  rec.line = 'text\t0\t' + (t ? 'n' + field(t) : '') + printedAs(rec.parent ? rec.parent.style : 0);
}

function refreshElement(rec: Rec, focused: boolean): void {
  const el = rec.node as Element;
  const tag = rec.tag;
  const attrs = el.hasAttributes();
  const role = rec.role = roleOf(el, tag, attrs);
  const name = rec.name = tag === 'html' ? document.title : nameOf(el, role, attrs);
  const from = source;
  rec.text = rec.leaf && !(rec.style & S.Skipped) ? rendered(el, (el.firstChild as Text).data) : '';
  if (rec.style & (S.Before | S.After) && (rec.leaf || !rec.kids.length) && !(rec.kind & K.Childless)) rec.text = drawn(el, rec.style, rec.text);
  rec.desc = descOf(el, role, name, from, attrs);
  let state = stateOf(rec, role, attrs);
  if (focused) state |= State.Focused;
  rec.state = state;
  const value = rec.value = attrs || rec.kind & K.Live ? valueOf(el, tag, role, state) : '';

  let line = role + '\t' + state + '\tG' + tag;
  if (name) line += '\tn' + field(name);
  if (rec.text) line += rec.text === name ? '\tT' : '\tt' + field(rec.text);
  if (value) line += value === name ? '\tV' : '\tv' + field(value);
  if (rec.desc) line += '\td' + field(rec.desc);
  if (rec.shadow) line += '\tw';
  if (rec.style & S.Print && (rec.text || rec.kind & K.Live)) line += printedAs(rec.style);
  let named = false;
  if (role === 'heading') line += '\tl' + levelOf(el, tag);
  if (RANGES.has(role)) line += rangeOf(el, role);
  if (attrs) {
    const id = el.getAttribute('id');
    const testid = el.getAttribute('data-testid') ?? el.getAttribute('data-test-id') ?? el.getAttribute('data-test');
    if (id) line += '\ti' + attribute(id);
    if (testid) line += '\tI' + attribute(testid);
    named = !!(id || testid);
    if (!name && !rec.text && state & (State.Clickable | State.Focusable | State.Draggable)) line += classOf(el);
    if (tag === 'input') line += '\ty' + (el as HTMLInputElement).type;
    const hint = el.getAttribute('placeholder') ?? el.getAttribute('aria-placeholder');
    if (hint) line += '\tp' + attribute(hint);
    const href = el.getAttribute('href') ?? el.getAttribute('xlink:href');
    if (href && (role === 'link')) line += '\th' + attribute(href);
  } else if (tag === 'input') line += '\tytext';
  if (tag === 'select') line += optionsOf(el as HTMLSelectElement);
  rec.line = line;
  rec.values = rec.kind & K.Live ? liveOf(el) : '';
  rec.emit = tag === 'html' || tag === 'object' || tag === 'embed' || role !== 'generic' && role !== 'none' || rec.text !== '' || named || name !== '' ||
    (state & (State.Clickable | State.Focusable | State.Editable | State.Draggable | State.Modal | State.Busy)) !== 0 || rec.kids.some((k) => !k.tag);
  if (tag === 'option' || tag === 'datalist') rec.emit = rec.emit && tag === 'option';
}

/** classOf: without name and text, the classes are all that says what an element is. */
function classOf(el: Element): string {
  const c = el.getAttribute('class');
  return c && c.length <= 300 ? '\tc' + attribute(collapse(c)) : '';
}

const printedAs = (s: number): string => s & S.Print ? '\tx' + (s & S.Upper ? 'uppercase' : s & S.Lower ? 'lowercase' : 'capitalize') : '';

/** drawn is a text with what the style sheet adds to it. */
const drawn = (el: Element, s: number, text: string): string =>
  ((s & S.Before ? flowing(el, '::before') : '') + text + (s & S.After ? flowing(el, '::after') : '')).trim();

/** liveOf is what script can change in a control without anybody hearing of it; compared at every capture. */
export function liveOf(el: Element): string {
  switch (el.localName) {
    case 'input': {
      const i = el as HTMLInputElement;
      return i.type === 'checkbox' || i.type === 'radio' ? (i.indeterminate ? 'm' : i.checked ? '1' : '0') : i.value + (i.matches(':user-invalid') ? '\x01' : '');
    }
    case 'textarea': return (el as HTMLTextAreaElement).value;
    case 'select': return Array.from((el as HTMLSelectElement).selectedOptions, (o) => o.index).join() + '/' + (el as HTMLSelectElement).length;
    case 'option': return (el as HTMLOptionElement).selected ? '1' : '0';
    case 'progress': case 'meter': return String((el as HTMLProgressElement).value);
    case 'dialog': return el.matches(':modal') ? '1' : '0';
  }
  return '';
}

function valueOf(el: Element, tag: string, role: string, state: number): string {
  if (state & (State.Password | State.Masked)) return '';
  switch (tag) {
    case 'input': {
      const i = el as HTMLInputElement;
      if (/^(?:button|submit|reset|image|checkbox|radio|hidden)$/.test(i.type)) return '';
      if (i.type === 'file') return Array.from(i.files ?? [], (f) => f.name).join(', ');
      return i.value;
    }
    case 'textarea': return (el as HTMLTextAreaElement).value;
    case 'select': return Array.from((el as HTMLSelectElement).selectedOptions, (o) => collapse(o.label)).join(', ');
    case 'progress': return (el as HTMLProgressElement).position >= 0 ? String((el as HTMLProgressElement).value) : '';
    case 'meter': return String((el as HTMLMeterElement).value);
  }
  if (state & State.Editable) return (el as HTMLElement).innerText;
  const stated = RANGES.has(role) ? el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow') : null;
  if (stated !== null) return stated;
  return role === 'combobox' || role === 'listbox' ? selectedText(el) : '';
}

function levelOf(el: Element, tag: string): number {
  const stated = parseInt(el.getAttribute('aria-level') ?? '', 10);
  if (stated >= 1) return Math.min(stated, 9);
  return /^h[1-6]$/.test(tag) ? +tag[1] : 2;
}

function rangeOf(el: Element, role: string): string {
  const num = (v: string | null | undefined, or: number): number => { const n = parseFloat(v ?? ''); return Number.isFinite(n) ? n : or; };
  const tag = el.localName;
  const native = tag === 'input' || tag === 'progress' || tag === 'meter';
  if (!native && !el.hasAttribute('aria-valuenow') && role !== 'slider' && role !== 'scrollbar') return '';
  const i = el as HTMLInputElement & HTMLProgressElement;
  if (native) {
    const open = tag === 'input' && i.type === 'number';
    if (open && !el.hasAttribute('min') && !el.hasAttribute('max') && i.value === '') return '';
    if (tag === 'progress' && i.position < 0) return '';
    const min = tag === 'progress' ? 0 : num(i.min as unknown as string, 0);
    const max = num(i.max as unknown as string, tag === 'input' && i.type === 'range' ? 100 : open ? 0 : 1);
    return `\tr${min},${max},${num(String(i.value), 0)},${tag === 'input' ? num(i.step, i.step === 'any' ? 0 : 1) : 0}`;
  }
  const min = num(el.getAttribute('aria-valuemin'), 0);
  const max = num(el.getAttribute('aria-valuemax'), 100);
  return `\tr${min},${max},${num(el.getAttribute('aria-valuenow'), (min + max) / 2)},0`;
}

function optionsOf(el: HTMLSelectElement): string {
  const labels: string[] = [];
  for (let i = 0; i < el.length && i < 50; i++) labels.push(field(collapse(el.options[i].label)));
  return '\to' + labels.join('\x1f');
}
