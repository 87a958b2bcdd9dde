// Where words are found in a text: a snippet's own marks, and the same words in the reader. Owns the cutting into
// pieces; doesn't know how a mark looks. Text stays text.

/** A piece of a text, and whether it is a match. */
export interface Piece {
  text: string;
  mark: boolean;
}

/** `text` cut at `marks`, pairs of begin and end in UTF-16 units. Pairs that do not fit are passed over. */
export function pieces(text: string, marks: readonly (readonly [number, number])[]): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const [begin, end] of marks) {
    if (begin < at || end <= begin || end > text.length) continue;
    if (begin > at) out.push({ text: text.slice(at, begin), mark: false });
    out.push({ text: text.slice(begin, end), mark: true });
    at = end;
  }
  if (at < text.length) out.push({ text: text.slice(at), mark: false });
  return out;
}

/** More words than this are not looked for in the reader. */
const MOST_WORDS = 32;

/**
 * What finds the query's words in a longer text: the words as they were typed, and as the hits spell them
 * (the search knows stems and corrections, the reader only letters). Null when there is nothing to find.
 */
export function finder(query: string, hits: readonly { snippet: string; marks: [number, number][] }[]): RegExp | null {
  const words = new Set<string>();
  const add = (word: string): void => {
    if (word.length > 1) words.add(word.toLowerCase());
  };
  for (const hit of hits) for (const [begin, end] of hit.marks) add(hit.snippet.slice(begin, end));
  for (const word of query.match(/[\p{L}\p{N}_]+/gu) ?? []) add(word);
  if (words.size === 0) return null;
  const longestFirst = [...words].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS);
  const any = longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?:${any})(?![\\p{L}\\p{N}])`, "giu");
}

/** `text` cut where `words` finds something. */
export function found(text: string, words: RegExp | null): Piece[] {
  if (words === null || text === "") return [{ text, mark: false }];
  const marks: [number, number][] = [];
  for (const match of text.matchAll(words)) {
    // Looking behind is asked here, not in the pattern: older WebKits cannot read a pattern that does.
    if (match.index > 0 && /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, match.index - 2), match.index))) continue;
    marks.push([match.index, match.index + match[0].length]);
  }
  return pieces(text, marks);
}

/** The same without the signs of Markdown, for a line or two: a snippet is read, not rendered. What was found stays. */
export function plain(parts: readonly Piece[]): Piece[] {
  return parts
    .map(({ text, mark }) => ({
      mark,
      text: mark
        ? text
        : text
            .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
            .replace(/^[ \t]*(?:>|[-*+](?: \[[ xX]\])?|\d+\.)[ \t]+/gm, "")
            // A snippet's lines are joined, so a heading may begin anywhere.
            .replace(/(^|\s)#{1,6}[ \t]+/g, "$1")
            .replace(/^[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|?)+[ \t]*$/gm, "")
            .replace(/[ \t]*\|[ \t]*/g, " ")
            .replace(/\*\*|__|~~|`+/g, ""),
    }))
    .filter(({ text }) => text !== "");
}
