// The probe stands in every page of the corpora, and is no part of what a page shows: it changes the page as its pair says,
// and posts to the server what was really pressed or typed. It leaves nothing in the document but a line of status.
(cfg) => {
  document.currentScript.remove();
  const hide = document.createElement('style');
  hide.textContent = 'html{opacity:0!important;pointer-events:none}';
  document.documentElement.append(hide);

  const text = (el) => (el.innerText ?? el.textContent ?? '').replace(/\s+/g, ' ').trim() || el.value || '';
  const shown = (el) => el.getClientRects().length > 0;
  const all = (css, root = document) => [...root.querySelectorAll(css)];
  // q finds the first shown element of "css" or of "css|text"; the text is the whole of it.
  const q = (at, root = document) => {
    const [css, is] = at.split('|').map((s) => s.trim());
    const found = all(css, root).filter((el) => is === undefined || text(el) === is || el.textContent.replace(/\s+/g, ' ').trim() === is);
    return found.find(shown) ?? found[0] ?? null;
  };
  const make = (tag, words, attrs = {}) => {
    const el = document.createElement(tag);
    if (words) el.textContent = words;
    for (const [k, v] of Object.entries(attrs)) el.setAttribute(k, v);
    return el;
  };
  const wrap = (el, tag, attrs = {}) => {
    const w = make(tag, '', attrs);
    el.replaceWith(w);
    w.append(el);
    return w;
  };
  // as gives an element another tag, with the same words and attributes.
  const as = (el, tag, attrs = {}) => {
    const other = make(tag, '', { ...Object.fromEntries([...el.attributes].map((a) => [a.name, a.value])), ...attrs });
    other.append(...el.childNodes);
    el.replaceWith(other);
    return other;
  };
  // say changes the words of an element, and leaves its icons.
  const say = (el, words) => {
    const own = [...el.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
    if (own.length) own.forEach((n, i) => { n.data = i ? '' : (n.data.match(/^\s*/)[0] + words); });
    else if (el.matches('input')) el.value = words;
    else el.append(words);
  };
  // strip takes ids, names and classes from an element and all in it.
  const strip = (el, ...names) => [el, ...all('*', el)].forEach((e) => (names.length ? names : ['id', 'class', 'name']).forEach((n) => e.removeAttribute(n)));

  const AsyncFunction = (async () => {}).constructor;
  let truth = null;
  const keep = (el) => { truth = el; return el; };
  const target = () => (truth?.isConnected ? truth : truth = cfg.truth ? q(cfg.truth) : null);

  const post = (what, body) => fetch(`${cfg.base}${what}`, { method: 'POST', keepalive: true, body: JSON.stringify(body) });
  const path = (el) => { // a selector of this element alone
    const steps = [];
    for (; el && el !== document.documentElement; el = el.parentElement) {
      steps.unshift(`${el.localName}:nth-child(${[...el.parentElement.children].indexOf(el) + 1})`);
    }
    return ['html', ...steps].join('>');
  };
  const role = (el) => el.getAttribute('role') || (el.matches('a') ? 'link' : el.matches('button,[type=submit],[type=button],[type=reset]') ? 'button'
    : el.matches('[type=checkbox]') ? 'checkbox' : el.matches('[type=radio]') ? 'radio' : el.matches('select') ? 'combobox'
      : el.matches('input,textarea') ? 'textbox' : '');
  const name = (el) => el.getAttribute('aria-label') || (el.labels?.[0] && text(el.labels[0])) || (el.matches('input,textarea,select')
    ? el.value && el.matches('[type=submit],[type=button],[type=reset]') ? el.value : el.placeholder || el.title || '' : text(el) || el.title || '');
  const facts = (el) => {
    if (!el) return null;
    const alike = all(el.localName).filter((e) => shown(e) && role(e) === role(el) && name(e) === name(el));
    return { path: path(el), role: role(el), name: name(el), nth: alike.indexOf(el) };
  };

  const status = make('div', 'Loading', { role: 'status', style: 'position:fixed;left:0;bottom:0;z-index:2147483647;background:#fff;color:#000;font:12px sans-serif;pointer-events:none' });
  const acted = (e) => {
    const on = e.composedPath().filter((n) => n.nodeType === 1);
    if (!on.length || status.textContent === 'Loading') return;
    const is = (el) => el && (on.includes(el) || el.contains(on[0]) || on.some((n) => n.control === el) || el.control && on.includes(el.control));
    const same = (cfg.same ?? []).map((css) => q(css));
    const also = (cfg.also ?? []).flatMap((css) => all(css)).some(is); // on the way: nothing is received yet
    const control = on.find((n) => n.matches('a,button,input,select,textarea,label,[role],[onclick],[tabindex]')) ?? on[0];
    if (!also) status.textContent = 'Received';
    post('truth', { type: e.type, right: is(target()) || same.some(is), also, what: control.cloneNode(false).outerHTML.slice(0, 200), name: text(control).slice(0, 60) });
  };
  for (const type of ['click', 'input', 'change']) {
    window.addEventListener(type, (e) => { if (e.isTrusted || type !== 'click' && cfg.do === 'select') acted(e); }, true);
  }
  window.addEventListener('click', (e) => { if (e.composedPath().some((n) => n.matches?.('a[href]'))) e.preventDefault(); });
  window.addEventListener('submit', (e) => e.preventDefault(), true);

  // rows writes texts down in a list whose page listens in its framework's own way: a key, a change or a form.
  const rows = async (field, item, texts) => {
    for (const words of texts) {
      const before = all(item).length;
      for (const send of ['keydown', 'keypress', 'keyup', 'change', 'submit']) {
        const el = q(field);
        if (!el.value) Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(el, words);
        el.dispatchEvent(new Event('input', { bubbles: true }));
        const e = send.startsWith('key') ? new KeyboardEvent(send, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13, bubbles: true })
          : new Event(send, { bubbles: true, cancelable: true });
        (send === 'submit' ? el.form : el)?.dispatchEvent(e);
        await new Promise((r) => setTimeout(r, 120));
        if (all(item).length > before) break;
      }
      if (all(item).length === before) throw new Error(`${words} is not in the list`);
    }
  };

  const begin = async () => {
    document.body.append(status);
    const help = { q, all, make, wrap, as, say, strip, keep, text, rows };
    const run = (js, t) => new AsyncFunction('t', ...Object.keys(help), js)(t, ...Object.values(help));
    if (cfg.setup) await run(cfg.setup, null);
    const t = cfg.at ? q(cfg.at) : null;
    truth = cfg.change ? t : null;
    if (cfg.change) await run(cfg.change, t);
    if (cfg.gone) truth = null;
    else if (cfg.truth) truth = q(cfg.truth);
    const now = () => post('facts', { ready: cfg.gone || Boolean(target()), facts: facts(target()), lie: cfg.lie ? facts(q(cfg.lie)) : null, also: facts((cfg.also ?? []).map((css) => q(css)).find(Boolean)) });
    hide.remove();
    now().then(() => { status.textContent = 'Ready'; });
  };
  const ready = () => document.readyState === 'complete' && (!cfg.ready || q(cfg.ready));
  const wait = () => {
    if (!ready()) return setTimeout(wait, 20);
    begin().catch((e) => post('facts', { error: String(e.stack) }));
  };
  wait();
}
