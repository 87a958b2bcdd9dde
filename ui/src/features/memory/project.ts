// Which project's memories are shown. Pure; knows no screen.
import type { MemoryProject } from "../../contract";

/** Stands for every project, in the place of a key. */
export const EVERY = "*";

/** The chosen project as long as it exists; else the one in use, the first with memories, or the first. */
export function projectOf(rows: readonly MemoryProject[], chosen: string | undefined, here: string | null | undefined): string {
  if (chosen === EVERY || rows.some((one) => one.key === chosen)) return chosen ?? EVERY;
  const guess = rows.find((one) => one.folder !== null && one.folder === here) ?? rows.find((one) => one.memories > 0) ?? rows[0];
  return guess?.key ?? EVERY;
}
