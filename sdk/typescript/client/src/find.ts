import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import process from 'node:process';
import { promisify } from 'node:util';
import { noProgram, noStart, noToken } from './connect.js';

/** Where requests go. */
export type Place = { url: string; token?: string };

/**
 * The daemon at an address with its token; else the way back of a tool server; else the daemon of the program
 * `trailblaze`, which starts when none runs, and which an address without its token has to be of. The program is the one
 * that TRAILBLAZE_BIN names, that of the package `trailblaze` beside this one, or the one in PATH.
 */
export async function find({ address, token, binary }: { address?: string; token?: string; binary?: string }): Promise<Place> {
  if (address && token) return { url: address.includes('://') ? address : `http://${address}`, token };
  const { TRAILBLAZE_BASE_URL: url, TRAILBLAZE_CALLBACK_TOKEN: own, TRAILBLAZE_BIN } = process.env;
  if (url && own) return { url, token: own };
  const program = binary ?? (TRAILBLAZE_BIN || installed() || 'trailblaze');
  try {
    const { stdout } = await promisify(execFile)(program, ['daemon', 'start', '--json'], { timeout: 30_000 });
    const boot = JSON.parse(await readFile(JSON.parse(stdout).boot, 'utf8'));
    if (!boot.port) throw new Error('it listens on no port; set TRAILBLAZE_PORT=0 for a free one');
    if (address && !address.endsWith(`:${boot.port}`)) throw noToken(address);
    return { url: `http://127.0.0.1:${boot.port}`, token: boot.token };
  } catch (error: any) {
    if (error?.code === 'ENOENT' && error.path === program) throw noProgram(program);
    throw error?.kind ? error : noStart(program, error?.stderr || error?.message);
  }
}

/** The program of the npm package `trailblaze`, which exports its path. */
function installed(): string | undefined {
  try {
    return createRequire(import.meta.url)('trailblaze');
  } catch {
    return undefined;
  }
}
