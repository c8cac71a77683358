// A picture with the target's box drawn over it.
import { useState } from "preact/hooks";
import type { Attempt, Rect, Screen } from "./model";
import { source } from "./state";

const why: Record<string, string> = { failure: "When it failed", step: "After the step", last: "The last frame" };

export function Shot({ s, a, bounds, as }: { s: Screen; a: Attempt; bounds?: Rect; as?: string }) {
  const [big, setBig] = useState(false);
  const url = source.value?.picture(s, a);
  const caption = as ?? (s.actor ? `${s.actor}: ` : "") + (s.name || why[s.why ?? ""] || s.why || "Picture");
  const actor = a.actors?.find((x) => x.name === s.actor) ?? a;
  if (url === null) return <p class="gone">{caption}: the picture comes…</p>;
  if (!url) return <p class="gone">{caption}: the picture is not kept.</p>;
  // The viewport is the measure of the boxes; a picture taken at another density has more pixels than that.
  const w = actor.width || s.width || 1, h = s.width && s.height ? (w * s.height) / s.width : actor.height || 1;
  const boxes = as ? [] : s.marks?.length ? s.marks : bounds ? [bounds] : [];
  return (
    <figure class={`shot${h > w && h < 3 * w ? " tall" : ""}${big ? " big" : ""}`}>
      <button type="button" class="frame" aria-label={big ? "Make smaller" : "Make larger"} onClick={() => setBig(!big)}>
        <img src={url} alt={caption} />
        {boxes.map((b) => <span class="box" style={{ left: `${(b.x / w) * 100}%`, top: `${(b.y / h) * 100}%`, width: `${(b.w / w) * 100}%`, height: `${(b.h / h) * 100}%` }} />)}
      </button>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
