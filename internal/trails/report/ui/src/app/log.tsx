// The log of a session as it is: every event, model turns with what was asked and answered.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { JsonObject } from "@bufbuild/protobuf";
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { duration, yaml } from "../format";
import { query } from "../state";
import { Virtual } from "../virtual";
import type { Event } from "../gen/trailblaze/v1/session_service_pb";
import { follow, sessions } from "./api";

const events = signal<Event[]>([]);
const chosen = signal(0);

interface Data { call?: { name?: string; text?: string; duration?: number }; step?: { text?: string }; note?: { text?: string }; trail?: { title?: string }; session?: { title?: string; outcome?: string }; sampling?: { asked?: string; model?: string; inputTokens?: number; outputTokens?: number; costUsd?: number; duration?: number; completion?: string }; iteration?: { completion?: string }; agentRun?: { objective?: string; outcome?: string }; policy?: { tool?: string; subject?: string; allowed?: boolean }; screen?: { why?: string; mime?: string } }

// summary is an event in a line.
function summary(e: Event): string {
  const d = (e.data ?? {}) as Data;
  const m = d.sampling;
  if (m) return [m.asked ?? m.model, m.inputTokens && `${m.inputTokens} tokens in`, m.outputTokens && `${m.outputTokens} out`, m.costUsd && `$${m.costUsd.toFixed(4)}`, m.duration && duration(m.duration / 1e6)].filter(Boolean).join(" · ");
  if (d.call) return [d.call.name, d.call.text?.split("\n")[0]].filter(Boolean).join(" · ");
  if (d.policy) return `${d.policy.allowed ? "allowed" : "denied"} ${d.policy.tool ?? ""} ${d.policy.subject ?? ""}`;
  return d.step?.text ?? d.note?.text ?? d.trail?.title ?? d.iteration?.completion ?? d.agentRun?.objective ?? d.screen?.why ?? d.session?.title ?? "";
}

const listed = computed(() => {
  const q = query.value.trim().toLowerCase();
  return events.value.map((item, index) => ({ item, index })).filter(({ item }) => !q || `${item.type} ${summary(item)}`.toLowerCase().includes(q));
});

export function Log({ id, live }: { id: string; live: boolean }) {
  useEffect(() => {
    events.value = [];
    let waiting: Event[] = [], after = 0n, due = false;
    const flush = () => { due = false; events.value = [...events.value, ...waiting]; waiting = []; };
    return follow((signal) => sessions.watchEvents({ sessionId: id, after, noFollow: !live }, { signal }), (m) => {
      if (!m.event) return;
      after = m.event.seq;
      waiting.push(m.event);
      if (!due) { due = true; setTimeout(flush, 60); }
    }, () => {});
  }, []);
  const e = events.value[chosen.value];
  const { seq: _, time: __, type: ___, ...data } = ((e?.data ?? {}) as JsonObject);
  return (
    <main class="pane detail log" aria-label="Log">
      <div class="pane fill" onKeyDown={(k) => {
        const list = listed.value, at = list.findIndex((l) => l.index === chosen.value), by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[k.key];
        if (!by || list.length === 0) return;
        chosen.value = list[Math.min(Math.max(at + by, 0), list.length - 1)].index;
        k.preventDefault();
        k.stopPropagation();
      }}>
        <Virtual id="log" label="Events" items={listed.value} height={26} selected={chosen.value} open={(i) => { chosen.value = i; }} row={(x) => <span class="element"><span class="time">{x.time && timestampDate(x.time).toISOString().slice(11, 23)}</span> <code>{x.type}</code> {summary(x)}</span>} />
      </div>
      {e && <pre class="args event" tabIndex={0} aria-label="Event">{yaml(data).replace(/^\n/, "")}</pre>}
    </main>
  );
}
