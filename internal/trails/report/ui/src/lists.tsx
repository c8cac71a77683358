// The two lists: the trails of the run, the steps of the chosen attempt.
import { duration } from "./format";
import type { Attempt, Step, Trail } from "./model";
import { Mark } from "./parts";
import { attempt, openAttempt, openStep, openTrail, position, report, steps, trail, trails } from "./state";
import { Virtual } from "./virtual";

export function Trails() {
  return (
    <nav class="pane trails" aria-label="Trails">
      {report.value?.devices && <Matrix all={report.value.trails} devices={report.value.devices.map((d) => d.id)} />}
      <Virtual id="trails" label="Trails" items={trails.value} height={58} selected={position.value.trail} open={(i) => openTrail(i)} row={(t) => <TrailRow t={t} />} />
    </nav>
  );
}

// Matrix has a row for each trail and a column for each device; a mark opens the trail that it stands for.
function Matrix({ all, devices }: { all: Trail[]; devices: string[] }) {
  const rows = [...new Set(all.map((t) => t.path ?? t.title))];
  return (
    <details class="matrix">
      <summary>Trails by device</summary>
      <table>
        <thead><tr><th />{devices.map((d) => <th scope="col" key={d}>{d}</th>)}</tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row" dir="auto">{all.find((t) => (t.path ?? t.title) === row)!.title}</th>
              {devices.map((d) => (
                <td key={d}>{all.map((t, i) => t.device === d && (t.path ?? t.title) === row && <button type="button" onClick={() => openTrail(i)}><Mark outcome={t.outcome} /></button>)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function TrailRow({ t }: { t: Trail }) {
  const attempts = t.attempts?.length ?? 0;
  const small = [t.path, attempts > 1 && `${attempts} attempts`, t.reason].filter(Boolean).join(" · ");
  return (
    <>
      <Mark outcome={t.outcome} />
      <span class="row-text"><span class="row-title" dir="auto">{t.title}{t.repeat ? <em> #{t.repeat}</em> : null}{t.device && <em> on {t.device}</em>}</span><small title={small}><bdi>{small}</bdi></small></span>
      <span class="time">{duration(t.durationMs)}</span>
    </>
  );
}

export function Steps() {
  const t = trail.value, a = attempt.value;
  if (!t) return <section class="pane steps" />;
  const longest = Math.max(1, ...(a?.steps.slice(0, 20000).map((s) => s.durationMs) ?? []));
  return (
    <section class="pane steps" aria-label="Steps">
      <div class="pane-head">
        <h2 dir="auto">{t.title}</h2>
        {(t.tags ?? []).length > 0 && <p class="tags">{t.tags!.map((tag) => <span>{tag}</span>)}</p>}
        {(t.attempts?.length ?? 0) > 1 && (
          <div class="attempts" role="group" aria-label="Attempts">
            {t.attempts!.map((at, i) => (
              <button type="button" aria-pressed={at === a} onClick={() => openAttempt(position.value.trail, i)}><Mark outcome={at.outcome} /> Attempt {at.number}</button>
            ))}
          </div>
        )}
        {a?.actors && <Lanes a={a} names={a.actors.map((x) => x.name)} />}
      </div>
      <Virtual id="steps" label="Steps" items={steps.value} height={46} selected={position.value.step} open={openStep} row={(s) => <StepRow s={s} longest={longest} />} />
    </section>
  );
}

// Lanes show when each actor had its steps; a bar opens the step that it stands for.
function Lanes({ a, names }: { a: Attempt; names: string[] }) {
  const part = (ms: number) => `${(ms / Math.max(1, a.durationMs)) * 100}%`;
  return (
    <div class="lanes" role="group" aria-label="Steps by actor">
      {names.map((name) => (
        <p key={name}>
          <span>{name}</span>
          <span class="lane">{a.steps.map((s, i) => s.actor === name && <button type="button" class={s.outcome} aria-label={`${name}: ${s.text}`} title={s.text} style={{ left: part(s.startMs), width: part(s.durationMs) }} onClick={() => openStep(i)} />)}</span>
        </p>
      ))}
    </div>
  );
}

function StepRow({ s, longest }: { s: Step; longest: number }) {
  const calls = s.calls?.length ?? 0;
  const small = s.mode === "noop" ? "nothing to do here" : calls === 1 ? s.calls![0].name : `${calls} calls`;
  return (
    <>
      <Mark outcome={s.outcome} />
      <span class="num">{s.index >= 0 ? s.index + 1 : s.index === -1 ? "⚑" : "·"}</span>
      <span class="row-text"><span class="row-title" dir="auto">{s.kind === "verify" && <em class="verify" dir="ltr">verify</em>}{s.actor && <em class="verify" dir="ltr">{s.actor}</em>}{s.text || small}</span><small>{small}</small></span>
      <span class="time">{duration(s.durationMs)}<i style={{ width: `${Math.max(2, (s.durationMs / longest) * 100)}%` }} /></span>
    </>
  );
}
