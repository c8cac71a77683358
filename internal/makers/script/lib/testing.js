// What *.test.ts files import: tests, expectations, and stand-ins for what a handler gets.
import { ToolError, toolsOf, targetOf } from "trailblaze:runtime";

const tests = [];
const around = [];
const before = [];

export const describe = (name, fn) => {
  around.push(name);
  const had = before.length;
  try {
    fn();
  } finally {
    around.pop();
    const mine = before.splice(had);
    if (mine.length > 0) for (const t of tests) if (t.within(around, name)) t.before.push(...mine);
  }
};

export const test = (name, fn) => {
  const path = [...around, name];
  tests.push({
    name: path.join(" › "),
    fn,
    before: [],
    within: (outer, own) => [...outer, own].every((p, i) => path[i] === p),
  });
};
export const it = test;
export const beforeEach = (fn) => void before.push(fn);

const show = (v) => {
  if (typeof v === "string") return JSON.stringify(v);
  if (v instanceof RegExp || typeof v === "function" || v instanceof Error) return String(v);
  try {
    return JSON.stringify(v) ?? String(v);
  } catch {
    return String(v);
  }
};

const equal = (a, b, part) => {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(b).filter((k) => b[k] !== undefined);
  if (!part && Object.keys(a).filter((k) => a[k] !== undefined).length !== keys.length) return false;
  if (Array.isArray(a) && a.length !== b.length) return false;
  return keys.every((k) => equal(a[k], b[k], part));
};

const thrown = (fn) => {
  try {
    fn();
  } catch (e) {
    return { error: e };
  }
  return {};
};

const matches = (got, want) => {
  if (!got) return false;
  const message = String(got.error?.message ?? got.error);
  if (want === undefined) return true;
  if (want instanceof RegExp) return want.test(message);
  if (typeof want === "function") return got.error instanceof want;
  return message.includes(String(want?.message ?? want));
};

const matchers = {
  toBe: (got, want) => Object.is(got, want),
  toEqual: (got, want) => equal(got, want),
  toStrictEqual: (got, want) => equal(got, want),
  toMatchObject: (got, want) => equal(got, want, true),
  toContain: (got, want) => got?.includes?.(want) === true,
  toContainEqual: (got, want) => got?.some?.((v) => equal(v, want)) === true,
  toMatch: (got, want) => (want instanceof RegExp ? want.test(got) : String(got).includes(want)),
  toBeTruthy: (got) => !!got,
  toBeFalsy: (got) => !got,
  toBeUndefined: (got) => got === undefined,
  toBeDefined: (got) => got !== undefined,
  toBeNull: (got) => got === null,
  toBeGreaterThan: (got, want) => got > want,
  toBeGreaterThanOrEqual: (got, want) => got >= want,
  toBeLessThan: (got, want) => got < want,
  toBeLessThanOrEqual: (got, want) => got <= want,
  toBeInstanceOf: (got, want) => got instanceof want,
  toHaveLength: (got, want) => got?.length === want,
  toHaveProperty: (got, want) => got != null && want in got,
  toThrow: (got, want) => {
    const t = typeof got === "function" ? thrown(got) : got?.rejected;
    return t && "error" in t ? matches(t, want) : false;
  },
};

const check = (name, got, want, not, seen) => {
  if (matchers[name](got, ...want) !== not) return;
  const args = want.map(show).join(", ");
  throw new Error(`expected ${show(seen)} ${not ? "not " : ""}${name}(${args})`);
};

const expectation = (got, not) => {
  const out = {};
  for (const name of Object.keys(matchers)) out[name] = (...want) => check(name, got, want, not, got);
  return out;
};

const later = (settle, not) => {
  const out = {};
  for (const name of Object.keys(matchers))
    out[name] = async (...want) => {
      const { value, seen } = await settle();
      check(name, value, want, not, seen);
    };
  return out;
};

export const expect = (got) => {
  const resolved = async () => {
    const value = await got;
    return { value, seen: value };
  };
  const rejected = async () => {
    let value;
    try {
      value = await (typeof got === "function" ? got() : got);
    } catch (error) {
      return { value: { rejected: { error }, message: error?.message }, seen: error };
    }
    throw new Error(`expected a rejection, but it gave ${show(value)}`);
  };
  return {
    ...expectation(got, false),
    not: expectation(got, true),
    resolves: { ...later(resolved, false), not: later(resolved, true) },
    rejects: { ...later(rejected, false), not: later(rejected, true) },
  };
};

const shared = { current: undefined };

// createMockClient answers calls with what was stubbed, or with success, and keeps them.
export const createMockClient = () => {
  const stubs = new Map();
  const calls = [];
  const callTool = async (tool, args = {}) => {
    calls.push({ tool, args });
    const s = stubs.get(tool);
    const r = typeof s === "function" ? await s(args) : s;
    if (r?.errorMessage) throw new ToolError({ message: `tool failed: ${r.errorMessage}`, tool, kind: "assertion", hint: "" });
    return r?.structuredContent ?? r?.textContent ?? "";
  };
  const client = {
    calls,
    stub: (name, response) => void stubs.set(name, response),
    reset: () => {
      stubs.clear();
      calls.length = 0;
    },
    callTool,
    tools: toolsOf(callTool),
  };
  shared.current = client;
  return client;
};

// createQueuedFindMatchesClient answers findMatches and waitUntilNotVisible from queues, and every other call with "".
export const createQueuedFindMatchesClient = () => {
  const queues = { findMatches: [], waitUntilNotVisible: [] };
  const client = createMockClient();
  for (const [name, queue] of Object.entries(queues))
    client.stub(name, (args) => {
      if (queue.length === 0) throw new Error(`no answer of ${name} is left in the queue for ${show(args)}`);
      return { structuredContent: queue.shift() };
    });
  return {
    ...client,
    queueFindMatches: (list) => void queues.findMatches.push(...list),
    queueWaitUntilNotVisible: (list) => void queues.waitUntilNotVisible.push(...list),
  };
};

// createMockContext is a context whose calls go to the client made last, and whose memory is a map.
export const createMockContext = ({ platform = "web", memory = {}, target, device, client } = {}) => {
  const values = new Map(Object.entries(memory));
  const of = () => client ?? shared.current ?? createMockClient();
  const callTool = (name, args) => of().callTool(name, args);
  return {
    tools: toolsOf(callTool),
    callTool,
    on: () => of(),
    memory: {
      get: (k) => values.get(k),
      set: (k, v) => void values.set(k, v),
      has: (k) => values.has(k),
      keys: () => [...values.keys()],
      delete: (k) => values.delete(k),
      interpolate: (s) => s.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (all, k) => values.get(k) ?? all),
      getJson: (k) => (typeof values.get(k) === "string" ? JSON.parse(values.get(k)) : values.get(k)),
      setJson: (k, v) => void values.set(k, v),
    },
    device: { id: "mock", platform, driver: "MOCK", width: 1280, height: 800, ...device },
    target: targetOf(target),
    sleep: async () => {},
    log: console.log,
    files: { read: async () => "", write: async () => {} },
  };
};

Object.assign(globalThis.__trailblaze, {
  tests: () => JSON.stringify(tests.map((t) => t.name)),
  runTest: (i) => {
    const t = tests[i];
    shared.current = undefined;
    Promise.resolve()
      .then(async () => {
        for (const fn of t.before) await fn();
        await t.fn();
      })
      .then(() => globalThis.__trailblaze.answer(undefined))
      .catch(globalThis.__trailblaze.failed);
  },
});
