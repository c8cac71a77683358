// Why something did not pass, in the order a reader asks: what, what was wanted, what is there instead, what changed, what
// was tried.
import type { Failure } from "./model";
import { Isolated } from "./parts";

const kinds: Record<string, string> = {
  assertion: "The app is not as the trail says", not_found: "It is not there", not_acted: "It could not be done",
  timeout: "It took too long", canceled: "It was stopped", unavailable: "Something was not reachable", invalid: "The trail is wrong",
  unsupported: "This device cannot do it", conflict: "Somebody else holds it", denied: "It is not allowed",
  inconclusive: "The evidence is too poor to say", internal: "Our own fault",
};

export function FailureCard({ f }: { f: Failure }) {
  return (
    <section class="failure" aria-label="Failure">
      <p class="failure-kind">{kinds[f.kind] ?? f.kind}</p>
      <p class="failure-message"><Isolated text={f.message} /></p>
      {f.hint && !(f.candidates?.[0] && f.hint.includes(f.candidates[0])) && <p class="hint">{f.hint}</p>}
      {f.looked && <><h4>Looked for</h4><pre class="looked"><Isolated text={f.looked} /></pre></>}
      {(f.candidates ?? []).length > 0 && <><h4>Nearest on the screen</h4><ol class="candidates">{f.candidates!.map((c) => <li><Isolated text={c} /></li>)}</ol></>}
      {(f.sinceGreen ?? []).length > 0 && <><h4>Since the last green run</h4><Diff lines={f.sinceGreen!} /></>}
      {(f.log ?? []).length > 0 && <details><summary>What was tried ({f.log!.length})</summary><ol class="log">{f.log!.map((l) => <li><Isolated text={l} /></li>)}</ol></details>}
    </section>
  );
}

// kind colours a line of a diff, written with signs or in words.
function kind(line: string): string {
  if (/^(\+|new:)/.test(line)) return "add";
  if (/^([-−]|no longer there:)/.test(line)) return "del";
  return /^~| was /.test(line) ? "mod" : "";
}

export function Diff({ lines }: { lines: string[] }) {
  return <pre class="diff">{lines.flatMap((l) => l.split("\n")).map((l) => <span class={kind(l)}><Isolated text={l} />{"\n"}</span>)}</pre>;
}
