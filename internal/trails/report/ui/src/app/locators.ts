// Selectors in the languages of trails and SDKs.
import { yaml } from "../format";

interface Web { ariaRole?: string; ariaNameRegex?: string; ownTextRegex?: string; dataTestId?: string; cssSelector?: string }
export interface Selector { web?: Web; childOf?: Selector; containsDescendants?: Selector[]; index?: number }

// unquoted is the text that a pattern matches alone, undefined when it matches others, too.
function unquoted(pattern: string): string | undefined {
  const quoted = /^\\Q([\s\S]*)\\E$/.exec(pattern);
  if (quoted && !quoted[1].includes("\\E")) return quoted[1];
  return /^[\p{L}\p{N} ]+$/u.test(pattern) ? pattern : undefined;
}

const exact = (o: object, ...keys: string[]) => Object.keys(o).sort().join() === keys.sort().join();

type Finder = [name: string, text: string, second?: string];

// finder is the method of the SDKs for a selector of a browser's element by itself; undefined: there is none.
function finder(w: Web): Finder | undefined {
  if (exact(w, "ariaRole")) return ["role", w.ariaRole!];
  if (exact(w, "ariaRole", "ariaNameRegex")) {
    const name = unquoted(w.ariaNameRegex!);
    return name === undefined ? undefined : ["role", w.ariaRole!, name];
  }
  if (exact(w, "ownTextRegex")) {
    const text = unquoted(w.ownTextRegex!);
    return text === undefined ? undefined : ["text", text];
  }
  if (exact(w, "dataTestId")) return ["test_id", w.dataTestId!];
  if (exact(w, "cssSelector")) return ["css", w.cssSelector!];
  return undefined;
}

const camel = (s: string) => s.replace(/_(.)/g, (_, c: string) => c.toUpperCase());
const pascal = (s: string) => camel(`_${s}`).replace("TestId", "TestID");
const text = (s: string) => JSON.stringify(s);

// literal is a value in the syntax of Go or Python.
function literal(v: unknown, go: boolean): string {
  if (Array.isArray(v)) return (go ? "[]any{" : "[") + v.map((x) => literal(x, go)).join(", ") + (go ? "}" : "]");
  if (v !== null && typeof v === "object") return (go ? "map[string]any{" : "{") + Object.entries(v).map(([k, x]) => `${text(k)}: ${literal(x, go)}`).join(", ") + "}";
  if (typeof v === "boolean" && !go) return v ? "True" : "False";
  return JSON.stringify(v);
}

const ways: Record<string, { find: (f: Finder) => string; raw: (s: Selector) => string; within: string; nth: string; device: string }> = {
  TypeScript: {
    device: "tb", within: "within", nth: "nth",
    find: ([name, a, b]) => `tb.getBy${camel(`_${name}`)}(${text(a)}${b === undefined ? "" : `, { name: ${text(b)} }`})`,
    raw: (s) => `tb.locator(${JSON.stringify(s)})`,
  },
  Python: {
    device: "tb", within: "within", nth: "nth",
    find: ([name, a, b]) => `tb.get_by_${name}(${text(a)}${b === undefined ? "" : `, name=${text(b)}`})`,
    raw: (s) => `tb.locator(${literal(s, false)})`,
  },
  Go: {
    device: "tb", within: "Within", nth: "Nth",
    find: ([name, a, b]) => `tb.GetBy${pascal(name)}(${text(a)}${b === undefined ? "" : `, ${text(b)}`})`,
    raw: (s) => `tb.Locator(${literal(s, true)})`,
  },
};

export const languages = ["YAML", ...Object.keys(ways)];

// written is a selector in a language.
export function written(s: Selector, language: string): string {
  if (language === "YAML") return `nodeSelector:${yaml(s, "  ")}`;
  const way = ways[language];
  const { childOf, index, ...own } = s;
  const f = own.web && exact(own, "web") ? finder(own.web) : undefined;
  if (!f) return way.raw(s);
  let out = way.find(f);
  if (childOf) out += `.${way.within}(${written(childOf, language)})`;
  if (index !== undefined) out += `.${way.nth}(${index})`;
  return out;
}
