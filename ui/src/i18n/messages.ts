// Sentences that the program made: the one of the same key in the language that is spoken, filled with the same values.
// Words that are not Plimsoll's (an operating system's, a parser's) have no key and stay English; each piece says which
// it is, so that a screen reader pronounces it rightly. Pure; the catalogue is handed in.
import type { Amount, Param, Sentence } from "../contract";
import { bytes, duration } from "./format";

/** A run of text in one language. */
export interface Piece {
  text: string;
  /** In the program's English, whatever language is spoken. */
  english: boolean;
}

/** The catalogue's text of a key, if it has one. */
export type Lookup = (key: string) => string | undefined;

/** Words that came without a key. */
export function unkeyed(text: string): Sentence {
  return { text, key: null, params: {} };
}

/** A size or a time as the language writes it. */
export function amount({ amount, of }: Amount, locale: string): string {
  return of === "bytes" ? bytes(amount, locale) : duration(amount / 1000, locale);
}

/** The sentence in pieces, neighbours of one language joined. `locale` is for numbers. */
export function pieces(sentence: Sentence, lookup: Lookup, locale: string): Piece[] {
  const joined: Piece[] = [];
  for (const piece of parts(sentence, lookup, locale)) {
    const last = joined.at(-1);
    if (last?.english === piece.english) last.text += piece.text;
    else if (piece.text !== "") joined.push({ ...piece });
  }
  return joined;
}

/** The same where it begins a line: with a capital, unless it begins with a name, a path or a value. The program's
 *  sentences begin small, as they follow "plimsoll: " in a terminal. */
export function opened(sentence: Sentence, lookup: Lookup, locale: string): Piece[] {
  const all = pieces(sentence, lookup, locale);
  const [first] = all;
  if (first && beginsPlain(sentence, lookup)) first.text = first.text.charAt(0).toLocaleUpperCase(locale) + first.text.slice(1);
  return all;
}

/** A word of a sentence, not `hooks.json`, `mcp/allowed` or `codex:`. */
const PLAIN = /^\p{Ll}[\p{L}'’-]*(?=[\s,]|$)/u;

function beginsPlain(sentence: Sentence, lookup: Lookup): boolean {
  const pattern = sentence.key === null ? undefined : lookup(sentence.key);
  // A single word without a translation is a name.
  if (pattern === undefined) return PLAIN.test(sentence.text) && /\s/.test(sentence.text);
  const name = /^\{(\w+)\}/.exec(pattern)?.[1];
  if (name === undefined) return PLAIN.test(pattern);
  const value = Object.hasOwn(sentence.params, name) ? sentence.params[name] : undefined;
  return typeof value === "object" && !("amount" in value) && beginsPlain(value, lookup);
}

function parts(sentence: Sentence, lookup: Lookup, locale: string): Piece[] {
  const pattern = sentence.key === null ? undefined : lookup(sentence.key);
  if (pattern === undefined) return [{ text: sentence.text, english: true }];
  // The names of the values are between the words, at odd positions.
  return pattern.split(/\{(\w+)\}/).flatMap((text, index): Piece[] => {
    if (index % 2 === 0) return [{ text, english: false }];
    const value: Param | undefined = Object.hasOwn(sentence.params, text) ? sentence.params[text] : undefined;
    if (value === undefined) return [{ text: `{${text}}`, english: false }];
    if (typeof value === "string") return [{ text: value, english: false }];
    return "amount" in value ? [{ text: amount(value, locale), english: false }] : parts(value, lookup, locale);
  });
}
