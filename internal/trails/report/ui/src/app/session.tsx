// One session, live or past, on the components of the report.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listen } from "../keys";
import type { Attempt, Report } from "../model";
import { Page } from "../page";
import { address, help, problem, query, report, show, source, update } from "../state";
import { follow, said, tools, view } from "./api";
import { Activity, panel, panels, readActivity } from "./activity";
import { compare, lastGreen } from "./compareview";
import { Kept } from "./kept";
import { Log } from "./log";
import { SaveButton, SaveForm } from "./save";

const live = signal(false);
const sides = ["Log", ...panels.slice(1)] as const;
const side = signal(""); // one of them in place of the step
const note = signal("");
const text = new TextDecoder();

// merged is the report with the newest state of its attempt that goes on.
function merged(now: Report, newer: Attempt, first: number): Report {
  const trails = now.trails.map((t) => ({
    ...t,
    attempts: t.attempts?.map((a) => (a.started === newer.started ? { ...newer, steps: [...a.steps.slice(0, first), ...newer.steps] } : a)),
  }));
  return { ...now, trails, durationMs: Math.max(now.durationMs, newer.durationMs) };
}

// withGreen compares a run with the last one that passed.
async function withGreen(trail: string, id: string) {
  try {
    const green = await lastGreen(trail, id);
    if (green) compare(id, green);
    else note.value = `No other run of ${trail} that passed is kept.`;
  } catch (err) {
    note.value = said(err);
  }
}

// open shows one of the sides, or the step again.
async function open(id: string, name: string) {
  side.value = name;
  if (name === "" || name === "Log") return;
  panel.value = name as typeof panel.value;
  try {
    await readActivity({ sessionId: id });
  } catch (err) {
    note.value = said(err);
  }
}

export function SessionView({ id }: { id: string }) {
  useEffect(() => {
    const pictures = new Kept();
    source.value = pictures;
    report.value = null;
    problem.value = "";
    help.value = false;
    note.value = "";
    void open(id, side.value);
    address.base = `#/session/${encodeURIComponent(id)}/`;
    const stopKeys = listen();
    const stop = follow((signal) => view.watchReport({ sessionId: id }, { signal }), (m) => {
      live.value = m.running;
      if (m.report.length > 0) {
        const r: Report = JSON.parse(text.decode(m.report));
        if (report.value) update(r);
        else show(r);
        performance.mark("shown");
      } else if (m.attempt.length > 0 && report.value) {
        update(merged(report.value, JSON.parse(text.decode(m.attempt)), m.firstStep));
      }
    }, (why) => { problem.value = why; });
    return () => { stop(); stopKeys(); pictures.close(); source.value = null; report.value = null; };
  }, []);
  const also = (
    <>
      {live.value && <Live id={id} />}
      {report.value?.trails[0]?.path && <button type="button" onClick={() => withGreen(report.value!.trails[0].path!, id)}>Compare</button>}
      {report.value?.trails[0] && !report.value.trails[0].path && <SaveButton id={id} />}
      {sides.map((name) => <button type="button" key={name} class="toggle" aria-pressed={side.value === name} onClick={() => void open(id, side.value === name ? "" : name)}>{name}</button>)}
    </>
  );
  const shown = side.value === "Log" ? <Log id={id} live={live.value} /> : side.value && <main class="pane detail log" aria-label={side.value}><Activity key={side.value} words={query.value} /></main>;
  return <>{note.value && <p class="note warning" role="alert">{note.value}</p>}<SaveForm id={id} /><Page also={also} detail={shown} /></>;
}

function Live({ id }: { id: string }) {
  const stop = () => void tools.callTool({ name: "session", argsJson: JSON.stringify({ action: "STOP", id }) });
  return <><span class="pill live">live</span><button type="button" onClick={stop}>Stop</button></>;
}
