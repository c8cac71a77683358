// The part of a script's world in a process of its own: an MCP server on stdin and stdout, or over HTTP with
// --transport http --port P. What a handler gets is what it gets in process; calls of other tools go back over HTTP.
import { Console } from "node:console";
import { Agent, createServer, request } from "node:http";
import { createInterface } from "node:readline";
import { definitions, targetOf, text, ToolError, toolsOf } from "trailblaze:define";
export * from "trailblaze:define";

const { parse, stringify } = JSON;

// takeStdout keeps stdout for messages alone, and gives what writes to it.
const takeStdout = () => {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  globalThis.console = new Console(process.stderr, process.stderr);
  return write;
};
let write = globalThis.__trailblazeDir ? takeStdout() : undefined; // in a bundle before the author's code runs

const agent = new Agent({ keepAlive: true });

const post = (url, body) =>
  new Promise((resolve, reject) => {
    const out = request(url, { method: "POST", agent, headers: { "content-type": "application/json" } }, (res) => {
      const parts = [];
      res.on("data", (p) => parts.push(p));
      res.on("error", reject);
      res.on("end", () => {
        const got = Buffer.concat(parts).toString();
        if (res.statusCode === 200) resolve(parse(got));
        else reject(new Error(`the callback was refused (${res.statusCode}): ${got}`));
      });
    });
    out.on("error", reject);
    out.end(body);
  });

// callback calls another tool of the session that the call is of.
const callback = (meta) => async (name, args) => {
  if (!meta.baseUrl) throw new Error("nothing listens for calls of other tools");
  const action = { type: "call_tool", tool_name: name, arguments_json: stringify(args ?? {}) };
  const body = stringify({ version: 1, session_id: meta.sessionId, invocation_id: meta.invocationId, action });
  const { result } = await post(`${meta.baseUrl}/scripting/callback`, body);
  if (result.success) return result.structured_content ?? result.text_content;
  const why = result.error_message || result.message;
  throw new ToolError({ message: `tool failed: ${why}`, tool: name, kind: "", hint: "", value: result.structured_content ?? undefined });
};

// memoryOf is the memory as it was when the call began; what is written goes back with the result.
const memoryOf = (values, delta, gone) => {
  const get = (name) => values[name];
  const set = (name, value) => {
    values[name] = delta[name] = parse(stringify(value === undefined ? null : value));
    gone.delete(name);
  };
  return {
    get,
    set,
    has: (name) => name in values,
    keys: () => Object.keys(values),
    delete: (name) => {
      delete values[name];
      delete delta[name];
      gone.add(name);
    },
    interpolate: (s) =>
      String(s).replace(/\{\{\s*(?:memory\.)?([\w.-]+)\s*\}\}|\$\{([\w.-]+)\}/g, (all, a, b) => {
        const v = values[a ?? b];
        return v === undefined ? all : text(v);
      }),
    getJson: (name) => (typeof values[name] === "string" ? parse(values[name]) : values[name]),
    setJson: set,
  };
};

// clientOf calls other tools from inside of a call; one with @bob behind its id, on the device of the actor bob.
const clientOf = (meta) => {
  const callTool = callback(meta);
  return { tools: toolsOf(callTool), callTool };
};

const contextOf = (meta, memory) => {
  const t = meta.target && { ...meta.target, baseUrls: Object.values(meta.target.baseUrls ?? {}) };
  const base = meta.memory?.baseUrl;
  const target = t || base ? { ...t, ...(base ? { baseUrls: [base], resolvedBaseUrl: base } : {}) } : undefined;
  return {
    ...clientOf(meta),
    on: (actor) => clientOf({ ...meta, invocationId: `${meta.invocationId}@${actor}` }),
    memory,
    device: meta.device && { ...meta.device, driver: meta.device.driverType },
    target: targetOf(target),
    sessionId: meta.sessionId,
    invocationId: meta.invocationId,
    sleep: (ms) => new Promise((done) => setTimeout(done, Number(ms) || 0)),
    log: console.log,
  };
};

// fromMeta is what a handler gets, of the _meta of a call: for servers that are written with an MCP SDK.
export const fromMeta = (meta) => {
  const own = meta?.trailblaze ?? meta;
  if (!own?.invocationId) throw new Error("the call has no _meta.trailblaze: call the tool through Trailblaze");
  return contextOf(own, memoryOf({ ...own.memory }, {}, new Set()));
};

