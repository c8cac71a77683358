import type { ComponentChildren } from "preact";
import { duration, price, total, when, words } from "./format";
import type { Outcome } from "./model";
import { Pill } from "./parts";
import { failedOnly, help, query, report } from "./state";
import { nextTheme, theme } from "./theme";

const order: Outcome[] = ["failed", "error", "inconclusive", "canceled", "healed", "flaky", "running", "passed", "skipped"];

// Header says how the run went. also stands before its tools.
export function Header({ also }: { also?: ComponentChildren }) {
  const r = report.value!;
  const facts = [when(r.started), duration(r.durationMs), total(r.price), r.browser, r.version && `trailblaze ${r.version}`].filter(Boolean);
  return (
    <header class="head">
      <svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><path d="M4 27 13 9l5 9 3-5 7 14z" /><circle cx="23" cy="7" r="3" /></svg>
      <div class="head-text">
        <h1><bdi>{r.title}</bdi> <Pill outcome={r.outcome} /></h1>
        <p class="facts" title={price(r.price)}>{facts.join(" · ")}</p>
      </div>
      <ul class="counts" aria-label="Trails by outcome">
        {order.filter((o) => r.counts[o]).map((o) => <li class={o}><b>{r.counts[o]}</b> {words[o]}</li>)}
      </ul>
      <div class="tools">
        {also}
        <input id="search" type="search" placeholder="Search trails, steps, tools  /" aria-label="Search"
          value={query.value} onInput={(e) => { query.value = e.currentTarget.value; }} />
        <button type="button" class="toggle" aria-pressed={failedOnly.value} onClick={() => { failedOnly.value = !failedOnly.value; }}>Failed only</button>
        <button type="button" class="icon" aria-label={`Colours: ${theme.value}`} title={`Colours: ${theme.value}`} onClick={nextTheme}>{{ auto: "◐", light: "☀", dark: "☾" }[theme.value]}</button>
        <button type="button" class="icon" aria-label="Keys" title="Keys" aria-expanded={help.value} onClick={() => { help.value = !help.value; }}>?</button>
      </div>
    </header>
  );
}
