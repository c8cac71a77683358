import type { Failure } from './commands.js';

/** A call failed. `hint` says what to do next, `kind` is the word of the API for what went wrong. */
export class TrailblazeError extends Error {
  readonly kind: string;
  readonly hint: string;

  constructor(readonly failure: Failure) {
    super([failure.message, failure.hint].filter(Boolean).join('\n'));
    this.kind = failure.kind ?? 'internal';
    this.hint = failure.hint ?? '';
    this.name = new.target.name;
  }
}

/** What was asserted does not hold. */
export class AssertionFailed extends TrailblazeError {}
/** There is no such element, tool, device or session. */
export class NotFound extends TrailblazeError {}
/** It took too long. */
export class TimedOut extends TrailblazeError {}
/** The call was called off. */
export class Canceled extends TrailblazeError {}
/** The arguments are wrong. */
export class InvalidCall extends TrailblazeError {}
/** The daemon or the device cannot be reached. */
export class Unavailable extends TrailblazeError {}
/** The device cannot do it. */
export class Unsupported extends TrailblazeError {}
/** A policy or a missing token forbids it. */
export class Denied extends TrailblazeError {}

const kinds: Record<string, typeof TrailblazeError> = {
  assertion: AssertionFailed, not_found: NotFound, timeout: TimedOut, canceled: Canceled, invalid: InvalidCall,
  unavailable: Unavailable, unsupported: Unsupported, denied: Denied,
};
const codes: Record<string, string> = {
  deadline_exceeded: 'timeout', unauthenticated: 'denied', permission_denied: 'denied', unimplemented: 'unsupported',
  invalid_argument: 'invalid',
};

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
