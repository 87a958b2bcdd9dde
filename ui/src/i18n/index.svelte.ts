// Words. A flat catalogue per language, in two files: one for the first screen and for what every other may need, which
// the tray uses as well, and one for large screens only, which is loaded with the first of those. Owns looking up and
// filling in; does not know screens.
import type { Sentence } from "../contract";
import type first from "./en.json";
import type later from "./en.later.json";
import { inLanguage, tagOf, usable } from "./format";
import { pieces, type Piece } from "./messages";

export { unkeyed, type Piece } from "./messages";

type Catalogue = Record<string, string>;
/** Every key there is. */
export type Key = keyof typeof first | keyof typeof later;
/** Keys that come in two: `files.one`, `files.other` → `files`. */
export type PluralKey = Base<Key>;
type Base<K extends string> = K extends `${infer B}.one` ? (`${B}.other` extends Key ? B : never) : never;
export type Params = Record<string, string | number>;

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

let words = $state.raw<Catalogue>({});
let language = $state<Language>("en");
/** With the user's country (`de-AT`, `en-FR`), for numbers and dates. */
let region = $state<string>("en");
let plurals = new Intl.PluralRules("en");

const load: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("virtual:english"),
  de: () => import("./de.json"),
};
const loadMore: typeof load = {
  en: () => import("./en.later.json"),
  de: () => import("./de.later.json"),
};
/** The language chosen last; its catalogue may still be loading. */
let wantedLast: Language = "en";
/** A screen was opened that needs the rest. */
let needsMore = false;

/** The language for a locale: `de-AT` → `de`; English for what is not spoken. */
export function languageOf(locale: string): Language {
  const first = locale.toLowerCase().split(/[-_.@]/)[0];
  return LANGUAGES.find((one) => one === first) ?? "en";
}

/** Speaks this language from now on. `locale` is the user's own, for numbers and dates. */
export async function speak(wanted: Language, locale: string): Promise<void> {
  wantedLast = wanted;
  const [first, more] = await Promise.all([load[wanted](), needsMore ? loadMore[wanted]() : undefined]).catch((reason: unknown) => {
    if (wantedLast === wanted) wantedLast = language;
    throw reason;
  });
  if (wantedLast !== wanted) return;
  words = { ...first.default, ...more?.default };
  language = wanted;
  plurals = new Intl.PluralRules(wanted);
  const tag = tagOf(locale);
  region = languageOf(tag) === wanted && tag.length > 1 ? usable(inLanguage(tag, wanted), wanted) : wanted;
  document.documentElement.lang = wanted;
  // Somebody opened such a screen meanwhile.
  if (needsMore && !more) await moreWords();
}

/** The words of the screens that do not come with the first. */
export async function moreWords(): Promise<void> {
  needsMore = true;
  const wanted = language;
  const more = (await loadMore[wanted]()).default;
  // Another language has brought its own.
  if (wanted === language) words = { ...words, ...more };
}

/** The language that is spoken. */
export const spoken = {
  get language(): Language {
    return language;
  },
  /** The current language, or the one being loaded. */
  get next(): Language {
    return wantedLast;
  },
  get locale(): string {
    return region;
  },
};

/** Fills `{name}` in; a name without a value stays visible, so that a test and an eye find it. */
export function fill(text: string, params: Params | undefined): string {
  if (!params) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(params, name) ? String(params[name]) : whole));
}

/** The text of a key. */
export function t(key: Key, params?: Params): string {
  return fill(words[key] ?? key, params);
}

/** The text of a key for a number of things; `{count}` is the number as people write it. */
export function tn(key: PluralKey, count: number, params?: Params): string {
  const form = plurals.select(count) === "one" ? "one" : "other";
  const number = new Intl.NumberFormat(region).format(count);
  return fill(words[`${key}.${form}`] ?? key, { count: number, ...params });
}

/** A sentence of the program's in the language that is spoken; with a capital where it begins a line, with a full stop where
 *  other words follow. */
export function message(sentence: Sentence, begins = false, ended = false): Piece[] {
  return pieces(sentence, (key) => (Object.hasOwn(words, key) ? words[key] : undefined), region, begins, ended);
}

/** The same as one text, for where nothing can be marked. */
export function plainMessage(sentence: Sentence): string {
  return message(sentence, true)
    .map((piece) => piece.text)
    .join("");
}

/** Whether some words are English although another language is set. */
export function foreign(sentence: Sentence): boolean {
  return language !== "en" && message(sentence).some((piece) => piece.english);
}
