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

trailblaze.run();
