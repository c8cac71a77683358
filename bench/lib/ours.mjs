// The built binary, from outside: run a trail file in a process of its own and read the session's event log back.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MS = 1e6; // the log counts nanoseconds

// Runs the binary; resolves to wall time (ms), the most anonymous memory (MB, Linux only) and output. Rejects on a bad exit.
export function run(binary, args, { env = {}, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const p = spawn(binary, args, { env: { ...process.env, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '', err = '', peak = 0;
    p.stdout.on('data', (d) => { out += d; });
    p.stderr.on('data', (d) => { err += d; });
    const timer = setInterval(() => { 
      try { peak = Math.max(peak, Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${p.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024); } catch { /* gone, or not Linux */ }
    }, 20);
    p.on('error', reject);
    p.on('close', (code) => {
      clearInterval(timer);
      const wall = performance.now() - start;
      code === 0 ? resolve({ wall, peak, out, err }) : reject(new Error(`${binary} ${args.join(' ')}: exit ${code}\n${out.slice(-2000)}${err.slice(-2000)}`));
    });
  });
}

// Plays a trail text; returns the process figures and one list of events per session, oldest first.
export async function play(binary, text, args = []) {
  const home = mkdtempSync(join(tmpdir(), 'ours-'));
  try {
    const file = join(home, 'bench.trail.yaml');
    writeFileSync(file, text);
    const proc = await run(binary, ['run', file, '--no-report', ...args], { env: { TRAILBLAZE_HOME: home }, cwd: home });
    const root = join(home, 'sessions');
    const sessions = readdirSync(root).map((d) => join(root, d, 'events.ndjson')).filter((f) => statSync(f, { throwIfNoEntry: false }))
      .map((f) => readFileSync(f, 'utf8').trim().split('\n').map((l) => JSON.parse(l)))
      .sort((a, b) => a[0].time.localeCompare(b[0].time));
    return { ...proc, sessions };
  } finally { rmSync(home, { recursive: true, force: true }); }
}

export const trailMs = (events) => events.find((e) => e.type === 'trail_ended').trail.duration / MS;
export const calls = (events, name) => events.filter((e) => e.type === 'tool_call' && e.call.name === name)
  .map((e) => ({ ms: e.call.duration / MS, bytes: Buffer.byteLength(e.call.text ?? ''), call: e.call }));

// The time each lap of n steps took, by the log's own clock.
export function lapsMs(events, n) {
  const at = (type, i) => Date.parse(events.find((e) => e.type === type && e.step.index === i)?.time);
  const steps = events.filter((e) => e.type === 'step_ended').length;
  return Array.from({ length: steps / n }, (_, lap) => at('step_ended', lap * n + n - 1) - at('step_started', lap * n));
}
