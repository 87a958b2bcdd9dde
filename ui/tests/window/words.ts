// The window's words in both languages, so that one walk finds its way in each. Knows no screen.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Language = "en" | "de";
export type Words = (key: string, params?: Record<string, string>) => string;

/** A text by its key, as the window writes it; fails on a key that isn't there. */
export function wordsOf(language: Language): Words {
  const read = (part: string): Record<string, string> => JSON.parse(readFileSync(join(import.meta.dirname, `../../src/i18n/${language}${part}.json`), "utf8")) as Record<string, string>;
  const all = { ...read(""), ...read(".later") };
  return (key, params = {}) => {
    const text = all[key];
    if (text === undefined) throw new Error(`no text has the key ${key}`);
    return Object.entries(params).reduce((so, [name, value]) => so.replaceAll(`{${name}}`, value), text);
  };
}

/** What begins, or ends, with a text of which only a part is fixed: `{count} files`. */
export const like = (text: string): RegExp => new RegExp(text.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".+"));
