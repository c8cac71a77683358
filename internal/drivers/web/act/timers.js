(() => {
  // The short timers that the page set during an action and that have not run: asked, this script tells when the last of
  // them is due. A timer that another timer sets, or that the page keeps setting by itself, is the page's own.
  // While an action lasts, and a while after, it also tells what a callback comes of: of the action ('hand'), or of the page,
  // which set it before ('own', or 'first' when it has not run yet).
  const SHORT = 400, LATE = 1500, OWN = 2, NEAR = 30, AFTER = 2000;
  const { apply } = Reflect, { now } = performance, { dispatchEvent, addEventListener } = EventTarget.prototype, { toString } = Function.prototype, Ev = CustomEvent, Str = String, UI = UIEvent;
  const { get, set, delete: drop, clear } = Map.prototype, { forEach } = Map.prototype;
  const time = () => apply(now, performance, []);
  const due = new Map(); // by id, of the timers to wait for
  const late = new Map(); // likewise, of longer ones that the action set itself
  const habits = new Map(); // how often such a timer was set by the page itself, and when one last ran
  let acting = false, inTimer = false;
  let actions = 0, until = 0, handed = false, cause = '';
  const watched = () => acting || time() < until;
  const habit = (key) => {
    let h = apply(get, habits, [key]);
    if (!h) {
      if (habits.size > 500) apply(clear, habits, []);
      apply(set, habits, [key, h = { sets: 0, ran: -1e9, runs: 0 }]);
    }
    return h;
  };
  const FORM = ['change', 'submit', 'reset', 'select'];
  const byHand = () => {
    const e = globalThis.event;
    return !!e && e.isTrusted === true && (e instanceof UI || FORM.includes(e.type));
  };
  const tell = (what) => apply(dispatchEvent, document, [new Ev('trailblaze-cause', { detail: what })]);
  const traced = (f, key) => {
    const h = habit(key + apply(toString, f, []).slice(0, 99)), born = actions, seen = watched();
    const set = !seen || cause ? 'own' : handed || acting && byHand() ? 'hand' : '';
    const run = function (...a) {
      const ran = h.runs++;
      h.ran = time();
      const what = !watched() ? '' : set === 'own' || born !== actions ? ran ? 'own' : 'first' : set;
      if (!what) return apply(f, this, a);
      const was = cause;
      if (what === 'hand') handed = true;
      else cause = what;
      tell(what);
      try { return apply(f, this, a); } finally { cause = was; tell(was); }
    };
    return { run, h };
  };
  const hook = (name, f) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, name);
    if (!own?.value) return;
    own.value = new Proxy(own.value, { apply: f });
    Object.defineProperty(globalThis, name, own);
  };
  const follow = (name) => hook(name, (target, self, args) => {
    if (typeof args[0] === 'function') args[0] = traced(args[0], name).run;
    return apply(target, self, args);
  });
  follow('setInterval');
  follow('requestAnimationFrame');
  hook('setTimeout', (target, self, args) => {
    const [f, delay] = args, ms = typeof delay === 'number' ? delay : 0;
    if (typeof f !== 'function') return apply(target, self, args);
    const began = time(), direct = acting && byHand(), { run, h } = traced(f, ms);
    if (ms > SHORT) {
      args[0] = run;
      const id = apply(target, self, args);
      if (direct && ms <= LATE) apply(set, late, [id, began + ms]);
      return id;
    }
    if (!direct && (!acting || began - h.ran < NEAR)) h.sets++;
    let id;
    args[0] = function (...a) {
      apply(drop, due, [id]);
      const was = inTimer;
      inTimer = true;
      try { return apply(run, this, a); } finally { inTimer = was; }
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
    if (e.detail === 'begin' || e.detail === 'aside') {
      acting = true;
      actions++;
      if (e.detail === 'aside') return;
      apply(clear, due, []);
      apply(clear, late, []);
    } else if (e.detail === 'end') {
      acting = false;
      until = time() + AFTER;
    } else if (e.detail === 'hand' || e.detail === 'free') {
      handed = e.detail === 'hand';
    } else if (e.detail === 'ask' || e.detail === 'late') {
      let last = 0;
      const latest = (at) => { last = at > last ? at : last; };
      apply(forEach, due, [latest]);
      if (e.detail === 'late') apply(forEach, late, [latest]);
      if (last) apply(dispatchEvent, document, [new Ev('trailblaze-timers', { detail: Str(last - time()) })]);
    }
  }, true]);
})();
