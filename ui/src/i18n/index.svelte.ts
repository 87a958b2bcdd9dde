// Words. One flat catalogue per language; the tray speaks from the same files. Owns looking up and filling in;
// does not know screens.
import type { Sentence } from "../contract";
import type english from "./en.json";
import { tagOf, usable } from "./format";
import { pieces, type Piece } from "./messages";

export { unkeyed, type Piece } from "./messages";

type Catalogue = Record<string, string>;
/** Every key there is. */
export type Key = keyof typeof english;
/** Keys that come in two: `files.one`, `files.other` → `files`. */
export type PluralKey = Base<Key>;
type Base<K extends string> = K extends `${infer B}.one` ? (`${B}.other` extends Key ? B : never) : never;
export type Params = Record<string, string | number>;

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

let words = $state.raw<Catalogue>({});
let language = $state<Language>("en");
/** With its country (`de-AT`), for numbers and dates. */
let region = $state<string>("en");
let plurals = new Intl.PluralRules("en");

const load: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("virtual:english"),
  de: () => import("./de.json"),
};

/** The language for a locale: `de-AT` → `de`; English for what is not spoken. */
export function languageOf(locale: string): Language {
  const first = locale.toLowerCase().split(/[-_.@]/)[0];
  return LANGUAGES.find((one) => one === first) ?? "en";
}

/** Speaks this language from now on. `locale` is the person's own, for numbers and dates. */
export async function speak(wanted: Language, locale: string): Promise<void> {
  words = (await load[wanted]()).default;
  language = wanted;
  plurals = new Intl.PluralRules(wanted);
  const tag = tagOf(locale);
  region = languageOf(tag) === wanted && tag.length > 1 ? usable(tag, wanted) : wanted;
  document.documentElement.lang = wanted;
}

/** The language that is spoken. */
export const spoken = {
  get language(): Language {
    return language;
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

/** A sentence of the program's in the language that is spoken. */
export function message(sentence: Sentence): Piece[] {
  return pieces(sentence, (key) => (Object.hasOwn(words, key) ? words[key] : undefined), region);
}

/** The same as one text, for where nothing can be marked. */
export function plainMessage(sentence: Sentence): string {
  return message(sentence)
    .map((piece) => piece.text)
    .join("");
}

/** Whether something of it is English although another language is spoken. */
export function foreign(sentence: Sentence): boolean {
  return language !== "en" && message(sentence).some((piece) => piece.english);
}
