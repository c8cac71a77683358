// Every tool, and a form made of its schema to try one.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { duration } from "../format";
import { Virtual } from "../virtual";
import type { CallToolResponse } from "../gen/trailblaze/v1/tool_service_pb";
import type { Tool } from "../gen/trailblaze/v1/tool_service_pb";
import { options, said, tools } from "./api";
import { Head } from "./frame";
import { status, watchStatus } from "./status";

interface Schema { type?: string | string[]; enum?: string[]; description?: string; default?: unknown; properties?: Record<string, Schema>; required?: string[]; minimum?: number; maximum?: number }

const all = signal<Tool[]>([]);
const words = signal("");
const chosen = signal(-1);
const problem = signal("");
const reply = signal<CallToolResponse | null>(null);
const busy = signal(false);
const device = signal("");

const listed = computed(() => {
  const q = words.value.trim().toLowerCase();
  return all.value.map((item, index) => ({ item, index })).filter(({ item }) => !q || `${item.name} ${item.title} ${item.description}`.toLowerCase().includes(q));
});

async function load() {
  try {
    all.value = (await tools.listTools({ options: options() })).tools.sort((a, b) => a.name.localeCompare(b.name));
  } catch (err) {
    problem.value = said(err);
  }
}

const kind = (s: Schema) => (Array.isArray(s.type) ? s.type.find((t) => t !== "null") : s.type) ?? "object";

// value reads a field of the form. Objects and lists are JSON.
function value(s: Schema, text: string): unknown {
  switch (kind(s)) {
    case "integer": case "number": return Number(text);
    case "boolean": return text === "true";
    case "string": return text;
    default: return JSON.parse(text);
  }
}

async function call(t: Tool, form: HTMLFormElement) {
  busy.value = true;
  reply.value = null;
  problem.value = "";
  try {
    const args: Record<string, unknown> = {};
    for (const [name, s] of Object.entries((t.inputSchema as Schema | undefined)?.properties ?? {})) {
      const text = String(new FormData(form).get(name) ?? "");
      try {
        if (text !== "") args[name] = value(s, text);
      } catch {
        throw new Error(`${name} is not JSON: write an object, a list or a quoted text.`);
      }
    }
    reply.value = await tools.callTool({ name: t.name, argsJson: JSON.stringify(args), deviceId: t.management ? "" : device.value, options: options(), whole: true });
  } catch (err) {
    problem.value = said(err);
  }
  busy.value = false;
}

export function Tools() {
  useEffect(watchStatus, []);
  useEffect(() => { void load(); }, []);
  const t = all.value[chosen.value];
  const open = (i: number) => { chosen.value = i; reply.value = null; problem.value = ""; };
  return (
    <>
      <Head title="Tools"><input type="search" placeholder="Search tools" aria-label="Search tools" value={words.value} onInput={(e) => { words.value = e.currentTarget.value; }} /></Head>
      <div class="trail">
        <section class="pane tool-list" aria-label="Tools" onKeyDown={(k) => {
          const list = listed.value, at = list.findIndex((l) => l.index === chosen.value), by = { ArrowDown: 1, ArrowUp: -1 }[k.key];
          if (by && list.length > 0) { open(list[Math.min(Math.max(at + by, 0), list.length - 1)].index); k.preventDefault(); }
        }}>
          <Virtual id="tools" label="Tools" items={listed.value} height={44} selected={chosen.value} open={open} row={(x) => <span class="row-text"><span class="row-title"><code>{x.name}</code></span><small>{x.description.split("\n")[0]}</small></span>} />
        </section>
        <section class="pane source" tabIndex={0} aria-label="Tool">{t ? <Form key={t.name} t={t} /> : <p class="hint">Choose a tool to see what it takes, and to try it.</p>}</section>
      </div>
    </>
  );
}

function Form({ t }: { t: Tool }) {
  const schema = (t.inputSchema ?? {}) as Schema;
  const open = (status.value?.devices ?? []).filter((d) => d.state === "open");
  return (
    <form class="tool-form" onSubmit={(e) => { e.preventDefault(); void call(t, e.currentTarget); }}>
      <h2><code>{t.name}</code></h2>
      <p class="tags"><span>{t.kind}</span>{t.platforms.map((p) => <span key={p}>{p}</span>)}{t.origin && <span>{t.origin}</span>}</p>
      <p class="hint">{t.description}</p>
      {!t.management && <label>Device <select value={device.value} onChange={(e) => { device.value = e.currentTarget.value; }}><option value="">mine</option>{open.map((d) => <option key={d.deviceId}>{d.deviceId}</option>)}</select></label>}
      {Object.entries(schema.properties ?? {}).map(([name, s]) => <Field key={name} name={name} s={s} required={schema.required?.includes(name) ?? false} />)}
      <div class="tools"><button disabled={busy.value}>{busy.value ? "Calling…" : "Call"}</button></div>
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      {reply.value && <Reply r={reply.value} />}
    </form>
  );
}

function Field({ name, s, required }: { name: string; s: Schema; required: boolean }) {
  const choices = s.enum ?? (kind(s) === "boolean" ? ["true", "false"] : undefined);
  const hint = s.default === undefined ? undefined : `default ${JSON.stringify(s.default)}`;
  return (
    <label>
      <span><code>{name}</code>{required && " *"} <small>{s.description}</small></span>
      {choices ? <select name={name} required={required}><option value="">{hint ?? ""}</option>{choices.map((c) => <option key={c}>{c}</option>)}</select>
        : <input name={name} required={required} placeholder={hint ?? (["string", "integer", "number"].includes(kind(s)) ? "" : "JSON")} inputMode={kind(s) === "integer" ? "numeric" : undefined} />}
    </label>
  );
}

function Reply({ r }: { r: CallToolResponse }) {
  const failed = r.refusal ?? r.result?.failure;
  const texts = (r.call?.content ?? []).flatMap((c) => (c.kind.case === "text" ? [c.kind.value] : []));
  return (
    <section aria-label="Reply">
      <h3>{failed ? "It failed" : "Done"} <span class="time">{duration(r.call?.durationMs ?? 0)}</span></h3>
      {failed && <p class="said bad">{failed.message} {failed.hint}</p>}
      {texts.map((text) => <pre class="args">{text}</pre>)}
      {r.call?.observation?.text && <pre class="args">{r.call.observation.text}</pre>}
      {r.result?.valueJson && <details class="more"><summary>Value</summary><pre class="args">{r.result.valueJson}</pre></details>}
    </section>
  );
}
