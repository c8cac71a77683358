// What a page costs a model per step: our snapshot beside that of @playwright/mcp, in tokens of four bytes. See README.md.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createInterface } from 'node:readline';
import { sized } from '../lib/pages.mjs';

const { values: opt } = parseArgs({ options: {
  binary: { type: 'string', default: new URL('../../bin/trailblaze', import.meta.url).pathname },
  peer: { type: 'string' }, browser: { type: 'string' }, docs: { type: 'string' },
} });
const dir = mkdtempSync(join(tmpdir(), 'tb-'));
const env = { ...process.env, TRAILBLAZE_HOME: join(dir, 'home'), TRAILBLAZE_PORT: '0' };
const form = readFileSync(new URL('../pages/form.html', import.meta.url));
const pages = { 'form.html': form, '100 elements': sized(100), '2,000 elements': sized(2000), '20,000 elements': sized(20000) };
const names = Object.keys(pages);

// client speaks MCP on stdio.
async function client(command, args) {
  const p = spawn(command, args, { env, cwd: dir, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: p.stdout }).on('line', (l) => { const m = JSON.parse(l); waiting.get(m.id)?.(m); });
  p.on('exit', (code) => { for (const done of waiting.values()) done({ error: `${command} ended with ${code}` }); });
  let id = 0;
  const send = (m) => p.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\n');
  const ask = (method, params) => new Promise((done) => { waiting.set(++id, done); send({ id, method, params }); });
  p.stdin.on('error', () => {}); // its end is told by exit
  const first = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
  if (first.error) throw new Error(JSON.stringify(first.error));
  send({ method: 'notifications/initialized' });
  return {
    end: () => p.kill(),
    async call(name, args) {
      const m = await ask('tools/call', { name, arguments: args });
      if (m.error || m.result.isError) throw new Error(`${name}: ${JSON.stringify(m.error ?? m.result.content)}`);
      return m.result.content.filter((c) => c.type === 'text').map((c) => c.text).join('\n');
    },
  };
}

// whole is a reply with the file that it names in place of its snapshot.
function whole(text) {
  const file = text.match(/\[Snapshot\]\(([^)]+)\)/)?.[1];
  return file ? text + readFileSync(join(dir, file), 'utf8') : text;
}

const tokens = (text) => Math.ceil(Buffer.byteLength(text) / 4);
const server = createServer((q, r) => {
  r.setHeader('Content-Type', 'text/html; charset=utf-8');
  r.end(pages[names[Number(new URL(q.url, 'http://x').searchParams.get('n'))]]);
}).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
const at = (n) => `http://127.0.0.1:${server.address().port}/?n=${n}`;
const rows = [];
let ours, theirs;
try {
  ours = await client(opt.binary, ['mcp', '--headless']);
  theirs = await client('node', [resolve(opt.peer), '--headless', '--isolated', '--no-sandbox', '--executable-path', opt.browser]);
  for (const [n, name] of names.entries()) {
    await ours.call('web_navigate', { url: at(n) });
    const a = tokens(await ours.call('web_snapshot', {}));
    await theirs.call('browser_navigate', { url: at(n) });
    const b = tokens(whole(await theirs.call('browser_snapshot', {})));
    rows.push([name, a, b, `${(b / a).toFixed(1)} ×`]);
  }
} finally {
  ours?.end();
  theirs?.end();
  server.close();
  spawnSync(opt.binary, ['daemon', 'stop'], { env, cwd: dir });
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
const evaluated = JSON.parse(spawnSync(opt.binary, ['eval', '--llm', 'scripted', '--json'], { env: process.env, encoding: 'utf8' }).stdout);
const tier = evaluated.tiers[0];
const table = ['| page | our snapshot, tokens | that of @playwright/mcp 0.0.83 | ratio |', '|---|---:|---:|---:|',
  ...rows.map((r) => `| ${r.join(' | ')} |`), '',
  `A question of our agent on the sample shop takes ${Math.round(tier.usage.inputTokens / tier.usage.calls)} tokens, rules, tools and`,
  `screen together (mean of ${tier.usage.calls} questions of \`trailblaze eval --llm scripted\`).`].join('\n');
console.log(table);
if (opt.docs) {
  const text = readFileSync(opt.docs, 'utf8');
  writeFileSync(opt.docs, text.replace(/(<!-- bench tokens:[^\n]*-->\n)[^]*?(<!-- end of bench tokens -->)/, (_, head, foot) => `${head}${table}\n${foot}`));
}
