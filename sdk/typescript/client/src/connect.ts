// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
import type { Failure } from './commands.js';
import * as errors from './errors.js';

const kinds: Record<string, typeof errors.TrailblazeError> = {
  invalid: errors.InvalidCall,
  not_found: errors.NotFound,
  assertion: errors.AssertionFailed,
  not_acted: errors.NotActed,
  timeout: errors.TimedOut,
  canceled: errors.Canceled,
  unavailable: errors.Unavailable,
  unsupported: errors.Unsupported,
  conflict: errors.Conflict,
  busy: errors.Busy,
  denied: errors.Denied,
  inconclusive: errors.Inconclusive,
};
const codes: Record<string, string> = {
  invalid_argument: 'invalid',
  resource_exhausted: 'invalid',
  deadline_exceeded: 'timeout',
  unimplemented: 'unsupported',
  unauthenticated: 'denied',
  permission_denied: 'denied',
};
const nested = [
  'trailblaze.v1.ToolService/CallTool',
];

/** The error of a failure. */
export function errorOf(failure: Failure): errors.TrailblazeError {
  return new (kinds[failure.kind ?? ''] ?? errors.TrailblazeError)(failure);
}

export const noContext = () => errorOf({
  kind: 'invalid', message: `the call has no _meta.trailblaze with an address to call back`, hint: 'Call the tool through Trailblaze, or make a client without a context.',
});
export const noModel = () => errorOf({
  kind: 'unsupported', message: `this call may not ask the model`, hint: 'Write sampling: true to the server in trailblaze.yaml, and configure a model.',
});
export const noProgram = (program: unknown) => errorOf({
  kind: 'not_found', message: `there is no program ${program}`, hint: 'Install it, or set TRAILBLAZE_BIN to the program.',
});
export const noToken = (address: unknown) => errorOf({
  kind: 'denied', message: `the daemon at ${address} needs its token`, hint: 'Give it beside the address, or leave out both: the daemon of this machine is found.',
});
export const noStart = (program: unknown, why: unknown) => errorOf({
  kind: 'unavailable', message: `the daemon of ${program} does not start: ${why}`, hint: 'Run `trailblaze daemon serve` to see why.',
});
export const noAnswer = (limit: unknown) => errorOf({
  kind: 'timeout', message: `no answer within ${limit}`, hint: 'Give the client a longer time limit.',
});
export const lost = (why: unknown) => errorOf({
  kind: 'unavailable', message: `the daemon cannot be reached: ${why}`, hint: 'See `trailblaze daemon status`. After it started again, connect anew.',
});

/** The error of a response that is no success: an error of Connect, or one of the daemon's own checks. */
export function refused(status: number, body: any): errors.TrailblazeError {
  if (body?.error) return errorOf(body.error);
  for (const detail of body?.details ?? []) {
    if (detail.type === 'trailblaze.v1.Failure' && detail.debug) return errorOf(detail.debug);
  }
  const code: string = body?.code ?? 'internal';
  return errorOf({ kind: codes[code] ?? code, message: body?.message ?? `the daemon answered with HTTP ${status}` });
}

/** The body of a response. A failure that it tells is thrown. */
export async function answerOf(procedure: string, response: Response): Promise<any> {
  const body: any = await response.json().catch((error: unknown) => {
    if (response.ok || !(error instanceof SyntaxError)) throw error;
  });
  if (!response.ok) throw refused(response.status, body);
  const failure = nested.includes(procedure) ? body.result?.failure : body.failure;
  if (failure) throw errorOf(failure);
  return body;
}

/** A message as streams carry it: a byte of flags, the length, the JSON. */
export function frame(message: object): Uint8Array<ArrayBuffer> {
  const data = new TextEncoder().encode(JSON.stringify(message));
  const out = new Uint8Array(5 + data.length);
  new DataView(out.buffer).setUint32(1, data.length);
  out.set(data, 5);
  return out;
}

/** The messages of a stream. Its last frame is an error when it failed. The failure of a call is thrown. */
export async function* messagesOf(response: Response): AsyncGenerator<any> {
  if (!response.ok || !response.body) throw refused(response.status, await response.json().catch(() => null));
  let rest = Buffer.alloc(0);
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest = Buffer.concat([rest, part]);
    for (let end = 0; rest.length >= 5 && rest.length >= (end = 5 + rest.readUInt32BE(1)); rest = rest.subarray(end)) {
      const message = JSON.parse(rest.toString('utf8', 5, end) || '{}');
      const failure = message.result?.result?.failure;
      if (failure) throw errorOf(failure);
      if (!(rest[0]! & 2)) yield message;
      else if (message.error) throw refused(200, message.error);
      else return;
    }
  }
  throw new Error('the stream was cut off');
}
