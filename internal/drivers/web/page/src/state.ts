// The states of an element, as the bits of screen.State. The numbers are append-only on both sides.
import { CHECKABLE, LANDMARKS, TEXTBOXES, WIDGETS } from './aria';
import { Heard } from './handlers';
import { stated } from './internals';
import { refers } from './records';
import { isDisabled, isEditingHost, isFocusable, isSummary, up } from './role';
import { K, S, type Rec } from './tree';

export const enum State {
  Disabled = 1, Checked = 2, Mixed = 4, Checkable = 8, Selected = 16, Expanded = 32, Expandable = 64, Pressed = 128, Focused = 256,
  Focusable = 512, ReadOnly = 1024, Required = 2048, Invalid = 4096, Editable = 8192, Multiline = 16384, Password = 32768, Modal = 65536,
  Busy = 131072, Draggable = 262144, Clickable = 524288, Landmark = 1048576, HasPopup = 2097152, Current = 4194304, Masked = 8388608,
}

// aria-disabled applies to what is inside, too. Few pages have it: one look per capture spares the climbing.
let anyDisabled: boolean | null = null;

/** forgetDisabled starts a new capture. */
export const forgetDisabled = (): void => void (anyDisabled = null);

function inDisabled(el: Element): boolean {
  anyDisabled ??= document.querySelector('[aria-disabled=true]') !== null;
  if (!anyDisabled && el.getRootNode() === document) return false;
  for (let e: Element | null = el; e; e = up(e)) if (e.getAttribute('aria-disabled') === 'true') return true;
  return false;
}

const FORM = /^(?:input|select|textarea|button|option|optgroup|fieldset)$/;
const NOT_TEXT = /^(?:checkbox|radio|button|submit|reset|image|file|range|color|hidden)$/;

/** isTextEntry: a native field one types into. */
export const isTextEntry = (el: Element): boolean =>
  el.localName === 'textarea' || el.localName === 'input' && !NOT_TEXT.test((el as HTMLInputElement).type);

/** stateOf computes every state but Focused, which the capture adds. */
export function stateOf(rec: Rec, role: string, attrs: boolean): number {
  const el = rec.node as Element;
  if (!attrs && !(rec.kind & K.Stateful) && !(rec.style & (S.Pointer | S.Grab)) && !rec.heard && !rec.says) return LANDMARKS.has(role) && (role !== 'form' || rec.name) ? State.Landmark : 0;
  const tag = rec.tag;
  let s = 0;
  const form = FORM.test(tag);
  if (form) s |= formState(rec, el as HTMLInputElement, tag);
  if (tag === 'summary' && isSummary(el)) s |= State.Expandable | ((el.parentElement as HTMLDetailsElement).open ? State.Expanded : 0);
  if (tag === 'dialog' && el.matches(':modal')) s |= State.Modal;
  if (attrs || rec.says) s |= ariaState(el, role, rec.says);
  if (attrs && !form && el.hasAttribute('contenteditable')) s |= (el as HTMLElement).isContentEditable && isEditingHost(el) ? State.Editable | (el.getAttribute('aria-multiline') === 'false' ? 0 : State.Multiline) : 0;
  if (CHECKABLE.has(role) && role !== 'option' && role !== 'treeitem') s |= State.Checkable;
  if (LANDMARKS.has(role) && (role !== 'form' || rec.name)) s |= State.Landmark;
  if (isFocusable(el)) s |= State.Focusable;
  if (WIDGETS.has(role) && !(s & State.Disabled) && inDisabled(el)) s |= State.Disabled;
  if (clickable(rec, el, tag, role, s)) s |= State.Clickable;
  return s;
}

function formState(rec: Rec, el: HTMLInputElement, tag: string): number {
  let s = isDisabled(el) || tag === 'option' && el.closest('select')?.disabled ? State.Disabled : 0;
  if (tag === 'option') return s | ((el as unknown as HTMLOptionElement).selected ? State.Selected : 0);
  if (tag === 'optgroup' || tag === 'fieldset') return s;
  if (el.required) s |= State.Required;
  if (tag === 'button') return s | popover(el);
  if (el.matches(':user-invalid')) s |= State.Invalid;
  if (tag === 'select') {
    if ((el as unknown as HTMLSelectElement).multiple || el.size > 1) return s;
    return s | State.Expandable | (isOpen(el) ? State.Expanded : 0);
  }
  const type = el.type;
  if (type === 'checkbox' || type === 'radio') return s | (el.indeterminate && type === 'checkbox' ? State.Mixed : el.checked ? State.Checked : 0);
  if (isTextEntry(el)) {
    if (el.readOnly) s |= State.ReadOnly;
    if (!(s & (State.ReadOnly | State.Disabled))) s |= State.Editable;
    if (tag === 'textarea') s |= State.Multiline;
    if (type === 'password') s |= State.Password;
    if (isSecret(rec, el, type)) s |= State.Masked;
  }
  return s | popover(el);
}

const SECRETS = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-number|cc-csc)(?:\s|$)/;

