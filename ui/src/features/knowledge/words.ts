// A source in words: its kind, its icon, who stored it.
import type { SourceKind, SourceRow } from "../../contract";
import type { IconName } from "../../components/Icon.svelte";
import { t, type Key } from "../../i18n/index.svelte";
import { fmt } from "../../shell/app.svelte";
import { agentName } from "../names.svelte";
import { outputPart } from "./names";

export const KINDS: readonly SourceKind[] = ["file", "folder", "web", "text", "output"];

const ICONS: Record<SourceKind, IconName> = {
  file: "file",
  folder: "folder",
  web: "globe",
  text: "text",
  output: "terminal",
};

export const iconOf = (kind: SourceKind): IconName => ICONS[kind];
export const kindName = (kind: SourceKind): string => t(`knowledge.kind.${kind}` satisfies Key);

/** Kinds that come from somewhere that can be read again; what was handed over as text or printed by a command can't. */
const READ_AGAIN: readonly SourceKind[] = ["file", "folder", "web"];
export const refreshable = (source: SourceRow): boolean => source.origin !== null && source.folder === null && READ_AGAIN.includes(source.kind);

/** An output's name by its time: `Output, today 14:05`; undefined for what has a name of its own. */
export function outputName(label: string, kind: SourceKind, at_ms: number): string | undefined {
  const part = outputPart(label, kind);
  if (part === undefined) return undefined;
  const when = fmt.moment(at_ms);
  return part === 1 ? t("knowledge.output", { when }) : t("knowledge.output.part", { when, part: fmt.count(part) });
}

/** `stored 2 hours ago by Claude Code`. */
export function storedBy(source: SourceRow): string {
  const time = fmt.ago(source.indexed_ms);
  return source.agent === null
    ? t("knowledge.stored", { time })
    : t("knowledge.stored.by", { time, agent: agentName(source.agent) });
}

/** The folder of a project as a value for a command line; a terminal knows projects by their folders. */
export const inFolder = (folder: string | null): Record<string, string> => (folder === null ? {} : { project: folder });
