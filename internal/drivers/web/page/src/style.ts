// Reading computed style, once per element and only what matters here. Reading is exact; when it must be repeated is
// decided in dirty.ts.
import { S } from './tree';

const BLOCKISH = /^(?:inline|contents|ruby)/;

/** hasPseudo is false while no style sheet of the document generates content. */
let pseudo = true;
export const setPseudo = (on: boolean): void => void (pseudo = on);

/** readStyle returns the element's S bits; its opacity is left in lastOpacity. */
export let lastOpacity = 1;

export function readStyle(el: Element): number {
  const c = getComputedStyle(el);
  const display = c.display;
  lastOpacity = 1;
  if (display === 'none') return S.None;
  let s = 0;
  if (display === 'contents') s |= S.Contents | S.Inline;
  else if (display === 'inline' || display === 'ruby' || display === 'ruby-text') s |= S.Inline;
  const v = c.visibility;
  if (v !== 'visible') s |= S.Invisible;
  if (c.cursor === 'pointer') s |= S.Pointer;
  if (c.pointerEvents === 'none') s |= S.NoEvents;
  const o = c.opacity;
  if (o !== '1') lastOpacity = +o;
  const over = c.overflow;
  if (over !== 'visible' && !(s & S.Inline)) s |= overflowBits(over);
  const p = c.position;
  if (p !== 'static') s |= S.Positioned | (p === 'absolute' ? S.Absolute : p === 'fixed' ? S.Fixed : 0);
  if (c.clipPath !== 'none' || (s & (S.Absolute | S.Fixed) && c.clip !== 'auto')) s |= S.ClipPath;
  if (c.transform !== 'none' || c.willChange !== 'auto' && /transform|filter|perspective/.test(c.willChange) || c.contain !== 'none' && /paint|strict|content|layout/.test(c.contain)) s |= S.Contains;
  if (c.contentVisibility === 'hidden') s |= S.Skipped;
  if (pseudo) {
    if (hasContent(el, '::before')) s |= S.Before;
    if (hasContent(el, '::after')) s |= S.After;
  }
  return s;
}

function overflowBits(over: string): number {
  const [x, y = x] = over.split(' ');
  return axis(x, S.HardX, S.SoftX) | axis(y, S.HardY, S.SoftY);
}

const axis = (v: string, hard: number, soft: number): number =>
  v === 'hidden' || v === 'clip' ? hard : v === 'auto' || v === 'scroll' || v === 'overlay' ? soft : 0;

function hasContent(el: Element, which: string): boolean {
  const c = getComputedStyle(el, which).content;
  return c !== 'none' && c !== 'normal' && c !== '""';
}

/** separates says whether an element with this display stands apart from the text around it. */
export const separates = (display: string): boolean => !BLOCKISH.test(display) || display.startsWith('inline-');
