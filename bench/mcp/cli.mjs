// The command line against a warm daemon, and what an idle daemon weighs. See README.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { report } from '../lib/bars.mjs';

const { values: opt } = parseArgs({ options: {
  binary: { type: 'string', default: new URL('../../bin/trailblaze', import.meta.url).pathname },
  rounds: { type: 'string', default: '50' }, docs: { type: 'string' },
} });
const dir = mkdtempSync(join(tmpdir(), 'tb-'));
const env = { ...process.env, TRAILBLAZE_HOME: join(dir, 'home'), TRAILBLAZE_PORT: '0' };
const run = (...args) => {
  const t = performance.now();
  const r = spawnSync(opt.binary, args, { env, cwd: dir, encoding: 'utf8' });
  const took = performance.now() - t;
  if (r.status !== 0) throw new Error(`${args.join(' ')}: exit ${r.status}\n${r.stdout}${r.stderr}`);
  return { took, out: r.stdout };
};
// Its share of memory (PSS) counts the pages of the program's file too, which the system takes back when it needs room.
const weigh = (when) => ['Pss', 'Anonymous'].forEach((field) => {
  const kB = readFileSync(`/proc/${daemon()}/smaps_rollup`, 'utf8').match(new RegExp(`${field}:\\s+(\\d+)`))[1];
  row(`${field.toLowerCase()} ${when}`, Number(kB) / 1024);
});
const daemon = () => readdirSync(join(env.TRAILBLAZE_HOME, 'run')).map((d) => join(env.TRAILBLAZE_HOME, 'run', d, 'daemon.json'))
  .flatMap((f) => { try { return [JSON.parse(readFileSync(f, 'utf8')).pid]; } catch { return []; } })[0];

const samples = {}, row = (metric, ...v) => { samples[metric] = { ours: v }; };
const times = (n, ...args) => Array.from({ length: n }, () => run(...args).took);
try {
  row('first', run('device', 'list').took);
  weigh('before');
  run('tool', 'web_navigate', 'url=data:text/html,<title>bench</title><h1>bench</h1>');
  run('tool', 'web_currentUrl');
  row('url'); row('version');
  for (let i = 0; i < Number(opt.rounds); i++) { // in turn, so that both see the same machine
    samples.url.ours.push(run('tool', 'web_currentUrl').took);
    samples.version.ours.push(run('version').took);
  }
  row('url less 3 ms', ...samples.url.ours.map((ms) => ms - 3));
  row('url json', ...times(Number(opt.rounds), 'tool', 'web_currentUrl', '--json'));
  row('snapshot', ...times(20, 'snapshot'));
  weigh('open');
  run('device', 'disconnect', 'web');
  weigh('after');
} finally {
  spawnSync(opt.binary, ['daemon', 'stop'], { env, cwd: dir });
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
report('cli', samples, { rounds: opt.rounds, docs: opt.docs, clients: [] });
