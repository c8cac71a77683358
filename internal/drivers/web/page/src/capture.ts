// capture: the tree of this document, whole or as a delta against the version Go has.

/** Request is what Go asks for. */
export interface Request {
  have?: number; // the version Go's mirror holds; absent: none
  css?: string[]; // selectors to evaluate in the same instant
  full?: boolean; // forget everything that is cached
}

/** capture returns the result as one string; its format is described in wire.ts. */
export function capture(r: Request): string {
  return JSON.stringify({ v: 1, r });
}
