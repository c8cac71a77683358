// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
import { Device, type GetScreenshotRequest, WebCommands } from './commands.js';
import { errorOf } from './connect.js';

/** What describes an element, as recordings have it. */
export type Selector = { web?: Record<string, unknown>; childOf?: Selector; containsDescendants?: Selector[]; index?: number } &
  Record<string, unknown>;

/** A pattern that matches this text alone. */
const exactly = (text: string) => (/^[\p{L}\p{N} ]+$/u.test(text) ? text : `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`);

const within = (inner: Selector, outer: Selector): Selector =>
  ({ ...inner, childOf: inner.childOf ? within(inner.childOf, outer) : outer });

interface Limit {
  timeoutMs?: number;
}

/** An element by its selector, which each call resolves anew. */
export class Locator {
  constructor(readonly device: Finders, readonly selector: Selector) {}

  /** Those in an element of another locator. */
  within(outer: Locator): Locator {
    return new Locator(this.device, within(this.selector, outer.selector));
  }

  /** Those that have an element of another locator in them. */
  containing(inner: Locator): Locator {
    const all = [...(this.selector.containsDescendants ?? []), inner.selector];
    return new Locator(this.device, { ...this.selector, containsDescendants: all });
  }

  /** One of several, counted from 0 from top to bottom. */
  nth(index: number): Locator {
    return new Locator(this.device, { ...this.selector, index });
  }

  /** Clicks it. */
  async click({ timeoutMs }: Limit = {}): Promise<void> {
    await (await this.one()).click({ nodeSelector: this.selector, timeoutMs });
  }

  /** Sets the field to a value, and reads it back. */
  async fill(value: string, { timeoutMs }: Limit = {}): Promise<void> {
    await (await this.one()).fill({ value, nodeSelector: this.selector, timeoutMs });
  }

  /** Moves the mouse onto it. */
  async hover({ timeoutMs }: Limit = {}): Promise<void> {
    await (await this.one()).hover({ nodeSelector: this.selector, timeoutMs });
  }

  /** Presses a key or a chord in it, such as Enter or Control+a. */
  async press(key: string, { timeoutMs }: Limit = {}): Promise<void> {
    await (await this.one()).pressKey({ key, nodeSelector: this.selector, timeoutMs });
  }

  /** Chooses options by their label, value or index. */
  async select(values: string[], { timeoutMs }: Limit = {}): Promise<void> {
    await (await this.one()).selectOption({ values, nodeSelector: this.selector, timeoutMs });
  }

  /** Checks it. */
  async check({ timeoutMs }: Limit = {}): Promise<void> {
    await (await this.one()).setChecked({ checked: true, nodeSelector: this.selector, timeoutMs });
  }

  /** Takes its check away. */
  async uncheck({ timeoutMs }: Limit = {}): Promise<void> {
    await (await this.one()).setChecked({ checked: false, nodeSelector: this.selector, timeoutMs });
  }

  /** The commands of browsers, unless several elements are meant. */
  private async one(): Promise<WebCommands> {
    const n = this.selector.index === undefined ? await this.count() : 1;
    if (n > 1) {
      throw errorOf({
        kind: 'conflict', message: `${n} elements match ${JSON.stringify(this.selector)}`,
        hint: 'Say which one: with within(), containing() or nth().',
      });
    }
    return this.device.browser;
  }

  /** How many there are now that a person can see. */
  count(): Promise<number> {
    return this.device.getElementCount({ nodeSelector: this.selector });
  }

  /** What it shows now: a field's value, else its text. null: there is no such element. */
  text(): Promise<string | null> {
    return this.device.getElementText({ nodeSelector: this.selector });
  }

  /** Whether a person can see it now. */
  isVisible(): Promise<boolean> {
    return this.device.isVisible({ nodeSelector: this.selector });
  }
}

/** Asserts something of an element, looking again until it holds or time is over. */
export class Expectation {
  constructor(private readonly of: Locator, private readonly timeoutMs: number, private readonly negated = false) {}

  /** The contrary. */
  get not(): Expectation {
    return new Expectation(this.of, this.timeoutMs, !this.negated);
  }

  async toBeVisible(): Promise<void> {
    const { device, selector: nodeSelector } = this.of;
    const args = { nodeSelector, timeoutMs: this.timeoutMs };
    await (this.negated ? device.assertNotVisibleBySelector(args) : device.assertVisibleBySelector(args));
  }

  toHaveText(text: string): Promise<void> {
    return this.until('the text', () => this.of.text(), text);
  }

  toHaveCount(count: number): Promise<void> {
    return this.until('the number', () => this.of.count(), count);
  }

  private async until(what: string, look: () => Promise<unknown>, want: unknown): Promise<void> {
    const end = Date.now() + this.timeoutMs;
    for (let got = await look(); (got === want) === this.negated; got = await look()) {
      if (Date.now() > end) {
        const wanted = this.negated ? 'another' : JSON.stringify(want);
        throw errorOf({
          kind: 'assertion', message: `${what} of ${JSON.stringify(this.of.selector)} is ${JSON.stringify(got)}, want ${wanted}`,
          hint: 'Look at the screen, or give expect() a longer timeoutMs.',
        });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** What is expected of an element: `await expect(tb.getByRole('row')).toHaveCount(3)`. */
export function expect(locator: Locator, { timeoutMs = 5000 }: Limit = {}): Expectation {
  return new Expectation(locator, timeoutMs);
}

/** A device with locators. */
export abstract class Finders extends Device {
  /** The commands of browsers, which another device refuses. */
  get browser(): WebCommands {
    return new WebCommands(this.call, this.stream);
  }

  /** The elements of an ARIA role, such as button or row, and of a name when one is given. */
  getByRole(role: string, { name }: { name?: string } = {}): Locator {
    return this.locator({ web: { ariaRole: role, ...(name !== undefined && { ariaNameRegex: exactly(name) }) } });
  }

  /** The fields of a label, or of a name that they have otherwise. */
  getByLabel(label: string): Locator {
    return this.locator({ web: { ariaNameRegex: exactly(label), cssSelector: 'input, textarea, select, [contenteditable]' } });
  }

  /** The elements in which a text stands directly, and nothing else. */
  getByText(text: string): Locator {
    return this.locator({ web: { ownTextRegex: exactly(text) } });
  }

  /** The elements of a data-testid. */
  getByTestId(id: string): Locator {
    return this.locator({ web: { dataTestId: id } });
  }

  /** The elements that a CSS selector matches. */
  getByCss(css: string): Locator {
    return this.locator({ web: { cssSelector: css } });
  }

  /** The elements of a selector as recordings have it. */
  locator(selector: Selector): Locator {
    return new Locator(this, selector);
  }

  /** A picture of the screen, PNG unless told otherwise. */
  async screenshot(args: GetScreenshotRequest = {}): Promise<Uint8Array> {
    const { call } = await this.getScreenshot({ format: 'PNG', ...args });
    return Buffer.concat((call?.content ?? []).map((part) => Buffer.from(part.image?.data ?? '', 'base64')));
  }
}
