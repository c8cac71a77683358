// Arguments that each tool takes and that do something on pages/ground.html, and arguments that no tool takes.
import fs from 'node:fs';

// valid says, by tool, what to call before (besides opening the page), the arguments, and, where the tool rightly refuses in
// a browser without a window, what its refusal says. The table is shared with the tests in Go; a hidden tool is for scripts
// and trails and not listed here.
export const valid = (url) => {
  const file = new URL('../../housetest/calls.json', import.meta.url);
  const rows = JSON.parse(fs.readFileSync(file, 'utf8').replaceAll('{{url}}', url)).tools;
  for (const row of Object.values(rows)) if (row.may) row.may = new RegExp(row.may, 'i');
  return rows;
};

// wrong makes arguments that break a schema in as many places as it has, and lists the names a refusal must mention.
export function wrong(schema) {
  const args = {}, names = [];
  for (const [name, s] of Object.entries(schema.properties ?? {})) {
    const bad = wrongValue(s);
    if (bad !== undefined) { args[name] = bad; names.push(name); }
  }
  for (const name of schema.required ?? []) if (!(name in args)) names.push(name); // left out
  if (schema.additionalProperties === false || !names.length) { args.noSuchArgument = 1; names.push('noSuchArgument'); }
  return { args, names };
}

function wrongValue(s) {
  const types = [].concat(s.type ?? []);
  if (s.enum) return 'NO_SUCH_CHOICE';
  if (!types.length) return undefined; // takes anything
  if (types.includes('object')) return types.includes('string') ? undefined : 'not an object';
  if (types.includes('array')) return types.includes('string') ? undefined : 'not a list';
  if (types.includes('string')) return types.length > 1 ? undefined : { not: 'a string' };
  if (types.includes('number') || types.includes('integer')) return 'not a number';
  if (types.includes('boolean')) return 'not a truth';
  return undefined;
}
