// Which sections Settings has, and which settings each contains: by the table in the file, so that a setting of a
// newer program finds its place by itself. Knows no setting's meaning.
import type { SettingView } from "../../contract";
import type { IconName } from "../../components/Icon.svelte";

export const SECTIONS = [
  "appearance",
  "hooks",
  "filters",
  "memory",
  "tools",
  "sandbox",
  "network",
  "retention",
  "privacy",
  "updates",
  "doctor",
  "move",
  "uninstall",
] as const;
export type Section = (typeof SECTIONS)[number];

export const ICONS: Record<Section, IconName> = {
  appearance: "settings",
  hooks: "activity",
  filters: "filter",
  memory: "memory",
  tools: "tools",
  sandbox: "terminal",
  network: "globe",
  retention: "sessions",
  privacy: "shield",
  updates: "download",
  doctor: "check",
  move: "upload",
  uninstall: "quit",
};

const TABLES: Record<string, Section> = {
  desktop: "appearance",
  mcp: "tools",
  sandbox: "sandbox",
  network: "network",
  hooks: "hooks",
  filters: "filters",
  sessions: "filters",
  memory: "memory",
  retention: "retention",
  upgrade: "updates",
};

/** What the program remembers for itself; not set by hand. */
const OWN = new Set(["desktop.setup_done", "desktop.tray_missing_told"]);

/** A setting's section. */
export function sectionOf(key: string): Section {
  return TABLES[key.split(".")[0] ?? ""] ?? "tools";
}

/** The settings of a section, in the program's order. */
export function settingsOf(section: Section, all: readonly SettingView[]): SettingView[] {
  return all.filter((setting) => !OWN.has(setting.key) && sectionOf(setting.key) === section);
}

/** The section that an address names. */
export const sectionNamed = (name: string | undefined): Section => SECTIONS.find((one) => one === name) ?? "appearance";
