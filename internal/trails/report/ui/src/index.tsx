// The report page. It shows one report from a Source; see source.ts for where that may come from.
import { render } from "preact";
import { Detail } from "./detail";
import { Header } from "./header";
import { keys, listen } from "./keys";
import { Steps, Trails } from "./lists";
import { Embedded, type Source } from "./source";
import { help, problem, report, show, source } from "./state";

function App() {
  if (problem.value) return <p class="loading">{problem.value}</p>;
  if (!report.value) return <p class="loading">Opening the report…</p>;
  const one = report.value.trails.length < 2;
  return (
    <div class={one ? "app one" : "app"}>
      <Header />
      {!one && <Trails />}
      <Steps />
      <Detail />
      {help.value && <div class="help" role="dialog" aria-label="Keys"><h2>Keys</h2><dl>{keys.map(([k, what]) => <><dt>{k}</dt><dd>{what}</dd></>)}</dl></div>}
    </div>
  );
}

async function start(from: Source) {
  source.value = from;
  const root = document.getElementById("app")!;
  root.replaceChildren();
  render(<App />, root);
  const load = async () => {
    try {
      show(await from.report());
    } catch (err) {
      problem.value = `The report cannot be shown: ${err instanceof Error ? err.message : err}`;
    }
  };
  listen();
  await load();
  from.watch?.(load);
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

void start(new Embedded());
