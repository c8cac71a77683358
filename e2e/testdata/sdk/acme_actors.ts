import { Server, type Context } from '@trailblaze/client/server';
import { TrailblazeClient } from '@trailblaze/client';

const server = new Server();

server.tool('acme_visit', async ({ actor, url }: { actor: string, url: string }, ctx: Context) => {
    const bob = TrailblazeClient.fromContext(ctx).on(actor);
    await bob.web!.navigate(url);
    await bob.callTool('web_type', { ref: 'textbox "Email"', text: 'bob@example.com' });
    return { success: true };
});

server.run();
