// The page of the API. It reads /v1/openapi.json and calls POST /v1/tools/{name}; all text is set as text, never as markup.
const at = id => document.getElementById(id);
const make = (tag, props = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
};
let doc = { paths: {} };

const fields = ['token', 'workspace', 'device'];

// open takes what the address says, which a page that is open already is told too, and loads when there is a token.
function open() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has('token')) {
    for (const id of fields) if (given.has(id)) sessionStorage.setItem(id, given.get(id));
    history.replaceState(null, '', '/docs'); // the token is not to stay in the address
  }
  for (const id of fields) at(id).value = sessionStorage.getItem(id) ?? '';
  if (at('token').value) load();
}

const query = (names) => {
  const q = new URLSearchParams({ client: 'docs' });
  for (const n of names) if (at(n).value) q.set(n, at(n).value);
  return '?' + q;
};
const ask = (path, init = {}) =>
  fetch(path, { ...init, headers: { Authorization: 'Bearer ' + at('token').value, ...init.headers } });

async function load() {
  for (const id of fields) sessionStorage.setItem(id, at(id).value);
  try {
    const r = await ask('/v1/openapi.json' + query(['workspace']));
    const body = await r.json();
    if (!r.ok) throw new Error(`${body.error.message}. ${body.error.hint ?? ''}`);
    doc = body;
  } catch (e) {
    at('state').textContent = e.message;
    return;
  }
  at('state').textContent = `${Object.keys(doc.paths).length} tools, version ${doc.info.version}`;
  list();
}

function list() {
  const want = at('search').value.toLowerCase(), groups = Object.fromEntries((doc.tags ?? []).map(t => [t.name, []]));
  for (const { post } of Object.values(doc.paths)) {
    if (!(post.operationId + ' ' + post.description).toLowerCase().includes(want)) continue;
    groups[post.tags[0]].push(post);
  }
  at('list').replaceChildren(...Object.entries(groups).filter(([, all]) => all.length).map(([tag, all]) => make('li', {}, make('h2', { textContent: tag }),
    ...all.map(op => make('a', { href: '#' + op.operationId, textContent: op.operationId, onclick: e => { e.preventDefault(); show(op, e.target); } })))));
}

// prose are the parts of a text, in which `this` is code.
const prose = text => (text ?? '').split('`').map((part, i) => i % 2 ? make('code', { textContent: part }) : part);
const typeOf = s => s.enum ? s.enum.join(' | ') : [s.type ?? 'any'].flat().join(' | ') + (s.items ? ' of ' + typeOf(s.items) : '');

function show(op, link) {
  document.querySelector('nav [aria-current]')?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  const schema = op.requestBody?.content['application/json'].schema ?? {}, required = schema.required ?? [];
  const rows = Object.entries(schema.properties ?? {}).map(([name, p]) => make('tr', {},
    make('td', {}, make('code', { textContent: name + (required.includes(name) ? ' *' : '') })),
    make('td', { textContent: typeOf(p) }), make('td', {}, ...prose(p.description))));
  const body = make('textarea', { spellcheck: false, ariaLabel: 'Arguments as JSON', id: 'arguments',
    value: JSON.stringify(Object.fromEntries(required.map(n => [n, schema.properties[n].type === 'string' ? '' : null])), null, 2) });
  const curl = make('pre'), out = make('pre', { id: 'answer', textContent: 'Nothing was called yet.' });
  const path = () => '/v1/tools/' + op.operationId + query(['workspace', 'device']);
  const line = () => { curl.textContent = `curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\\n  -d '${body.value.replace(/\s+/g, ' ')}' '${location.origin}${path()}'`; };
  body.oninput = line;
  line();
  const call = make('button', { textContent: 'Call ' + op.operationId, onclick: async () => {
    out.textContent = '…';
    const began = performance.now();
    try {
      const r = await ask(path(), { method: 'POST', body: body.value, headers: { 'Content-Type': 'application/json' } });
      out.textContent = `HTTP ${r.status}, ${Math.round(performance.now() - began)} ms\n` + JSON.stringify(await r.json(), null, 2);
    } catch (e) { out.textContent = String(e); }
  } });
  at('tool').replaceChildren(make('h2', { textContent: op.operationId }), make('p', {}, ...prose(op.description)),
    make('table', {}, make('tbody', {}, ...rows)), body, make('p', {}, call), out, make('h3', { textContent: 'From a shell' }), curl);
  at('tool').scrollTop = 0; // the one before may have been read to its end
  at('tool').scrollIntoView(); // it is below the list on a narrow screen
}

at('access').onsubmit = e => { e.preventDefault(); load(); };
at('search').oninput = list;
addEventListener('hashchange', open);
open();
