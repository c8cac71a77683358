// A report on a page: its trails, the steps of one, and everything about the chosen step.
import type { ComponentChildren } from "preact";
import { Detail } from "./detail";
import { Header } from "./header";
import { keys } from "./keys";
import { Steps, Trails } from "./lists";
import { help, problem, report } from "./state";

export function Page({ also, detail }: { also?: ComponentChildren; detail?: ComponentChildren }) {
  if (problem.value) return <p class="loading">{problem.value}</p>;
  if (!report.value) return <p class="loading">Opening the report…</p>;
  const one = report.value.trails.length < 2;
  return (
    <div class={one ? "app one" : "app"}>
      <Header also={also} />
      {!one && <Trails />}
      <Steps />
      {detail || <Detail />}
      {help.value && <div class="help" role="dialog" aria-label="Keys"><h2>Keys</h2><dl>{keys.map(([k, what]) => <><dt>{k}</dt><dd>{what}</dd></>)}</dl></div>}
    </div>
  );
}
