// Pages for the snapshot figures: sized(n) is HTML with about n elements in a mix of forms, tables, lists and prose.
// The same n gives the same bytes.
const WORDS = 'harbour lantern ledger gravel meadow copper signal ribbon quarry timber canvas pebble orchard anchor saddle violet marble engine basket thunder'.split(' ');

export function sized(n) {
  let state = 1 + n, made = 0;
  const random = (k) => { state = (state * 48271) % 2147483647; return state % k; };
  const words = (k) => Array.from({ length: k }, () => WORDS[random(WORDS.length)]).join(' ');
  const el = (tag, attrs, ...inner) => { made++; return `<${tag}${attrs ? ' ' + attrs : ''}>${inner.join('')}</${tag}>`; };
  const leaf = (tag, attrs) => { made++; return `<${tag} ${attrs}>`; };
  const makers = [
    (i) => el('form', `aria-label="Enquiry ${i}"`, el('h3', '', `Enquiry ${i}: ${words(3)}`),
      ...['Sender', 'Subject', 'Colour'].map((label, k) => el('div', 'class="line"', el('label', `for="q${i}-${k}"`, `${label} ${i}`),
        k < 2 ? leaf('input', `id="q${i}-${k}" type="${k ? 'text' : 'email'}" ${random(2) ? `value="${words(2)}"` : `placeholder="${words(1)}"`}`)
          : el('select', `id="q${i}-${k}"`, ...['Red', 'Green', 'Blue', 'Grey'].map((o) => el('option', '', o))))),
      el('div', 'class="line"', leaf('input', `id="q${i}-ok" type="checkbox"${random(2) ? ' checked' : ''}`), el('label', `for="q${i}-ok"`, `Answer me by mail ${i}`)),
      el('button', 'type="button"', `Send enquiry ${i}`)),
    (i) => el('table', '', el('caption', '', `Stock ${i}`), el('thead', '', el('tr', '', ...['Item', 'Keeper', 'Count', 'State'].map((h) => el('th', 'scope="col"', h)))),
      el('tbody', '', ...Array.from({ length: 12 }, (_, r) => el('tr', '', el('td', '', el('a', `href="#item-${i}-${r}"`, `${words(1)} ${i}.${r}`)), el('td', '', words(2)), el('td', '', String(random(900))),
        el('td', '', el('span', 'class="tag"', ['Full', 'Low', 'Empty'][random(3)])))))),
    (i) => el('section', '', el('h2', '', words(4)), el('ul', '', ...Array.from({ length: 8 }, (_, r) => el('li', '', el('a', `href="#note-${i}-${r}"`, `${words(2)} ${i}.${r}`), el('p', '', words(14)))))),
    (i) => el('article', '', el('h3', '', words(3)), el('p', '', words(40)), el('p', '', words(30)), el('button', 'type="button"', `Read on ${i}`)),
  ];
  let body = el('header', '', el('h1', '', `Page of ${n}`), el('nav', 'aria-label="Sections"', ...['Stock', 'Enquiries', 'Notes'].map((t) => el('a', `href="#${t}"`, t))));
  for (let i = 0; made < n - 4; i++) body += makers[i % makers.length](i);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page of ${n}</title><style>body{font:14px sans-serif;margin:16px;max-width:1000px}td,th{border:1px solid #bbb;padding:2px 6px}.line{margin:4px 0}.tag{background:#eee}</style></head><body><main>${body}</main></body></html>`;
}
