// The trails of the workspace with their runs, one trail as steps and text, and the repairs that runs propose.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Diff } from "../failure";
import { duration, when } from "../format";
import type { Outcome } from "../model";
import { Mark } from "../parts";
import { Virtual } from "../virtual";
import type { CallToolResponse } from "../gen/trailblaze/v1/tool_service_pb";
import type { GetTrailResponse, ProposedRepair, TrailInfo, TrailPlaying, TrailProblem } from "../gen/trailblaze/v1/view_service_pb";
import { options, said, tools, view, workspace } from "./api";
import { compare } from "./compareview";
import { Head } from "./frame";
import { go, to } from "./route";
import { status, watchStatus } from "./status";

const trails = signal<TrailInfo[] | null>(null);
const repairs = signal<ProposedRepair[]>([]);
const words = signal("");
const chosen = signal(0);
const problem = signal("");
const trail = signal<GetTrailResponse | null>(null);
const running = signal("");
const device = signal("");
const stop = signal<AbortController | null>(null);
const at = signal(0); // the chosen step, from 0
const next = signal(0); // the step that is played next
const marks = signal<Record<number, Outcome>>({});
const editing = signal<Edit | null>(null);

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

// flaky lists the devices on which the last runs of a trail neither all passed nor all failed.
function flaky(runs: TrailPlaying[]): string[] {
  const on = (id: string, passed: boolean) => runs.some((r) => r.deviceId === id && r.outcome && (r.outcome === "passed") === passed);
  return [...new Set(runs.map((r) => r.deviceId))].filter((id) => on(id, true) && on(id, false));
}

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
  const last = t.runs[0], several = t.runs.some((r) => r.deviceId !== last.deviceId), unsteady = flaky(t.runs);
  const small = [t.path, `${t.steps} ${t.steps === 1 ? "step" : "steps"}`, ...t.platforms, t.problem].filter(Boolean).join(" · ");
  return (
    <>
      <Mark outcome={(t.problem ? "error" : last?.outcome || "unplayed") as Outcome} />
      <span class="row-text"><span class="row-title" dir="auto">{t.title || t.path}</span><small title={small}>{small}</small></span>
      {unsteady.length > 0 && <span class="pill flaky">{several ? `flaky on ${unsteady.join(", ")}` : "flaky"}</span>}
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

// play plays a trail, or steps of it, and returns what the daemon says of it. Ending it ends the call.
async function play(path: string, range: { from?: number; to?: number }): Promise<CallToolResponse | undefined> {
  running.value = "starting";
  problem.value = "";
  stop.value = new AbortController();
  try {
    const argsJson = JSON.stringify({ action: "RUN", file: path, ...range, ...(device.value && { device: device.value }) });
    for await (const m of tools.watchTool({ call: { name: "trail", argsJson, options: options(), whole: true } }, { signal: stop.value.signal })) {
      if (m.message.case === "progress") running.value = m.message.value.message || "running";
      else if (m.message.case === "result") {
        const r = m.message.value, failed = r.refusal ?? r.result?.failure;
        problem.value = failed ? [failed.message, failed.hint].filter(Boolean).join(". ") : "";
        return r;
      }
    }
  } catch (err) {
    problem.value = stop.value.signal.aborted ? "It was stopped. The device stands where it was." : said(err);
  } finally {
    running.value = "";
    stop.value = null;
  }
}

// run plays all of the trail, and shows its session.
async function run(path: string) {
  const r = await play(path, {});
  if (r?.call?.sessionId) go("session", r.call.sessionId);
  else await read(path);
}

// steps plays from the step that is next up to another, and marks how each went.
async function steps(path: string, to: number) {
  const from = next.value;
  if (from > to) { problem.value = `Step ${to + 1} is behind the next one: begin there with b.`; return; }
  const r = await play(path, { from: from + 1, to: to + 1 });
  const ran: { outcome?: string; failure?: { step?: number } } | undefined = r?.result?.valueJson ? JSON.parse(r.result.valueJson).run : undefined;
  if (!ran) return;
  const end = ran.failure ? (ran.failure.step ?? from + 1) - 1 : to;
  const now = { ...marks.value };
  for (let i = from; i <= end; i++) now[i] = ran.failure && i === end ? "failed" : "passed";
  marks.value = now;
  next.value = ran.failure ? end : to + 1;
}

const lineOf = (n: number) => document.getElementById(`line-${n}`)?.scrollIntoView({ block: "center" });

export function TrailView({ path }: { path: string }) {
  useEffect(watchStatus, []);
  useEffect(() => {
    trail.value = null;
    marks.value = {};
    next.value = at.value = 0;
    editing.value = null;
    void read(path);
    return () => stop.value?.abort();
  }, []);
  const t = trail.value;
  const wrong = !t || t.problems.some((p) => p.severity === "error");
  return (
    <>
      <Head title={t?.info?.title || path}>
        {t?.info && <Runs of={t.info.runs} />}
        <button type="button" disabled={running.value !== "" || wrong} onClick={() => run(path)}>Run</button>
        <button type="button" onClick={() => read(path)}>Read again</button>
      </Head>
      {running.value && <p class="note" role="status">{running.value}</p>}
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      {t && (
        <div class="trail">
          <section class="pane" aria-label="Steps">
            <StepTools path={path} t={t} wrong={wrong} />
            <StepList path={path} t={t} />
            <h2 class="over">Runs</h2>
            <ul class="trail-runs">{t.info!.runs.map((r) => <li key={r.sessionId + r.attempt}><Mark outcome={(r.outcome || "unfinished") as Outcome} /> <a href={to("session", r.sessionId)}>{r.started && when(timestampDate(r.started).toISOString())}</a> <span class="time">{duration(r.durationMs)}</span> <span class="time">{r.deviceId}</span><Green of={t.info!.runs} r={r} /></li>)}</ul>
          </section>
          <Source path={path} t={t} />
        </div>
      )}
    </>
  );
}

// actions are what can be done with the chosen step, each with its key.
function actions(path: string, t: GetTrailResponse): { key: string; name: string; off: boolean; do: () => void }[] {
  const busy = running.value !== "", count = t.steps.length, wrong = t.problems.some((p) => p.severity === "error");
  return [
    { key: "n", name: "Next step", off: busy || wrong || next.value >= count, do: () => void steps(path, next.value) },
    { key: "r", name: "Run to here", off: busy || wrong || at.value < next.value, do: () => void steps(path, at.value) },
    { key: "b", name: "Begin here", off: busy || at.value === next.value, do: () => { next.value = at.value; } },
    { key: "s", name: "Stop", off: !busy, do: () => stop.value?.abort() },
    { key: "e", name: "Edit", off: busy || count === 0, do: () => edit(t) },
  ];
}

function StepTools({ path, t, wrong }: { path: string; t: GetTrailResponse; wrong: boolean }) {
  const open = (status.value?.devices ?? []).filter((d) => d.state === "open");
  return (
    <div class="tools step-tools" role="group" aria-label="Step by step">
      <label>on <select value={device.value} onChange={(e) => { device.value = e.currentTarget.value; }}><option value="">mine</option>{open.map((d) => <option key={d.deviceId}>{d.deviceId}</option>)}</select></label>
      {actions(path, t).map((a) => <button type="button" key={a.key} disabled={a.off || (wrong && a.key === "r")} title={`${a.name}  ${a.key}`} onClick={a.do}>{a.name}</button>)}
      {device.value && <a class="button" href={to("device", device.value)}>Screen</a>}
    </div>
  );
}

function StepList({ path, t }: { path: string; t: GetTrailResponse }) {
  return (
    <ol class="trail-steps" onKeyDown={(e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const by = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[e.key], a = actions(path, t).find((x) => x.key === e.key && !x.off);
      if (by) document.getElementById(`step-${Math.min(Math.max(at.value + by, 0), t.steps.length - 1)}`)?.focus();
      else if (a) a.do();
      else return;
      e.preventDefault();
    }}>{t.steps.map((s, i) => (
      <li key={i} class={i === next.value ? "next" : ""}><button type="button" id={`step-${i}`} aria-current={i === at.value ? "step" : undefined} onFocus={() => { at.value = i; }} onClick={() => { at.value = i; lineOf(s.line); }}>
        {marks.value[i] ? <Mark outcome={marks.value[i]} /> : <span class="num">{i + 1}</span>}<span dir="auto">{s.kind === "verify" && <em class="verify" dir="ltr">verify</em>}{s.text}{i === next.value && <em class="verify">next</em>}</span><small>{s.recordings.filter(Boolean).join(" ") || "not recorded"}</small>
      </button></li>
    ))}</ol>
  );
}

interface Edit { from: number; to: number; text: string; problems: TrailProblem[]; said: string } // lines, from 0; to is the one behind

// edit opens the lines of the chosen step.
function edit(t: GetTrailResponse) {
  const all = t.text.split("\n"), from = t.steps[at.value].line - 1;
  let end = at.value + 1 < t.steps.length ? t.steps[at.value + 1].line - 1 : all.length;
  while (end > from + 1 && /^\s*(#.*)?$/.test(all[end - 1])) end--; // what stands before the next step belongs to it
  editing.value = { from, to: end, text: all.slice(from, end).join("\n"), problems: [], said: "" };
}

const edited = (t: GetTrailResponse, e: Edit) => { const all = t.text.split("\n"); return [...all.slice(0, e.from), ...e.text.split("\n"), ...all.slice(e.to)].join("\n"); };

// check has the daemon read the new text; save then writes it.
async function check(path: string, save: boolean) {
  const t = trail.value, e = editing.value;
  if (!t || !e) return;
  try {
    const r = await view.writeTrail({ options: options(), path, text: edited(t, e), was: t.text, check: !save });
    const now = editing.value;
    if (r.written) await read(path);
    if (!now || now.from !== e.from) return; // it was closed meanwhile
    if (r.written && now.text === e.text) {
      editing.value = null;
      document.getElementById(`step-${at.value}`)?.focus();
    } else if (r.written) editing.value = { ...now, to: e.from + e.text.split("\n").length }; // somebody typed on
    else if (now.text === e.text) editing.value = { ...now, problems: r.problems, said: save ? "It is not saved: mend the errors first." : now.said };
  } catch (err) {
    editing.value = { ...e, said: said(err) };
  }
}

function Source({ path, t }: { path: string; t: GetTrailResponse }) {
  const e = editing.value, all = t.text.split("\n");
  const line = (text: string, i: number) => {
    const found = e ? [] : t.problems.filter((p) => p.line === i + 1);
    return <span key={i} id={`line-${i + 1}`} class={found.length > 0 ? `line ${found[0].severity}` : t.steps[at.value]?.line === i + 1 ? "line here" : "line"}><i>{i + 1}</i>{text}{"\n"}{found.map((p) => <b role="note">{p.message}{p.hint && ` ${p.hint}`}{"\n"}</b>)}</span>;
  };
  return (
    <section class="pane source" tabIndex={0} aria-label="Text of the trail">
      <pre>{all.slice(0, e ? e.from : all.length).map(line)}</pre>
      {e && <Editor path={path} e={e} />}
      {e && <pre>{all.slice(e.to).map((text, i) => line(text, e.to + i))}</pre>}
    </section>
  );
}

function Editor({ path, e }: { path: string; e: Edit }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => { field.current?.focus(); field.current?.scrollIntoView({ block: "center" }); }, []);
  useEffect(() => { const w = setTimeout(() => void check(path, false), 250); return () => clearTimeout(w); }, [e.text]);
  const goTo = (line: number) => {
    const f = field.current!, before = e.text.split("\n").slice(0, Math.max(line - 1 - e.from, 0)).join("\n").length;
    f.focus();
    f.setSelectionRange(before + (line - 1 > e.from ? 1 : 0), before + (line - 1 > e.from ? 1 : 0));
  };
  return (
    <form class="editor" onSubmit={(s) => { s.preventDefault(); void check(path, true); }}>
      <textarea ref={field} rows={e.text.split("\n").length + 1} spellcheck={false} aria-label={`Lines of step ${at.value + 1}`} aria-invalid={e.problems.some((p) => p.severity === "error")} value={e.text}
        onInput={(i) => { editing.value = { ...e, text: i.currentTarget.value, said: "" }; }}
        onKeyDown={(k) => {
          if (k.key === "Escape") { editing.value = null; document.getElementById(`step-${at.value}`)?.focus(); }
          else if (k.key === "Enter" && (k.ctrlKey || k.metaKey)) void check(path, true);
          else return;
          k.preventDefault();
        }} />
      <div role="status">
        {e.problems.length > 0 && <ul>{e.problems.map((p) => <li class={p.severity}><button type="button" class="link" onClick={() => goTo(p.line)}>line {p.line}</button> {p.message} {p.hint}</li>)}</ul>}
        {e.said && <p class="error">{e.said}</p>}
      </div>
      <div class="tools"><button title="Save  Ctrl+Enter">Save</button><button type="button" title="Esc" onClick={() => { editing.value = null; }}>Cancel</button></div>
    </form>
  );
}
