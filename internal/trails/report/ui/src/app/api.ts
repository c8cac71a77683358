// The daemon as the viewer sees it: its typed API, and the sign-in. Nothing else is asked of anybody.
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { signal } from "@preact/signals";
import { SessionService } from "../gen/trailblaze/v1/session_service_pb";
import { ToolService } from "../gen/trailblaze/v1/tool_service_pb";
import { ViewService } from "../gen/trailblaze/v1/view_service_pb";
import { codeIn } from "./route";

// The state of the connection: signedOut needs a person at a shell, lost may come back by itself.
export type Link = "opening" | "open" | "lost" | "signedOut";
export const link = signal<Link>("opening");
export const workspace = signal(sessionStorage.getItem("workspace") ?? localStorage.getItem("workspace") ?? "");

const keyName = "page-key";

// signedInWith sends the key of this origin; the cookie beside it is the browser's to send.
const signedInWith: Interceptor = (next) => (r) => {
  r.header.set("Trailblaze-Page", localStorage.getItem(keyName) ?? "");
  return next(r);
};

const transport = createConnectTransport({ baseUrl: location.origin, useBinaryFormat: true, interceptors: [signedInWith] });
export const view = createClient(ViewService, transport);
export const tools = createClient(ToolService, transport);
export const sessions = createClient(SessionService, transport);

// options are those of the calls of a person at the viewer.
export const options = () => ({ client: "app", workspace: workspace.value });

// signIn exchanges the code in the address. It takes the code out of the history before anything else happens.
export async function signIn() {
  const code = codeIn(location.hash);
  if (!code) return;
  history.replaceState(null, "", "/app/");
  const r = await fetch("/app/sign-in", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
  const answer = await r.json();
  if (!r.ok) {
    if (localStorage.getItem(keyName)) return; // this browser is signed in from before
    throw new Error(`${answer.error.message}. ${answer.error.hint}`);
  }
  localStorage.setItem(keyName, answer.key);
  for (const s of [localStorage, sessionStorage]) s.setItem("workspace", answer.workspace);
  workspace.value = answer.workspace;
}

// said is an error in words: what happened, and what to do.
export function said(err: unknown): string {
  const e = ConnectError.from(err);
  return e.code === Code.Unauthenticated ? "This page is not signed in." : e.rawMessage;
}

const pause = (ms: number, stop: AbortSignal) => new Promise<void>((done) => {
  const t = setTimeout(done, ms);
  stop.addEventListener("abort", () => { clearTimeout(t); done(); });
});

// follow reads a stream for as long as somebody looks at it. A lost daemon is looked for again; a page that cannot be seen
// reads nothing. It returns a function that ends it.
export function follow<T>(open: (signal: AbortSignal) => AsyncIterable<T>, take: (m: T) => void, fail?: (text: string) => void): () => void {
  const all = new AbortController();
  let once: AbortController | undefined;
  const seen = () => { if (document.hidden) once?.abort(); };
  document.addEventListener("visibilitychange", seen);
  const shown = () => new Promise<void>((done) => {
    if (!document.hidden || all.signal.aborted) return done();
    document.addEventListener("visibilitychange", () => done(), { once: true, signal: all.signal });
  });
  void (async () => {
    for (let wait = 500; !all.signal.aborted; ) {
      await shown();
      once = new AbortController();
      const stop = AbortSignal.any([all.signal, once.signal]);
      try {
        for await (const m of open(stop)) {
          link.value = "open";
          wait = 500;
          take(m);
        }
        if (!stop.aborted) { // the stream came to its end: its session has ended, or the daemon has
          if (fail) return;
          await pause(wait, all.signal);
        }
      } catch (err) {
        if (stop.aborted) continue;
        const code = ConnectError.from(err).code;
        if (code === Code.Unauthenticated) link.value = "signedOut";
        else if (code !== Code.Unavailable && code !== Code.Unknown && code !== Code.Canceled) return fail?.(said(err));
        else link.value = "lost";
        await pause(wait, all.signal);
        wait = Math.min(wait * 2, 4000);
      }
    }
  })();
  return () => { all.abort(); document.removeEventListener("visibilitychange", seen); };
}
