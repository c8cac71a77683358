// Small pieces that several views share.
import { marks, words } from "./format";
import type { Outcome } from "./model";

export function Mark({ outcome }: { outcome: Outcome }) {
  return <span class={`mark ${outcome}`} role="img" aria-label={words[outcome] ?? outcome}>{marks[outcome] ?? "?"}</span>;
}

// Isolated is a text of ours in which names of the page stand in quotes: each keeps its own direction of writing.
export function Isolated({ text }: { text: string }) {
  if (!/[\u0590-\u08ff]/.test(text)) return <>{text}</>;
  return <>{text.split(/("(?:[^"\\\n]|\\.)*")/).map((part, i) => (i % 2 ? <bdi>{part}</bdi> : part))}</>;
}

export function Pill({ outcome }: { outcome: Outcome }) {
  return <span class={`pill ${outcome}`}>{words[outcome] ?? outcome}</span>;
}
