// The screen of a device, live, with its elements beside it. What is done in it are calls like any other: leased and recorded.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ScreenElement } from "../gen/trailblaze/v1/view_service_pb";
import { Virtual } from "../virtual";
import { Activity, panel, panels, readActivity } from "./activity";
import { follow, options, said, tools, view } from "./api";
import { languages, written, type Selector } from "./locators";

const screen = signal({ width: 0, height: 0, slow: false });
const elements = signal<ScreenElement[]>([]);
const hovered = signal(-1);
const picked = signal(-1);
const choices = signal<{ selector: Selector; matches: number }[]>([]);
const language = signal("YAML");
const problem = signal("");
const busy = signal(false);
const acting = signal(true);
const words = signal("");
const dragged = signal(-1); // the element that is taken to another place

const listed = computed(() => {
  const q = words.value.trim().toLowerCase();
  return elements.value.map((item, index) => ({ item, index })).filter(({ item }) => !q || `${item.role} ${item.name} ${item.value}`.toLowerCase().includes(q));
});

// at is the smallest element around a point that can be acted on, and else the smallest.
function at(x: number, y: number): number {
  let best = -1, size = Infinity;
  elements.value.forEach((e, i) => {
    if (x < e.x || y < e.y || x > e.x + e.width || y > e.y + e.height || e.states.includes("hidden") || e.states.includes("covered")) return;
    const area = e.width * e.height * (e.ref ? 1 : 1000);
    if (area <= size) { best = i; size = area; }
  });
  return best;
}

async function look(id: string) {
  try {
    if (panel.value !== "Elements") await readActivity({ deviceId: id });
    const r = await view.readScreen({ deviceId: id });
    const ref = elements.value[picked.value]?.ref;
    elements.value = r.elements;
    hovered.value = -1;
    picked.value = ref ? r.elements.findIndex((e) => e.ref === ref) : -1;
  } catch (err) {
    problem.value = said(err);
  }
}

// act makes a call on the device as one more client.
async function act(id: string, name: string, args: object, secrets: Record<string, string> = {}) {
  busy.value = true;
  try {
    const r = await tools.callTool({ deviceId: id, name, argsJson: JSON.stringify(args), options: { ...options(), secrets }, whole: true });
    const failed = r.refusal ?? r.result?.failure;
    problem.value = failed ? [failed.message, failed.hint].filter(Boolean).join(". ") : "";
  } catch (err) {
    problem.value = said(err);
  }
  busy.value = false;
  await look(id);
}

async function pick(id: string, index: number) {
  picked.value = index;
  choices.value = [];
  const ref = elements.value[index]?.ref;
  if (!ref) return;
  try {
    choices.value = (await view.listSelectors({ deviceId: id, ref })).selectors.map((s) => ({ selector: JSON.parse(s.selector), matches: s.matches }));
  } catch (err) {
    problem.value = said(err);
  }
}

// drop takes the dragged element to another, or to a point.
async function drop(id: string, to: number | { x: number; y: number }) {
  const from = elements.value[dragged.value], on = typeof to === "number" ? elements.value[to] : undefined;
  dragged.value = -1;
  if (!from?.ref) { problem.value = "Nothing there can be dragged."; return; }
  const point = typeof to === "number" ? on && { x: on.x + on.width / 2, y: on.y + on.height / 2 } : to;
  if (!point) return;
  await act(id, "dragTo", { ref: from.ref, ...(on?.ref ? { toRef: on.ref } : { toX: Math.round(point.x), toY: Math.round(point.y) }) });
}

// scroll moves the page, or what can be scrolled around an element.
const scroll = (id: string, direction: string, amount: number, ref?: string) =>
  act(id, id.startsWith("web") ? "web_scroll" : "scroll", { direction, amount: Math.max(Math.round(amount), 1), ...(id.startsWith("web") && ref && { ref }) });

// secret is the name of what is typed into a password field: the value is masked in everything that is kept.
const secret = "password";

const keys: Record<string, string> = { Enter: "Enter", Backspace: "Backspace", Escape: "Escape", Delete: "Delete", ArrowUp: "ArrowUp", ArrowDown: "ArrowDown", ArrowLeft: "ArrowLeft", ArrowRight: "ArrowRight", Home: "Home", End: "End", PageUp: "PageUp", PageDown: "PageDown" };

