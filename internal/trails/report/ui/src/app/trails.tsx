// The trails of the workspace with their runs, one trail as steps and text, and the repairs that runs propose.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Diff } from "../failure";
import { duration, when } from "../format";
import type { Outcome } from "../model";
import { Mark } from "../parts";
import { Virtual } from "../virtual";
import type { GetTrailResponse, ProposedRepair, TrailInfo, TrailPlaying } from "../gen/trailblaze/v1/view_service_pb";
import { options, said, tools, view, workspace } from "./api";
import { compare } from "./compareview";
import { Head } from "./frame";
import { go, to } from "./route";

const trails = signal<TrailInfo[] | null>(null);
const repairs = signal<ProposedRepair[]>([]);
const words = signal("");
const chosen = signal(0);
const problem = signal("");
const trail = signal<GetTrailResponse | null>(null);
const running = signal("");
const device = signal("");

async function load() {
  try {
    const [t, r] = await Promise.all([view.listTrails({ options: options() }), view.listRepairs({})]);
    trails.value = t.trails;
    repairs.value = r.repairs;
    problem.value = "";
  } catch (err) {
    problem.value = said(err);
  }
}

async function settle(r: ProposedRepair, accept: boolean) {
  try {
    await view.settleRepair({ runId: r.runId, file: r.file, accept });
    await load();
  } catch (err) {
    problem.value = said(err);
  }
}

// flaky says whether the last runs of a trail neither all passed nor all failed.
const flaky = (runs: TrailPlaying[]) => runs.some((r) => r.outcome === "passed") && runs.some((r) => r.outcome && r.outcome !== "passed");

export function Trails() {
  useEffect(() => { void load(); }, []);
  const q = words.value.trim().toLowerCase();
  const list = (trails.value ?? []).filter((t) => !q || `${t.path} ${t.title} ${t.tags.join(" ")}`.toLowerCase().includes(q));
  const open = (i: number) => { chosen.value = i; go("trail", list[i].path); };
  return (
    <>
      <Head title="Trails">
        <input type="search" placeholder="Search trails" aria-label="Search trails" value={words.value} onInput={(e) => { words.value = e.currentTarget.value; }} />
        <button type="button" onClick={load}>Read again</button>
      </Head>
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      <Repairs of={repairs.value} />
      {trails.value && list.length === 0 && <section class="empty"><h2>{q ? "No trail has these words" : "There are no trails here"}</h2><p>{workspace.value ? "Drive a device, then save the session as a trail." : "Run trailblaze app in the folder of your project."}</p></section>}
      <div class="pane fill" onKeyDown={(e) => {
        const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[e.key];
        if (step) chosen.value = Math.min(Math.max(chosen.value + step, 0), list.length - 1);
        else if (e.key === "Enter" && list[chosen.value]) open(chosen.value);
        else return;
        e.preventDefault();
      }}>
        {list.length > 0 && <Virtual id="trail-files" label="Trails" items={list.map((item, index) => ({ item, index }))} height={52} selected={chosen.value} open={open} row={(t) => <Row t={t} />} />}
      </div>
    </>
  );
}

function Row({ t }: { t: TrailInfo }) {
  const last = t.runs[0];
  const small = [t.path, `${t.steps} ${t.steps === 1 ? "step" : "steps"}`, ...t.platforms, t.problem].filter(Boolean).join(" · ");
  return (
    <>
      <Mark outcome={(t.problem ? "error" : last?.outcome || "unplayed") as Outcome} />
      <span class="row-text"><span class="row-title">{t.title || t.path}</span><small title={small}>{small}</small></span>
      {flaky(t.runs) && <span class="pill flaky">flaky</span>}
      <Runs of={t.runs} />
      <span class="time">{last && duration(last.durationMs)}</span>
    </>
  );
}

// Runs draws the last runs, the oldest first.
function Runs({ of }: { of: TrailPlaying[] }) {
  return <span class="runs" role="img" aria-label={`last runs: ${of.map((r) => r.outcome || "not finished").join(", ") || "none"}`}>{[...of].reverse().map((r) => <i key={r.sessionId + r.attempt} class={r.outcome} />)}</span>;
}