// contentOf makes a result of what a handler returned.
const contentOf = (value) => {
  if (value === undefined || value === null) return { content: [{ type: "text", text: "Done." }] };
  if (typeof value === "string") return { content: [{ type: "text", text: value }], structuredContent: value };
  if (Array.isArray(value.content) && value.content[0]?.type === "text") return { ...value };
  return { content: [{ type: "text", text: stringify(value) }], structuredContent: value };
};

// failed says what was thrown, and where in the author's file.
const failed = (e) => {
  let said = text(e);
  if (e instanceof Error) {
    said = e.name && e.name !== "Error" && !(e instanceof ToolError) ? `${e.name}: ${e.message}` : e.message;
    const at = /workspace:([^\s()]+:\d+:\d+)/.exec(e.stack ?? "");
    if (at) said = `${at[1]}: ${said}`;
  }
  return { isError: true, content: [{ type: "text", text: said }] };
};

const call = async ({ name, arguments: args = {}, _meta }) => {
  const def = definitions.find((d) => d.name === name);
  if (!def) throw { code: -32602, message: `there is no tool ${name}` };
  const meta = _meta?.trailblaze ?? {};
  const { _trailblazeContext, ...own } = args;
  const delta = {};
  const gone = new Set();
  const ctx = contextOf(meta, memoryOf({ ...meta.memory }, delta, gone));
  let out;
  try {
    out = contentOf(await def.handler(own, ctx, ctx));
  } catch (e) {
    out = failed(e);
  }
  out._meta = { ...out._meta, trailblaze: { memoryDelta: delta, memoryDeletions: [...gone] } };
  return out;
};

const list = () =>
  definitions
    .filter((d) => d.name)
    .map(({ name, spec, export: key }) => ({
      name,
      description: spec.description,
      inputSchema: spec.inputSchema?.type === "object" ? spec.inputSchema : { type: "object" },
      _meta: { "trailblaze/tool": { name, export: key ?? "", spec } },
    }));

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion ?? "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "trailblaze-script", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: list() }),
  "tools/call": call,
};

// answer is the answer to a message, undefined to one that wants none.
const answer = async ({ id, method, params }) => {
  if (id === undefined || !method) return undefined;
  const head = { jsonrpc: "2.0", id };
  const fn = methods[method];
  if (!fn) return { ...head, error: { code: -32601, message: `there is no method ${method}` } };
  try {
    return { ...head, result: await fn(params ?? {}) };
  } catch (e) {
    return { ...head, error: { code: e?.code ?? -32603, message: e?.message ?? text(e) } };
  }
};

// reply is an answer as it is sent. What cannot be sent is an error of the call.
const reply = async (message) => {
  const out = await answer(message);
  try {
    return out && stringify(out);
  } catch (e) {
    return stringify({ ...out, result: failed(e) });
  }
};

const overStdio = () => {
  createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on("line", async (line) => {
      const out = line.trim() && (await reply(parse(line)));
      if (out) write(`${out}\n`);
    })
    .on("close", () => process.exit(0));
};

const overHTTP = (port) => {
  const here = [`127.0.0.1:${port}`, `localhost:${port}`];
  createServer((req, res) => {
    if (!here.includes(req.headers.host) || req.headers.origin) return void res.writeHead(403).end();
    if (req.url !== "/mcp" || req.method !== "POST") return void res.writeHead(405).end();
    const parts = [];
    req.on("data", (p) => parts.push(p));
    req.on("end", async () => {
      const out = await reply(parse(Buffer.concat(parts).toString()));
      if (out) res.writeHead(200, { "content-type": "application/json" }).end(out);
      else res.writeHead(202).end();
    });
  }).listen(port, "127.0.0.1");
};

// serve begins to answer. A promise that nobody waits for ends a call of somebody, not the process.
export const serve = () => {
  write ??= takeStdout();
  process.on("unhandledRejection", (e) => console.error("a promise was rejected that nobody waits for:", e));
  const [, , a, kind, b, port] = process.argv;
  if (a === "--transport" && kind === "http" && b === "--port") overHTTP(Number(port));
  else overStdio();
};
