// What was measured beside the bars of bars.json: a table for people, a verdict for make and CI, and the table in the documents.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

const all = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'bars.json'), 'utf8'));

export const median = (a) => { const s = [...(a ?? [])].sort((x, y) => x - y), h = s.length >> 1; return s.length ? (s.length % 2 ? s[h] : (s[h - 1] + s[h]) / 2) : NaN; };
const show = (v) => Number.isNaN(v) ? '–' : v >= 100 ? v.toFixed(0) : v.toFixed(1);

// compare sets samples (metric -> client -> values) beside a table of bars; only picks its rows. A bar is missed beyond
// its tolerance. A row with a bar that was not measured is missed too, unless it compares with a client that is not installed.
export function compare(table, samples, { tolerance = 0, only = () => true, clients = ['floor', 'playwright'] } = {}) {
  const m = (metric, client) => median(samples[metric]?.[client]);
  const rows = [], missed = [];
  for (const b of all[table].filter(only)) {
    if (b.to && b.to !== 'ours' && !clients.includes(b.to)) continue;
    const v = b.to ? m(b.metric, 'ours') / m(b.of ?? b.metric, b.to) : m(b.metric, 'ours');
    const holds = b.bar === undefined || v <= b.bar * (1 + tolerance);
    if (!holds) missed.push(b.figure);
    rows.push({ ...b, values: clients.map((c) => show(m(b.metric, c))).concat(show(m(b.metric, 'ours'))), holds,
      measured: Number.isNaN(v) ? 'nothing' : b.to ? `${v.toFixed(2)} × ${b.word ?? b.to}` : `${show(v)} ${b.unit}` });
  }
  return { rows, missed };
}

// markdown is the table; verdict adds the column that says whether a bar holds.
export function markdown({ rows }, { clients = ['floor', 'playwright'], verdict = false } = {}) {
  const names = { floor: 'floor', playwright: 'playwright-core' };
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const head = ['figure (median)', ...clients.map((c) => names[c]), 'trailblaze', 'measured', 'bar', ...(verdict ? [''] : [])];
  return [line(head), `|---|${'---:|'.repeat(head.length - 1)}`,
    ...rows.map((r) => line([r.figure, ...r.values, r.measured, r.bar === undefined ? '–' : `≤ ${r.bar}`, ...(verdict ? [r.holds ? 'holds' : 'MISSED'] : [])]))].join('\n');
}

// report prints the table and sets the exit status; with docs it writes the table into that document, between the marks of this table.
export function report(table, samples, { tolerance = 0, only, clients, rounds, docs }) {
  const result = compare(table, samples, { tolerance, only, clients });
  console.log(markdown(result, { clients, verdict: true }));
  console.log(`\n${rounds} rounds, ${cpus().length} cpus, node ${process.version}${tolerance ? `, bars with a tolerance of ${tolerance * 100} %` : ''}`);
  if (result.missed.length) {
    console.error(`bars missed: ${result.missed.join('; ')}`);
    process.exitCode = 1;
  }
  if (docs) write(docs, table, `Measured on ${new Date().toISOString().slice(0, 10)}, ${rounds} rounds, medians, ${cpus().length} cpus:\n\n${markdown(result, { clients })}`);
}

function write(file, table, text) {
  const begin = `<!-- bench ${table}: written by \`make bench-docs\` -->`, end = `<!-- end of bench ${table} -->`;
  const doc = readFileSync(file, 'utf8'), from = doc.indexOf(begin), to = doc.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} lacks the marks of the table ${table}: ${begin} and ${end}`);
  writeFileSync(file, `${doc.slice(0, from)}${begin}\n${text}\n${doc.slice(to)}`);
}
