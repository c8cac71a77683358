// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
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
