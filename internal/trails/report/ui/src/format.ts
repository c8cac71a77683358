// Numbers and values as a person reads them.
import type { Price, Usage } from "./model";

export function duration(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const s = Math.round(ms / 1000);
  return `${Math.floor(s / 60)} min ${s % 60} s`;
}

const questions = (u: Usage) => `${u.questions} ${u.questions === 1 ? "question" : "questions"}`;
const cost = (u: Usage) => (u.costUsd ? `, $${u.costUsd.toFixed(4)}` : "");

// usage lists the cost of questions to a model, as the terminal does.
function usage(u: Usage): string {
  const cached = u.cachedInputTokens ? ` (${u.cachedInputTokens} cached)` : "";
  return `${questions(u)}${u.model ? ` to ${u.model}` : ""}, ${u.inputTokens} tokens in${cached}, ${u.outputTokens} out${cost(u)}`;
}

// total is the price in a few words.
export function total(p: Price | undefined): string | undefined {
  return p && questions(p) + cost(p);
}

export function price(p: Price | undefined): string | undefined {
  if (!p) return undefined;
  return usage(p) + (p.judge ? `; of these the judge: ${usage(p.judge)}${p.ruling ? `, who says “${p.ruling}”` : ""}` : "");
}

export function when(iso: string): string {
  const d = new Date(iso);
  return Number.isNaN(d.getTime()) || d.getFullYear() < 2000 ? "" : d.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

// A plain scalar begins harmlessly and holds nothing that YAML would read as structure.
const plain = /^[^\s\-?:,[\]{}#&*!|>'"%@`0-9][^\n]*$/;
const odd = /: | #|:$|\s$|^(true|false|null|yes|no|on|off|~)$/i;

// yaml prints a JSON value the way trail files are written.
export function yaml(value: unknown, indent = ""): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return value.map((v) => `\n${indent}- ${yaml(v, indent + "  ").replace(/^\n\s*/, "")}`).join("");
  }
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value);
    if (entries.length === 0) return "{}";
    return entries.map(([k, v]) => {
      const text = yaml(v, indent + "  ");
      return `\n${indent}${k}:${text.startsWith("\n") ? text : " " + text}`;
    }).join("");
  }
  if (typeof value === "string") {
    if (value.includes("\n")) return "|" + value.split("\n").map((l) => `\n${indent}${l}`).join("");
    return plain.test(value) && !odd.test(value) ? value : JSON.stringify(value);
  }
  return String(value);
}

export const marks: Record<string, string> = {
  passed: "✓", failed: "✗", error: "!", skipped: "–", canceled: "■", flaky: "≈", healed: "✚", inconclusive: "?", unfinished: "…", unplayed: "○", running: "▸",
};

export const words: Record<string, string> = {
  passed: "passed", failed: "failed", error: "broken", skipped: "skipped", canceled: "stopped", flaky: "flaky", healed: "healed", inconclusive: "inconclusive", unfinished: "not finished", unplayed: "not played yet", running: "running",
};
