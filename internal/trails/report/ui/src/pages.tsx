// What pages have asked for, logged and saved, as lines: of an attempt in a report, of a device or a session in the viewer.
import { signal } from "@preact/signals";
import { duration } from "./format";
import { Virtual } from "./virtual";

export const kinds = ["Network", "Console", "Files"] as const;
export type PagesKind = (typeof kinds)[number];

// Pages have times as a report writes them, or as the API sends them.
export interface Pages<T> {
  requests?: { method: string; url: string; type?: string; status?: number; error?: string; mimeType?: string; started?: T; durationMs: number; mocked?: boolean }[];
  console?: { level: string; text: string; source?: string; time?: T }[];
  files?: { name: string; url: string; bytes: number | bigint; state: string }[];
}

interface Line<T> { time?: T; mark: string; bad: boolean; text: string; more: [string, string | undefined][] }

const chosen = signal(-1);
const bytes = (n: number) => (n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`);

// lines are what a list of a kind shows, the newest first.
function lines<T>(a: Pages<T>, kind: PagesKind): Line<T>[] {
  const out: Line<T>[] = kind === "Network"
    ? (a.requests ?? []).map((r) => ({
      time: r.started, mark: r.status ? String(r.status) : r.error ? "failed" : "…", bad: Boolean(r.error) || (r.status ?? 0) >= 400, text: `${r.method} ${r.url}`,
      more: [["url", r.url], ["type", [r.type, r.mimeType].filter(Boolean).join(" · ")], ["status", r.status ? String(r.status) : undefined], ["error", r.error], ["duration", r.durationMs ? duration(r.durationMs) : undefined], ["answered by", r.mocked ? "a route" : undefined]],
    }))
    : kind === "Console"
      ? (a.console ?? []).map((c) => ({ time: c.time, mark: c.level, bad: ["error", "exception", "network"].includes(c.level), text: c.text, more: [["text", c.text], ["source", c.source]] }))
      : (a.files ?? []).map((f) => ({ mark: f.state === "completed" ? "saved" : f.state === "canceled" ? "canceled" : "…", bad: f.state === "canceled", text: `${f.name}, ${bytes(Number(f.bytes))}`, more: [["url", f.url]] }));
  return out.reverse();
}

export function PagesList<T>({ of, kind, date, words }: { of?: Pages<T> | null; kind: PagesKind; date: (t: T) => Date; words: string }) {
  const q = words.trim().toLowerCase(), all = of ? lines(of, kind) : [];
  const list = all.map((item, index) => ({ item, index })).filter(({ item }) => !q || `${item.mark} ${item.text}`.toLowerCase().includes(q));
  const l = all[chosen.value];
  return (
    <>
      <div class="pane fill" onKeyDown={(k) => {
        const at = list.findIndex((x) => x.index === chosen.value), by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[k.key];
        if (by && list.length > 0) { chosen.value = list[Math.min(Math.max(at + by, 0), list.length - 1)].index; k.preventDefault(); k.stopPropagation(); }
      }}>
        {list.length === 0 && <p class="note">{q && all.length > 0 ? "Nothing is found." : "Nothing."}</p>}
        <Virtual id="activity" label={kind} items={list} height={26} selected={chosen.value} open={(i) => { chosen.value = i; }} row={(x) => <span class={x.bad ? "element bad" : "element"}><span class="time">{x.time && date(x.time).toISOString().slice(11, 23)}</span> <code>{x.mark}</code> {x.text}</span>} />
      </div>
      {l && <section class="picked" aria-label="Chosen line"><dl class="facts-list">{l.more.filter(([, v]) => v).map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}</dl></section>}
    </>
  );
}
