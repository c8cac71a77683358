// The report page. It shows the report that is in its file.
import { render } from "preact";
import { listen } from "./keys";
import { Page } from "./page";
import { Embedded, type Source } from "./source";
import { problem, show, source } from "./state";

async function start(from: Source) {
  source.value = from;
  const root = document.getElementById("app")!;
  root.replaceChildren();
  render(<Page />, root);
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
