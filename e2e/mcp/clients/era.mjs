// The protocol of 2026-07-28, which knows no session, by the TypeScript SDK of that era: the same client in every call, and
// over the loss of a daemon.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { check, finish, must, text } from './checks.mjs';

const cfg = JSON.parse(process.argv[2]);
const client = new Client({ name: 'e2e-era', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StdioClientTransport({ command: cfg.binary, args: ['mcp'], env: { ...process.env, ...cfg.env }, cwd: cfg.cwd }));
check(client.getNegotiatedProtocolVersion() === '2026-07-28', 'the new era is negotiated', client.getNegotiatedProtocolVersion());
const call = (name, args = {}) => must(name, client.callTool({ name, arguments: args }));
const handle = (r) => r._meta?.trailblaze?.trailblazeSessionId;

const listed = (await client.listTools()).tools.length;
check(listed <= 10, 'the default list is short', listed);
const opened = await call('web_navigate', { url: `${cfg.url}/ground.html` });
check(!opened.isError, 'web_navigate', text(opened));
await call('addToolCategory', { category: 'TABS' });
const more = (await client.listTools()).tools.length;
check(more > listed, 'the category stays on without a session', `${listed} then ${more}`);

for (const build of readdirSync(join(cfg.env.TRAILBLAZE_HOME, 'run'))) {
  try { process.kill(JSON.parse(readFileSync(join(cfg.env.TRAILBLAZE_HOME, 'run', build, 'daemon.json'))).pid, 'SIGKILL'); } catch { /* another folder */ }
}
const after = await call('web_snapshot');
check(!after.isError && text(after).includes('Tool ground'), 'the next call works after the daemon was killed', text(after));
check(handle(after) && handle(after) === handle(opened), 'and belongs to the same client', `${handle(opened)} then ${handle(after)}`);
check((await client.listTools()).tools.length === more, 'with the same tools');
await client.close();
finish();
