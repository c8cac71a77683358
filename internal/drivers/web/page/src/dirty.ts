// What must be looked at again. Mutations and events are digested as they come, into marks on records, so that a page
// left alone for hours holds on to nothing. When the reach of a change is in doubt, everything is marked.
import { recOf, referrersOf } from './records';
import { up } from './role';
import { reach } from './sheets';
import { listen } from './store';
import { Dirty, type Rec, isElement, isText } from './tree';

/** Everything is to be restyled; set by events that move pseudo-classes. */
export const all = { style: true, ext: false, stale: true, boxes: true }; // boxes: anything may lie elsewhere

/** exts are the records whose facts name other elements by id, by label or the like. */
export const exts = new Set<Rec>();

/** touch marks the facts of an element, of everything around it that may quote it, and of those that refer to any of these. */
export function touch(el: Element): void {
  for (let e: Element | null = el; e; e = up(e)) {
    const r = recOf(e);
    if (!r) continue;
    if (r.dirty & Dirty.Up) return;
    r.dirty |= Dirty.Facts | Dirty.Up;
    const by = referrersOf(e);
    if (by) for (const d of by) if (d.gone) by.delete(d); else { d.dirty |= Dirty.Facts; touch(d.node as Element); }
  }
}

/** deepen marks a whole subtree. */
export function deepen(rec: Rec, bits: number): void {
  rec.dirty |= bits;
  for (const k of rec.kids) deepen(k, bits);
}

/** restyle marks what a change at el may restyle. alone: nothing but el and what inherits from it. */
export function restyle(el: Element, alone = false): void {
  if (all.style) return;
  if (reach.has && !alone) return void (all.style = true);
  const from = !alone && reach.siblings ? up(el) ?? el : el;
  const rec = recOf(from);
  if (rec) deepen(rec, Dirty.Style);
}

// Attributes that change facts of more than their element: of what is inside it.
const DEEP = new Set(['role', 'aria-hidden', 'open', 'hidden', 'inert', 'slot', 'type', 'contenteditable', 'disabled', 'aria-disabled', 'scope', 'multiple', 'size', 'aria-owns', 'aria-label', 'aria-labelledby', 'title', 'headers']);
// Attributes by which elements find each other.
const LINKS = new Set(['id', 'for', 'aria-labelledby', 'aria-describedby', 'aria-owns', 'popovertarget', 'popover', 'form', 'list', 'name']);

function onAttribute(el: Element, attr: string): void {
  const rec = recOf(el);
  if (!rec) {
    if (/^(?:link|style|meta|base)$/.test(el.localName)) all.style = true;
    return;
  }
  touch(el);
  if (attr === 'class' || attr === 'id' || !/^(?:aria|data)-/.test(attr) || reach.all || reach.attrs.has(attr)) restyle(el, attr === 'style' && !reach.attrs.has('style'));
  if (LINKS.has(attr)) all.ext = true;
  if (DEEP.has(attr)) deepen(rec, Dirty.Facts);
  if (attr === 'slot' || attr === 'open') rebuild(rec.parent ?? rec);
  if (attr === 'name' && el.localName === 'slot') rebuildHost(el);
}

/** rebuild marks the kids of a subtree: who is where may have changed. */
function rebuild(rec: Rec): void {
  deepen(rec, Dirty.Kids | Dirty.Facts | Dirty.Style);
}

function rebuildHost(el: Element): void {
  const root = el.getRootNode();
  const host = root instanceof ShadowRoot ? recOf(root.host) : undefined;
  if (host) rebuild(host);
}

function onChildren(m: MutationRecord): void {
  const target = m.target instanceof ShadowRoot ? m.target.host : m.target;
  if (!isElement(target)) return void (all.stale = true);
  const rec = recOf(target);
  if (!rec) {
    if (target.localName === 'style' || target.localName === 'head' || target.closest?.('head')) all.ext = true; // a title or a sheet
    if (target.localName === 'title') all.stale = true;
    if (target.localName === 'template') return;
    const around = up(target);
    if (around) touch(around);
    return;
  }
  rec.dirty |= Dirty.Kids;
  touch(target);
  if (rec.root && m.target === target || target.localName === 'slot') rebuild(rec); // slots may now show others
  rebuildHostOfSlots(target);
  if (reach.has) all.style = true;
  else if (reach.siblings) restyle(target, true);
  const table = target.closest('table,details,[role=table],[role=grid],[role=treegrid],select,fieldset');
  const owner = table && recOf(table);
  if (owner) deepen(owner, Dirty.Facts);
  if (!all.ext && (linked(m.addedNodes) || linked(m.removedNodes))) all.ext = true;
}

function rebuildHostOfSlots(el: Element): void {
  if (el.getRootNode() instanceof ShadowRoot && el.querySelector('slot')) rebuildHost(el);
}

function linked(list: NodeList): boolean {
  for (const n of list) if (isElement(n) && (n.matches('[id],label') || n.querySelector('[id],label'))) return true;
  return false;
}

listen((kind, target, records) => {
  if (all.stale) return; // nothing is known yet, so nothing can be out of date
  switch (kind) {
    case 'scroll': all.boxes = true; break;
    case 'tree':
      if (!records) return void (all.stale = true);
      for (const m of records) {
        if (m.type === 'attributes') onAttribute(m.target as Element, m.attributeName!);
        else if (m.type === 'childList') onChildren(m);
        else onText(m.target);
      }
      break;
    case 'focus': if (reach.focus) all.style = true; break;
    case 'value':
      if (reach.form) all.style = true;
      if (isElement(target)) touch(target);
  }
});

function onText(n: Node): void {
  const p = n.parentNode;
  if (!p) return;
  const el = p instanceof ShadowRoot ? p.host : p;
  if (!isElement(el)) return;
  if (el.localName === 'style') return void (all.style = true);
  const rec = recOf(el);
  if (rec) rec.dirty |= Dirty.Kids; // a run may have become blank, or stopped being so
  if (isText(n)) { const own = recOf(n); if (own) own.dirty |= Dirty.Facts; }
  touch(el);
}

// Pseudo-classes move without mutations. Listeners on the window see every event that is composed.
const when = (types: string, test: () => boolean, what: 'style' | 'boxes' = 'style'): void => {
  for (const t of types.split(' ')) addEventListener(t, () => { if (test()) all[what] = true; }, { capture: true, passive: true });
};
when('load error loadedmetadata loadeddata', () => true, 'boxes');
document.fonts?.addEventListener('loadingdone', () => { all.boxes = true; });
when('mouseover mouseout pointerover pointerout', () => reach.hover);
when('mousedown mouseup pointerdown pointerup keydown keyup', () => reach.active || reach.focus);
when('toggle beforetoggle fullscreenchange resize invalid reset submit slotchange', () => true);
when('hashchange popstate', () => reach.target);
