// What is shown: the report, the selection, the filters. Components read these signals; only the functions here change them.
import { batch, computed, signal } from "@preact/signals";
import { bad, type Attempt, type Outcome, type Report, type Step, type Trail } from "./model";
import type { Source } from "./source";

export const source = signal<Source | null>(null);
export const report = signal<Report | null>(null);
export const problem = signal("");

export const query = signal("");
export const failedOnly = signal(false);
export const help = signal(false);

const trailAt = signal(0);
const attemptAt = signal(0);
const stepAt = signal(0);

const has = (text: string | undefined, q: string) => text !== undefined && text.toLowerCase().includes(q);
const stepMatches = (s: Step, q: string) => has(s.text, q) || (s.calls ?? []).some((c) => has(c.name, q));
const trailMatches = (t: Trail, q: string) => has(t.title, q) || has(t.path, q) || (t.tags ?? []).some((tag) => has(tag, q));

const wanted = computed(() => query.value.trim().toLowerCase());

export interface Listed<T> { item: T; index: number }

export const trails = computed<Listed<Trail>[]>(() => {
  const q = wanted.value;
  return (report.value?.trails ?? [])
    .map((item, index) => ({ item, index }))
    .filter(({ item }) => !failedOnly.value || bad(item.outcome) || item.outcome === "flaky" || item.outcome === "healed")
    .filter(({ item }) => !q || trailMatches(item, q) || (item.attempts ?? []).some((a) => a.steps.some((s) => stepMatches(s, q))));
});

export const trail = computed<Trail | undefined>(() => report.value?.trails[trailAt.value]);
export const attempt = computed<Attempt | undefined>(() => trail.value?.attempts?.[attemptAt.value]);

export const steps = computed<Listed<Step>[]>(() => {
  const all = (attempt.value?.steps ?? []).map((item, index) => ({ item, index }));
  const q = wanted.value;
  let out = failedOnly.value && all.some(({ item }) => bad(item.outcome)) ? all.filter(({ item }) => bad(item.outcome)) : all;
  if (q) {
    const hits = out.filter(({ item }) => stepMatches(item, q));
    if (hits.length > 0) out = hits;
  }
  return out;
});

export const step = computed<Step | undefined>(() => attempt.value?.steps[stepAt.value]);
export const position = computed(() => ({ trail: trailAt.value, attempt: attemptAt.value, step: stepAt.value }));

// firstBad is where a reader wants to be: at what failed, else at what was healed and is to be reviewed, else at the beginning.
function firstBad(all: { outcome: Outcome }[] = []): number {
  const i = all.findIndex((x) => bad(x.outcome));
  return Math.max(i < 0 ? all.findIndex((x) => x.outcome === "healed") : i, 0);
}

export function openTrail(index: number, attemptIndex?: number) {
  const attempts = report.value?.trails[index]?.attempts ?? [];
  openAttempt(index, attemptIndex ?? Math.max(attempts.length - 1, 0));
}

export function openAttempt(t: number, a: number, s?: number) {
  batch(() => {
    trailAt.value = t;
    attemptAt.value = a;
    stepAt.value = s ?? firstBad(report.value?.trails[t]?.attempts?.[a]?.steps);
  });
  remember();
}

export function openStep(index: number) {
  stepAt.value = index;
  remember();
}

// move selects the next or previous of what is listed.
export function move<T>(list: Listed<T>[], current: number, by: number, open: (index: number) => void) {
  if (list.length === 0) return;
  const at = list.findIndex((l) => l.index === current);
  const to = at < 0 ? 0 : Math.min(Math.max(at + by, 0), list.length - 1);
  open(list[to].index);
}

export function nextFailure(by: number) {
  const all = report.value?.trails ?? [];
  for (let n = 1; n <= all.length; n++) {
    const i = (trailAt.value + by * n + all.length * n) % all.length;
    if (bad(all[i].outcome)) return openTrail(i);
  }
}

// address is what stands before the place of the chosen step in the fragment of the page's address.
export const address = { base: "#" };

function remember() {
  const { trail: t, attempt: a, step: s } = position.value;
  try { history.replaceState(null, "", `${address.base}${t + 1}.${a + 1}.${s + 1}`); } catch { /* a page in a frame may not */ }
}

export function show(r: Report) {
  report.value = r;
  const at = location.hash.startsWith(address.base) && /^(\d+)\.(\d+)\.(\d+)$/.exec(location.hash.slice(address.base.length));
  if (at && r.trails[+at[1] - 1]) return openAttempt(+at[1] - 1, +at[2] - 1, +at[3] - 1);
  openTrail(firstBad(r.trails));
}

// update shows a newer state of the same report. Who looks at the newest step goes on to look at the newest.
export function update(r: Report) {
  const last = (attempt.value?.steps.length ?? 0) - 1;
  const following = stepAt.value >= last;
  batch(() => {
    report.value = r;
    const now = attempt.value?.steps.length ?? 0;
    if (following && now > 0) stepAt.value = now - 1;
  });
}
