// The part of a script's world that is not the language: how it defines tools, what a handler gets, and the few globals.
// Everything outside is asked of Go through one function, which scripts cannot reach.
import { definitions, targetOf, text, ToolError, toolsOf } from "trailblaze:define";
export * from "trailblaze:define";

const host = globalThis.__host;
delete globalThis.__host;
const { parse, stringify } = JSON;
const max = Number(host("limit", "null"));

const ask = (op, value) => {
  const out = host(op, stringify(value === undefined ? null : value));
  return out === "" ? undefined : parse(out);
};

const open = new Map();
let last = 0;
const begin = (op, value) =>
  new Promise((resolve, reject) => {
    const id = ++last;
    const { stack } = new Error();
    open.set(id, { resolve, reject, stack });
    try {
      host(op, stringify(value === undefined ? null : value), id, stack);
    } catch (e) {
      open.delete(id);
      reject(e);
    }
  });

// settle ends what begin began. Go calls it.
const settle = (id, ok, text) => {
  const it = open.get(id);
  open.delete(id);
  const value = text === "" ? undefined : parse(text);
  if (ok) it.resolve(value);
  else it.reject(Object.assign(new ToolError(value), { stack: it.stack })); // that of the call says more
};

const log = (level) => (...parts) => void ask("log", { level, text: parts.map(text).join(" ") });
globalThis.console = { log: log("info"), info: log("info"), debug: log("debug"), warn: log("warn"), error: log("error") };

const timers = new Set();
globalThis.setTimeout = (fn, ms, ...args) => {
  const id = last + 1;
  timers.add(id);
  begin("timer", Number(ms) || 0).then(() => timers.delete(id) && fn(...args));
  return id;
};
globalThis.setInterval = (fn, ms, ...args) => {
  const id = last + 1;
  const next = () =>
    begin("timer", Math.max(Number(ms) || 0, 1)).then(() => {
      if (!timers.has(id)) return;
      next();
      fn(...args);
    });
  timers.add(id);
  next();
  return id;
};
globalThis.clearTimeout = globalThis.clearInterval = (id) => void timers.delete(id);

globalThis.queueMicrotask = (fn) => void Promise.resolve().then(fn);
const began = Date.now();
globalThis.performance = { timeOrigin: began, now: () => Date.now() - began };

const random = (n) => Uint8Array.fromBase64(ask("random", n));
globalThis.crypto = {
  getRandomValues: (to) => {
    if (!ArrayBuffer.isView(to) || to instanceof DataView || /^Float/.test(to.constructor.name)) {
      throw new TypeError("getRandomValues takes a typed array of integers");
    }
    new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(random(to.byteLength));
    return to;
  },
  randomUUID: () => {
    const b = random(16);
    b[6] = (b[6] & 15) | 64;
    b[8] = (b[8] & 63) | 128;
    return b.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  },
};

globalThis.fetch = async (url, init = {}) => {
  const headers = {};
  const given = init.headers ?? {};
  for (const [k, v] of given[Symbol.iterator] ? given : Object.entries(given)) headers[k.toLowerCase()] = String(v);
  let { body } = init;
  if (globalThis.URLSearchParams && body instanceof URLSearchParams) {
    headers["content-type"] ??= "application/x-www-form-urlencoded;charset=UTF-8";
    body = String(body);
  }
  const got = await begin("fetch", { url: String(url), method: init.method ?? "GET", headers, body });
  return {
    ok: got.status >= 200 && got.status < 300,
    status: got.status,
    url: got.url,
    headers: { get: (k) => got.headers[k.toLowerCase()] ?? null, has: (k) => k.toLowerCase() in got.headers },
    text: async () => got.body,
    json: async () => parse(got.body),
  };
};

const memory = {
  get: (name) => ask("memory.get", name),
  set: (name, value) => ask("memory.set", { name, value }),
  has: (name) => ask("memory.has", name),
  keys: () => ask("memory.keys"),
  delete: (name) => ask("memory.delete", name),
  interpolate: (s) => ask("memory.interpolate", s),
  getJson: (name) => {
    const v = ask("memory.get", name);
    return typeof v === "string" ? parse(v) : v;
  },
  setJson: (name, value) => ask("memory.set", { name, value }),
};

const clientOn = (on) => {
  const callTool = (name, args) => begin("call", { name, args: args ?? {}, on });
  return { tools: toolsOf(callTool), callTool };
};

const contextOf = (info) => ({
  ...clientOn(""),
  on: (actor) => clientOn(String(actor)),
  memory,
  device: info.device,
  target: targetOf(info.target),
  sessionId: info.sessionId,
  invocationId: info.invocationId,
  files: { read: (path) => begin("read", path), write: (path, contents) => begin("write", { path, text: contents }) },
  sleep: (ms) => begin("timer", Number(ms) || 0),
  log: globalThis.console.log,
});

const failed = (e) => {
  const isError = e instanceof Error;
  host(
    "failed",
    stringify({
      name: isError ? e.name : "",
      message: isError ? e.message : text(e),
      stack: isError ? e.stack : "",
      failure: isError ? e.failure : undefined,
    }),
  );
};

const answer = (value) => {
  const out = value === undefined ? "" : stringify(value) ?? "";
  if (out.length > max) throw new RangeError(`the result has ${out.length} characters, the most is ${max}`);
  host("done", out);
};

globalThis.__trailblaze = {
  settle,
  answer,
  failed,
  describe: () => stringify(definitions.map(({ name, spec, export: key }) => ({ name, export: key ?? "", spec }))),
  start: (name, args, info) => {
    const def = definitions.find((d) => d.name === name);
    if (!def) throw new Error(`the file no longer defines the tool ${name}`);
    const ctx = contextOf(parse(info));
    Promise.resolve()
      .then(() => def.handler(parse(args), ctx, ctx))
      .then(answer)
      .catch(failed);
  },
};
