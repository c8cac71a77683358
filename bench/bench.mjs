// Black-box benchmark of the built binary, side by side with the raw protocol floor and a playwright-core script.
// See README.md. Prints a Markdown table; exits 1 when a bar of bars.json is missed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Floor, WALK } from './lib/floor.mjs';
import { Playwright } from './lib/playwright.mjs';
import { call, flow, trail } from './lib/flow.mjs';
import { calls, lapsMs, play, run, trailMs } from './lib/ours.mjs';
import { sized } from './lib/pages.mjs';
import { report } from './lib/bars.mjs';

const here = import.meta.dirname;
const { values: opt } = parseArgs({ options: {
  binary: { type: 'string', default: join(here, '..', 'bin', 'trailblaze') }, peers: { type: 'string', default: join(here, '.peers') },
  chromium: { type: 'string' }, rounds: { type: 'string', default: '5' }, json: { type: 'string' }, docs: { type: 'string' }, tolerance: { type: 'string', default: '0' }, ci: { type: 'boolean' },
  page2000: { type: 'string' }, page20000: { type: 'string' }, only: { type: 'string', default: 'flow,cold,act,snapshot,version' },
} });
const chromium = opt.chromium ?? process.env.TRAILBLAZE_BROWSER ?? process.env.PATH.split(':').flatMap((d) => ['chromium', 'chromium-browser', 'google-chrome'].map((n) => join(d, n))).find((f) => existsSync(f));
const parts = opt.ci ? ['flow', 'act', 'snapshot', 'version'] : opt.only.split(','), wants = (part) => parts.includes(part);
const rounds = Number(opt.rounds), sizes = opt.ci ? ['p2000'] : ['p2000', 'p20000'];
const hasPlaywright = !opt.ci && existsSync(join(opt.peers, 'node_modules', 'playwright-core'));

