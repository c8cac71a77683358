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
