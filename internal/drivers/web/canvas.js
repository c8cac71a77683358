(() => {
  // What was drawn on a canvas as text, in order; a canvas that another was drawn on has its texts as well.
  const texts = new WeakMap(), longest = 1 << 16;
  const { apply } = Reflect, { get, set, has } = WeakMap.prototype, { dispatchEvent } = EventTarget.prototype, { composedPath: path } = Event.prototype, Ev = CustomEvent, Str = String;
  const of = (c) => apply(has, texts, [c]) ? apply(get, texts, [c]) : '';
  const note = (c, t) => {
    const old = of(c);
    if (t && !old.endsWith(t)) apply(set, texts, [c, (old + t).slice(-longest)]);
    else if (t) apply(set, texts, [c, old.length < longest / 2 ? old + t : old]);
  };
  const hear = (proto, name, f) => {
    const own = proto && Object.getOwnPropertyDescriptor(proto, name);
    if (!own || !own.value) return;
    own.value = new Proxy(own.value, { apply(target, self, args) { try { f(self, args); } catch { /* the call itself says what is wrong */ } return apply(target, self, args); } });
    Object.defineProperty(proto, name, own);
  };
  for (const name of ['CanvasRenderingContext2D', 'OffscreenCanvasRenderingContext2D']) {
    const proto = globalThis[name]?.prototype;
    for (const draw of ['fillText', 'strokeText']) hear(proto, draw, (self, args) => note(self.canvas, Str(args[0])));
    hear(proto, 'drawImage', (self, args) => note(self.canvas, of(args[0])));
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
    const t = of(apply(has, drawnBy, [c]) ? apply(get, drawnBy, [c]) : c);
    if (t) apply(dispatchEvent, c, [new Ev('WORD-told', { detail: t })]);
  }, true);
})();
