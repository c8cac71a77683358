// What the scripts share: a client of the official SDK on the built binary, and checks that are counted.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LoggingMessageNotificationSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

export const cfg = JSON.parse(process.argv[2]); // { binary, args, env, cwd, url }

export async function connect(extra = []) {
  const transport = new StdioClientTransport({
    command: cfg.binary, args: ['mcp', ...(cfg.args ?? []), ...extra], env: { ...process.env, ...cfg.env }, cwd: cfg.cwd, stderr: 'pipe',
  });
  let noise = '';
  transport.stderr?.on('data', (d) => { noise += d; });
  const client = new Client({ name: 'e2e', version: '1' }, { capabilities: {} });
  let changes = 0, waiting = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { changes++; waiting.forEach((f) => f()); waiting = []; });
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => {});
  const broken = [];
  client.onerror = (e) => broken.push(String(e));
  await client.connect(transport);
  return {
    client, broken, noise: () => noise, changes: () => changes,
    // changed is true as soon as there was a change beyond the n-th; false after five seconds without.
    changed: (n) => changes > n ? true : new Promise((resolve) => { waiting.push(() => resolve(true)); setTimeout(resolve, 5000, false).unref(); }),
    // call never hangs: a minute is the limit most clients have.
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, { timeout: 60_000, ...options }),
    list: async () => {
      const tools = []; let cursor;
      do { const r = await client.listTools(cursor ? { cursor } : {}); tools.push(...r.tools); cursor = r.nextCursor; } while (cursor);
      return tools;
    },
    close: () => client.close(),
  };
}

export const text = (r) => (r.content ?? []).filter((c) => c.type === 'text').map((c) => c.text).join('\n');

let checks = 0; const failed = [];
export function check(ok, what, detail = '') {
  checks++;
  if (!ok) { failed.push(what); console.log(`FAIL ${what} ${String(detail).slice(0, 1200)}`); }
  return ok;
}
export function finish() {
  console.log(`${checks} checks, ${failed.length} failed`);
  process.exit(failed.length ? 1 : 0);
}
export const must = async (what, promise) => {
  try { return await promise; } catch (e) { check(false, what, e?.stack ?? e); return { content: [], isError: true }; }
};