/** isSecret: a field whose value must not leave the page; once a secret, always one ("show password"). */
function isSecret(rec: Rec, el: HTMLInputElement, type: string): boolean {
  rec.secret ||= type === 'password' || SECRETS.test(el.getAttribute('autocomplete') ?? '') ||
    !rec.cut && getComputedStyle(el).getPropertyValue('-webkit-text-security') !== 'none';
  return rec.secret;
}

function isOpen(el: Element): boolean {
  try {
    return el.matches(':open');
  } catch {
    return false; // browsers before :open cannot tell
  }
}

function popover(el: Element): number {
  if (!el.hasAttribute('popovertarget')) return 0;
  const target = (el as HTMLButtonElement).popoverTargetElement;
  if (!target) return 0;
  return State.Expandable | (target.matches(':popover-open') ? State.Expanded : 0);
}

function ariaState(el: Element, role: string, says: string): number {
  let s = 0;
  const value = (attr: string): string | null => says ? stated(el, attr) : el.getAttribute(attr);
  const is = (attr: string): boolean => value(attr) === 'true';
  const set = (attr: string): boolean => { const v = value(attr); return v !== null && v !== '' && v !== 'false' && v !== 'undefined'; };
  if (is('aria-disabled')) s |= State.Disabled;
  if (is('aria-readonly')) s |= State.ReadOnly;
  if (is('aria-required')) s |= State.Required;
  if (set('aria-invalid')) s |= State.Invalid;
  if (is('aria-busy')) s |= State.Busy;
  if (is('aria-modal') && /dialog$/.test(role)) s |= State.Modal;
  if (is('aria-multiline') && TEXTBOXES.has(role)) s |= State.Multiline;
  if (set('aria-current')) s |= State.Current;
  if (set('aria-haspopup')) s |= State.HasPopup;
  if (is('aria-selected')) s |= State.Selected;
  const expanded = value('aria-expanded');
  if (expanded === 'true' || expanded === 'false') s |= State.Expandable | (expanded === 'true' ? State.Expanded : 0);
  const pressed = value('aria-pressed');
  if (role === 'button' && pressed) s |= pressed === 'true' ? State.Pressed : pressed === 'mixed' ? State.Mixed : 0;
  const checked = value('aria-checked');
  if (checked && CHECKABLE.has(role) && !(el.localName === 'input')) {
    s |= State.Checkable | (checked === 'true' ? State.Checked : checked === 'mixed' ? State.Mixed : 0);
  }
  if (el.getAttribute('draggable') === 'true') s |= State.Draggable;
  return s;
}

const HANDLERS = ['onclick', 'onmousedown', 'onmouseup', 'onpointerdown', 'onpointerup', 'ontouchstart', 'ontouchend', 'ondblclick', 'oncontextmenu'];

/** clickable: a person could act on it. See the package comment for what cannot be seen. */
function clickable(rec: Rec, el: Element, tag: string, role: string, s: number): boolean {
  if (s & (State.Focusable | State.Editable | State.Draggable | State.Disabled) && role !== 'iframe') {
    if (!(s & State.Disabled) || WIDGETS.has(role)) return true;
  }
  if (WIDGETS.has(role) && role !== 'listbox') return true;
  if (tag === 'label') {
    refers(el); // which control it labels is decided by ids elsewhere
    if ((el as HTMLLabelElement).control) return true;
  }
  const hand = rec.style & (S.Pointer | S.Grab);
  if (hand && (!rec.parent || (rec.parent.style & (S.Pointer | S.Grab)) !== hand)) return true;
  if (el.hasAttributes()) for (const h of HANDLERS) if (el.hasAttribute(h)) return true;
  if (rec.heard & Heard.Handles) return !partOfControl(rec, role);
  return rec.heard === Heard.Listens && !passesOn(rec) && !partOfControl(rec, role);
}

// A listener inside a button or link is a part of how that works.
function partOfControl(rec: Rec, role: string): boolean {
  for (let a = rec.parent; a; a = a.parent) if (/^(?:button|a|summary|option|label)$/.test(a.tag) || role === 'none' && WIDGETS.has(a.role)) return true;
  return false;
}

const CONTAINERS = /^(?:html|body|main|nav|form|ul|ol|dl|menu|table|tbody|thead|tfoot)$/;
const CONTROLS = 'a[href],button,input,select,textarea,summary,[tabindex],[role=button],[role=option],[role=gridcell],[role=menuitem],[role=tab],[contenteditable]';
const FEW = 3; // controls in a card that is clicked as a whole

const CONTENT = /^(?:img|svg|canvas|video|picture)$/;

/** passesOn: the element listens for what is inside it, as lists, whole applications and wrappers of one control do. */
function passesOn(rec: Rec): boolean {
  if (CONTAINERS.test(rec.tag)) return rec.kids.length > 0;
  let controls = 0, content = false;
  const look = (r: Rec): void => {
    for (const k of r.kids) {
      if (k.tag && (k.node as Element).matches(CONTROLS)) {
        if (++controls > FEW) return;
        continue;
      }
      content ||= !k.tag || k.leaf || CONTENT.test(k.tag);
      look(k);
    }
  };
  look(rec);
  return controls > FEW || controls > 0 && !content;
}
