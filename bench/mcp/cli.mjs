// The command line against a warm daemon, and what an idle daemon weighs. See README.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: opt } = parseArgs({ options: {
  binary: { type: 'string', default: new URL('../../bin/trailblaze', import.meta.url).pathname },
  rounds: { type: 'string', default: '50' }, enforce: { type: 'boolean' },
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
const median = (a) => [...a].sort((x, y) => x - y)[a.length >> 1];
const rss = (pid) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const daemon = () => readdirSync(join(env.TRAILBLAZE_HOME, 'run')).map((d) => join(env.TRAILBLAZE_HOME, 'run', d, 'daemon.json'))
  .flatMap((f) => { try { return [JSON.parse(readFileSync(f, 'utf8')).pid]; } catch { return []; } })[0];

const rows = [];
const row = (what, value, unit, bar) => rows.push({ what, value, unit, bar, ok: bar === undefined || value <= bar });
try {
  const cold = run('device', 'list').took;
  row('first command, starts the daemon', cold, 'ms');
  row('daemon RSS, idle, before any browser', rss(daemon()), 'MB', 40);
  row('version (no daemon: what a process costs)', median(Array.from({ length: 20 }, () => run('version').took)), 'ms');
  run('tool', 'web_navigate', 'url=data:text/html,<title>bench</title><h1>bench</h1>');
  run('tool', 'web_currentUrl');
  row('tool web_currentUrl, warm', median(Array.from({ length: Number(opt.rounds) }, () => run('tool', 'web_currentUrl').took)), 'ms', 8);
  row('tool web_currentUrl --json, warm', median(Array.from({ length: Number(opt.rounds) }, () => run('tool', 'web_currentUrl', '--json').took)), 'ms');
  row('snapshot, warm', median(Array.from({ length: 20 }, () => run('snapshot').took)), 'ms');
  row('daemon RSS, with a browser open', rss(daemon()), 'MB');
  run('device', 'disconnect', 'web');
  row('daemon RSS, idle, after use', rss(daemon()), 'MB', 40);
} finally {
  spawnSync(opt.binary, ['daemon', 'stop'], { env, cwd: dir });
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
for (const r of rows) console.log(`${r.what.padEnd(46)} ${r.value.toFixed(1).padStart(8)} ${r.unit}${r.bar === undefined ? '' : `   bar ${r.bar} ${r.ok ? '' : 'MISSED'}`}`);
if (opt.enforce && rows.some((r) => !r.ok)) process.exit(1);
