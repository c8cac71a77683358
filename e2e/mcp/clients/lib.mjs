// What the scripts share: a client of the official SDK on the built binary.
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

export { check, finish, must, text } from './checks.mjs';
