// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
import { TrailblazeError } from './failure.js';

export { TrailblazeError };

/** The arguments are wrong. */
export class InvalidCall extends TrailblazeError {}
/** There is no such element, tool, device or session. */
export class NotFound extends TrailblazeError {}
/** What was asserted does not hold. */
export class AssertionFailed extends TrailblazeError {}
/** The action was not carried out, or had no effect. */
export class NotActed extends TrailblazeError {}
/** It took too long. */
export class TimedOut extends TrailblazeError {}
/** The call was called off. */
export class Canceled extends TrailblazeError {}
/** The daemon or the device cannot be reached. */
export class Unavailable extends TrailblazeError {}
/** The device cannot do it. */
export class Unsupported extends TrailblazeError {}
/** A name is taken, or means more than one thing. */
export class Conflict extends TrailblazeError {}
/** Another client acts on the device. */
export class Busy extends TrailblazeError {}
/** A policy or a missing token forbids it. */
export class Denied extends TrailblazeError {}
/** The evidence is too poor to say pass or fail. */
export class Inconclusive extends TrailblazeError {}

export const kinds: Record<string, typeof TrailblazeError> = {
  invalid: InvalidCall,
  not_found: NotFound,
  assertion: AssertionFailed,
  not_acted: NotActed,
  timeout: TimedOut,
  canceled: Canceled,
  unavailable: Unavailable,
  unsupported: Unsupported,
  conflict: Conflict,
  busy: Busy,
  denied: Denied,
  inconclusive: Inconclusive,
};
export const codes: Record<string, string> = {
  invalid_argument: 'invalid',
  deadline_exceeded: 'timeout',
  unimplemented: 'unsupported',
  unauthenticated: 'denied',
  permission_denied: 'denied',
};
