function (el, want) {
  const blank = /[\s\u00ad\u200b-\u200f\u2060\u061c\u202a-\u202e\u2066-\u2069\ufeff]/;
  const up = (n) => n.assignedSlot ?? n.parentElement ?? n.parentNode?.host ?? null;
  const style = (e) => getComputedStyle(e);
  const alpha = (c) => c === 'transparent' ? 0 : +(/^rgba\(.*,\s*([\d.]+)\)$/.exec(c) ?? /\/\s*([\d.]+)\s*\)$/.exec(c) ?? [0, 1])[1];

  // ink: what speaks against the text of p, as it is drawn.
  const ink = (p) => {
    const c = style(p);
    if (parseFloat(c.fontSize) < 2) return 'its text is too small to be read';
    if (p.namespaceURI !== 'http://www.w3.org/1999/xhtml') return '';
    const drawn = parseFloat(c.webkitTextStrokeWidth) > 0 || c.textShadow !== 'none' || /text/.test(c.webkitBackgroundClip);
    return alpha(c.webkitTextFillColor) < 0.05 && !drawn ? 'its text is transparent' : '';
  };

  // whole: what speaks against all of e, and its boxes around it.
  const whole = (e) => {
    for (let a = e; a; a = up(a)) {
      const c = style(a);
      if (/opacity\((?:0|0?\.0\d*)\)/.test(c.filter)) return 'it is transparent';
      const mask = c.maskImage || c.webkitMaskImage || 'none';
      const stops = /gradient\(/.test(mask) && !/url\(/.test(mask) ? mask.match(/rgba?\([^)]*\)/g) : null;
      if (stops && stops.every((s) => alpha(s) === 0)) return 'it is masked away';
      if (c.backfaceVisibility === 'hidden' && turned(a)) return 'it shows its back';
    }
    return '';
  };
  const turned = (e) => {
    let front = true;
    for (let a = e; a; a = up(a)) {
      const t = style(a).transform;
      if (t.startsWith('matrix3d') && +t.slice(9, -1).split(',')[10] < 0) front = !front;
      const around = up(a);
      if (!around || style(around).transformStyle !== 'preserve-3d') break;
    }
    return !front;
  };

  // place: whether the rects of a run of text in p are cut off, or off the page.
  const place = (rects, p) => {
    let all = 0, left = 0, off = true;
    for (const r of rects) {
      let x = r.left, y = r.top, x2 = r.right, y2 = r.bottom;
      all += r.width * r.height;
      if (x2 + scrollX > 0 && y2 + scrollY > 0 || document.dir === 'rtl') off = false;
      let position = style(p).position;
      for (let a = p; a && a !== document.body && a !== document.documentElement; a = up(a)) {
        const c = style(a);
        if (a !== p && (position === 'fixed' || position === 'absolute' && c.position === 'static' && c.transform === 'none')) continue;
        position = a === p ? position : c.position === 'static' ? position : c.position;
        if (c.display === 'inline' || c.display === 'contents') continue;
        const b = a.getBoundingClientRect();
        if (/hidden|clip/.test(c.overflowX)) { x = Math.max(x, b.left); x2 = Math.min(x2, b.right); }
        if (/hidden|clip/.test(c.overflowY)) { y = Math.max(y, b.top); y2 = Math.min(y2, b.bottom); }
      }
      left += Math.max(0, x2 - x) * Math.max(0, y2 - y);
    }
    if (!all) return '';
    if (off) return 'its text lies off the page';
    return left / all < 0.5 ? 'its text is cut off' : '';
  };

  // camouflage: the text has exactly the colour of what is behind it. Whatever is in doubt is no camouflage.
  const camouflage = (r, p) => {
    const c = style(p), colour = c.webkitTextFillColor;
    if (p.namespaceURI !== 'http://www.w3.org/1999/xhtml' || alpha(colour) < 1 || c.textShadow !== 'none' || parseFloat(c.webkitTextStrokeWidth) > 0) return '';
    const x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
    const stack = p.getRootNode().elementsFromPoint?.(x, y) ?? [];
    const at = stack.indexOf(p);
    if (at < 0 || p.getRootNode() !== document) return '';
    for (const e of stack.slice(at)) {
      const s = style(e);
      const plain = s.backgroundImage === 'none' && s.mixBlendMode === 'normal' && s.backdropFilter === 'none' && ['::before', '::after'].every((w) => /^(?:none|normal)$/.test(style(e, w).content));
      const a = alpha(s.backgroundColor);
      if (!plain || /^(?:img|video|canvas|svg|iframe|object|embed|picture)$/.test(e.localName) || a > 0 && a < 1) return '';
      if (a === 1) return s.backgroundColor === colour ? 'its text has the colour of what is behind it' : '';
    }
    return colour === 'rgb(255, 255, 255)' && self === top && style(document.documentElement).colorScheme === 'normal' ? 'its text has the colour of the page' : '';
  };

  const chars = [];
  const gather = (n) => {
    if (n.nodeType === 3) { for (let i = 0; i < n.data.length; i++) if (!blank.test(n.data[i])) chars.push([n, i]); return; }
    if (n.nodeType !== 1 && n.nodeType !== 11) return;
    const slotted = n.localName === 'slot' ? n.assignedNodes() : [];
    for (const k of slotted.length ? slotted : (n.shadowRoot ?? n).childNodes) gather(k);
  };
  const words = [...want].filter((c) => !blank.test(c)).join('');
  if (words) gather(el);
  const said = chars.map(([n, i]) => n.data[i]).join('');
  let why = whole(el.nodeType === 1 ? el : up(el)); // a run of text is drawn by what it stands in
  if (why || !words) return why;
  let at = said.indexOf(words);
  if (at < 0) return el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select' ? ink(el) : '';
  for (; at >= 0; at = said.indexOf(words, at + 1)) {
    let objection = '';
    for (let i = at; i < at + words.length && !objection;) {
      const [node, from] = chars[i];
      let to = from;
      while (i < at + words.length && chars[i][0] === node) to = chars[i++][1];
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to + 1);
      const p = up(node), rects = [...range.getClientRects()];
      objection = ink(p) || whole(p) || place(rects, p) || rects.length && camouflage(rects[0], p) || '';
    }
    if (!objection) return '';
    why ||= objection;
  }
  return why;
}
