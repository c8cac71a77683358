// One session, live or past, on the components of the report.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listen } from "../keys";
import type { Attempt, Report, Screen } from "../model";
import { Page } from "../page";
import type { Source } from "../source";
import { address, help, problem, report, show, source, update } from "../state";
import { follow, sessions, tools, view } from "./api";
import { Log } from "./log";

// Kept reads pictures of sessions when they are first shown.
class Kept implements Source {
  private pictures = new Map<string, ReturnType<typeof signal<string | undefined | null>>>();

  async report(): Promise<Report> { throw new Error("the report comes as a stream"); }

  picture(s: Screen, a: Attempt): string | undefined | null {
    const key = `${a.session}/${s.blob}`;
    let url = this.pictures.get(key);
    if (!url) {
      url = signal<string | undefined | null>(null);
      this.pictures.set(key, url);
      void this.load(a.session, s, url);
    }
    return url.value;
  }

  private async load(session: string, s: Screen, url: { value: string | undefined | null }) {
    try {
      const parts: BlobPart[] = [];
      for await (const m of sessions.readArtifact({ sessionId: session, hash: s.blob })) parts.push(m.data as BlobPart);
      url.value = /^image\/(png|jpeg|webp|gif)$/.test(s.mime) ? URL.createObjectURL(new Blob(parts, { type: s.mime })) : undefined;
    } catch {
      url.value = undefined;
    }
  }

  close() {
    for (const url of this.pictures.values()) if (url.value) URL.revokeObjectURL(url.value);
  }
}

const live = signal(false);
const log = signal(false);
const text = new TextDecoder();

// merged is the report with the newest state of its attempt that goes on.
function merged(now: Report, newer: Attempt, first: number): Report {
  const trails = now.trails.map((t) => ({
    ...t,
    attempts: t.attempts?.map((a) => (a.started === newer.started ? { ...newer, steps: [...a.steps.slice(0, first), ...newer.steps] } : a)),
  }));
  return { ...now, trails, durationMs: Math.max(now.durationMs, newer.durationMs) };
}

export function SessionView({ id }: { id: string }) {
  useEffect(() => {
    const pictures = new Kept();
    source.value = pictures;
    report.value = null;
    problem.value = "";
    help.value = false;
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
      <button type="button" class="toggle" aria-pressed={log.value} onClick={() => { log.value = !log.value; }}>Log</button>
    </>
  );
  return <Page also={also} detail={log.value && <Log id={id} live={live.value} />} />;
}

function Live({ id }: { id: string }) {
  const stop = () => void tools.callTool({ name: "session", argsJson: JSON.stringify({ action: "STOP", id }) });
  return <><span class="pill live">live</span><button type="button" onClick={stop}>Stop</button></>;
}
