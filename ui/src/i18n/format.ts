// Numbers, sizes, times and paths as people of the given locale write them. Pure; knows no catalogue.

/** Between a number and its unit, so that they stay on one line. */
const NBSP = "\u00a0";
const MINUS = "\u2212";

/** The first of these locales that this engine can write numbers in: a system may call its language `C`, `POSIX` or
 *  anything else, and an engine throws for what isn't a language tag. */
export function usable(...locales: string[]): string {
  for (const locale of locales) {
    try {
      new Intl.NumberFormat(locale);
      return locale;
    } catch {
      // The next one.
    }
  }
  return "en";
}

/** A system's name of a locale (`de_AT.UTF-8@euro`) as a language tag: `de-AT`. */
export function tagOf(locale: string): string {
  return locale.replace(/[.@].*$/, "").replaceAll("_", "-");
}

/** A locale's region in a language that Plimsoll speaks, for whoever's own it doesn't: `fr-FR` → `en-FR`. An engine writes months,
 *  weekdays and "2 hours ago" in the language of the tag, and they are parts of English sentences then. */
export function inLanguage(tag: string, language: string): string {
  const [own = "", ...rest] = tag.replace(/-[a-z0-9]-.*$/i, "").split("-");
  if (own.toLowerCase() === language) return tag;
  const region = rest.find((part) => /^(?:[a-z]{2}|\d{3})$/i.test(part));
  return region === undefined ? language : `${language}-${region}`;
}

const cache = new Map<string, Intl.NumberFormat>();

function numbers(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  let made = cache.get(key);
  if (!made) cache.set(key, (made = new Intl.NumberFormat(locale, options)));
  return made;
}

const dateCache = new Map<string, Intl.DateTimeFormat>();
const agoCache = new Map<string, Intl.RelativeTimeFormat>();

/** Making a format costs a thousand times what using one does, and a list of rows uses several in each. */
function dates(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  let made = dateCache.get(key);
  if (!made) dateCache.set(key, (made = new Intl.DateTimeFormat(locale, options)));
  return made;
}

function relative(locale: string, style: "long" | "short"): Intl.RelativeTimeFormat {
  const key = `${locale}|${style}`;
  let made = agoCache.get(key);
  if (!made) agoCache.set(key, (made = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style })));
  return made;
}

/** 5412 → `5,412`. */
export function count(value: number, locale: string): string {
  return numbers(locale, { maximumFractionDigits: 0 }).format(value).replace("-", MINUS);
}

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** Bytes in decimal units: 1930000 → `1.93 MB`; a negative number gets a real minus sign. */
export function bytes(value: number, locale: string): string {
  const size = Math.abs(value);
  let unit = size < 1000 ? 0 : Math.min(Math.floor(Math.log10(size) / 3), UNITS.length - 1);
  let shown = size / 1000 ** unit;
  // 999.95 KB would be written as 1000 KB.
  if (unit < UNITS.length - 1 && Math.round(shown) >= 1000) shown = size / 1000 ** ++unit;
  const digits = unit === 0 || shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
  const number = numbers(locale, { maximumFractionDigits: digits, minimumFractionDigits: unit < 2 ? 0 : digits }).format(shown);
  const sign = value < 0 ? `${MINUS}${NBSP}` : "";
  return `${sign}${number}${NBSP}${UNITS[unit]}`;
}

/** A share from 0 to 1: 0.94 → `94 %`. 100 % and 0 % are only used when exact. */
export function percent(share: number, locale: string): string {
  let whole = Math.round(share * 100);
  if (whole === 100 && share < 1) whole = 99;
  if (whole === 0 && share > 0) whole = 1;
  return `${numbers(locale, { maximumFractionDigits: 0 }).format(whole).replace("-", MINUS)}${NBSP}%`;
}

/** Milliseconds as a short duration: `0.8 ms`, `41 ms`, `1.1 s`, `3 min`. */
export function duration(ms: number, locale: string): string {
  const write = (value: number, digits: number, unit: string) =>
    `${numbers(locale, { maximumFractionDigits: digits }).format(value)}${NBSP}${unit}`;
  if (ms < 1) return write(ms, 2, "ms");
  if (ms < 10) return write(ms, 1, "ms");
  if (ms < 999.5) return write(ms, 0, "ms");
  if (ms < 99_950) return write(ms / 1000, 1, "s");
  // Nobody writes an hour as 60 min, but 75 min is more exact than 1.3 h.
  const isAnHour = Math.round(ms / 60_000) === 60;
  if (ms < 90 * 60_000 && !isAnHour) return write(ms / 60_000, 0, "min");
  return write(ms / 3_600_000, 1, "h");
}

/** About how many tokens these bytes of English text and code are: four bytes each. An estimate, shown as one. */
export function tokensOf(size: number): number {
  const raw = size / 4;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(raw) || 1)) - 2);
  return Math.round(raw / step) * step;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** What some engines write in German for two minutes: `vor 2 m`, which are metres to whoever reads it. */
export const minutesInWords = (text: string): string => text.replace(/(\d[\s\u00a0])m$/u, "$1Min.");

/** How long ago: `2 hours ago`, `now`. `style` short: `2 min ago`. */
export function ago(then_ms: number, now_ms: number, locale: string, style: "long" | "short" = "long"): string {
  const past = now_ms - then_ms;
  const format = relative(locale, style);
  for (const [unit, size] of STEPS) {
    if (Math.abs(past) >= size) return minutesInWords(format.format(-Math.trunc(past / size), unit));
  }
  return format.format(0, "second");
}