export function Mirror({ id }: { id: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const web = id.startsWith("web");
  useEffect(() => {
    problem.value = "";
    elements.value = [];
    void look(id);
    let settle: ReturnType<typeof setTimeout> | undefined;
    const stop = follow((signal) => view.watchScreen({ deviceId: id }, { signal }), async (m) => {
      screen.value = { width: m.width, height: m.height, slow: m.slow };
      const picture = await createImageBitmap(new Blob([m.data as BlobPart], { type: m.mimeType }));
      const c = canvas.current;
      if (!c) return picture.close();
      if (c.width !== picture.width || c.height !== picture.height) { c.width = picture.width; c.height = picture.height; }
      c.getContext("2d")!.drawImage(picture, 0, 0);
      picture.close();
      c.dataset.pictures = String(Number(c.dataset.pictures ?? 0) + 1);
      if (m.taken) c.dataset.behind = String(Date.now() - timestampDate(m.taken).getTime()); // ms
      clearTimeout(settle);
      settle = setTimeout(() => { if (!busy.value) void look(id); }, 400); // when the screen rests
    }, (why) => { problem.value = why; });
    return () => { stop(); clearTimeout(settle); };
  }, [id]);
  const place = (e: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    return { x: ((e.clientX - box.left) / box.width) * screen.value.width, y: ((e.clientY - box.top) / box.height) * screen.value.height };
  };
  const began = useRef<{ x: number; y: number; at: number } | null>(null);
  const wheel = useRef({ x: 0, y: 0, due: false });
  useEffect(() => {
    const c = canvas.current!;
    const turn = (m: WheelEvent) => {
      if (!acting.value || m.ctrlKey) return;
      m.preventDefault();
      const w = wheel.current, p = place(m), ref = elements.value[at(p.x, p.y)]?.ref;
      w.x += m.deltaX;
      w.y += m.deltaY;
      if (w.due) return;
      w.due = true;
      setTimeout(() => { // one call for one turn of the wheel
        const { x, y } = w;
        wheel.current = { x: 0, y: 0, due: false };
        if (Math.abs(y) >= Math.abs(x)) void scroll(id, y < 0 ? "UP" : "DOWN", Math.abs(y), ref);
        else void scroll(id, x < 0 ? "LEFT" : "RIGHT", Math.abs(x), ref);
      }, 150);
    };
    c.addEventListener("wheel", turn, { passive: false });
    return () => c.removeEventListener("wheel", turn);
  }, [id]);
  const far = (p: { x: number; y: number }) => began.current !== null && Math.hypot(p.x - began.current.x, p.y - began.current.y) > 8;
  const press = (i: number) => {
    const e = elements.value[i];
    if (!e?.ref) { problem.value = "Nothing there can be acted on."; return; }
    void act(id, web ? "web_click" : "tap", { ref: e.ref });
  };
  const type = async (e: KeyboardEvent) => {
    if (!acting.value || e.ctrlKey || e.metaKey || e.altKey || e.key === "Tab" || busy.value) return;
    if (keys[e.key]) { e.preventDefault(); await act(id, web ? "web_pressKey" : "pressKey", { key: keys[e.key] }); }
  };
  const e = elements.value[picked.value];
  return (
    <div class="mirror">
      <section class="mirror-screen" aria-label="Screen">
        <div class="tools">
          <button type="button" class="toggle" aria-pressed={acting.value} onClick={() => { acting.value = true; }}>Act</button>
          <button type="button" class="toggle" aria-pressed={!acting.value} onClick={() => { acting.value = false; }}>Pick</button>
          {(["UP", "DOWN"] as const).map((d) => <button type="button" key={d} class="icon" disabled={busy.value} aria-label={`Scroll ${d.toLowerCase()}`} title={`Scroll ${d.toLowerCase()}`} onClick={() => scroll(id, d, screen.value.height / 2, elements.value[picked.value]?.ref)}>{d === "UP" ? "↑" : "↓"}</button>)}
          <span class="facts" role="status">{dragged.value >= 0 ? "dragging: choose where to drop it, Esc ends that" : busy.value ? "acting…" : screen.value.slow ? (web ? "single pictures: something is painted over" : "single pictures") : ""}</span>
        </div>
        {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
        <div class="stage">
          <canvas ref={canvas} id="screen" tabIndex={0} role="img" aria-label={`Screen of ${id}; its elements are listed beside it`} onKeyDown={type}
            onMouseMove={(m) => { const p = place(m); hovered.value = at(p.x, p.y); if (m.buttons === 1 && acting.value && far(p)) dragged.value = began.current!.at; }} onMouseLeave={() => { hovered.value = -1; dragged.value = -1; began.current = null; }}
            onMouseDown={(m) => { const p = place(m); if (m.button === 0) began.current = { ...p, at: at(p.x, p.y) }; }}
            onMouseUp={(m) => {
              const p = place(m), i = at(p.x, p.y), moved = far(p);
              if (!began.current) return;
              if (!acting.value) void pick(id, i);
              else if (moved) { dragged.value = began.current.at; void drop(id, i === dragged.value || !elements.value[i]?.ref ? p : i); }
              else press(i);
              began.current = null;
            }} />
          <Box index={hovered.value} kind="hover" /><Box index={picked.value} kind="pick" /><Box index={dragged.value} kind="drag" />
        </div>
      </section>
      <section class="mirror-side" aria-label="What is on it">
        {web && <div class="tools" role="group" aria-label="Panels">{panels.map((p) => <button type="button" key={p} class="toggle" aria-pressed={panel.value === p} onClick={() => { panel.value = p; void look(id); }}>{p}</button>)}</div>}
        <div class="tools"><input type="search" aria-label="Search" placeholder="Search" value={words.value} onInput={(i) => { words.value = i.currentTarget.value; }} /><button type="button" onClick={() => look(id)}>Read again</button></div>
        {web && panel.value !== "Elements" && <Activity key={panel.value} words={words.value} />}
        {(!web || panel.value === "Elements") && <div class="pane fill" onKeyDown={(k) => {
          const list = listed.value, now = list.findIndex((l) => l.index === picked.value), by = { ArrowDown: 1, ArrowUp: -1 }[k.key];
          if (by && list.length > 0) { void pick(id, list[Math.min(Math.max(now + by, 0), list.length - 1)].index); k.preventDefault(); }
          else if (k.key === "Enter" && picked.value >= 0) { if (dragged.value >= 0) void drop(id, picked.value); else press(picked.value); }
          else if (k.key === "Escape") dragged.value = -1;
        }}>
          <Virtual id="elements" label="Elements" items={listed.value} height={26} selected={picked.value} open={(i) => pick(id, i)} row={(x, i) => <Element e={x} i={i} />} />
        </div>}
        {e && (!web || panel.value === "Elements") && <Picked id={id} e={e} press={() => press(picked.value)} web={web} />}
      </section>
    </div>
  );
}

function Box({ index, kind }: { index: number; kind: string }) {
  const e = elements.value[index], { width: w, height: h } = screen.value;
  if (!e || !w) return null;
  return <span class={`box ${kind}`} style={{ left: `${(e.x / w) * 100}%`, top: `${(e.y / h) * 100}%`, width: `${(e.width / w) * 100}%`, height: `${(e.height / h) * 100}%` }} />;
}

function Element({ e, i }: { e: ScreenElement; i: number }) {
  return (
    <span class="element" style={{ paddingLeft: `${Math.min(e.depth, 12) * 12}px` }} onMouseEnter={() => { hovered.value = i; }} onMouseLeave={() => { hovered.value = -1; }}>
      <code>{e.role}</code> {e.name && <span>{e.name}</span>} {e.value && <em>{e.value}</em>}
    </span>
  );
}

// Picked shows the selectors of an element, and what can be done with it.
function Picked({ id, e, press, web }: { id: string; e: ScreenElement; press: () => void; web: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <section class="picked" aria-label="Picked element">
      <h2><code>{e.role}</code> {e.name}</h2>
      {e.states.length > 0 && <p class="tags">{e.states.map((s) => <span key={s}>{s}</span>)}</p>}
      {e.ref && <div class="tools"><button type="button" disabled={busy.value} onClick={press}>{web ? "Click" : "Tap"}</button>
        {dragged.value >= 0 ? <button type="button" disabled={busy.value} onClick={() => drop(id, picked.value)}>Drop here</button> : <button type="button" disabled={busy.value} onClick={() => { dragged.value = picked.value; document.getElementById("elements")?.focus(); }}>Drag</button>}
        {e.states.includes("editable") && <form onSubmit={(s) => { s.preventDefault(); const value = field.current!.value; void (e.states.includes("password") && web ? act(id, "web_fillSecret", { ref: e.ref, name: secret }, { [secret]: value }) : act(id, web ? "web_type" : "inputText", { ref: e.ref, text: value })); field.current!.value = ""; }}>
          {e.states.includes("password") ? <input ref={field} type="password" aria-label="Secret to type" placeholder="Secret" /> : <input ref={field} aria-label="Text to type" placeholder="Text" />}<button disabled={busy.value}>Type</button></form>}
      </div>}
      <div class="tools" role="group" aria-label="Language">{languages.map((l) => <button type="button" key={l} class="toggle" aria-pressed={language.value === l} onClick={() => { language.value = l; }}>{l}</button>)}</div>
      <ol class="selectors">{choices.value.map((c, i) => {
        const text = written(c.selector, language.value);
        return <li key={i}><p class="over">{i === 0 ? "as a recording has it" : "also"} · {c.matches} {c.matches === 1 ? "match" : "matches"} <button type="button" class="link" onClick={() => void navigator.clipboard.writeText(text)}>Copy</button></p><pre class="args">{text}</pre></li>;
      })}</ol>
    </section>
  );
}
