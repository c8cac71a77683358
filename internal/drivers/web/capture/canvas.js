(() => {
  // What was drawn on a canvas as text, in order; a canvas that another was drawn on has its texts as well.
  const texts = new WeakMap(), longest = 1 << 16;
  // A canvas can be read when it was seen to get a 2D context here, and nothing was put on it that cannot: WebGL, workers,
  // videos and bare pixels cannot.
  const flat = new WeakSet(), sealed = new WeakSet();
  const { apply } = Reflect, { get, set, has } = WeakMap.prototype, { add, has: holds } = WeakSet.prototype, { dispatchEvent } = EventTarget.prototype, { composedPath: path } = Event.prototype, Ev = CustomEvent, Str = String;
  const of = (c) => apply(has, texts, [c]) ? apply(get, texts, [c]) : '';
  const note = (c, t) => {
    const old = of(c);
    if (t && !old.endsWith(t)) apply(set, texts, [c, (old + t).slice(-longest)]);
    else if (t) apply(set, texts, [c, old.length < longest / 2 ? old + t : old]);
  };
  const hear = (proto, name, f) => {
    const own = proto && Object.getOwnPropertyDescriptor(proto, name);
    if (!own || !own.value) return;
    own.value = new Proxy(own.value, { apply(target, self, args) {
      const out = apply(target, self, args);
      try { f(self, args, out); } catch { /* the call itself has said what is wrong */ }
      return out;
    } });
    Object.defineProperty(proto, name, own);
  };
  const readable = (c) => apply(holds, flat, [c]) && !apply(holds, sealed, [c]);
  const Image = globalThis.HTMLImageElement, Canvases = [globalThis.HTMLCanvasElement, globalThis.OffscreenCanvas].filter(Boolean);
  const source = Image && Object.getOwnPropertyDescriptor(Image.prototype, 'src').get;
  const lay = (c, from) => {
    if (Image && from instanceof Image) {
      const src = apply(source, from, []);
      if (src.startsWith('data:')) note(c, src);
    } else if (!Canvases.some((k) => from instanceof k) || !readable(from)) apply(add, sealed, [c]);
    else note(c, of(from));
  };
  for (const k of Canvases) hear(k.prototype, 'getContext', (self, args, out) => { if (out && Str(args[0]) === '2d') apply(add, flat, [self]); });
  for (const name of ['CanvasRenderingContext2D', 'OffscreenCanvasRenderingContext2D']) {
    const proto = globalThis[name]?.prototype;
    for (const draw of ['fillText', 'strokeText']) hear(proto, draw, (self, args) => note(self.canvas, Str(args[0])));
    for (const draw of ['drawImage', 'createPattern']) hear(proto, draw, (self, args) => lay(self.canvas, args[0]));
    hear(proto, 'putImageData', (self) => apply(add, sealed, [self.canvas]));
  }
  // A canvas that is drawn on through another object has that one's texts.
  const drawnBy = new WeakMap();
  const proto = globalThis.HTMLCanvasElement?.prototype, own = proto && Object.getOwnPropertyDescriptor(proto, 'transferControlToOffscreen');
  if (own?.value) {
    own.value = new Proxy(own.value, { apply(target, self, args) { const o = apply(target, self, args); apply(set, drawnBy, [self, o]); return o; } });
    Object.defineProperty(proto, 'transferControlToOffscreen', own);
  }
  addEventListener('WORD', (e) => {
    const c = apply(path, e, [])[0];
    const by = apply(has, drawnBy, [c]) ? apply(get, drawnBy, [c]) : c;
    if (readable(by)) apply(dispatchEvent, c, [new Ev('WORD-told', { detail: of(by) })]);
  }, true);
})();
