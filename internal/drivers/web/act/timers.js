(() => {
  // The short timers that the page set during an action and that have not run: asked, this script tells when the last of
  // them is due. A timer that another timer sets, or that the page keeps setting by itself, is the page's own.
  const SHORT = 400, LATE = 1500, OWN = 2, NEAR = 30;
  const { apply } = Reflect, { now } = performance, { dispatchEvent, addEventListener } = EventTarget.prototype, { toString } = Function.prototype, Ev = CustomEvent, Str = String, UI = UIEvent;
  const { get, set, delete: drop, clear } = Map.prototype, { forEach } = Map.prototype;
  const time = () => apply(now, performance, []);
  const due = new Map(); // by id, of the timers to wait for
  const late = new Map(); // likewise, of longer ones that the action set itself
  const habits = new Map(); // how often such a timer was set by the page itself, and when one last ran
  let acting = false, inTimer = false;
  const habit = (key) => {
    let h = apply(get, habits, [key]);
    if (!h) {
      if (habits.size > 500) apply(clear, habits, []);
      apply(set, habits, [key, h = { sets: 0, ran: -1e9 }]);
    }
    return h;
  };
  const FORM = ['change', 'submit', 'reset', 'select'];
  const byHand = () => {
    const e = globalThis.event;
    return !!e && e.isTrusted === true && (e instanceof UI || FORM.includes(e.type));
  };
  const hook = (name, f) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, name);
    if (!own?.value) return;
    own.value = new Proxy(own.value, { apply: f });
    Object.defineProperty(globalThis, name, own);
  };
  hook('setTimeout', (target, self, args) => {
    const [f, delay] = args, ms = typeof delay === 'number' ? delay : 0;
    if (typeof f !== 'function' || !(ms <= LATE)) return apply(target, self, args);
    if (ms > SHORT) {
      const id = apply(target, self, args);
      if (acting && byHand()) apply(set, late, [id, time() + ms]);
      return id;
    }
    const began = time(), direct = acting && byHand(), h = habit(ms + apply(toString, f, []).slice(0, 99));
    if (!direct && (!acting || began - h.ran < NEAR)) h.sets++;
    let id;
    args[0] = function (...a) {
      apply(drop, due, [id]);
      h.ran = time();
      const was = inTimer;
      inTimer = true;
      try { return apply(f, this, a); } finally { inTimer = was; }
    };
    id = apply(target, self, args);
    if (acting && !inTimer && (direct || h.sets < OWN)) apply(set, due, [id, began + ms]);
    return id;
  });
  hook('clearTimeout', (target, self, args) => {
    apply(drop, due, [args[0]]);
    apply(drop, late, [args[0]]);
    return apply(target, self, args);
  });
  apply(addEventListener, globalThis, ['trailblaze-timers', (e) => {
    if (e.detail === 'begin') {
      acting = true;
      apply(clear, due, []);
      apply(clear, late, []);
    } else if (e.detail === 'end') {
      acting = false;
    } else if (e.detail === 'ask' || e.detail === 'late') {
      let last = 0;
      const latest = (at) => { last = at > last ? at : last; };
      apply(forEach, due, [latest]);
      if (e.detail === 'late') apply(forEach, late, [latest]);
      if (last) apply(dispatchEvent, document, [new Ev('trailblaze-timers', { detail: Str(last - time()) })]);
    }
  }, true]);
})();