// Green compares a run with the last one that passed.
function Green({ of, r }: { of: TrailPlaying[]; r: TrailPlaying }) {
  const green = of.find((x) => x.outcome === "passed" && x.sessionId !== r.sessionId);
  if (!green) return null;
  return <button type="button" class="link" aria-label={`Compare with the last run that passed: ${r.started && when(timestampDate(r.started).toISOString())}`} onClick={() => compare(r.sessionId, green.sessionId)}>compare</button>;
}

function Repairs({ of }: { of: ProposedRepair[] }) {
  if (of.length === 0) return null;
  return (
    <section class="repairs" aria-label="Proposed repairs">
      {of.map((r) => (
        <details key={r.runId + r.file}>
          <summary><b>{r.path}</b> can be repaired: {r.reasons.join("; ")}</summary>
          <Diff lines={r.diff.split("\n")} />
          <div class="tools">
            <button type="button" disabled={r.outdated} onClick={() => settle(r, true)}>Accept</button>
            <button type="button" onClick={() => settle(r, false)}>Refuse</button>
            {r.outdated && <span class="hint">The file has changed since: run it with --heal again.</span>}
          </div>
        </details>
      ))}
    </section>
  );
}

async function read(path: string) {
  try {
    trail.value = await view.getTrail({ options: options(), path });
    problem.value = "";
  } catch (err) {
    problem.value = said(err);
  }
}

// run plays the trail on a device of its own, and shows its session as soon as there is one.
async function run(path: string) {
  running.value = "starting";
  try {
    for await (const m of tools.watchTool({ call: { name: "trail", argsJson: JSON.stringify({ action: "RUN", file: path, ...(device.value && { device: device.value }) }), options: options(), whole: true } })) {
      if (m.message.case === "progress") running.value = m.message.value.message || "running";
      else if (m.message.case === "result") {
        const r = m.message.value;
        problem.value = r.refusal?.message ?? "";
        if (r.call?.sessionId) go("session", r.call.sessionId);
      }
    }
  } catch (err) {
    problem.value = said(err);
  }
  running.value = "";
  await read(path);
}

export function TrailView({ path }: { path: string }) {
  useEffect(() => { trail.value = null; void read(path); }, []);
  const t = trail.value;
  const line = (n: number) => document.getElementById(`line-${n}`)?.scrollIntoView({ block: "center" });
  return (
    <>
      <Head title={t?.info?.title || path}>
        {t?.info && <Runs of={t.info.runs} />}
        <button type="button" disabled={running.value !== "" || !t || t.problems.some((p) => p.severity === "error")} onClick={() => run(path)}>Run</button>
        <button type="button" onClick={() => read(path)}>Read again</button>
      </Head>
      {running.value && <p class="note" role="status">{running.value}</p>}
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      {t && (
        <div class="trail">
          <section class="pane" aria-label="Steps">
            <ol class="trail-steps">{t.steps.map((s, i) => <li key={i}><button type="button" onClick={() => line(s.line)}><span class="num">{i + 1}</span><span>{s.kind === "verify" && <em class="verify">verify</em>}{s.text}</span><small>{s.recordings.filter(Boolean).join(" ") || "not recorded"}</small></button></li>)}</ol>
            <h2 class="over">Runs</h2>
            <ul class="trail-runs">{t.info!.runs.map((r) => <li key={r.sessionId + r.attempt}><Mark outcome={(r.outcome || "unfinished") as Outcome} /> <a href={to("session", r.sessionId)}>{r.started && when(timestampDate(r.started).toISOString())}</a> <span class="time">{duration(r.durationMs)}</span><Green of={t.info!.runs} r={r} /></li>)}</ul>
          </section>
          <section class="pane source" tabIndex={0} aria-label="Text of the trail">
            <pre>{t.text.split("\n").map((text, i) => {
              const wrong = t.problems.filter((p) => p.line === i + 1);
              return <span key={i} id={`line-${i + 1}`} class={wrong.length > 0 ? `line ${wrong[0].severity}` : "line"}><i>{i + 1}</i>{text}{"\n"}{wrong.map((p) => <b role="note">{p.message}{p.hint && ` ${p.hint}`}{"\n"}</b>)}</span>;
            })}</pre>
          </section>
        </div>
      )}
    </>
  );
}
