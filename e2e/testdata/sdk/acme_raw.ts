import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { fromMeta, type TrailblazeMeta } from '@trailblaze/scripting';

const server = new McpServer({ name: 'acme-raw', version: '1.0.0' });

server.registerTool('acme_begin', { description: 'Begins to sign in.' }, async (extra) => {
  const meta = extra._meta?.trailblaze as TrailblazeMeta;
  const client = fromMeta(extra._meta);
  await client.callTool('tap', { text: 'Sign in' });
  return { content: [{ type: 'text', text: `began on ${meta.device?.platform}, in ${client.sessionId}` }] };
});

await server.connect(new StdioServerTransport());
