// Reading computed style, once per element and only what matters here. Reading is exact; when it must be repeated is
// decided in dirty.ts.
import { P, reach } from './sheets';
import { K, S, kindOf } from './tree';

/** lastOpacity is the opacity of the element that readStyle looked at last. */
export let lastOpacity = 1;

/** readStyle returns the element's S bits, given its parent's. Properties that no rule in the document sets are not read:
 * inherited ones are the parent's, others initial. moving elements (by script animations) and inline styles read all. */
export function readStyle(el: Element, tag: string, parent: number, moving: boolean): number {
  const attrs = el.hasAttributes();
  const styled = attrs && el.hasAttribute('style') ? S.Styled : 0;
  const kind = kindOf(tag);
  if (kind & (K.Inline | K.Block) && !moving && reach.props === 0 && !reach.pseudo && !styled && !(parent & S.Styled) &&
    !(attrs && (el.hasAttribute('hidden') || el.hasAttribute('popover')))) {
    // Nothing on this page sets any of these properties: the tag and the parent say all.
    lastOpacity = 1;
    return (kind & K.Inline ? S.Inline : tag === 'td' || tag === 'th' ? S.Cell : 0) | parent & (S.Invisible | S.Pointer | S.Grab | S.NoEvents | S.Print);
  }
  const c = getComputedStyle(el);
  const display = c.display;
  lastOpacity = 1;
  if (display === 'none') return S.None | styled;
  const p = moving || OWN_RULES.test(tag) || styled || attrs && (el.hasAttribute('popover') || el.hasAttribute('hidden')) ? P.All : reach.props;
  let s: number = styled;
  if (display === 'table-cell') s |= S.Cell;
  if (p & P.Float && c.float !== 'none') s |= S.Float;
  if (display === 'contents') s |= S.Contents | S.Inline;
  else if (display === 'inline' || display === 'ruby' || display === 'ruby-text') s |= S.Inline;
  s |= p & P.Visibility ? (c.visibility !== 'visible' ? S.Invisible : 0) : parent & S.Invisible;
  s |= p & P.Cursor ? cursorBit(c.cursor) : parent & (S.Pointer | S.Grab);
  s |= p & P.Events ? (c.pointerEvents === 'none' ? S.NoEvents : 0) : parent & S.NoEvents;
  s |= p & P.Transform ? transformBit(c.textTransform) : parent & S.Print;
  if (p & P.Opacity) {
    const o = c.opacity;
    if (o !== '1') lastOpacity = +o;
  }
  if (p & P.Overflow && !(s & S.Inline)) {
    const over = c.overflow;
    if (over !== 'visible') s |= overflowBits(over);
  }
  if (p & P.Position) {
    const pos = c.position;
    if (pos !== 'static') s |= S.Positioned | (pos === 'absolute' ? S.Absolute : pos === 'fixed' ? S.Fixed : 0);
  }
  if (p & P.Clip && (c.clipPath !== 'none' || s & (S.Absolute | S.Fixed) && c.clip !== 'auto')) s |= S.ClipPath;
  if (p & P.Skip && c.contentVisibility === 'hidden') s |= S.Skipped;
  if (reach.pseudo || tag === 'q') {
    if (hasContent(el, '::before')) s |= S.Before;
    if (hasContent(el, '::after')) s |= S.After;
  }
  return s;
}

// Tags for which the browser's own sheet sets one of these properties.
const OWN_RULES = /^(?:html|body|a|area|input|textarea|select|svg|dialog|hr|marquee|fieldset|button|option|optgroup|label|img|video|iframe|canvas|embed|object|summary|details)$/;

function overflowBits(over: string): number {
  const [x, y = x] = over.split(' ');
  return axis(x, S.HardX, S.SoftX) | axis(y, S.HardY, S.SoftY);
}

const axis = (v: string, hard: number, soft: number): number =>
  v === 'hidden' || v === 'clip' ? hard : v === 'auto' || v === 'scroll' || v === 'overlay' ? soft : 0;

// A picture may come before the name of the cursor that stands in for it.
const cursorBit = (v: string): number => v === 'auto' || v === 'default' ? 0 : /(?:^|, )pointer$/.test(v) ? S.Pointer : DRAG.test(v) ? S.Grab : 0;
const DRAG = /(?:^|, )(?:grab|grabbing|move|all-scroll|[a-z]+-resize)$/;

const transformBit = (v: string): number => v === 'none' ? 0 : v.includes('uppercase') ? S.Upper : v.includes('lowercase') ? S.Lower : v.includes('capitalize') ? S.Capital : 0;

function hasContent(el: Element, which: string): boolean {
  const c = getComputedStyle(el, which).content;
  return c !== 'none' && c !== 'normal' && c !== '""';
}
