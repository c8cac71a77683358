// What was done in a session becomes a trail: a button, and the form that it opens.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { options, said, tools } from "./api";
import { to } from "./route";

const open = signal(""); // the session whose form is shown
const saved = signal({ text: "", path: "", bad: false });

export function SaveButton({ id }: { id: string }) {
  const toggle = () => { open.value = open.value === id ? "" : id; saved.value = { text: "", path: "", bad: false }; };
  return <button type="button" class="toggle" aria-pressed={open.value === id} onClick={toggle}>Save as trail</button>;
}

async function save(id: string, title: string) {
  try {
    const r = await tools.callTool({ name: "session", argsJson: JSON.stringify({ action: "SAVE", id, title }), options: options(), whole: true });
    const failed = r.refusal ?? r.result?.failure;
    if (failed) saved.value = { text: [failed.message, failed.hint].filter(Boolean).join(". "), path: "", bad: true };
    else {
      const out: { done: string; saved: { path: string }; warnings?: string[] } = JSON.parse(r.result!.valueJson);
      saved.value = { text: [out.done.split("\n")[0], ...(out.warnings ?? [])].join(" "), path: out.saved.path, bad: false };
    }
  } catch (err) {
    saved.value = { text: said(err), path: "", bad: true };
  }
}

export function SaveForm({ id }: { id: string }) {
  const shown = open.value === id, title = useRef<HTMLInputElement>(null);
  useEffect(() => title.current?.focus(), [shown]);
  if (!shown) return null;
  const { text, path, bad } = saved.value;
  return (
    <form class="save tools" aria-label="Save as trail" onKeyDown={(e) => { if (e.key === "Escape") open.value = ""; }}
      onSubmit={(e) => { e.preventDefault(); void save(id, new FormData(e.currentTarget).get("title") as string); }}>
      <input name="title" required ref={title} aria-label="Title of the trail" placeholder="Title of the trail" />
      <button>Save</button>
      {text && <p class={bad ? "note warning" : "note"} role={bad ? "alert" : "status"}>{text} {path && <a href={to("trail", path)}>Open it</a>}</p>}
    </form>
  );
}
