// What a purge deletes besides sources, in words, kind by kind, because it can't be restored; and the button's label. Knows no
// dialog.
import type { Forgotten } from "../../contract";
import { count } from "../../i18n/format";
import { spoken, tn, type Key } from "../../i18n/index.svelte";

/** Kinds that systems of the program name, and their words. */
const OTHERS = {
  memories: "memory.found",
  prompts: "knowledge.purge.prompts",
  entities: "knowledge.purge.entities",
  relations: "memory.graph.relations",
  damaged_copies: "knowledge.purge.copies",
  code_indexes: "knowledge.purge.indexes",
} as const;
const isKnown = (kind: string): kind is keyof typeof OTHERS => Object.hasOwn(OTHERS, kind);

/** Each kind that is there, with how many; one of a newer program by its own name. */
export function otherRemovals({ records, outputs, files, others }: Forgotten): string[] {
  const rest = Object.entries(others).filter(([, number]) => number > 0);
  return [
    ...(records > 0 ? [tn("knowledge.purge.records", records)] : []),
    ...rest.map(([kind, number]) => (isKnown(kind) ? tn(OTHERS[kind], number) : `${count(number, spoken.locale)} ${kind.replaceAll("_", " ")}`)),
    ...(outputs > 0 ? [tn("knowledge.purge.outputs", outputs)] : []),
    ...(files > 0 ? [tn("knowledge.purge.files", files)] : []),
  ];
}

/** The button's label, which never promises the trash for what is deleted permanently. The `sources` go to the trash unless `now`. */
export function purgeVerb(sources: number | undefined, now: boolean, forget: boolean): Key {
  if (now || sources === 0) return "knowledge.purge.do.now";
  return forget ? "knowledge.purge.do.both" : "knowledge.purge.do";
}