const served = {
  '/form.html': readFileSync(join(here, 'pages', 'form.html')),
  '/p2000.html': opt.page2000 ? readFileSync(opt.page2000) : sized(2000),
  '/p20000.html': opt.page20000 ? readFileSync(opt.page20000) : sized(20000),
};
const server = http.createServer((q, r) => {
  const body = served[new URL(q.url, 'http://x').pathname];
  r.writeHead(body ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' }); r.end(body);
});
await new Promise((r) => server.listen(0, '127.0.0.1', r));
const url = `http://127.0.0.1:${server.address().port}`;

const samples = {}; // metric -> client -> values
const add = (metric, client, ...v) => ((samples[metric] ??= {})[client] ??= []).push(...v);
const clock = async (fn) => { const t = performance.now(); await fn(); return performance.now() - t; };

// The trail under test is the recorded one: durable selectors and fingerprints, identity checked before every action.
async function record(text) {
  const dir = mkdtempSync(join(os.tmpdir(), 'record-'));
  try {
    const from = join(dir, 'plain.trail.yaml'), to = join(dir, 'recorded.trail.yaml');
    writeFileSync(from, text);
    await run(opt.binary, ['run', from, '--no-report', '--record', to], { env: { TRAILBLAZE_HOME: dir }, cwd: dir });
    return readFileSync(to, 'utf8');
  } finally { rmSync(dir, { recursive: true, force: true }); }
}
const LAPS = 4; // the comparison clients run the flow that often in one page, the first time to warm up
const recorded = await record(trail(url, 'Bench flow', flow(url)));
const laps = await record(trail(url, 'Bench laps', Array.from({ length: LAPS }, () => flow(url)).flat()));

async function warm() {
  for (const [name, Client] of [['floor', Floor], ['playwright', hasPlaywright && Playwright]]) {
    if (!Client) continue;
    const c = await Client.start(chromium, opt.peers);
    try {
      for (let i = 0; i < LAPS; i++) { const ms = await clock(async () => { for (const s of flow(url)) await c.run(s); }); if (i) add('flow', name, ms); } // the first warms up
    } finally { await c.close(); }
  }
  const { sessions: [events] } = await play(opt.binary, laps);
  add('flow', 'ours', ...lapsMs(events, flow(url).length).slice(1));
  const { sessions } = await play(opt.binary, recorded, ['--repeat', String(LAPS)]);
  add('flow fresh', 'ours', ...sessions.slice(1).map(trailMs));
}

async function cold() {
  for (const name of ['floor', 'playwright']) {
    if (name === 'playwright' && !hasPlaywright) continue;
    add('cold', name, await clock(() => new Promise((ok, bad) => spawn(process.execPath, [join(here, 'once.mjs'), name, url, chromium, opt.peers], { stdio: 'inherit' })
      .on('close', (code) => code ? bad(new Error(`${name}: exit ${code}`)) : ok()))));
  }
  const ours = await play(opt.binary, recorded);
  add('cold', 'ours', ours.wall); add('anonymous', 'ours', ours.peak);
}

const click = { op: 'click', role: 'checkbox', name: 'Lunch' }, type = { op: 'type', role: 'textbox', name: 'Given name', text: 'v' };
async function act() {
  const n = 30, steps = [flow(url)[0], flow(url)[1]];
  for (let i = 0; i < n; i++) steps.push(click, { ...type, text: `value ${i}` });
  for (const [name, Client] of [['floor', Floor], ['playwright', hasPlaywright && Playwright]]) {
    if (!Client) continue;
    const c = await Client.start(chromium, opt.peers);
    try { for (const s of steps) { const ms = await clock(() => c.run(s)); if (s.op === 'click' || s.op === 'type') add(s.op, name, ms); } } finally { await c.close(); }
  }
  const { sessions: [events] } = await play(opt.binary, recordedAct ??= await record(trail(url, 'Bench actions', steps)));
  add('click', 'ours', ...calls(events, 'web_click').map((x) => x.ms)); add('type', 'ours', ...calls(events, 'web_type').map((x) => x.ms));
}
let recordedAct;

const CHANGE = `document.querySelector('button').textContent = 'Changed ' + performance.now()`;
async function snapshot() {
  for (const size of sizes) {
    const f = await Floor.start(chromium);
    try {
      for (let i = 0; i < 3; i++) {
        await f.run({ op: 'navigate', url: `${url}/${size}.html?${i}` });
        let text; add(`snapshot ${size}`, 'floor', await clock(async () => { text = await f.page.evaluate(WALK); })); add(`bytes ${size}`, 'floor', text.length);
        await f.page.evaluate(CHANGE); add(`again ${size}`, 'floor', await clock(() => f.page.evaluate(WALK)));
      }
    } finally { await f.close(); }
    const look = (args) => ({ op: 'look', call: { web_snapshot: args } });
    const steps = [0, 1, 2].flatMap((i) => [{ op: 'navigate', url: `${url}/${size}.html?${i}` }, look({ detail: ['OFFSCREEN_ELEMENTS', 'OCCLUDED_ELEMENTS'] }), { op: 'change', call: { web_evaluate: { script: CHANGE } } }, look({})]);
    const { sessions: [events] } = await play(opt.binary, trail(url, `Bench ${size}`, steps));
    calls(events, 'web_snapshot').forEach((c, i) => { const first = i % 2 === 0; add(`${first ? 'snapshot' : 'again'} ${size}`, 'ours', c.ms); add(`bytes ${size}${first ? '' : ' default'}`, 'ours', c.bytes); });
  }
}

async function version() {
  for (let i = 0; i < 10; i++) { add('version', 'floor', (await run('/bin/true', [])).wall); add('version', 'ours', (await run(opt.binary, ['version'])).wall); }
}

for (let r = 0; r < rounds; r++) { // clients take turns in every round, so that a drift of the machine hits all alike
  if (wants('flow')) await warm();
  if (wants('cold')) await cold();
  if (wants('act')) await act();
  if (wants('snapshot')) await snapshot();
  if (wants('version')) await version();
  console.error(`round ${r + 1}/${rounds}, load ${os.loadavg()[0].toFixed(1)}`);
}
server.close();

const metrics = { flow: ['flow', 'flow fresh'], cold: ['cold', 'anonymous'], act: ['click', 'type'], snapshot: sizes.flatMap((z) => [`snapshot ${z}`, `again ${z}`, `bytes ${z}`, `bytes ${z} default`]), version: ['version'] };
report('run', samples, {
  rounds, docs: opt.docs, tolerance: Number(opt.tolerance), clients: hasPlaywright ? ['floor', 'playwright'] : ['floor'],
  only: (b) => (!opt.ci || b.ci) && parts.some((part) => metrics[part].includes(b.metric)),
});
if (opt.json) writeFileSync(opt.json, JSON.stringify(samples));
