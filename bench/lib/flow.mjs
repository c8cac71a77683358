// The 30-step flow over pages/form.html: 1 navigation, 8 text checks, 9 fields, 2 selects, 3 checkboxes, 6 buttons and
// 1 screenshot. Every client runs exactly these steps; `fresh` marks a step whose page state is new, so that the floor
// client has to look elements up again.
const field = (name, text) => ({ op: 'type', role: 'textbox', name, text });
const choose = (name, label, value) => ({ op: 'select', role: 'combobox', name, label, value });
const tick = (name) => ({ op: 'click', role: 'checkbox', name });
const press = (name) => ({ op: 'click', role: 'button', name });
const see = (text, fresh = false) => ({ op: 'see', text, fresh });

export const flow = (base) => [
  { op: 'navigate', url: `${base}/form.html` },
  see('Workshop booking', true),
  field('Given name', 'Runa'), field('Family name', 'Halvorsen'), field('Mail', 'runa@mail.test'), field('Telephone', '040 555 12'),
  field('Road', '7 Quay Street'), field('Town', 'Bergen'), field('Post code', '5003'), field('Employer', 'Fjord Tools'),
  choose('Language', 'Finnish', 'fi'), choose('Level', 'Advanced', 'b'),
  tick('Lunch'), tick('Parking'), tick('House rules'),
  see('Runa Halvorsen of Bergen 5003; Finnish, Advanced; extras: 3'),
  press('Next page'), see('Seats for Runa from Fjord Tools', true),
  field('Remark', 'Window seat'), press('Another seat'), press('Another seat'), see('Seats: 3'),
  press('Group rate'), see('Group rate: 15 percent off'),
  press('Book now'), see('Booking code 7093', true), see('See you there'),
  press('Print ticket'), see('Ticket for runa@mail.test, remark: Window seat'),
  { op: 'screenshot' },
];

const pattern = (name) => `\\Q${name}\\E`;
const target = (s) => ({ nodeSelector: { web: { ariaRole: s.role, ariaNameRegex: pattern(s.name) } } });

// The same step as a recorded call of a trail.
export function call(s) {
  switch (s.op) {
    case 'navigate': return { web_navigate: { url: s.url } };
    case 'see': return { web_verifyTextVisible: { text: s.text } };
    case 'type': return { web_type: { text: s.text, ...target(s) } };
    case 'select': return { web_selectOption: { values: [s.label], ...target(s) } };
    case 'click': return { web_click: target(s) };
    case 'screenshot': return { takeSnapshot: { screenName: 'end' } };
  }
  throw new Error(`no call for ${s.op}`);
}

// The flow as a trail file: JSON is YAML, so nothing here needs a YAML writer.
export function trail(base, title, steps) {
  return JSON.stringify({
    config: { title },
    trail: steps.map((s) => ({ [s.op === 'see' ? 'verify' : 'step']: `${s.op} ${s.name ?? s.text ?? s.url ?? ''}`.trim(), recording: { web: [s.call ?? call(s)] } })),
  }, null, 1);
}
