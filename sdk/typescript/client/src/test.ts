import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { test as run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NotFound, type Options, TrailblazeClient } from './index.js';

/** What a test is given. */
export interface Fixtures {
  /** a client with a device of its own, which is closed after the test */
  trailblaze: TrailblazeClient;
  /** carries out a step: the calls in it are recorded as that step of a trail */
  step: (text: string, body: () => Promise<void>) => Promise<void>;
}

export interface TestOptions extends Options {
  /** for what failed tests leave; default test-results */
  artifacts?: string;
  /** of the whole test, in ms; default 300000, because some runners end a test after 5 s */
  testTimeoutMs?: number;
}

/**
 * A test with a device of its own, carried out by the test runner of Node, Bun or Deno. A test that fails keeps a
 * picture and the text of the screen, and its error names them and its session. Tests of one name may run side by side.
 */
export function test(name: string, body: (fixtures: Fixtures) => Promise<void>, options: TestOptions = {}): void {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40);
  const device = options.device ?? `web/${slug}-${randomUUID().slice(0, 6)}`;
  const folder = folderOf(`${caller()}-${name}`.replace(/[^\p{L}\p{N}_.-]+/gu, '-'));
  run(name, { timeout: options.testTimeoutMs ?? 300_000 }, async (t: { signal?: AbortSignal }) => {
    const trailblaze = new TrailblazeClient({ signal: t?.signal, ...options, device });
    const step: Fixtures['step'] = async (text, of) => {
      trailblaze.intent = text;
      try {
        await of();
      } finally {
        trailblaze.intent = undefined;
      }
    };
    const after = new TrailblazeClient({ ...options, device });
    let failed = false;
    try {
      await body({ trailblaze, step });
    } catch (error) {
      failed = true;
      const where = await keep(after, join(options.artifacts ?? 'test-results', folder));
      if (error instanceof Error) error.message += `\n${where}`;
      throw error;
    } finally {
      await after.manage.device({ action: 'DISCONNECT', deviceId: device }).catch((error) => {
        if (!failed && !(error instanceof NotFound)) throw error; // a test may open none, and why it failed comes first
      });
    }
  });
}

/** The folders of the tests so far, in small letters, for some systems keep no others apart. */
const folders = new Set<string>();

/** A folder that no other test has: those of one name, as in two suites of a file, are counted. */
function folderOf(name: string): string {
  let folder = name;
  for (let n = 2; folders.has(folder.toLowerCase()); n++) folder = `${name}-${n}`;
  folders.add(folder.toLowerCase());
  return folder;
}

/** The file of the test, from where the runner was started: two files may have tests of one name. */
function caller(): string {
  const own = fileURLToPath(import.meta.url);
  const paths = (new Error().stack ?? '').matchAll(/((?:file:\/\/)?\/[^()\n]*?):\d+:\d+/g);
  for (const [, path = ''] of paths) {
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    if (file !== own) return relative(process.cwd(), file);
  }
  return 'test';
}

/** Keeps what the screen shows, and says where. A screen that cannot be read does not hide why the test failed. */
async function keep(client: TrailblazeClient, folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    const { text = '', call } = await client.captureScreen();
    await writeFile(join(folder, 'screen.txt'), text);
    const picture = await client.getScreenshot({ format: 'PNG' });
    for (const part of picture.call?.content ?? []) {
      if (part.image?.data) await writeFile(join(folder, 'screen.png'), Buffer.from(part.image.data, 'base64'));
    }
    return `kept in ${join(process.cwd(), folder)}, session ${call?.sessionId}`;
  } catch (error) {
    return `the screen could not be kept: ${error}`;
  }
}
