// handlers.js runs in the page's own world before any script of the page. Only there can event listeners, the marks that
// frameworks leave on elements and the roles of custom elements be read. It answers the page script (src/handlers.ts) over
// a node that is in no document, so the page cannot reach it, and it keeps the functions it needs before the page could
// replace them. Its answers are data of the page: they decide what gets a ref, and nothing else.
(() => {
  if (typeof getEventListeners !== 'function') return; // the command line API, which only the protocol gives
  const listenersOf = getEventListeners, { apply, ownKeys } = Reflect;
  const descriptor = Object.getOwnPropertyDescriptor, json = JSON.stringify;
  const getter = (of, name) => {
    const get = descriptor(of.prototype, name).get;
    return (x) => apply(get, x, []);
  };
  const related = getter(MouseEvent, 'relatedTarget');
  const first = getter(Element, 'firstElementChild'), next = getter(Element, 'nextElementSibling');
  const shadowOf = getter(Element, 'shadowRoot'), firstIn = getter(DocumentFragment, 'firstElementChild'), tagOf = getter(Element, 'localName');
  const setAttribute = Element.prototype.setAttribute, startsWith = String.prototype.startsWith, includes = String.prototype.includes;
  const slice = String.prototype.slice, lower = String.prototype.toLowerCase;
  const weak = new WeakMap(), recall = WeakMap.prototype.get, note = WeakMap.prototype.set;

  const PRESSES = { __proto__: null };
  for (const t of ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'dblclick', 'contextmenu']) PRESSES[t] = true;
  const PROPS = { __proto__: null };
  for (const p of ['onClick', 'onMouseDown', 'onMouseUp', 'onPointerDown', 'onPointerUp', 'onTouchStart', 'onTouchEnd', 'onDoubleClick', 'onContextMenu']) PROPS[p] = true;

  const value = (of, key) => descriptor(of, key)?.value; // never calls a getter of the page
  const begins = (s, with_) => apply(startsWith, s, [with_]);

  // What a framework noted on an element: 2 a handler of its own, 4 that the element only passes on the events of others.
  const marks = (el) => {
    let found = 0;
    for (const key of ownKeys(el)) {
      if (typeof key !== 'string') continue;
      if (begins(key, '__reactContainer$') || begins(key, '_reactListening')) found |= 4;
      else if (begins(key, '__reactProps$') || begins(key, '__reactEventHandlers$')) {
        const props = value(el, key);
        if (props && typeof props === 'object') for (const p of ownKeys(props)) if (p in PROPS && typeof value(props, p) === 'function') found |= 2;
      } else if ((begins(key, '$$') || begins(key, '__')) && apply(slice, key, [2]) in PRESSES) found |= 2; // Solid, Svelte
      else if (begins(key, 'jQuery')) found |= delegated(value(value(el, key) ?? {}, 'events'));
    }
    return found;
  };

  // jQuery listens once per type, for handlers of the element and for those of what is inside alike.
  const delegated = (events) => {
    if (!events || typeof events !== 'object') return 0;
    let own = 0, passed = 0;
    for (const type of ownKeys(events)) {
      const list = type in PRESSES && value(events, type);
      if (!list) continue;
      const inner = value(list, 'delegateCount') | 0;
      passed += inner;
      own += (value(list, 'length') | 0) - inner;
    }
    return own > 0 ? 2 : passed > 0 ? 4 : 0;
  };

  const listens = (el) => {
    for (const type of ownKeys(listenersOf(el))) if (type in PRESSES) return 1;
    return 0;
  };

  // The internals of a custom element are reachable where it keeps them in a property.
  const ARIA = ['role'];
  for (const p of ownKeys(ElementInternals.prototype)) if (typeof p === 'string' && begins(p, 'aria') && !apply(includes, p, ['Element'])) ARIA[ARIA.length] = p;
  const read = { __proto__: null };
  for (const p of ARIA) read[p] = getter(ElementInternals, p);
  const internalsOf = (el) => {
    let internals = apply(recall, weak, [el]);
    if (internals) return internals;
    for (const key of ownKeys(el)) {
      const v = value(el, key);
      if (!v || typeof v !== 'object') continue;
      try {
        read.role(v);
        internals = v;
        apply(note, weak, [el, v]);
      } catch {} // another kind of object
    }
    return internals;
  };
  const declared = (el) => {
    if (!apply(includes, tagOf(el), ['-'])) return '';
    const internals = internalsOf(el);
    if (!internals) return '';
    const said = { __proto__: null };
    let any = false;
    for (const p of ARIA) {
      const v = read[p](internals);
      if (v !== null) { said[p === 'role' ? p : 'aria-' + apply(lower, apply(slice, p, [4]), [])] = v; any = true; }
    }
    return any ? json(said) : '';
  };

  // One line per element that has something to tell: its place in the order of the walk, bits, what its internals declare.
  let out = '', at = 0;
  const visit = (el) => {
    const bits = marks(el) | listens(el), says = declared(el);
    if (bits || says) out += at + ' ' + bits + ' ' + says + '\n';
    at++;
    const root = shadowOf(el);
    for (let c = root && firstIn(root); c; c = next(c)) visit(c);
    for (let c = first(el); c; c = next(c)) visit(c);
  };

  const bridge = document.createElement('i');
  bridge.addEventListener('ask', (e) => {
    out = '';
    at = 0;
    try {
      visit(related(e));
    } catch {} // too deep: what was found so far counts
    apply(setAttribute, bridge, ['answer', out]);
  });
  dispatchEvent(new MouseEvent('__trailblaze', { relatedTarget: bridge }));
})();
