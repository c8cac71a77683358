// The report as internal/trails/report/model.go writes it. Durations are milliseconds.

import type { Pages } from "./pages";

export type Outcome = "passed" | "failed" | "error" | "skipped" | "canceled" | "flaky" | "healed" | "inconclusive" | "running"; // running: in the viewer alone

// What questions to a model took.
export interface Usage {
  model?: string;
  questions: number;
  inputTokens: number;
  cachedInputTokens?: number;
  outputTokens: number;
  costUsd?: number;
}

// The judge's part is in the whole.
export interface Price extends Usage {
  judge?: Usage;
  ruling?: string;
}

export interface Report {
  schema: string;
  id: string;
  title: string;
  version?: string;
  browser?: string;
  started: string;
  durationMs: number;
  outcome: Outcome;
  counts: Record<string, number>;
  devices?: { id: string; counts: Record<string, number> }[];
  trails: Trail[];
  notes?: string[];
  price?: Price;
}

export interface Trail {
  path?: string;
  id?: string;
  title: string;
  tags?: string[];
  repeat?: number;
  device?: string;
  outcome: Outcome;
  reason?: string;
  failure?: Failure;
  durationMs: number;
  attempts?: Attempt[];
}

export interface Attempt {
  number: number;
  session: string;
  device?: string;
  platform?: string;
  browser?: string;
  width?: number;
  height?: number;
  started: string;
  durationMs: number;
  outcome: Outcome;
  reason?: string;
  failure?: Failure;
  actors?: Actor[];
  steps: Step[];
  price?: Price;
  notes?: { level: string; text: string }[];
  screens?: Screen[];
  pages?: Pages<string>;
}

// A device of a trail on several.
export interface Actor {
  name: string;
  device: string;
  version?: string;
  width?: number;
  height?: number;
}

export interface Step {
  index: number;
  kind: string;
  text?: string;
  line?: number;
  mode?: string;
  actor?: string;
  price?: Price;
  outcome: Outcome;
  failure?: Failure;
  startMs: number;
  durationMs: number;
  calls?: Call[];
  screens?: Screen[];
}

export interface Call {
  id: string;
  parent?: string;
  role?: string;
  name: string;
  kind?: string;
  args?: unknown;
  authored?: unknown;
  text?: string;
  value?: unknown;
  evidence?: Evidence;
  isError?: boolean;
  failure?: Failure;
  startMs: number;
  durationMs: number;
}

export interface Evidence {
  target?: string;
  selector?: unknown;
  bounds?: Rect;
  changes?: string[];
  settle?: string;
  settleMs?: number;
  method?: string;
  taken?: string;
  url?: string;
  status?: number;
  checked?: string;
  none?: string;
  retries?: string[];
}

export interface Screen {
  blob: string;
  mime: string;
  why?: string;
  name?: string;
  actor?: string;
  width?: number;
  height?: number;
  marks?: Rect[];
  text?: string;
}

export interface Rect { x: number; y: number; w: number; h: number }

export interface Failure {
  kind: string;
  message: string;
  hint?: string;
  looked?: string;
  candidates?: string[];
  sinceGreen?: string[];
  log?: string[];
}

export const bad = (o: Outcome) => o !== "passed" && o !== "skipped" && o !== "flaky" && o !== "healed" && o !== "running";
