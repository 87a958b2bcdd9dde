// Which bars of the chart are named, and where, so that no two names touch. Pure; comes with the chart.

/** A bar's name below the chart: which bar, and where it is written. */
export interface Label {
  index: number;
  x: number;
  anchor: "start" | "middle" | "end";
}

/** About how wide a letter of a label is. */
const LETTER = 6.2;
/** The gap between two labels. */
const APART = 10;

/** The names that fit below bars that are `step` apart and `thick` wide: every n-th, so that no two touch; at the edges
 *  within the picture. */
export function labels(names: readonly string[], step: number, thick: number): Label[] {
  const width = names.length * step;
  const long = Math.max(0, ...names.map((name) => name.length)) * LETTER;
  const every = Math.max(1, Math.ceil((long + APART) / Math.max(1, step)));
  const shown: Label[] = [];
  let free = 0;
  for (let index = 0; index < names.length; index += every) {
    const wide = (names[index]?.length ?? 0) * LETTER;
    const middle = (index + 0.5) * step;
    const anchor = middle < wide / 2 ? "start" : middle > width - wide / 2 ? "end" : "middle";
    const x = anchor === "start" ? Math.max(0, middle - thick / 2) : anchor === "end" ? Math.min(width, middle + thick / 2) : middle;
    const left = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2;
    if (shown.length > 0 && left < free) continue;
    shown.push({ index, x, anchor });
    free = left + wide + APART;
  }
  return shown;
}
