// URLs as the web reads them, without international names of hosts.
import { TextDecoder, TextEncoder } from "trailblaze:web";

// escaped is text with all characters but those of keep as the percent signs of their bytes.
const escaped = (s, keep) => {
  let out = "";
  for (const b of new TextEncoder().encode(s)) {
    const ch = String.fromCharCode(b);
    out += keep.test(ch) ? ch : `%${b.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
};

// unescaped is text with percent signs as the bytes that they stand for; what stands for none stays.
const unescaped = (s) => {
  if (!s.includes("%")) return s;
  const from = new TextEncoder().encode(s);
  const out = [];
  for (let i = 0; i < from.length; i++) {
    const hex = from[i] === 37 ? String.fromCharCode(...from.slice(i + 1, i + 3)) : "";
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      out.push(parseInt(hex, 16));
      i += 2;
    } else out.push(from[i]);
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(out));
};

const formEscaped = (s) => escaped(s, /[-*._0-9A-Za-z ]/).replaceAll(" ", "+");

class URLSearchParams {
  #list = [];
  #changed;
  constructor(init = "", changed) {
    this.#changed = changed;
    this.#read(init);
  }
  #read(init) {
    if (typeof init === "object" && init !== null) {
      for (const [k, v] of init[Symbol.iterator] ? init : Object.entries(init)) this.#list.push([String(k), String(v)]);
      return;
    }
    for (const part of String(init).replace(/^\?/, "").split("&")) {
      if (part === "") continue;
      const [, k, v] = /^([^=]*)=?([^]*)$/.exec(part.replaceAll("+", " "));
      this.#list.push([unescaped(k), unescaped(v)]);
    }
  }
  #set(list) {
    this.#list = list;
    this.#changed?.(this.toString());
  }
  get size() {
    return this.#list.length;
  }
  append(name, value) {
    this.#set([...this.#list, [String(name), String(value)]]);
  }
  delete(name, value) {
    this.#set(this.#list.filter(([k, v]) => k !== String(name) || (value !== undefined && v !== String(value))));
  }
  get(name) {
    return this.#list.find(([k]) => k === String(name))?.[1] ?? null;
  }
  getAll(name) {
    return this.#list.filter(([k]) => k === String(name)).map(([, v]) => v);
  }
  has(name, value) {
    return this.#list.some(([k, v]) => k === String(name) && (value === undefined || v === String(value)));
  }
  set(name, value) {
    const at = this.#list.findIndex(([k]) => k === String(name));
    if (at < 0) return this.append(name, value);
    const rest = this.#list.filter(([k], i) => i === at || k !== String(name));
    this.#set(rest.map((p, i) => (i === at ? [p[0], String(value)] : p)));
  }
  sort() {
    this.#set(this.#list.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }
  forEach(fn, self) {
    for (const [k, v] of this) fn.call(self, v, k, this);
  }
  *entries() {
    for (const [k, v] of this.#list) yield [k, v];
  }
  *keys() {
    for (const [k] of this.#list) yield k;
  }
  *values() {
    for (const [, v] of this.#list) yield v;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  toString() {
    return this.#list.map(([k, v]) => `${formEscaped(k)}=${formEscaped(v)}`).join("&");
  }
}

const ports = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21", "file:": "" };
const inPath = /[-!$%&'()*+,./:;=@[\]\\|_~0-9A-Za-z]/;
const inQuery = /[-!$%&()*+,./:;=?@[\]\\^_`{|}~0-9A-Za-z]/;
const inHash = /[-!#$%&'()*+,./:;=?@[\]\\^_{|}~0-9A-Za-z]/;
const inUser = /[-!$%&'()*+,._~0-9A-Za-z]/;

// straight is a path without "." and "..".
const straight = (path) => {
  const out = [];
  const parts = path.split("/").slice(1);
  parts.forEach((part, i) => {
    const dots = part.replaceAll(/%2e/gi, ".");
    if (dots === "..") out.pop();
    else if (dots !== ".") out.push(part);
    if ((dots === ".." || dots === ".") && i === parts.length - 1) out.push("");
  });
  return `/${out.join("/")}`;
};

// hostOf is a host as a URL of the web holds it.
const hostOf = (text) => {
  if (/^\[[0-9a-f:.]+\]$/i.test(text)) return text.toLowerCase();
  const host = unescaped(text).toLowerCase();
  if (/[^\x00-\x7f]/.test(host)) throw new TypeError(`Invalid URL: write the host ${host} in its ASCII form (xn--…)`);
  if (host === "" || /[\x00-\x20#%/:<>?@[\\\]^|]/.test(host)) throw new TypeError(`Invalid URL: "${text}" is no host`);
  const numbers = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  if (numbers?.slice(1).some((n) => n > 255)) throw new TypeError(`Invalid URL: "${text}" is no host`);
  return host;
};

class URL {
  #protocol = "";
  #username = "";
  #password = "";
  #host; // undefined: a URL without one, such as mailto:
  #port = "";
  #path = "";
  #search = "";
  #hash = "";
  #params;
  constructor(url, base) {
    const text = String(url).replace(/^[\x00-\x20]+|[\x00-\x20]+$/g, "").replaceAll(/[\t\n\r]/g, "");
    let m = /^([a-z][-+.0-9a-z]*:)([^]*)$/i.exec(text);
    const from = base === undefined ? undefined : new URL(base);
    if (m && from && m[1].toLowerCase() === from.protocol && m[1].toLowerCase() in ports && !/^[/\\]/.test(m[2])) {
      m = [text, m[1], m[2], true]; // "https:path" is relative to a base of its kind
    }
    if (!m && !from) throw new TypeError(`Invalid URL: "${url}"`);
    this.#protocol = m ? m[1].toLowerCase() : from.protocol;
    const web = this.#protocol in ports;
    let rest = m ? m[2] : text;
    rest = rest.replace(/#([^]*)$/, (_, s) => ((this.#hash = s && `#${escaped(s, inHash)}`), ""));
    let asked = false;
    rest = rest.replace(/\?([^]*)$/, (_, s) => ((asked = true), (this.#search = s && `?${escaped(s, inQuery)}`), ""));
    if (web) rest = rest.replaceAll("\\", "/");
    const relative = !m || m[3];
    if (!relative && web && this.#protocol !== "file:") rest = `//${rest.replace(/^\/*/, "")}`;
    const [, authority] = /^\/\/([^/]*)/.exec(rest) ?? [];
    if (authority !== undefined) {
      this.#authority(authority, web);
      rest = rest.slice(2 + authority.length);
    } else if (relative) {
      if (from.#host === undefined && (rest !== "" || asked)) throw new TypeError(`Invalid URL: "${url}" with base "${base}"`);
      this.#username = from.#username;
      this.#password = from.#password;
      this.#host = from.#host;
      this.#port = from.#port;
      if (rest === "") {
        rest = from.#path;
        if (!asked) this.#search = from.#search;
      } else if (rest[0] !== "/") rest = from.#path.replace(/[^/]*$/, "") + rest;
    } else if (this.#protocol === "file:") this.#host = "";
    this.#path = this.#pathOf(rest);
  }
  static canParse(url, base) {
    return URL.parse(url, base) !== null;
  }
  static parse(url, base) {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }
  #pathOf(text) {
    if (this.#host === undefined && text[0] !== "/") return escaped(text, /[\x20-\x7e]/);
    const path = escaped(text, inPath);
    return path === "" && !(this.#protocol in ports) ? "" : straight(path[0] === "/" ? path : `/${path}`);
  }
  #authority(text, web) {
    const [, user, at] = /^(?:([^]*)@)?([^]*)$/.exec(text);
    if (user !== undefined) {
      const [, name, word] = /^([^:]*):?([^]*)$/.exec(user);
      this.#username = escaped(name, inUser);
      this.#password = escaped(word, inUser);
    }
    const [, name, port] = /^(\[[^\]]*\]|[^:]*)(?::([^]*))?$/.exec(at) ?? [];
    if (name === undefined) throw new TypeError(`Invalid URL: "${text}" is no host`);
    this.#host = this.#protocol === "file:" && name === "" ? "" : web ? hostOf(name) : escaped(name, inPath);
    this.#setPort(port ?? "");
  }
  #setPort(text) {
    if (!/^\d*$/.test(text) || Number(text) > 65535) throw new TypeError(`Invalid URL: "${text}" is no port`);
    this.#port = text === "" || String(Number(text)) === ports[this.#protocol] ? "" : String(Number(text));
  }
  get protocol() {
    return this.#protocol;
  }
  set protocol(v) {
    const next = `${String(v).replace(/:[^]*$/, "").toLowerCase()}:`;
    if (next in ports !== this.#protocol in ports || !/^[a-z][-+.0-9a-z]*:$/.test(next)) return;
    this.#protocol = next;
    this.#setPort(this.#port);
  }
  get username() {
    return this.#username;
  }
  set username(v) {
    if (this.#host) this.#username = escaped(String(v), inUser);
  }
  get password() {
    return this.#password;
  }
  set password(v) {
    if (this.#host) this.#password = escaped(String(v), inUser);
  }
  get hostname() {
    return this.#host ?? "";
  }
  set hostname(v) {
    this.#host = hostOf(String(v));
  }
  get port() {
    return this.#port;
  }
  set port(v) {
    this.#setPort(String(v));
  }
  get host() {
    return this.hostname + (this.#port && `:${this.#port}`);
  }
  set host(v) {
    const [, name, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(String(v)) ?? [];
    this.#host = hostOf(name ?? String(v));
    if (port) this.#setPort(port);
  }
  get origin() {
    return this.#protocol in ports && this.#protocol !== "file:" ? `${this.#protocol}//${this.host}` : "null";
  }
  get pathname() {
    return this.#path;
  }
  set pathname(v) {
    if (this.#host !== undefined) this.#path = this.#pathOf(String(v).replaceAll("\\", "/"));
  }
  get search() {
    return this.#search;
  }
  set search(v) {
    const text = String(v).replace(/^\?/, "");
    this.#search = text && `?${escaped(text, inQuery)}`;
    this.#params = undefined;
  }
  get searchParams() {
    this.#params ??= new URLSearchParams(this.#search, (text) => (this.#search = text && `?${text}`));
    return this.#params;
  }
  get hash() {
    return this.#hash;
  }
  set hash(v) {
    const text = String(v).replace(/^#/, "");
    this.#hash = text && `#${escaped(text, inHash)}`;
  }
  get href() {
    const user = this.#username + (this.#password && `:${this.#password}`);
    const at = this.#host === undefined ? "" : `//${user && `${user}@`}${this.host}`;
    return this.#protocol + at + this.#path + this.#search + this.#hash;
  }
  toString() {
    return this.href;
  }
  toJSON() {
    return this.href;
  }
}

Object.assign(globalThis, { URL, URLSearchParams });
