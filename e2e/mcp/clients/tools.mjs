// Every tool through the official TypeScript SDK: listed, called with arguments that fit and with arguments that do not.
import { valid, wrong } from './args.mjs';
import { manageArgs } from './manage.mjs';
import { cfg, check, connect, finish, must, text } from './lib.mjs';

const c = await connect();
const MB = 1 << 20;

// The default list is small, and every tool of it says what it is.
const first = await c.list();
const bytes = Buffer.byteLength(JSON.stringify({ tools: first }));
console.log(`default list: ${first.length} tools, ${bytes} bytes`);
check(first.length <= 10, 'at most 10 tools by default', first.map((t) => t.name));
check(bytes <= 9_000, 'at most 9 kB of tools/list by default', bytes);

const before = c.changes();
const opened = await must('addToolCategory ALL', c.call('addToolCategory', { category: 'ALL' }));
check(!opened.isError, 'addToolCategory ALL', text(opened));
const all = await c.list();
const names = new Set(all.map((t) => t.name));
console.log(`all categories: ${all.length} tools`);
check(await c.changed(before), 'list_changed is announced');
for (const t of all) {
  check(/^[A-Za-z0-9_-]{1,64}$/.test(t.name), `${t.name}: a name clients take`);
  check(t.description?.length > 10, `${t.name}: has a description`);
  check(t.title || t.annotations?.title, `${t.name}: has a title`);
  const reads = t.annotations?.readOnlyHint ?? false; // the protocol's default
  check(reads || typeof t.annotations?.destructiveHint === 'boolean', `${t.name}: only reads, or says what it may destroy`);
  check(t.inputSchema?.type === 'object', `${t.name}: has an object for a schema`);
}

// result checks what every answer has to be: it came at all, says something short, and fits its schema, which the SDK checks.
function result(r, what) {
  const said = text(r);
  check(said.length > 0, `${what}: says something`);
  check(said.length < MB, `${what}: is no flood`, said.length);
  return said;
}

const table = { ...valid(cfg.url), ...manageArgs(cfg.url) };
const page = `${cfg.url}/ground.html`;
const only = process.env.E2E_TOOLS?.split(',');
for (const t of all) {
  if (only && !only.includes(t.name)) continue;
  const bad = wrong(t.inputSchema);
  const refused = await must(`${t.name} with wrong arguments`, c.call(t.name, bad.args));
  const why = result(refused, `${t.name} with wrong arguments`);
  check(refused.isError === true, `${t.name}: refuses wrong arguments`, why);
  const silent = bad.names.filter((n) => !why.includes(n));
  check(!silent.length, `${t.name}: names every mistake`, `not ${silent} in: ${why}`);

  const row = table[t.name];
  if (!check(row, `${t.name}: has a row in the table of arguments`)) continue;
  if (row.skip) continue;
  if (!row.management) {
    const r = await must(`open the page for ${t.name}`, c.call('web_navigate', { url: row.page ?? page }));
    check(!r.isError, `open the page for ${t.name}`, text(r));
  }
  for (const [name, args] of row.before ?? []) {
    const r = await must(`${name} before ${t.name}`, c.call(name, args));
    check(!r.isError, `${name} before ${t.name}`, text(r));
  }
  const r = await must(t.name, c.call(t.name, typeof row.args === 'function' ? await row.args(c) : row.args ?? {}));
  const said = result(r, t.name);
  if (row.says) check(row.says.test(said), `${t.name}: says ${row.says}`, said);
  else check(!r.isError || row.may?.test(said), `${t.name}: works`, said);
  if (t.outputSchema && !r.isError) check(r.structuredContent, `${t.name}: has the structured content it promised`);
  if (process.env.E2E_VERBOSE) console.log(`-- ${t.name}: ${said.slice(0, 200).replaceAll('\n', ' | ')}`);
  for (const [name, args] of row.after ?? []) {
    const r = await must(`${name} after ${t.name}`, c.call(name, args));
    check(!r.isError, `${name} after ${t.name}`, text(r));
  }
}
const gone = Object.keys(table).filter((n) => !names.has(n) && !table[n].hidden);
if (!only) check(!gone.length, 'every tool of the table is there', gone);

// What is not there is refused by a result or an error, and the session goes on.
let odd;
try { odd = await c.call('noSuchTool', {}); } catch (e) { odd = { isError: true, content: [{ type: 'text', text: String(e) }] }; }
check(odd.isError && text(odd).includes('noSuchTool'), 'an unknown tool is refused by name', text(odd));
check(!c.broken.length, 'nothing on stdout but JSON-RPC', c.broken);
await c.close();
finish();
