import { trailblaze } from '@trailblaze/scripting';

trailblaze.tool<{ name: string }>(
  'acme_greeting',
  {
    description: 'Says whether the page greets somebody.', kind: 'query',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  async ({ name }, ctx) => {
    const { visible } = await ctx.tools.isVisible({ text: `Welcome back, ${name}` });
    ctx.memory.set('greeted', visible ? name : 'nobody');
    return { visible, platform: ctx.device?.platform };
  },
);

trailblaze.tool<{ actor: string, url: string }>(
  'acme_visit', { description: 'Has another actor of the trail begin to sign in.' },
  async ({ actor, url }, ctx) => {
    const bob = ctx.on(actor);
    await bob.tools.web_navigate({ url });
    await bob.callTool('web_type', { ref: 'textbox "Email"', text: 'bob@example.com' });
  },
);

trailblaze.run();
