// The role of an element: what the author says, what HTML says, and who wins (WAI-ARIA 1.2 §5.3, §7, HTML-AAM).
import { GLOBAL_ATTRS, ROLES, SECTIONING, SECTIONING_ROLES, SYNONYMS } from './aria';
import { declaredRole } from './internals';
import { recOf } from './records';

/** roleOf is the element's role; "generic" when it has none, "none" when it is presentational. */
export function roleOf(el: Element, tag = el.localName, attrs = el.hasAttributes()): string {
  const stated = attrs ? statedRole(el) : '';
  if (stated === 'none' && keepsRole(el)) return implicitRole(el, tag);
  if (stated === 'cell' && inGrid(el)) return 'gridcell';
  if (stated) return stated;
  const own = implicitRole(el, tag);
  if (OWNED[own] !== undefined && inheritsNone(el, own)) return 'none';
  return own;
}

/** statedRole is the first role of the attribute that exists and applies; "" when none does. */
export function statedRole(el: Element): string {
  const attr = el.getAttribute('role');
  if (!attr) return '';
  for (const token of attr.toLowerCase().split(/[ \t\n\f\r]+/)) {
    if (!ROLES.has(token)) continue;
    // A landmark nobody can tell apart is no landmark: the next role in the list counts.
    if ((token === 'region' || token === 'form') && !isNamed(el)) continue;
    if (token === 'listitem' && !inList(el)) continue;
    return SYNONYMS[token] ?? token;
  }
  return '';
}

// An item of no list is none.
function inList(el: Element): boolean {
  for (let p = up(el); p; p = up(p)) if (FIXED[p.localName] === 'list' || statedRole(p) === 'list') return true;
  return false;
}

/** isNamed says whether the author named the element: the names that make a section a landmark. */
export function isNamed(el: Element): boolean {
  return !!el.getAttribute('aria-label')?.trim() || el.hasAttribute('aria-labelledby') && labelledbyExists(el) || !!el.getAttribute('title')?.trim();
}

function labelledbyExists(el: Element): boolean {
  const root = el.getRootNode() as Document | ShadowRoot;
  return (el.getAttribute('aria-labelledby') ?? '').split(/\s+/).some((id) => id && root.getElementById?.(id));
}

/** keepsRole: focusable elements and those with global aria attributes cannot be made presentational. */
function keepsRole(el: Element): boolean {
  if (isFocusable(el)) return true;
  if (!el.hasAttributes()) return false;
  for (const a of GLOBAL_ATTRS) if (el.hasAttribute(a) && el.getAttribute(a) !== '' ) return true;
  return false;
}

const NATIVE_FOCUS = new Set(['button', 'input', 'select', 'textarea', 'iframe', 'summary', 'embed', 'object']);

/** isFocusable: a person or script can put the focus here. */
export function isFocusable(el: Element): boolean {
  if (el.hasAttribute('tabindex') && !Number.isNaN(parseInt(el.getAttribute('tabindex')!, 10))) return !isDisabled(el);
  const tag = el.localName;
  if (tag === 'a' || tag === 'area') return hasHref(el);
  if (NATIVE_FOCUS.has(tag)) {
    if (tag === 'input' && (el as HTMLInputElement).type === 'hidden') return false;
    if (tag === 'summary') return isSummary(el);
    if (tag === 'object' || tag === 'embed') return false;
    return !isDisabled(el);
  }
  if ((tag === 'audio' || tag === 'video') && el.hasAttribute('controls')) return true;
  return el.hasAttribute('contenteditable') && isEditingHost(el);
}

/** isDisabled: native controls only, fieldsets included. */
export const isDisabled = (el: Element): boolean => el.matches(':disabled');

/** isEditingHost: the element itself turns editing on. */
export function isEditingHost(el: Element): boolean {
  const v = el.getAttribute('contenteditable');
  return v !== null && v.toLowerCase() !== 'false' && v.toLowerCase() !== 'inherit';
}

const hasHref = (el: Element): boolean => el.hasAttribute('href') || el.hasAttribute('xlink:href');

/** isSummary: the first summary child of a details element, the one that opens it. */
export function isSummary(el: Element): boolean {
  const p = el.parentElement;
  if (p?.localName !== 'details') return false;
  for (let c = p.firstElementChild; c; c = c.nextElementSibling) if (c.localName === 'summary') return c === el;
  return false;
}

const FIXED: Record<string, string> = {
  address: 'group', article: 'article', blockquote: 'blockquote', body: 'generic', button: 'button', caption: 'caption', code: 'code',
  datalist: 'listbox', dir: 'list', dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term', em: 'emphasis',
  fieldset: 'group', figure: 'figure', form: 'form', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  hgroup: 'group', hr: 'separator', html: 'document', iframe: 'iframe', frame: 'iframe', ins: 'insertion', li: 'listitem', main: 'main', mark: 'mark', math: 'math',
  menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph',
  progress: 'progressbar', s: 'deletion', search: 'search', strong: 'strong', sub: 'subscript', sup: 'superscript', table: 'table',
  textarea: 'textbox', tfoot: 'rowgroup', thead: 'rowgroup', time: 'time', ul: 'list',
};

const INPUTS: Record<string, string> = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider',
  number: 'spinbutton', search: 'searchbox', hidden: 'none',
};

