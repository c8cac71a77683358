// The pictures of an attempt around the chosen step, to go through them by eye.
import type { Attempt, Screen } from "./model";
import { openStep, position, source } from "./state";

const around = 9; // pictures on each side

interface Frame { s: Screen; step: number }

// frames are the last picture of each step that has one.
export function frames(a: Attempt): Frame[] {
  return a.steps.flatMap((step, i) => {
    const s = step.screens?.findLast((x) => x.mime.startsWith("image/"));
    return s ? [{ s, step: i }] : [];
  });
}

// before is the last picture of an earlier step.
export const before = (a: Attempt, step: number) => frames(a).findLast((f) => f.step < step)?.s;

export function Film({ a }: { a: Attempt }) {
  const all = frames(a);
  if (all.length < 2) return null;
  const at = Math.max(all.findLastIndex((f) => f.step <= position.value.step), 0);
  return (
    <div class="film" role="group" aria-label="Pictures">
      {all.slice(Math.max(at - around, 0), at + around + 1).map((f) => {
        const url = source.value?.picture(f.s, a);
        return (
          <button type="button" key={f.step} aria-pressed={f.step === position.value.step} aria-label={`Step ${a.steps[f.step].index + 1}: ${a.steps[f.step].text ?? ""}`} onClick={() => openStep(f.step)}>
            {url && <img src={url} alt="" loading="lazy" />}<span>{a.steps[f.step].index + 1}</span>
          </button>
        );
      })}
    </div>
  );
}
