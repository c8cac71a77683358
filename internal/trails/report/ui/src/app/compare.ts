// Which steps of two runs belong together, and what differs between them.
import { yaml } from "../format";
import type { Attempt, Call, Step } from "../model";

export interface Pair { a?: Step; b?: Step; differs: string[] }

const largest = 4_000_000; // cells of a table; runs of more steps are paired by their place

// together pairs the equal items of two lists in their order. Items of one list alone stand by themselves.
export function together<T>(a: T[], b: T[], same: (x: T, y: T) => boolean): [T | undefined, T | undefined][] {
  const out: [T | undefined, T | undefined][] = [];
  let from = 0, ends = 0;
  while (from < a.length && from < b.length && same(a[from], b[from])) { out.push([a[from], b[from]]); from++; }
  while (ends < a.length - from && ends < b.length - from && same(a[a.length - 1 - ends], b[b.length - 1 - ends])) ends++;
  const x = a.slice(from, a.length - ends), y = b.slice(from, b.length - ends);
  if (x.length * y.length > largest) {
    for (let i = 0; i < Math.max(x.length, y.length); i++) out.push([x[i], y[i]]);
  } else {
    const width = y.length + 1, best = new Uint32Array((x.length + 1) * width);
    for (let i = x.length - 1; i >= 0; i--) for (let j = y.length - 1; j >= 0; j--) {
      best[i * width + j] = same(x[i], y[j]) ? best[(i + 1) * width + j + 1] + 1 : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
    for (let i = 0, j = 0; i < x.length || j < y.length; ) {
      if (i < x.length && j < y.length && same(x[i], y[j])) out.push([x[i++], y[j++]]);
      else if (j >= y.length || (i < x.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) out.push([x[i++], undefined]);
      else out.push([undefined, y[j++]]);
    }
  }
  for (let n = ends; n > 0; n--) out.push([a[a.length - n], b[b.length - n]]);
  return out;
}

const called = (s: Step) => (s.calls ?? []).filter((c) => !c.parent);
const key = (s: Step) => s.text || called(s).map((c) => c.name).join(" ");
const print = (v: unknown) => yaml(v).replace(/^\n/, "");

// callText is a call with its outcome, as lines that can be compared.
function callText(c: Call): string {
  const { fingerprint: _, toFingerprint: __, ...args } = (c.authored ?? c.args ?? {}) as Record<string, unknown>;
  const e = c.evidence;
  return [c.name, Object.keys(args).length > 0 && print(args), c.isError && `failed: ${c.failure?.message ?? c.text}`, e?.target && `target: ${e.target}`,
    e?.checked && `checked: ${e.checked}`, e?.changes?.length && `changed: ${e.changes.join(", ")}`, e?.status && `status: ${e.status}`].filter(Boolean).join("\n");
}

export const stepText = (s: Step | undefined) => (s ? [...called(s).map(callText), s.failure && !called(s).some((c) => c.isError) && `failed: ${s.failure.message}`].filter(Boolean).join("\n") : "");

// slower is from when on a time is said to differ: a step of a few milliseconds is never as long as before.
const slower = { factor: 1.5, by: 200 };

function differs(a: Step | undefined, b: Step | undefined): string[] {
  if (!a || !b) return [a ? "only in the first" : "only in the second"];
  const out: string[] = [];
  if (a.outcome !== b.outcome) out.push("outcome");
  if (called(a).map((c) => c.name).join(" ") !== called(b).map((c) => c.name).join(" ")) out.push("calls");
  else if (stepText(a) !== stepText(b)) out.push("details");
  const [less, more] = a.durationMs < b.durationMs ? [a.durationMs, b.durationMs] : [b.durationMs, a.durationMs];
  if (more > less * slower.factor && more - less > slower.by) out.push("time");
  return out;
}

export const pairs = (a: Attempt, b: Attempt): Pair[] => together(a.steps, b.steps, (x, y) => key(x) === key(y)).map(([x, y]) => ({ a: x, b: y, differs: differs(x, y) }));

// changes are the lines of two texts with a sign before those that are in one alone.
export const changes = (a: string, b: string): string[] => together(a ? a.split("\n") : [], b ? b.split("\n") : [], (x, y) => x === y)
  .map(([x, y]) => (x === undefined ? `+ ${y}` : y === undefined ? `- ${x}` : x === y ? `  ${x}` : `- ${x}\n+ ${y}`));