/** Adds the year to a date that isn't in the current one. */
function yearOf(at_ms: number, now_ms: number): Intl.DateTimeFormatOptions {
  return new Date(at_ms).getFullYear() === new Date(now_ms).getFullYear() ? {} : { year: "numeric" };
}

/** A day and a time, with its year when that is another one: `22 Nov, 14:03`, `22 Nov 2025, 14:03`. */
export function moment(at_ms: number, now_ms: number, locale: string): string {
  return dates(locale, { day: "numeric", month: "short", ...yearOf(at_ms, now_ms), hour: "2-digit", minute: "2-digit" }).format(at_ms);
}

/** Everything: for titles of elements. */
export function momentInFull(at_ms: number, locale: string): string {
  return dates(locale, { dateStyle: "full", timeStyle: "medium" }).format(at_ms);
}

/** Only the time: `14:03`. */
export function time(at_ms: number, locale: string): string {
  return dates(locale, { hour: "2-digit", minute: "2-digit" }).format(at_ms);
}

/** Only the time, with seconds: `14:03:22`. */
export function clock(at_ms: number, locale: string): string {
  return dates(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at_ms);
}

/** Only the day, with its year when that is another one: `Sun, 22 Nov`, `Sat, 22 Nov 2025`. */
export function day(at_ms: number, now_ms: number, locale: string): string {
  return dates(locale, { weekday: "short", day: "numeric", month: "short", ...yearOf(at_ms, now_ms) }).format(at_ms);
}

/** The time today, else the day, with its year when that is another one: `14:03`, `12 Nov`, `12 Nov 2025`. */
export function when(at_ms: number, now_ms: number, locale: string): string {
  if (new Date(at_ms).toDateString() === new Date(now_ms).toDateString()) return time(at_ms, locale);
  return dates(locale, { day: "numeric", month: "short", ...yearOf(at_ms, now_ms) }).format(at_ms);
}

/** The same within a sentence: `today 14:03`, `yesterday`, `12 Nov`. */
export function since(at_ms: number, now_ms: number, locale: string): string {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(now_ms) - midnight(at_ms)) / 86_400_000);
  if (days === 0) return `${relative(locale, "long").format(0, "day")} ${time(at_ms, locale)}`;
  return days === 1 ? relative(locale, "long").format(-1, "day") : when(at_ms, now_ms, locale);
}

/** When something ends, within a sentence: `23:23` today, `tomorrow 06:00`, `2 Dec, 14:03`. */
export function until(at_ms: number, now_ms: number, locale: string): string {
  const day = (ms: number, later = 0) => {
    const one = new Date(ms);
    one.setDate(one.getDate() + later);
    return one.toDateString();
  };
  if (day(at_ms) === day(now_ms)) return time(at_ms, locale);
  if (day(at_ms) === day(now_ms, 1)) return `${relative(locale, "long").format(1, "day")} ${time(at_ms, locale)}`;
  return moment(at_ms, now_ms, locale);
}

/** Only the name of the day: `Sun`. */
export function weekday(at_ms: number, locale: string): string {
  return dates(locale, { weekday: "short" }).format(at_ms);
}

/** A day as a heading: `Today`, `Yesterday`, `Friday, 20 November`, and with its year when that is another one. */
export function dayInFull(at_ms: number, now_ms: number, locale: string): string {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(now_ms) - midnight(at_ms)) / 86_400_000);
  if (days === 0 || days === 1) {
    const word = relative(locale, "long").format(-days, "day");
    return capital(word, locale);
  }
  return dates(locale, { weekday: "long", day: "numeric", month: "long", ...yearOf(at_ms, now_ms) }).format(at_ms);
}

/** A length of time as people say it: `1 h 12 min`, `24 min`, `40 s`. */
export function span(ms: number, locale: string): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 59_500) return `${count(Math.max(0, Math.round(ms / 1000)), locale)}${NBSP}s`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const tail = `${count(rest, locale)}${NBSP}min`;
  if (hours === 0) return tail;
  return rest === 0 ? `${count(hours, locale)}${NBSP}h` : `${count(hours, locale)}${NBSP}h ${tail}`;
}

/** A path with `~` for the home folder. */
export function tilde(path: string, home: string | undefined): string {
  if (!home || home === "/") return path;
  const bare = home.replace(/[\\/]+$/, "");
  if (path === bare) return "~";
  const next = path.charAt(bare.length);
  return path.startsWith(bare) && (next === "/" || next === "\\") ? `~${path.slice(bare.length)}` : path;
}

/** The same for each path in a sentence. A path that only has the home folder's in it is another one (`/mnt/disk (1)/home/me/a`), so
 *  what may be before a path is listed, and not what a folder's name may end with. */
export function tildesIn(text: string, home: string | undefined): string {
  const bare = (home ?? "").replace(/[\\/]+$/, "");
  if (bare === "") return text;
  const itself = bare.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replace(new RegExp(`(^|[\\s"'\`“”„‘’‚«»([{<>=:,;|])${itself}(?=[\\\\/])`, "gu"), "$1~");
}

/** The last part of a path. */
export function basename(path: string): string {
  return path.replace(/[\\/]+$/, "").split(/[\\/]/).pop() || path;
}

/** A word as it begins a line: `shortened` → `Shortened`. */
export function capital(word: string, locale: string): string {
  return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1);
}

/** Names as a sentence lists them: `Claude Code, Codex and Cursor`. */
export function list(names: readonly string[], locale: string): string {
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
}
