// Which of these fit what was typed, the best first: the name itself, what begins with it, then where every word begins a
// word or is inside one. And what tells two of them apart that bear the same name.

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();

function score(text: string, words: string[]): number {
  let sum = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return -1;
    sum += at === 0 ? 3 : /[\s\p{P}]/u.test(text.charAt(at - 1)) ? 2 : 1;
  }
  return sum;
}

/** More than any number of words can give. */
const EXACT = 2000;
const BEGINS = 1000;

/** The form that is compared: without accents, capitals and the final dots of actions that ask first. */
const bare = (text: string): string => plain(text).trim().replace(/\s+/g, " ").replace(/(…|\.\.\.)$/, "");

/** Whether the typed text is the complete name. */
export function isCalled(name: string, typed: string): boolean {
  return bare(name) === bare(typed);
}

/** `name` is what it is called; `text` is all that finds it, and has the name in it. */
export function rank<T>(list: T[], query: string, text: (one: T) => string, name: (one: T) => string = () => ""): T[] {
  const wanted = bare(query);
  const words = wanted.split(" ").filter(Boolean);
  const points = (one: T): number => {
    const found = score(plain(text(one)), words);
    const called = bare(name(one));
    if (found < 0 || words.length === 0 || called === "") return found;
    return called === wanted ? EXACT : called.startsWith(wanted) ? BEGINS + found : found;
  };
  return list
    .map((one, index) => ({ one, index, points: points(one) }))
    .filter((found) => found.points >= 0)
    .sort((a, b) => b.points - a.points || a.index - b.index)
    .map((found) => found.one);
}

/** A row of a list that people choose from. */
interface Named {
  label: string;
  detail?: string | undefined;
  /** Where it is from: shown before its detail if another row has the same name. */
  of?: string | undefined;
}

/** Makes rows with the same name distinguishable, as far as they say where they are from. */
export function distinguish<T extends Named>(list: readonly T[]): T[] {
  const seen = new Map<string, number>();
  for (const { label } of list) seen.set(label, (seen.get(label) ?? 0) + 1);
  return list.map((one) => {
    if (one.of === undefined || one.of === "" || seen.get(one.label) === 1) return one;
    return { ...one, detail: one.detail ? `${one.of} · ${one.detail}` : one.of };
  });
}
