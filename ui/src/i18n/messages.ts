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

/** What can happen to a database; the program joins each with its way out. */
const FAULTS = ["newer_schema", "damaged", "disk_full", "busy"].map((name) => `messages.home.${name}`);

/** What happened to a database without the way out, for a screen that names the way out itself; any other sentence whole. */
export function withoutRemedy(sentence: Sentence): Sentence {
  const first = sentence.key === "messages.joined.also" ? sentence.params.first : undefined;
  return typeof first === "object" && "text" in first && first.key !== null && FAULTS.includes(first.key) ? first : sentence;
}

/** What a sentence says about a thing, for where the thing is named beside it; undefined for another sentence. */
export function statementAbout({ key, params }: Sentence, thing: string): Sentence | undefined {
  const { thing: named, what } = params;
  return key === "messages.joined.about" && named === thing && typeof what === "object" && "text" in what ? what : undefined;
}

/** A size or a time as the language writes it. */
export function amount({ amount, of }: Amount, locale: string): string {
  return of === "bytes" ? bytes(amount, locale) : duration(amount / 1000, locale);
}

/** A word of a sentence, not `hooks.json`, `mcp/allowed` or `codex:`. */
const PLAIN = /^\p{Ll}[\p{L}'’-]*([\s,;]|[.!?](\s|$)|$)/u;

/** The same after another sentence, where a word with a colon begins one: `allowed: a, b`. */
const LABEL = /^\p{Ll}[\p{L}'’-]*:(\s|$)/u;
const beginsWithWord = (text: string): boolean => PLAIN.test(text) || LABEL.test(text);

/** What ends a quotation, by what begins it. */
const CLOSING: Record<string, string> = { "`": "`", '"': '"', "„": "“", "“": "”" };

/** A run of text, and whether it is a value that the sentence was filled with: a path, a name. */
interface Part extends Piece {
  value?: boolean;
}

/** The sentence in pieces, neighbours of one language joined. `locale` is for numbers. The program's sentences begin small,
 *  as they follow "plimsoll: " in a terminal, and are one line; here one that `begins` a line has a capital, unless it begins
 *  with a value, and what a semicolon joins there is two sentences. The last of several ends with a full stop, and so does
 *  a single one that other words follow (`ended`). */
export function pieces(sentence: Sentence, lookup: Lookup, locale: string, begins = false, ended = false): Piece[] {
  const all = parts(sentence, lookup, locale).filter((part) => part.text !== "");
  const [first] = all;
  if (begins && first && PLAIN.test(opening(sentence, lookup))) first.text = capital(first.text);
  const last = all.at(-1);
  if ((apart(all) || ended) && last && !/[.!?…:]$/.test(last.text)) last.text += ".";
  const joined: Piece[] = [];
  for (const { text, english } of all) {
    const before = joined.at(-1);
    if (before?.english === english) before.text += text;
    else joined.push({ text, english });
  }
  return joined;
}

/** With the apostrophes of the window's own words; a terminal has the plain ones. */
const typeset = (text: string): string => text.replace(/(\p{L})'(?=[\p{L}\s])/gu, "$1’");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Makes sentences of what semicolons join, in place; whether there was one. What is quoted, in brackets or a value stays. */
function apart(all: Part[]): boolean {
  let [depth, quoted, split, after] = [0, "", false, false];
  for (const part of all) {
    if (after && !part.value && beginsWithWord(part.text)) part.text = capital(part.text);
    after = false;
    if (part.value) continue;
    for (let at = 0; at < part.text.length; at++) {
      const sign = part.text.charAt(at);
      if (quoted !== "") quoted = sign === quoted ? "" : quoted;
      else if (CLOSING[sign] !== undefined) quoted = CLOSING[sign];
      else if (sign === "(") depth++;
      else if (sign === ")") depth--;
      else if (depth === 0 && part.text.startsWith("; ", at)) {
        const rest = part.text.slice(at + 2);
        part.text = `${part.text.slice(0, at)}. ${beginsWithWord(rest) ? capital(rest) : rest}`;
        [split, after] = [true, rest === ""];
      }
    }
  }
  return split;
}

/** The words that it begins with, as the catalogue has them. */
function opening({ key, params, text }: Sentence, lookup: Lookup): string {
  const pattern = (key !== null && lookup(key)) || text;
  const value = params[/^{(\w+)/.exec(pattern)?.[1] ?? ""];
  return typeof value === "object" && "text" in value ? opening(value, lookup) : pattern;
}

/** What isn't Plimsoll's in a sentence: its values, and words that came without a key. */
function foreignOf({ key, params, text }: Sentence): string[] {
  if (key === null) return [text];
  return Object.values(params).flatMap((value) => (typeof value === "string" ? [value] : "amount" in value ? [] : foreignOf(value)));
}

/** The sentence as the program wrote it, with the window's apostrophes in the words that are Plimsoll's. */
function inEnglish(sentence: Sentence): string {
  const same = foreignOf(sentence).filter((value) => value.includes("'"));
  if (same.length === 0) return typeset(sentence.text);
  const any = same.sort((a, b) => b.length - a.length).map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // The matches are at odd positions.
  return sentence.text.split(new RegExp(`(${any.join("|")})`)).map((text, index) => (index % 2 === 0 ? typeset(text) : text)).join("");
}

function parts(sentence: Sentence, lookup: Lookup, locale: string): Part[] {
  const pattern = sentence.key === null ? undefined : lookup(sentence.key);
  if (pattern === undefined) return [{ text: inEnglish(sentence), english: true }];
  // The names of the values are between the words, at odd positions.
  return pattern.split(/\{(\w+)\}/).flatMap((text, index): Part[] => {
    if (index % 2 === 0) return [{ text: typeset(text), english: false }];
    const value: Param | undefined = Object.hasOwn(sentence.params, text) ? sentence.params[text] : undefined;
    if (value === undefined) return [{ text: `{${text}}`, english: false }];
    if (typeof value === "string") return [{ text: value, english: false, value: true }];
    return "amount" in value ? [{ text: amount(value, locale), english: false, value: true }] : parts(value, lookup, locale);
  });
}
