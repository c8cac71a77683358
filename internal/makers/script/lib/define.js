// How a script defines tools, and what it may import: the same in every runtime.
const { stringify } = JSON;

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

export const text = (v) => {
  if (typeof v === "string") return v;
  if (v instanceof Error) return `${v.name}: ${v.message}`;
  try {
    return stringify(v) ?? String(v);
  } catch {
    return String(v);
  }
};

export const toolsOf = (call) =>
  new Proxy(Object.freeze({}), {
    get: (_, name) => {
      if (typeof name !== "string" || name === "then") return undefined;
      return name === "findMatches" ? async (args) => matchesOf(await call(name, args)) : (args) => call(name, args);
    },
  });

// matchesOf is the list of matches, as tools written for upstream take it. The same list stands under its own name, as in the
// result of the tool.
const matchesOf = (found) => {
  const list = Array.isArray(found) ? found : found?.matches;
  return Array.isArray(list) ? Object.defineProperty([...list], "matches", { get() { return this; } }) : found;
};

// targetOf gives a target the two questions that handlers ask of it.
export const targetOf = (t) =>
  t && {
    ...t,
    resolveAppId: ({ defaultAppId } = {}) => t.appId ?? t.appIds?.[0] ?? defaultAppId,
    resolveBaseUrl: ({ defaultBaseUrl } = {}) => t.resolvedBaseUrl ?? t.baseUrls?.[0] ?? defaultBaseUrl,
  };

export const definitions = [];
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

// publish gives the tools of a file their names: that of the spec, else that of the export. What files beside it say of
// its tools goes before what it says itself; they also make tools of plain functions.
export const publish = (exports, described = []) => {
  for (const [key, value] of Object.entries(exports)) {
    const def = byFunction.get(value);
    if (def) {
      def.export ??= key;
      def.name ??= key;
    }
  }
  for (const { file, name, spec } of described) {
    const def = definitions.find((d) => d.name === name);
    if (def) def.spec = { ...def.spec, ...spec };
    else if (typeof exports[name] === "function") define(name, spec, exports[name]);
    else throw new Error(`${file} describes ${name}, and the script has no function and no tool of this name`);
  }
};
