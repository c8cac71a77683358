// place: where the document inside a frame element is painted.

/** place is the frame element's content box in this viewport, and how much larger than its own pixels it is drawn. */
export function place(frame: Element): { x: number; y: number; w: number; h: number; scale: number } {
  const r = frame.getBoundingClientRect();
  const style = getComputedStyle(frame);
  const el = frame as HTMLElement;
  const scale = el.offsetWidth ? r.width / el.offsetWidth : 1;
  const side = (v: string): number => (parseFloat(v) || 0) * scale;
  const left = side(style.borderLeftWidth) + side(style.paddingLeft);
  const top = side(style.borderTopWidth) + side(style.paddingTop);
  return {
    x: r.x + left, y: r.y + top, scale,
    w: r.width - left - side(style.borderRightWidth) - side(style.paddingRight),
    h: r.height - top - side(style.borderBottomWidth) - side(style.paddingBottom),
  };
}
