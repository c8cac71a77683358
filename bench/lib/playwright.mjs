// playwright-core as a script: what somebody would write by hand for this flow.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export class Playwright {
  static async start(chromium, peers) {
    const { chromium: engine } = createRequire(join(peers, 'node_modules', 'index.js'))('playwright-core');
    const p = new Playwright();
    p.browser = await engine.launch({ executablePath: chromium, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
    p.page = await p.browser.newPage({ viewport: { width: 1280, height: 800 } });
    return p;
  }
  run(s) {
    const it = s.role && this.page.getByRole(s.role, { name: s.name });
    switch (s.op) {
      case 'navigate': return this.page.goto(s.url);
      case 'see': return this.page.getByText(s.text).first().waitFor();
      case 'click': return it.click();
      case 'type': return it.fill(s.text);
      case 'select': return it.selectOption(s.value);
      case 'screenshot': return this.page.screenshot({ type: 'jpeg', quality: 80 });
    }
    throw new Error(`playwright: ${s.op}?`);
  }
  close() { return this.browser.close(); }
}