function implicitRole(el: Element, tag: string): string {
  const fixed = FIXED[tag];
  if (fixed) return fixed;
  switch (tag) {
    case 'a': case 'area': return hasHref(el) ? 'link' : 'generic';
    case 'img': return el.getAttribute('alt') === '' && !el.hasAttribute('aria-label') && !isNamed(el) ? 'none' : 'img';
    case 'image': case 'svg': return 'img';
    case 'input': return inputRole(el as HTMLInputElement);
    case 'select': return (el as HTMLSelectElement).multiple || (el as HTMLSelectElement).size > 1 ? 'listbox' : 'combobox';
    case 'header': return isTopLevel(el) ? 'banner' : 'sectionheader';
    case 'footer': return isTopLevel(el) ? 'contentinfo' : 'sectionfooter';
    case 'aside': return isNamed(el) || el.hasAttribute('title') || isTopLevel(el) || !inSectioning(el, false) ? 'complementary' : 'generic';
    case 'section': return isNamed(el) || el.hasAttribute('title') ? 'region' : 'generic';
    case 'tbody': return isNamed(el) || el.hasAttribute('id') ? 'rowgroup' : 'generic'; // every table has one
    case 'tr': return rowRole(el);
    case 'td': return cellRole(el, 'cell');
    case 'th': return headerRole(el);
    case 'circle': case 'ellipse': case 'line': case 'path': case 'polygon': case 'polyline': case 'rect': case 'use': return isDrawn(el) ? 'graphics-symbol' : 'generic';
    case 'g': return isDrawn(el) ? 'group' : 'generic';
    case 'summary': return isSummary(el) ? 'button' : 'generic';
    default: return tag.includes('-') ? declaredRole(el) : 'generic';
  }
}

// isDrawn: a part of a drawing that its author named.
const isDrawn = (el: Element): boolean => el instanceof SVGElement && (isNamed(el) || el.firstElementChild?.localName === 'title');

function inputRole(el: HTMLInputElement): string {
  const type = el.type;
  if (type === 'checkbox' && el.hasAttribute('switch') && 'switch' in el) return 'switch'; // as far as the browser makes one of it
  const role = INPUTS[type] ?? 'textbox';
  if ((role === 'textbox' || role === 'searchbox') && el.list && /^(?:text|search|email|tel|url)$/.test(type)) return 'combobox';
  return role;
}

const isTopLevel = (el: Element): boolean => !inSectioning(el, true);

function inSectioning(el: Element, mainToo: boolean): boolean {
  for (let p = up(el); p; p = up(p)) {
    const role = statedRole(p);
    if (role ? SECTIONING_ROLES.has(role) && (mainToo || role !== 'main') : SECTIONING.has(p.localName) && (mainToo || p.localName !== 'main')) return true;
  }
  return false;
}

/** up is the parent in the flat tree. */
export function up(el: Element): Element | null {
  const rec = recOf(el);
  if (rec?.parent) return rec.parent.node as Element;
  return el.assignedSlot ?? el.parentElement ?? (el.getRootNode() as ShadowRoot).host ?? null;
}

/** tableOf is the table a cell or row belongs to. */
function tableOf(el: Element): Element | null {
  // Nearly every cell is at one of these places; closest() costs more than all of them.
  for (let p = el.parentElement, i = 0; p && i < 3; p = p.parentElement, i++) if (p.localName === 'table') return p;
  return el.closest('table,[role=table],[role=grid],[role=treegrid]');
}

function cellRole(el: Element, plain: string): string {
  const table = tableOf(el);
  if (!table || !isTable(table) || el.parentElement?.hasAttribute('role') && statedRole(el.parentElement) === 'none') return 'generic';
  return isGrid(table) ? 'gridcell' : plain;
}

const isGrid = (table: Element): boolean => /^(?:tree)?grid$/.test(statedRole(table));

// A table that its author calls something else has no rows and no cells.
const isTable = (table: Element): boolean => !table.hasAttribute('role') || /^(?:|none|table|grid|treegrid)$/.test(statedRole(table));

/** inGrid says whether what el is a row or a cell of is a grid; tables that are for layout only are none. */
export function inGrid(el: Element): boolean {
  let table = el.parentElement?.closest('[role],table');
  while (table && !isGrid(table) && !(table.localName === 'table' && statedRole(table) !== 'none') && statedRole(table) !== 'table') table = table.parentElement?.closest('[role],table');
  return !!table && isGrid(table);
}

function rowRole(el: Element): string {
  const table = tableOf(el);
  return !table || isTable(table) ? 'row' : 'none';
}

function headerRole(el: Element): string {
  switch ((el.getAttribute('scope') ?? '').toLowerCase()) {
    case 'col': case 'colgroup': return 'columnheader';
    case 'row': case 'rowgroup': return 'rowheader';
  }
  const row = el.parentElement;
  const table = tableOf(el);
  if (!row || !table || !isTable(table)) return 'generic';
  let cells = 0;
  let heads = 0;
  for (let c = row.firstElementChild; c; c = c.nextElementSibling) {
    cells++;
    if (c.localName === 'th') heads++;
  }
  if (row.parentElement?.localName === 'thead' || cells === heads && cells > 1) return 'columnheader';
  if (cells === 1) return 'columnheader';
  return 'rowheader';
}

// Elements that are nothing without their owner: when the owner is presentational, so are they.
const OWNED: Record<string, ((el: Element) => Element | null) | undefined> = {
  listitem: (el) => el.parentElement,
  row: tableOf, rowgroup: tableOf, cell: tableOf, gridcell: tableOf, columnheader: tableOf, rowheader: tableOf, caption: (el) => el.parentElement,
};

function inheritsNone(el: Element, own: string): boolean {
  const owner = OWNED[own]!(el);
  if (owner === null || !owner.hasAttributes()) return false;
  const role = statedRole(owner);
  if (own === 'listitem') return role !== '' && role !== 'list' && /^(?:ul|ol|menu|dir)$/.test(owner.localName) && !(role === 'none' && keepsRole(owner));
  return role === 'none' && !keepsRole(owner);
}
