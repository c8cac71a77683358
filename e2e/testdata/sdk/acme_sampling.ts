import { Server, type Context } from '@trailblaze/client/server';
import { TrailblazeClient } from '@trailblaze/client';

const server = new Server();

server.tool('acme_verify_screen_color', async (args: { expected_color: string }, ctx: Context) => {
  const tb = TrailblazeClient.fromContext(ctx);
  const { content } = await tb.sampling.createMessage(
    [{ role: 'user', content: `Is the button ${args.expected_color}?` }], { includeScreenshot: true });
  return { success: content.toLowerCase().includes('yes') };
});

server.resource('trailblaze://registry', async () => ({ tools: { acme_verify_screen_color: { kind: 'query' } } }));

server.run();
