// Small pieces that several views share.
import { marks, words } from "./format";
import type { Outcome } from "./model";

export function Mark({ outcome }: { outcome: Outcome }) {
  return <span class={`mark ${outcome}`} role="img" aria-label={words[outcome] ?? outcome}>{marks[outcome] ?? "?"}</span>;
}

export function Pill({ outcome }: { outcome: Outcome }) {
  return <span class={`pill ${outcome}`}>{words[outcome] ?? outcome}</span>;
}
