// Checks that are counted.
export const text = (r) => (r.content ?? []).filter((c) => c.type === 'text').map((c) => c.text).join('\n');

let checks = 0; const failed = [];
export function check(ok, what, detail = '') {
  checks++;
  if (!ok) { failed.push(what); console.log(`FAIL ${what} ${String(detail).slice(0, 1200)}`); }
  return ok;
}
export function finish() {
  console.log(`${checks} checks, ${failed.length} failed`);
  process.exit(failed.length ? 1 : 0);
}
export const must = async (what, promise) => {
  try { return await promise; } catch (e) { check(false, what, e?.stack ?? e); return { content: [], isError: true }; }
};
