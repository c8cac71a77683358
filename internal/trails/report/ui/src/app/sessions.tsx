// The kept sessions, those that run among them.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { duration, when } from "../format";
import type { Outcome } from "../model";
import { Mark } from "../parts";
import { Virtual } from "../virtual";
import type { KeptSession } from "../gen/trailblaze/v1/view_service_pb";
import { said, view } from "./api";
import { compare } from "./compareview";
import { Head } from "./frame";
import { go } from "./route";
import { status, watchStatus } from "./status";

const kept = signal<KeptSession[] | null>(null);
const words = signal("");
const chosen = signal(0);
const problem = signal("");
const first = signal<KeptSession | null>(null); // of two to compare
const running = computed(() => (status.value?.sessions ?? []).map((s) => s.sessionId).join(" "));

async function load() {
  try {
    kept.value = (await view.listKeptSessions({ search: words.value, limit: 500 })).sessions;
    problem.value = "";
  } catch (err) {
    problem.value = said(err);
  }
}

export function Sessions() {
  useEffect(watchStatus, []);
  useEffect(() => {
    const t = setTimeout(load, words.value ? 150 : 0); // while somebody types
    return () => clearTimeout(t);
  }, [words.value, running.value]);
  const list = kept.value ?? [];
  useEffect(() => { first.value = null; }, []);
  const open = (i: number) => {
    chosen.value = i;
    const { sessionId } = list[i];
    if (first.value && first.value.sessionId !== sessionId) compare(first.value.sessionId, sessionId);
    else go("session", sessionId);
  };
  const choose = () => { first.value = first.value ? null : list[chosen.value] ?? null; };
  return (
    <>
      <Head title="Sessions">
        <input type="search" placeholder="Search titles, steps, failures" aria-label="Search sessions" value={words.value} onInput={(e) => { words.value = e.currentTarget.value; }} />
        <button type="button" class="toggle" aria-pressed={first.value !== null} disabled={list.length < 2} title="c" onClick={() => { choose(); document.getElementById("sessions")?.focus(); }}>Compare</button>
      </Head>
      {first.value && <p class="note" role="status">“<bdi>{first.value.title || first.value.sessionId}</bdi>” is compared with the session that you open now. Esc ends that.</p>}
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      {kept.value && list.length === 0 && !problem.value && <section class="empty"><h2>{words.value ? "No session has these words" : "No session is kept yet"}</h2><p>Each run of a trail and each device that is driven keeps one.</p></section>}
      <div class="pane fill" onKeyDown={(e) => {
        if (e.target instanceof HTMLInputElement) return;
        const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 }[e.key];
        if (step) chosen.value = Math.min(Math.max(chosen.value + step, 0), list.length - 1);
        else if (e.key === "Enter") open(chosen.value);
        else if (e.key === "c") choose();
        else if (e.key === "Escape") first.value = null;
        else return;
        e.preventDefault();
      }}>
        {list.length > 0 && <Virtual id="sessions" label="Sessions" items={list.map((item, index) => ({ item, index }))} height={52} selected={chosen.value} open={open} row={(s) => <Row s={s} />} />}
      </div>
    </>
  );
}

function Row({ s }: { s: KeptSession }) {
  const small = [s.deviceId, s.started && when(timestampDate(s.started).toISOString()), s.message].filter(Boolean).join(" · ");
  return (
    <>
      {s.running ? <span class="mark live" role="img" aria-label="running">●</span> : <Mark outcome={(s.outcome || "unfinished") as Outcome} />}
      <span class="row-text"><span class="row-title" dir="auto">{s.title || s.sessionId}</span><small title={small}>{small}</small></span>
      <span class="time">{s.running ? "live" : s.durationMs ? duration(s.durationMs) : ""}</span>
    </>
  );
}
