// The report page. It shows the report that is in its file.
import { render } from "preact";
import { effect, signal } from "@preact/signals";
import { listen } from "./keys";
import { Page } from "./page";
import { kinds, PagesList, type PagesKind } from "./pages";
import { Embedded, type Source } from "./source";
import { attempt, position, problem, query, show, source } from "./state";

const side = signal<PagesKind | "">(""); // in place of the step, until another step is chosen

let last = position.value;
effect(() => {
  const p = position.value;
  if (p.trail === last.trail && p.attempt === last.attempt && p.step !== last.step) side.value = "";
  last = p;
});

// Whole shows what pages did beside the steps, when there is any of it in the attempt.
function Whole() {
  const did = attempt.value?.pages, kind = did ? side.value : "";
  const also = did && kinds.map((k) => <button type="button" key={k} class="toggle side" aria-pressed={kind === k} onClick={() => { side.value = kind === k ? "" : k; }}>{k}</button>);
  return <Page also={also} detail={kind && <main class="pane detail log" aria-label={kind}><PagesList key={kind} of={did} kind={kind} date={(t) => new Date(t)} words={query.value} /></main>} />;
}

async function start(from: Source) {
  source.value = from;
  const root = document.getElementById("app")!;
  root.replaceChildren();
  render(<Whole />, root);
  const load = async () => {
    try {
      show(await from.report());
    } catch (err) {
      problem.value = `The report cannot be shown: ${err instanceof Error ? err.message : err}`;
    }
  };
  listen();
  await load();
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

void start(new Embedded());
