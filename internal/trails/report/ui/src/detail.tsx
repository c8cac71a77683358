// Everything about the chosen step: why it failed, its picture, its calls with their evidence, its capture.
import { FailureCard } from "./failure";
import { before, Film } from "./film";
import { duration, price, yaml } from "./format";
import type { Attempt, Call, Evidence, Step } from "./model";
import { Isolated, Mark, Pill } from "./parts";
import { Shot } from "./shot";
import { attempt, report, step, trail } from "./state";

export function Detail() {
  const t = trail.value, a = attempt.value, s = step.value;
  return (
    <main class="pane detail" tabIndex={0} id="detail" aria-label="Details">
      {(report.value?.notes ?? []).map((n) => <p class="note warning">{n}</p>)}
      {t && !a && <section><h2><bdi>{t.title}</bdi> <Pill outcome={t.outcome} /></h2>{t.reason && <p class="hint">{t.reason}</p>}{t.failure && <FailureCard f={t.failure} />}</section>}
      {a && <Film a={a} />}
      {a && s && <StepDetail s={s} a={a} />}
      {a && (!s || a.failure) && a.failure && !s?.failure && <FailureCard f={a.failure} />}
      {a && <About a={a} />}
    </main>
  );
}

function StepDetail({ s, a }: { s: Step; a: Attempt }) {
  const pictures = (s.screens ?? []).filter((x) => x.mime.startsWith("image/"));
  const captures = (s.screens ?? []).filter((x) => x.text);
  const calls = s.calls ?? [];
  const earlier = pictures.length > 0 ? before(a, a.steps.indexOf(s)) : undefined;
  const lastBox = calls.findLast((c) => c.evidence?.bounds)?.evidence?.bounds;
  return (
    <article>
      <p class="over">{s.index >= 0 ? `Step ${s.index + 1}` : s.index === -1 ? "Trailhead" : "Calls"}{s.actor ? ` · ${s.actor}` : ""}{s.kind === "verify" ? " · verify" : ""}{s.line ? ` · line ${s.line}` : ""} · {duration(s.durationMs)}</p>
      <h2 class="step-title"><bdi>{s.text || "Untitled step"}</bdi> <Pill outcome={s.outcome} /></h2>
      {s.price && <p class="hint">A model took part: {price(s.price)}</p>}
      {s.failure && <FailureCard f={s.failure} />}
      {s.failure && (a.notes ?? []).filter((n) => n.level === "warning").map((n) => <p class="note warning">{n.text}</p>)}
      <div class={pictures.length > 0 ? "evidence with-shot" : "evidence"}>
        <div class={earlier && earlier.blob !== pictures[0].blob ? "shots pair" : "shots"}>
          {earlier && earlier.blob !== pictures[0].blob && <Shot key="before" s={earlier} a={a} as="Before the step" />}
          {pictures.map((x) => <Shot key={x.blob} s={x} a={a} bounds={lastBox} />)}
        </div>
        <section class="calls" aria-label="Calls">
          {calls.map((c) => <CallCard key={c.id} c={c} nested={Boolean(c.parent)} />)}
          {calls.length === 0 && <p class="nothing">{s.mode === "noop" ? "This step is declared to need nothing on this device." : "No call was finished in this step."}</p>}
        </section>
      </div>
      {captures.map((x) => <details class="capture" open={s.failure !== undefined}><summary>What the screen said {x.why === "failure" ? "when it failed" : ""}</summary><pre><Isolated text={x.text!} /></pre></details>)}
    </article>
  );
}

// lines prints arguments as they stand in a trail file; none print nothing.
function lines(args: unknown): string {
  const kept = Object.fromEntries(Object.entries((args ?? {}) as object).filter(([, v]) => v !== undefined));
  return Object.keys(kept).length > 0 ? yaml(kept).replace(/^\n/, "") : "";
}

function CallCard({ c, nested }: { c: Call; nested: boolean }) {
  const { fingerprint, toFingerprint, ...rest } = (c.authored ?? c.args ?? {}) as Record<string, unknown>;
  const was = fingerprint || toFingerprint ? lines({ fingerprint, toFingerprint }) : "";
  const text = lines(rest);
  return (
    <section class={`call${c.isError ? " bad" : ""}${nested ? " nested" : ""}`}>
      <h3><Mark outcome={c.isError ? "failed" : "passed"} /><code>{c.name}</code><span class="time">{duration(c.durationMs)}</span></h3>
      {text && <pre class="args">{text}</pre>}
      {was && <details class="more"><summary>Who it was when it was recorded</summary><pre class="args">{was}</pre></details>}
      {c.authored !== undefined && <details class="more"><summary>As executed</summary><pre class="args">{lines(c.args)}</pre></details>}
      {c.evidence && <Facts e={c.evidence} />}
      {c.text && (c.isError ? <p class="said bad"><Isolated text={c.failure?.message ?? c.text} /></p> : !c.evidence?.checked && <p class="said"><Isolated text={c.text} /></p>)}
    </section>
  );
}

function Facts({ e }: { e: Evidence }) {
  const facts: [string, string][] = [];
  if (e.target) facts.push(["target", e.target]);
  if (e.checked) facts.push(["checked", e.checked]);
  if (e.changes?.length) facts.push(["changed", e.changes.join(", ")]);
  if (e.none) facts.push(["no effect on the screen", e.none]);
  if (e.settle) facts.push(["settled", `${e.settle}${e.settleMs ? ` after ${duration(e.settleMs)}` : ""}`]);
  if (e.method) facts.push(["how", e.method]);
  if (e.taken) facts.push(["taken", e.taken]);
  if (e.status) facts.push(["status", String(e.status)]);
  if (e.url) facts.push(["url", e.url]);
  if (e.retries?.length) facts.push(["before it went", e.retries.join("; ")]);
  return <dl class="facts-list">{facts.map(([k, v]) => <><dt>{k}</dt><dd><Isolated text={v} /></dd></>)}</dl>;
}

function About({ a }: { a: Attempt }) {
  const phone = a.platform === "android";
  const rows: [string, string | undefined][] = [
    ["session", a.session], ["device", a.device], [phone ? "system" : "browser", a.browser],
    [phone ? "screen" : "viewport", a.width ? `${a.width} × ${a.height}` : undefined],
    ...(a.actors ?? []).map((x): [string, string] => [x.name, [x.device, x.version, x.width && `${x.width} × ${x.height}`].filter(Boolean).join(" · ")]),
    ["steps", String(a.steps.length)], ["duration", duration(a.durationMs)], ["model", price(a.price)],
  ];
  const pictures = (a.screens ?? []).filter((x) => x.mime.startsWith("image/"));
  return (
    <footer class="about">
      {(a.notes ?? []).map((n) => <p class={`note ${n.level}`}>{n.text}</p>)}
      {pictures.map((x) => <Shot key={x.blob} s={x} a={a} />)}
      <dl class="facts-list">{rows.filter(([, v]) => v).map(([k, v]) => <><dt>{k}</dt><dd>{v}</dd></>)}</dl>
    </footer>
  );
}
