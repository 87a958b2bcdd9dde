// Which of these fit what was typed, the best first: every word must begin a word or be inside one.

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

export function rank<T>(list: T[], query: string, text: (one: T) => string): T[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  return list
    .map((one, index) => ({ one, index, points: score(plain(text(one)), words) }))
    .filter((found) => found.points >= 0)
    .sort((a, b) => b.points - a.points || a.index - b.index)
    .map((found) => found.one);
}
