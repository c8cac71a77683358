import type { Failure } from './commands.js';
import { codes, InvalidCall, kinds, TrailblazeError } from './errors.js';

/** What Trailblaze sends along with the call of a tool, in `_meta.trailblaze`. */
export interface Meta {
  baseUrl: string;
  sessionId: string;
  invocationId: string;
  device?: { id: string; platform: string; width: number; height: number; driverType: string };
  memory: Record<string, unknown>;
  target?: { id: string; displayName?: string; resolvedBaseUrl?: string };
  capabilities: { sampling?: boolean };
}

/** The context of a call, of what a tool has of it: what the official SDK hands over, or `_meta.trailblaze` itself. */
export function metaOf(ctx: any): Meta {
  const meta = ctx?._meta ?? ctx?.mcpReq?._meta ?? ctx?.requestInfo?._meta ?? ctx?.params?._meta ?? ctx;
  const found = [meta, meta?.trailblaze, meta?._trailblaze].find((m) => m?.baseUrl);
  if (!found) {
    throw new InvalidCall({
      kind: 'invalid', message: 'the call has no _meta.trailblaze with an address to call back',
      hint: 'Call the tool through Trailblaze, or use TrailblazeClient.connect().',
    });
  }
  return found;
}

/** A message as Connect's streams carry it: a byte of flags, the length, the JSON. */
export function frame(message: object): Uint8Array<ArrayBuffer> {
  const data = new TextEncoder().encode(JSON.stringify(message));
  const out = new Uint8Array(5 + data.length);
  new DataView(out.buffer).setUint32(1, data.length);
  out.set(data, 5);
  return out;
}

/** The messages of a stream. The last frame ends it, and is an error when the stream failed. */
export async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<any> {
  let rest = Buffer.alloc(0);
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    rest = Buffer.concat([rest, part]);
    for (let end = 0; rest.length >= 5 && rest.length >= (end = 5 + rest.readUInt32BE(1)); rest = rest.subarray(end)) {
      const message = JSON.parse(rest.toString('utf8', 5, end) || '{}');
      if (!(rest[0]! & 2)) yield message;
      else if (message.error) throw refused(200, message.error);
      else return;
    }
  }
  throw new Error('the stream was cut off');
}

/** The error of a failure. */
export function errorOf(failure: Failure): TrailblazeError {
  return new (kinds[failure.kind ?? ''] ?? TrailblazeError)(failure);
}

/** The error of a response that is no success: an error of Connect, or one of the daemon's own checks. */
export function refused(status: number, body: any): TrailblazeError {
  if (body?.error) return errorOf(body.error);
  for (const detail of body?.details ?? []) {
    if (detail.type === 'trailblaze.v1.Failure' && detail.debug) return errorOf(detail.debug);
  }
  const code: string = body?.code ?? 'internal';
  return errorOf({ kind: codes[code] ?? code, message: body?.message ?? `the daemon answered with HTTP ${status}` });
}
