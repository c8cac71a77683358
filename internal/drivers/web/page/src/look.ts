// look: a capture and the counters of the very moment, as an answer of its own or along with that of an action.
import { capture, same, type Request } from './capture';
import { changes, type Changes } from './store';

/** Look is what Go's mirror of the document and its waits for changes go on from. */
export interface Look { n: Changes; s: string }

/** unlike captures the document, and says whether it looks otherwise than in the capture before. */
export function unlike(r: Request): { seen: Look; differs: boolean } {
  const seen = look(r);
  return { seen, differs: !same };
}

/** look captures the document. */
export const look = (r: Request): Look => ({ n: changes(), s: capture(r) });
