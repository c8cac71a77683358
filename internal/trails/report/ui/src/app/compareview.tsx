// Two runs side by side: their steps, their times, and what differs.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Diff } from "../failure";
import { duration, when } from "../format";
import type { Attempt, Outcome, Report, Step } from "../model";
import { Mark, Pill } from "../parts";
import { Shot } from "../shot";
import { source } from "../state";
import { Virtual } from "../virtual";
import { said, view } from "./api";
import { changes, pairs, stepText, type Pair } from "./compare";
import { Head } from "./frame";
import { Kept } from "./kept";
import { go, to } from "./route";

interface Run { title: string; attempt: Attempt }

const runs = signal<[Run, Run] | null>(null);
const problem = signal("");
const chosen = signal(0);
const onlyDifferent = signal(false);
const all = computed<Pair[]>(() => (runs.value ? pairs(runs.value[0].attempt, runs.value[1].attempt) : []));
const listed = computed(() => all.value.map((item, index) => ({ item, index })).filter(({ item }) => !onlyDifferent.value || item.differs.length > 0));

// compare shows two sessions side by side.
export const compare = (a: string, b: string) => go("compare", [a, b].sort().join("~"));

// lastGreen is the newest other session in which a trail passed.
export async function lastGreen(trail: string, than: string): Promise<string | undefined> {
  const kept = (await view.listKeptSessions({ trail, outcome: "passed", limit: 10 })).sessions;
  return kept.find((s) => s.sessionId !== than && !s.running)?.sessionId;
}

async function read(id: string, signal: AbortSignal): Promise<Run> {
  for await (const m of view.watchReport({ sessionId: id }, { signal })) {
    if (m.report.length === 0) continue;
    const r: Report = JSON.parse(new TextDecoder().decode(m.report));
    const t = r.trails[0], attempt = t?.attempts?.at(-1);
    if (!attempt) throw new Error(`Nothing was done in session ${id}.`);
    return { title: t.title, attempt };
  }
  throw new Error(`Session ${id} says nothing.`);
}

export function CompareView({ ids }: { ids: string }) {
  useEffect(() => {
    const stop = new AbortController(), pictures = new Kept();
    runs.value = null;
    problem.value = "";
    chosen.value = 0;
    source.value = pictures;
    const [a = "", b = ""] = ids.split("~");
    Promise.all([read(a, stop.signal), read(b, stop.signal)]).then((both) => {
      runs.value = both[0].attempt.started <= both[1].attempt.started ? both : [both[1], both[0]];
      chosen.value = Math.max(all.value.findIndex((p) => p.differs.length > 0), 0);
    }).catch((err) => { if (!stop.signal.aborted) problem.value = said(err); }).finally(() => stop.abort());
    return () => { stop.abort(); pictures.close(); source.value = null; };
  }, []);
  const two = runs.value, different = all.value.filter((p) => p.differs.length > 0).length;
  const step = (by: number) => {
    const list = listed.value, at = list.findIndex((l) => l.index === chosen.value);
    if (list.length > 0) chosen.value = list[Math.min(Math.max(at + by, 0), list.length - 1)].index;
  };
  return (
    <>
      <Head title="Two runs">
        <button type="button" class="toggle" aria-pressed={onlyDifferent.value} onClick={() => { onlyDifferent.value = !onlyDifferent.value; }}>What differs</button>
      </Head>
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      {two && (
        <>
          <div class="two-runs">{two.map((r, i) => (
            <section key={i} aria-label={i === 0 ? "First run" : "Second run"}>
              <h2><a href={to("session", r.attempt.session)}><bdi>{r.title}</bdi></a> <Pill outcome={r.attempt.outcome} /></h2>
              <p>{[when(r.attempt.started), r.attempt.device, r.attempt.browser, duration(r.attempt.durationMs)].filter(Boolean).join(" · ")}</p>
            </section>
          ))}<p role="status">{different === 0 ? "No step differs." : `${different} of ${all.value.length} steps ${different === 1 ? "differs" : "differ"}.`}</p></div>
          <div class="trail">
            <section class="pane tool-list" aria-label="Steps" onKeyDown={(e) => {
              const by = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 }[e.key];
              if (e.key === "f") onlyDifferent.value = !onlyDifferent.value;
              else if (by) step(by);
              else return;
              e.preventDefault();
            }}>
              <Virtual id="pairs" label="Steps of both runs" items={listed.value} height={46} selected={chosen.value} open={(i) => { chosen.value = i; }} row={(p) => <Row p={p} />} />
            </section>
            <Both p={all.value[chosen.value]} two={two} />
          </div>
        </>
      )}
    </>
  );
}

const outcome = (s: Step | undefined) => (s?.outcome ?? "skipped") as Outcome;

function Row({ p }: { p: Pair }) {
  const s = (p.b ?? p.a)!;
  return (
    <>
      <Mark outcome={outcome(p.a)} /><Mark outcome={outcome(p.b)} />
      <span class="row-text"><span class="row-title" dir="auto">{s.text || s.calls?.[0]?.name || "Untitled step"}</span><small>{p.differs.join(", ")}</small></span>
      <span class="time">{p.a ? duration(p.a.durationMs) : "–"}<br />{p.b ? duration(p.b.durationMs) : "–"}</span>
    </>
  );
}

function Both({ p, two }: { p: Pair | undefined; two: [Run, Run] }) {
  if (!p) return <section class="pane source" />;
  const both: [Step | undefined, Run][] = [[p.a, two[0]], [p.b, two[1]]];
  const pictures = both.map(([s]) => s?.screens?.findLast((x) => x.mime.startsWith("image/")));
  const lines = changes(stepText(p.a), stepText(p.b));
  return (
    <section class="pane source" tabIndex={0} aria-label="What differs in the step">
      <h2 class="step-title" dir="auto">{(p.b ?? p.a)!.text || "Untitled step"}</h2>
      <p class="over">{p.differs.length > 0 ? `It differs: ${p.differs.join(", ")}.` : "Nothing differs."}</p>
      {lines.length > 0 && <Diff lines={lines} />}
      {pictures.some(Boolean) && <div class="shots pair">{both.map(([, r], i) => (pictures[i] ? <Shot key={i} s={pictures[i]} a={r.attempt} as={i === 0 ? "First run" : "Second run"} /> : <p key={i} class="gone">{i === 0 ? "First run" : "Second run"}: no picture</p>))}</div>}
    </section>
  );
}
