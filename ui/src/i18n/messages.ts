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

/** A word of a sentence, not `hooks.json`, `mcp/allowed` or `codex:`. */
const PLAIN = /^\p{Ll}[\p{L}'’-]*([\s,]|$)/u;

/** The sentence in pieces, neighbours of one language joined. `locale` is for numbers. The program's sentences begin small,
 *  as they follow "plimsoll: " in a terminal; where one `begins` a line it has a capital, unless it begins with a value. */
export function pieces(sentence: Sentence, lookup: Lookup, locale: string, begins = false): Piece[] {
  const joined: Piece[] = [];
  for (const piece of parts(sentence, lookup, locale)) {
    const last = joined.at(-1);
    if (last?.english === piece.english) last.text += piece.text;
    else if (piece.text !== "") joined.push({ ...piece });
  }
  const [first] = joined;
  if (begins && first && PLAIN.test(opening(sentence, lookup))) first.text = first.text.charAt(0).toUpperCase() + first.text.slice(1);
  return joined;
}

/** The words that it begins with, as the catalogue has them. */
function opening({ key, params, text }: Sentence, lookup: Lookup): string {
  const pattern = (key !== null && lookup(key)) || text;
  const value = params[/^{(\w+)/.exec(pattern)?.[1] ?? ""];
  return typeof value === "object" && "text" in value ? opening(value, lookup) : pattern;
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
