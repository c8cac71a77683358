// The floor: the flow's raw protocol calls and no checks at all. No waiting for anything to hold still, no look whether
// the right element gets the event, no read-back, no evidence. A limit to state ratios against, not a design.
import { Page } from './cdp.mjs';

// About the least a page script can do that an agent could still use: tag, role attribute, own text and box of every
// element. It computes neither names nor roles nor visibility.
export const WALK = `(() => { const out = []; const visit = (el, depth) => {
  const box = el.getBoundingClientRect(); let own = '';
  for (const c of el.childNodes) if (c.nodeType === 3) own += c.data;
  out.push(' '.repeat(depth) + el.localName + ' ' + (el.getAttribute('role') ?? '') + ' "' + own.trim() + '" ' + [box.x | 0, box.y | 0, box.width | 0, box.height | 0]);
  for (const c of el.children) visit(c, depth + 1); };
  visit(document.body, 0); return out.join('\\n'); })()`;

export class Floor {
  static async start(chromium) { const f = new Floor(); f.page = await Page.launch(chromium); return f; }

  async #lookUp() {
    this.known = new Map();
    const { nodes } = await this.page.send('Accessibility.getFullAXTree');
    for (const n of nodes) {
      if (n.ignored) continue;
      const key = `${n.role?.value}|${n.name?.value ?? ''}`;
      if (!this.known.has(key)) this.known.set(key, n.backendDOMNodeId);
    }
  }
  #node(s) {
    const id = this.known.get(`${s.role}|${s.name}`);
    if (!id) throw new Error(`floor: no ${s.role} "${s.name}"`);
    return id;
  }
  async #object(s) { return (await this.page.send('DOM.resolveNode', { backendNodeId: this.#node(s) })).object.objectId; }

  async run(s) {
    const page = this.page;
    switch (s.op) {
      case 'navigate': {
        const loaded = page.event('Page.loadEventFired');
        await page.send('Page.navigate', { url: s.url });
        await loaded;
        return;
      }
      case 'see': {
        const text = await page.evaluate('document.body.innerText');
        if (!text.includes(s.text)) throw new Error(`floor: "${s.text}" is not on the page`);
        if (s.fresh) await this.#lookUp();
        return;
      }
      case 'click': {
        const backendNodeId = this.#node(s);
        const { quads: [q] } = await page.send('DOM.getContentQuads', { backendNodeId });
        const at = { x: (q[0] + q[4]) / 2, y: (q[1] + q[5]) / 2, button: 'left', clickCount: 1 };
        await Promise.all(['mousePressed', 'mouseReleased'].map((type) => page.send('Input.dispatchMouseEvent', { type, ...at })));
        return;
      }
      case 'type': {
        page.send('DOM.focus', { backendNodeId: this.#node(s) });
        await page.send('Runtime.callFunctionOn', { objectId: await this.#object(s), functionDeclaration: 'function () { this.select() }' });
        await page.send('Input.insertText', { text: s.text });
        return;
      }
      case 'select':
        await page.send('Runtime.callFunctionOn', { objectId: await this.#object(s), arguments: [{ value: s.value }],
          functionDeclaration: 'function (v) { this.value = v; for (const t of ["input", "change"]) this.dispatchEvent(new Event(t, { bubbles: true })) }' });
        return;
      case 'screenshot':
        await page.send('Page.captureScreenshot', { format: 'jpeg', quality: 80 });
        return;
    }
    throw new Error(`floor: ${s.op}?`);
  }
  close() { return this.page.close(); }
}
