// The devices with who holds them, and one of them live.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OpenDevice } from "../gen/trailblaze/v1/view_service_pb";
import { options, said, tools } from "./api";
import { Head } from "./frame";
import { Mirror } from "./mirror";
import { to } from "./route";
import { SaveButton, SaveForm } from "./save";
import { status, watchStatus } from "./status";

const problem = signal("");

// ask calls a management tool, and shows what went wrong.
async function ask(name: string, args: object) {
  try {
    const r = await tools.callTool({ name, argsJson: JSON.stringify(args), options: options(), whole: true });
    problem.value = r.refusal?.message ?? r.result?.failure?.message ?? "";
  } catch (err) {
    problem.value = said(err);
  }
}

const since = (d: OpenDevice) => d.reservedSince ?? d.runningSince;

// user says who has a device, and since when.
function user(d: OpenDevice): string {
  const from = since(d);
  const when = from ? ` since ${timestampDate(from).toLocaleTimeString()}` : "";
  if (d.running) return `${d.runningClient} runs ${d.running}${when}`;
  if (d.reservedBy) return `reserved by ${d.reservedBy}${when}`;
  return d.holder ? `used last by ${d.holder}` : "";
}

export function Devices() {
  useEffect(watchStatus, []);
  const all = status.value?.devices ?? [];
  return (
    <>
      <Head title="Devices"><button type="button" onClick={() => ask("device", { action: "CREATE_WEB" })}>New browser</button></Head>
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      <ul class="cards">
        {all.map((d) => (
          <li key={d.deviceId} class={`card ${d.state}`}>
            <h2><a href={to("device", d.deviceId)}>{d.deviceId}</a> <span class={`pill ${d.state === "open" ? "passed" : ""}`}>{d.state}</span></h2>
            <p>{[d.version, d.width ? `${d.width} × ${d.height}` : ""].filter(Boolean).join(" · ")}</p>
            {d.url && <p class="clip" title={d.url}>{d.url}</p>}
            <p>{user(d)}</p>
            {d.sessionId && <p><a href={to("session", d.sessionId)}>session</a> · {d.actions} {d.actions === 1 ? "action" : "actions"}</p>}
          </li>
        ))}
      </ul>
      {status.value && all.length === 0 && <section class="empty"><h2>No device is there</h2><p>The first command that drives one opens a browser.</p></section>}
    </>
  );
}

export function DeviceView({ id }: { id: string }) {
  useEffect(watchStatus, []);
  useEffect(() => { problem.value = ""; }, []);
  const d = status.value?.devices.find((x) => x.deviceId === id);
  return (
    <>
      <Head title={id}>
        {d && <span class="pill">{d.state}</span>}
        {d?.running && d.callId && <button type="button" onClick={() => void tools.cancelCalls({ callId: d.callId, why: "a person ended it in the viewer" })}>Stop {d.running}</button>}
        {d?.sessionId && <SaveButton id={d.sessionId} />}
        {d?.sessionId && <a class="button" href={to("session", d.sessionId)}>Session</a>}
        {d?.state === "open" ? <button type="button" onClick={() => ask("device", { action: "DISCONNECT", deviceId: id })}>Close</button>
          : d && <button type="button" onClick={() => ask("device", { action: "CONNECT", deviceId: id })}>Open</button>}
      </Head>
      {problem.value && <p class="note warning" role="alert">{problem.value}</p>}
      {d?.sessionId && <SaveForm id={d.sessionId} />}
      {d && <p class="over user clip" title={d.url}>{[user(d), d.url].filter(Boolean).join(" · ")}</p>}
      {d?.state === "open" ? <Mirror id={id} /> : status.value && <section class="empty"><h2>{d ? "The device is not open" : "There is no such device"}</h2></section>}
    </>
  );
}
