// The part of a script's world that is not the language: how it defines tools, what a handler gets, and the few globals.
// Everything outside is asked of Go through one function, which scripts cannot reach.
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
    open.set(id, { resolve, reject, stack: new Error().stack });
    try {
      host(op, stringify(value === undefined ? null : value), id);
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

export class ToolError extends Error {
  constructor(f) {
    super(f.message);
    this.name = "ToolError";
    this.tool = f.tool;
    this.kind = f.kind;
    this.hint = f.hint;
    this.value = f.value;
    this.failure = f.failure;
  }
}

const text = (v) => {
  if (typeof v === "string") return v;
  if (v instanceof Error) return `${v.name}: ${v.message}`;
  try {
    return stringify(v) ?? String(v);
  } catch {
    return String(v);
  }
};

const log = (level) => (...parts) => void ask("log", { level, text: parts.map(text).join(" ") });
globalThis.console = { log: log("info"), info: log("info"), debug: log("debug"), warn: log("warn"), error: log("error") };

const timers = new Map();
globalThis.setTimeout = (fn, ms, ...args) => {
  const id = last + 1;
  timers.set(id, true);
  begin("timer", Number(ms) || 0).then(() => timers.delete(id) && fn(...args));
  return id;
};
globalThis.clearTimeout = (id) => void timers.delete(id);

globalThis.fetch = async (url, init = {}) => {
  const headers = {};
  for (const [k, v] of Object.entries(init.headers ?? {})) headers[k.toLowerCase()] = String(v);
  const got = await begin("fetch", { url: String(url), method: init.method ?? "GET", headers, body: init.body });
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

const callTool = (name, args) => begin("call", { name, args: args ?? {} });

const toolsOf = (call) =>
  new Proxy(Object.freeze({}), {
    get: (_, name) => (typeof name === "string" && name !== "then" ? (args) => call(name, args) : undefined),
  });

// targetOf gives a target the two questions that handlers ask of it.
export const targetOf = (t) =>
  t && {
    ...t,
    resolveAppId: ({ defaultAppId } = {}) => t.appId ?? t.appIds?.[0] ?? defaultAppId,
    resolveBaseUrl: ({ defaultBaseUrl } = {}) => t.resolvedBaseUrl ?? t.baseUrls?.[0] ?? defaultBaseUrl,
  };

const contextOf = (info) => ({
  tools: toolsOf(callTool),
  callTool,
  memory,
  device: info.device,
  target: targetOf(info.target),
  sessionId: info.sessionId,
  invocationId: info.invocationId,
  files: { read: (path) => begin("read", path), write: (path, contents) => begin("write", { path, text: contents }) },
  sleep: (ms) => begin("timer", Number(ms) || 0),
  log: globalThis.console.log,
});

const definitions = [];
const byFunction = new Map();

const define = (a, b, c) => {
  const [name, spec, handler] =
    typeof a === "string" ? [a, b, c] : typeof a === "function" ? [undefined, {}, a] : [a?.name, a ?? {}, b];
  if (typeof handler !== "function") throw new TypeError("trailblaze.tool needs a handler: trailblaze.tool(spec, async (args, ctx) => …)");
  const def = { name, spec, handler };
  const fn = (args, ctx, client) => {
    const own = client && ctx && client !== ctx ? { ...ctx, tools: client.tools, callTool: client.callTool ?? ctx.callTool } : ctx;
    return handler(args, own, client ?? ctx);
  };
  definitions.push(def);
  byFunction.set(fn, def);
  return fn;
};

export const trailblaze = Object.freeze({ tool: define, run: () => {} });
export { toolsOf };

// selectors.web({ … }) is { web: { … } }, as recordings write a selector.
export const selectors = new Proxy(Object.freeze({}), { get: (_, kind) => (match) => ({ [kind]: match }) });

// captureViewHierarchy looks once for each selector. What it gives answers for these selectors alone, without asking again.
const captured = new WeakMap();
export const captureViewHierarchy = async (client, list) => {
  const wanted = [...list];
  const found = new Map();
  await Promise.all(wanted.map(async (selector) => found.set(stringify(selector), await client.tools.findMatches({ selector }))));
  const matches = (selector) => {
    const got = found.get(stringify(selector));
    if (!got) throw new Error(`the selector ${stringify(selector)} was not captured: add it to the list of captureViewHierarchy`);
    return got;
  };
  const view = {
    visible: (selector) => matches(selector).length > 0,
    find: (selector) => matches(selector)[0] ?? null,
    findAll: (selector) => [...matches(selector)],
  };
  captured.set(view, wanted);
  return view;
};

export class ConditionalActionFailedError extends Error {
  constructor(conditionalActionId, message, cause = null) {
    super(message);
    this.name = "ConditionalActionFailedError";
    this.conditionalActionId = conditionalActionId;
    this.cause = cause;
  }
}

// attempt does one part of a conditional action; an error of it names the action.
const attempt = async (action, part, fn) => {
  try {
    return await fn();
  } catch (e) {
    if (e instanceof ConditionalActionFailedError) throw e;
    throw new ConditionalActionFailedError(action.id, `the ${part} of ${action.id} failed: ${e?.message ?? e}`, e);
  }
};

// runConditionalActions does those actions whose condition holds in the view, in order. A postcondition is looked at in a new
// view after the action; an action whose postcondition holds already is left out.
export const runConditionalActions = async (client, actions, view) => {
  if (actions.length === 0) return { handled: [] };
  if (!captured.has(view)) throw new Error("runConditionalActions needs a view: await captureViewHierarchy(ctx, [selector, …])");
  const due = [];
  for (const a of actions) {
    const is = (part) => attempt(a, part, () => !!a[part](view));
    if (!(a.postcondition && (await is("postcondition"))) && (await is("condition"))) due.push(a);
  }
  const handled = [];
  for (const a of due) {
    await attempt(a, "action", () => a.action());
    if (a.postcondition) {
      const now = await captureViewHierarchy(client, captured.get(view));
      if (!(await attempt(a, "postcondition", () => a.postcondition(now))))
        throw new ConditionalActionFailedError(a.id, `${a.id} was done, and its postcondition does not hold`);
    }
    handled.push(a.id);
  }
  return { handled };
};

// publish gives the tools of a file their names: that of the spec, else that of the export.
export const publish = (exports) => {
  for (const [key, value] of Object.entries(exports)) {
    const def = byFunction.get(value);
    if (def) {
      def.export ??= key;
      def.name ??= key;
    }
  }
};

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
