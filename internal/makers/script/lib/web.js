// Globals of the web that a script expects beside the language. They reach nothing outside of the script.
export class TextEncoder {
  encoding = "utf-8";
  encode(s = "") {
    const out = [];
    for (const ch of String(s).toWellFormed()) {
      const c = ch.codePointAt(0);
      if (c < 0x80) out.push(c);
      else if (c < 0x800) out.push(0xc0 | (c >> 6), 0x80 | (c & 63));
      else if (c < 0x10000) out.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
      else out.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    }
    return new Uint8Array(out);
  }
}

const bytesOf = (v) => {
  if (v instanceof ArrayBuffer) return new Uint8Array(v);
  if (ArrayBuffer.isView(v)) return new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
  throw new TypeError("expected an ArrayBuffer or a typed array");
};

export class TextDecoder {
  encoding = "utf-8";
  #fatal;
  #ignoreBOM;
  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    if (!/^utf-?8$/i.test(String(label).trim())) throw new RangeError(`TextDecoder decodes utf-8 alone, not ${label}`);
    this.#fatal = fatal;
    this.#ignoreBOM = ignoreBOM;
  }
  decode(input = new Uint8Array(), options = {}) {
    if (options.stream) throw new TypeError("TextDecoder decodes no streams here: decode all bytes at once");
    const b = bytesOf(input);
    let out = "";
    for (let i = 0; i < b.length; ) {
      const c = b[i++];
      const more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
      let point = more < 0 ? -1 : more === 0 ? c : c & (0x3f >> more);
      for (let n = 0; n < more; n++) {
        const low = n > 0 ? 0x80 : c === 0xe0 ? 0xa0 : c === 0xf0 ? 0x90 : 0x80;
        const high = n > 0 ? 0xbf : c === 0xed ? 0x9f : c === 0xf4 ? 0x8f : 0xbf;
        if (!(b[i] >= low && b[i] <= high)) {
          point = -1;
          break;
        }
        point = (point << 6) | (b[i++] & 0x3f);
      }
      if (point < 0 && this.#fatal) throw new TypeError("the bytes are not utf-8");
      out += point < 0 ? "\ufffd" : String.fromCodePoint(point);
    }
    return !this.#ignoreBOM && out[0] === "\ufeff" ? out.slice(1) : out;
  }
}

const btoa = (s) => {
  const bytes = Array.from(String(s), (ch) => ch.charCodeAt(0) | (ch.length > 1 ? 256 : 0));
  if (bytes.some((c) => c > 255)) {
    throw new RangeError("btoa takes characters up to U+00FF: encode the text with TextEncoder first");
  }
  return new Uint8Array(bytes).toBase64();
};

const atob = (s) => {
  let out = "";
  try {
    for (const b of Uint8Array.fromBase64(String(s))) out += String.fromCharCode(b);
  } catch {
    throw new SyntaxError("atob: the text is not base64");
  }
  return out;
};

const structuredClone = (value, options = {}) => {
  if (options.transfer?.length) throw new TypeError("structuredClone transfers nothing here");
  const seen = new Map();
  const clone = (v) => {
    if (typeof v === "function" || typeof v === "symbol") throw new TypeError(`a ${typeof v} cannot be cloned`);
    if (typeof v !== "object" || v === null) return v;
    if (seen.has(v)) return seen.get(v);
    const keep = (to) => (seen.set(v, to), to);
    if (v instanceof Date) return keep(new Date(v));
    if (v instanceof RegExp) return keep(new RegExp(v.source, v.flags));
    if (v instanceof ArrayBuffer) return keep(v.slice(0));
    if (v instanceof DataView) return keep(new DataView(clone(v.buffer), v.byteOffset, v.byteLength));
    if (ArrayBuffer.isView(v)) return keep(new v.constructor(clone(v.buffer), v.byteOffset, v.length));
    if (v instanceof Boolean || v instanceof Number || v instanceof String) return keep(Object(v.valueOf()));
    if (v instanceof Map) {
      const to = keep(new Map());
      for (const [k, x] of v) to.set(clone(k), clone(x));
      return to;
    }
    if (v instanceof Set) {
      const to = keep(new Set());
      for (const x of v) to.add(clone(x));
      return to;
    }
    if (v instanceof Promise || v instanceof WeakMap || v instanceof WeakSet || v instanceof WeakRef) {
      throw new TypeError(`a ${v.constructor.name} cannot be cloned`);
    }
    let to = {};
    if (Array.isArray(v)) {
      to = [];
      to.length = v.length;
    } else if (v instanceof Error) {
      const known = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
      to = new (known[v.name] ?? Error)(v.message);
      Object.defineProperty(to, "stack", { value: v.stack, writable: true, configurable: true });
      if ("cause" in v) Object.defineProperty(to, "cause", { value: clone(v.cause), writable: true, configurable: true });
      return keep(to);
    }
    keep(to);
    for (const k of Object.keys(v)) {
      Object.defineProperty(to, k, { value: clone(v[k]), writable: true, enumerable: true, configurable: true });
    }
    return to;
  };
  return clone(value);
};

class Headers {
  #all = new Map();
  constructor(init = []) {
    for (const [k, v] of init[Symbol.iterator] ? init : Object.entries(init)) this.append(k, v);
  }
  static #name(name) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new TypeError(`"${name}" cannot name a header`);
    return String(name).toLowerCase();
  }
  append(name, value) {
    const key = Headers.#name(name);
    const text = String(value).trim();
    this.#all.set(key, this.#all.has(key) ? `${this.#all.get(key)}, ${text}` : text);
  }
  set(name, value) {
    this.#all.set(Headers.#name(name), String(value).trim());
  }
  get(name) {
    return this.#all.get(Headers.#name(name)) ?? null;
  }
  has(name) {
    return this.#all.has(Headers.#name(name));
  }
  delete(name) {
    this.#all.delete(Headers.#name(name));
  }
  forEach(fn, self) {
    for (const [k, v] of this) fn.call(self, v, k, this);
  }
  *entries() {
    yield* [...this.#all].sort(([a], [b]) => (a < b ? -1 : 1));
  }
  *keys() {
    for (const [k] of this) yield k;
  }
  *values() {
    for (const [, v] of this) yield v;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
}

Object.assign(globalThis, { TextEncoder, TextDecoder, atob, btoa, structuredClone, Headers });
