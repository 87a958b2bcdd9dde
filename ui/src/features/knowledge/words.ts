// How a source is spoken of: its kind, its icon, who stored it.
import type { SourceKind, SourceRow } from "../../contract";
import type { IconName } from "../../components/Icon.svelte";
import { t, type Key } from "../../i18n/index.svelte";
import { fmt } from "../../shell/app.svelte";
import { agentName } from "../names.svelte";

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

/** `stored 2 hours ago by Claude Code`. */
export function storedBy(source: SourceRow): string {
  const time = fmt.ago(source.indexed_ms);
  return source.agent === null
    ? t("knowledge.stored", { time })
    : t("knowledge.stored.by", { time, agent: agentName(source.agent) });
}

/** The folder of a project as a value for a command line; a terminal knows projects by their folders. */
export const inFolder = (folder: string | null): Record<string, string> => (folder === null ? {} : { project: folder });
