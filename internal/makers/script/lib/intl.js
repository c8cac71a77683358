// Numbers and dates as English writes them. All else of Intl is an error that says so.
// checked refuses an option that changes what is written and that is not known here.
const checked = (what, options, known) => {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const may = known[name];
    if (!may || (Array.isArray(may) && !may.includes(value))) {
      throw new RangeError(`${what} knows no ${name}: ${JSON.stringify(value)} here; it knows ${Object.keys(known).join(", ")}`);
    }
  }
  return options;
};

const english = (what, locales) => {
  const [locale = "en-US"] = [locales ?? []].flat();
  if (!/^en(-US)?$/i.test(locale)) {
    throw new RangeError(`${what} writes English (en, en-US) alone here, not ${locale}: run the tool with runtime: "subprocess" for other languages`);
  }
  return "en-US";
};

const signs = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", CNY: "CN¥", INR: "₹", KRW: "₩" };

class NumberFormat {
  #o;
  #locale;
  constructor(locales, options = {}) {
    const what = "Intl.NumberFormat";
    this.#locale = english(what, locales);
    const o = checked(what, options, {
      style: ["decimal", "percent", "currency"], currency: true, minimumFractionDigits: true, maximumFractionDigits: true,
      minimumIntegerDigits: true, useGrouping: [true, false],
    });
    if (o.style === "currency" && !/^[a-z]{3}$/i.test(o.currency ?? "")) throw new TypeError(`${what}: style "currency" needs a currency`);
    const money = o.style === "currency";
    const usual = money ? (/^(JPY|KRW)$/i.test(o.currency) ? 0 : 2) : 0;
    const least = o.minimumFractionDigits ?? Math.min(usual, o.maximumFractionDigits ?? usual);
    const most = o.maximumFractionDigits ?? Math.max(least, money ? usual : o.style === "percent" ? 0 : 3);
    if (!(least >= 0 && least <= most && most <= 100)) throw new RangeError(`${what}: there are no ${least} to ${most} digits`);
    this.#o = { ...o, least, most };
  }
  format(value) {
    const o = this.#o;
    const percent = o.style === "percent";
    let n = typeof value === "bigint" ? value : Number(value);
    let text;
    if (typeof n === "bigint") text = String((n < 0n ? -n : n) * (percent ? 100n : 1n)) + (o.least ? `.${"0".repeat(o.least)}` : "");
    else if (!Number.isFinite(n)) text = Number.isNaN(n) ? "NaN" : "∞";
    else text = rounded(Math.abs(n), o.most, percent ? 2 : 0);
    let [whole, part = ""] = text.split(".");
    part = part.replace(/0+$/, "").padEnd(o.least, "0");
    if (/^\d/.test(whole)) whole = whole.padStart(o.minimumIntegerDigits ?? 1, "0");
    if (o.useGrouping !== false) whole = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
    const code = o.style === "currency" ? o.currency.toUpperCase() : "";
    const sign = code && (signs[code] ?? `${code}\u00a0`);
    return (n < 0 || Object.is(n, -0) ? "-" : "") + sign + whole + (part && `.${part}`) + (percent ? "%" : "");
  }
  resolvedOptions() {
    const { least, most, ...o } = this.#o;
    return { style: "decimal", ...o, locale: this.#locale, minimumFractionDigits: least, maximumFractionDigits: most };
  }
}

// rounded writes a number times ten to the power of shift with so many digits, half away from zero as it is printed.
const rounded = (n, digits, shift) => {
  const [, a, b = "", e = "0"] = /^(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(String(n));
  const all = a + b;
  let point = a.length + Number(e) + shift;
  const padded = point < 1 ? "0".repeat(1 - point) + all : all.padEnd(point, "0");
  point = Math.max(point, 1);
  const kept = padded.slice(0, point + digits).padEnd(point + digits, "0");
  const up = (padded[point + digits] ?? "0") >= "5" ? 1n : 0n;
  const out = String(BigInt(kept) + up).padStart(digits + 1, "0");
  return digits === 0 ? out : `${out.slice(0, -digits)}.${out.slice(-digits)}`;
};

const months = "January February March April May June July August September October November December".split(" ");
const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const two = (n) => String(n).padStart(2, "0");
const dateStyles = {
  full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  long: { year: "numeric", month: "long", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  short: { year: "2-digit", month: "numeric", day: "numeric" },
};
const timeStyles = {
  medium: { hour: "numeric", minute: "2-digit", second: "2-digit" },
  short: { hour: "numeric", minute: "2-digit" },
};

class DateTimeFormat {
  #o;
  #locale;
  constructor(locales, options = {}) {
    const what = "Intl.DateTimeFormat";
    this.#locale = english(what, locales);
    const number = ["numeric", "2-digit"];
    const o = checked(what, options, {
      weekday: ["long", "short"], year: number, month: [...number, "long", "short"], day: number, hour: number,
      minute: number, second: number, hour12: [true, false], timeZone: ["UTC"],
      dateStyle: Object.keys(dateStyles), timeStyle: Object.keys(timeStyles),
    });
    const parts = ["weekday", "year", "month", "day", "hour", "minute", "second"];
    const own = parts.some((p) => o[p]);
    if (own && (o.dateStyle || o.timeStyle)) throw new TypeError(`${what}: a style stands in place of single parts`);
    const styled = { ...dateStyles[o.dateStyle], ...timeStyles[o.timeStyle] };
    const usual = own || o.dateStyle || o.timeStyle ? styled : { year: "numeric", month: "numeric", day: "numeric" };
    this.#o = { ...usual, ...o };
  }
  format(value = Date.now()) {
    const o = this.#o;
    const date = new Date(value);
    if (Number.isNaN(date.getTime())) throw new RangeError("Invalid time value");
    const get = (part) => date[`get${o.timeZone ? "UTC" : ""}${part}`]();
    const number = (form, n) => form && (form === "2-digit" ? two(n % 100) : String(n));
    const year = number(o.year, get("FullYear"));
    const day = number(o.day, get("Date"));
    const name = months[get("Month")];
    const worded = o.month === "long" || o.month === "short";
    const month = worded ? (o.month === "long" ? name : name.slice(0, 3)) : number(o.month, get("Month") + 1);
    const weekday = o.weekday && (o.weekday === "long" ? days[get("Day")] : days[get("Day")].slice(0, 3));
    const some = (list, by) => list.filter(Boolean).join(by);
    const dated = worded ? some([some([month, day], " "), year], day ? ", " : " ") : some([month, day, year], "/");
    const all = [some([weekday, dated], ", ")];
    if (o.hour || o.minute || o.second) {
      const h = get("Hours");
      const half = o.hour && o.hour12 !== false;
      const hour = number(o.hour12 === false && o.hour ? "2-digit" : o.hour, half ? h % 12 || 12 : h);
      const low = (form, n, beside) => form && (beside ? two(n) : number(form, n));
      const clock = [hour, low(o.minute, get("Minutes"), o.hour || o.second), low(o.second, get("Seconds"), o.minute)];
      all.push(some(clock, ":") + (half ? ` ${h < 12 ? "AM" : "PM"}` : ""));
    }
    const by = o.dateStyle === "full" || o.dateStyle === "long" ? " at " : ", ";
    return some(all, by);
  }
  resolvedOptions() {
    return { ...this.#o, locale: this.#locale };
  }
}

// callable makes a class of Intl that is called without new, too.
const callable = (of) => new Proxy(of, { apply: (c, _, args) => new c(...args) });

globalThis.Intl = new Proxy(
  { NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat) },
  {
    get: (has, name) => {
      if (name in has || typeof name === "symbol") return has[name];
      throw new TypeError(`Intl.${name} is missing here; there are Intl.NumberFormat and Intl.DateTimeFormat for English. Run the tool with runtime: "subprocess" for the rest`);
    },
  },
);

const local = (to, name, write) => Object.defineProperty(to, name, { value: write, writable: true, configurable: true });
const dateOnly = { year: "numeric", month: "numeric", day: "numeric" };
const timeOnly = { hour: "numeric", minute: "2-digit", second: "2-digit" };
const has = (o, names) => Object.keys(o).some((k) => names.includes(k) && o[k] !== undefined);
const inDate = ["weekday", "year", "month", "day", "dateStyle", "timeStyle"];
const inTime = ["hour", "minute", "second", "dateStyle", "timeStyle"];
local(Number.prototype, "toLocaleString", function (l, o) {
  return new NumberFormat(l, o).format(this);
});
local(Date.prototype, "toLocaleDateString", function (l, o = {}) {
  return new DateTimeFormat(l, has(o, inDate) ? o : { ...dateOnly, ...o }).format(this);
});
local(Date.prototype, "toLocaleTimeString", function (l, o = {}) {
  return new DateTimeFormat(l, has(o, inTime) ? o : { ...timeOnly, ...o }).format(this);
});
local(Date.prototype, "toLocaleString", function (l, o = {}) {
  return new DateTimeFormat(l, has(o, [...inDate, ...inTime]) ? o : { ...dateOnly, ...timeOnly, ...o }).format(this);
});
