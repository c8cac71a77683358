// One whole process of a comparison client: start, launch, flow, close. `node once.mjs floor|playwright URL CHROMIUM PEERS`
import { flow } from './lib/flow.mjs';

const [, , kind, url, chromium, peers] = process.argv;
const client = kind === 'floor' ? await (await import('./lib/floor.mjs')).Floor.start(chromium)
  : await (await import('./lib/playwright.mjs')).Playwright.start(chromium, peers);
for (const s of flow(url)) await client.run(s);
await client.close();
