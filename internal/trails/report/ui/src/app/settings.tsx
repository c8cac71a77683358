// Every setting: its value, where that is set, who may set it, and a form to set it.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Virtual } from "../virtual";
import type { ListSettingsResponse, SettingInfo } from "../gen/trailblaze/v1/view_service_pb";
import { options, said, view, workspace } from "./api";
import { Head } from "./frame";

const all = signal<ListSettingsResponse | null>(null);
const words = signal("");
const chosen = signal(0);
const problem = signal("");
const done = signal("");

const listed = computed(() => {
  const q = words.value.trim().toLowerCase();
  return (all.value?.settings ?? []).map((item, index) => ({ item, index })).filter(({ item }) => !q || `${item.key} ${item.value} ${item.help}`.toLowerCase().includes(q));
});

async function load() {
  try {
    all.value = await view.listSettings({ options: options() });
  } catch (err) {
    problem.value = said(err);
  }
}

async function change(r: { key: string; value?: string; project: boolean; unset?: boolean }) {
  problem.value = done.value = "";
  try {
    await view.changeSetting({ ...r, options: options() });
    done.value = "It holds for everything that starts from now on; open devices stay as they are.";
  } catch (err) {
    problem.value = said(err);
  }
  await load();
}

const owners: Record<string, string> = {
  "user only": "yours alone: what a project says of it is not used",
  "project may narrow": "yours; a project may only make it narrower",
  "project may set": "yours or the project's; the project's file wins over yours",
};

// place says where a value is set.
function place(source: string): string {
  if (source === "default") return "default";
  if (source === all.value?.userFile) return "your file";
  if (source === all.value?.projectFile) return "the project's file";
  return source;
}

export function Settings() {
  useEffect(() => { void load(); }, []);
  const open = (i: number) => { chosen.value = i; problem.value = done.value = ""; };
  const s = all.value?.settings[chosen.value];
  return (
    <>
      <Head title="Settings"><input type="search" placeholder="Search settings" aria-label="Search settings" value={words.value} onInput={(e) => { words.value = e.currentTarget.value; }} /></Head>
      {(all.value?.warnings ?? []).map((w) => <p class="note warning">{w}</p>)}
      <div class="trail">
        <section class="pane tool-list" aria-label="Settings" onKeyDown={(k) => {
          const list = listed.value, at = list.findIndex((l) => l.index === chosen.value), by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[k.key];
          if (by && list.length > 0) { open(list[Math.min(Math.max(at + by, 0), list.length - 1)].index); k.preventDefault(); }
        }}>
          {all.value && <Virtual id="settings" label="Settings" items={listed.value} height={44} selected={chosen.value} open={open} row={(x) => (
            <><span class="row-text"><span class="row-title"><code>{x.key}</code></span><small>{x.help}</small></span><span class="setting-value"><code>{x.value || "–"}</code><small>{place(x.source)}</small></span></>
          )} />}
        </section>
        <section class="pane source" tabIndex={0} aria-label="Setting">{s && <One key={s.key} s={s} />}</section>
      </div>
    </>
  );
}

function One({ s }: { s: SettingInfo }) {
  const mine = s.source === all.value?.userFile, theirs = s.source === all.value?.projectFile;
  const facts: [string, string][] = [["value", s.value || "not set"], ["set by", place(s.source) === s.source || s.source === "default" ? s.source : `${place(s.source)}, ${s.source}`], ["default", s.defaultValue || "not set"], ["owner", owners[s.owner] ?? s.owner]];
  if (s.narrowedSource) facts.push(["narrowed to", `${s.narrowedValue} by ${s.narrowedSource}`]);
  return (
    <form class="tool-form" onSubmit={(e) => {
      e.preventDefault();
      const form = new FormData(e.currentTarget);
      void change({ key: s.key, value: String(form.get("value") ?? ""), project: form.get("place") === "project" });
    }}>
      <h2><code>{s.key}</code></h2>
      <p class="hint">{s.help}</p>
      <dl class="facts-list">{facts.map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}</dl>
      {s.owner === "project may set" ? (
        <>
          <label>Value {s.choices.length > 0
            ? <select name="value" defaultValue={s.value}>{s.choices.map((c) => <option key={c} value={c}>{c || "not set"}</option>)}</select>
            : <input name="value" defaultValue={s.value} inputMode={s.kind === "int" ? "numeric" : undefined} />}</label>
          <label>Place <select name="place" defaultValue={theirs ? "project" : "user"}><option value="user">your file, {all.value!.userFile}</option>{workspace.value && all.value!.projectFile && <option value="project">the project's, {all.value!.projectFile}</option>}</select></label>
          <div class="tools"><button>Set</button>{(mine || theirs) && <button type="button" onClick={() => change({ key: s.key, project: theirs, unset: true })}>Take it out of {place(s.source)}</button>}</div>
        </>
      ) : <><p class="hint">A page cannot change it. At a shell:</p><pre class="args">trailblaze config set {s.key} {"<value>"}</pre></>}
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      {done.value && <p class="note" role="status">{done.value}</p>}
    </form>
  );
}
