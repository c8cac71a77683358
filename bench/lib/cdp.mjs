// A bare DevTools protocol client on a pipe: a browser, a page, messages out, messages in. Nothing is checked.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLAGS = ['--headless', '--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check', '--disable-gpu', '--disable-dev-shm-usage',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions', '--disable-quic', '--mute-audio', '--window-size=1280,800'];

export class Page {
  static async launch(chromium) {
    const p = new Page();
    p.dir = mkdtempSync(join(tmpdir(), 'floor-'));
    const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    p.proc = spawn(chromium, [...FLAGS, ...root, `--user-data-dir=${p.dir}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    p.seq = 0; p.replies = new Map(); p.events = new Map();
    p.proc.stdio[3].on('error', () => {});
    let rest = [];
    p.proc.stdio[4].on('data', (chunk) => {
      for (let end; (end = chunk.indexOf(0)) >= 0; chunk = chunk.subarray(end + 1)) {
        rest.push(chunk.subarray(0, end));
        p.#receive(JSON.parse(Buffer.concat(rest))); rest = [];
      }
      if (chunk.length) rest.push(chunk);
    });
    const { targetInfos } = await p.send('Target.getTargets');
    const { targetId } = targetInfos.find((t) => t.type === 'page');
    p.session = (await p.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    await Promise.all(['Page.enable', 'Runtime.enable', 'DOM.enable', 'Accessibility.enable'].map((m) => p.send(m)));
    await p.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
    return p;
  }
  #receive(m) {
    const waiting = m.id ? this.replies.get(m.id) : this.events.get(m.method);
    if (!waiting) return;
    m.id ? this.replies.delete(m.id) : this.events.delete(m.method);
    m.error ? waiting.reject(new Error(`${m.error.message} (${waiting.method})`)) : waiting.resolve(m.id ? m.result : m.params);
  }
  send(method, params = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.seq;
      this.replies.set(id, { resolve, reject, method });
      this.proc.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + '\0');
    });
  }
  event(method) { return new Promise((resolve, reject) => this.events.set(method, { resolve, reject, method })); }
  evaluate(expression) { return this.send('Runtime.evaluate', { expression, returnByValue: true }).then((r) => r.result.value); }
  async close() {
    const gone = new Promise((r) => this.proc.once('exit', r));
    this.session = undefined;
    this.send('Browser.close').catch(() => {});
    await gone;
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  }
}
