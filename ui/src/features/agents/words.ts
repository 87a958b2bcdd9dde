// The program's few fixed words about agents, in the window's language. Its whole sentences (what the user must do,
// what will surprise) are in i18n.
import type { AgentReport, FileState, Sentence } from "../../contract";
import { t } from "../../i18n/index.svelte";
import { fmt } from "../../shell/app.svelte";

const HOW = { program: "found.program", application: "found.application", "config folder": "found.folder", "settings file": "found.settings" } as const;

/** Why an agent is believed to be installed. */
export function foundHow(how: string): string {
  return Object.hasOwn(HOW, how) ? t(HOW[how as keyof typeof HOW]) : how;
}

/** The state of Plimsoll's entries in a file. */
export function fileState(state: FileState): string {
  return t(state === "unreadable" ? "agents.state.unreadable" : `file.${state}`);
}

const GAINS = ["gains.tools", "gains.filtering", "gains.notes"] as const;

/** What an agent that isn't connected would get. A tick would say that it has it. */
export function onceConnected(gains: AgentReport["gains"]): string {
  return t("gains.once", { gains: fmt.list(GAINS.filter((_, at) => gains[at]).map((name) => t(name))) });
}

const ROLES = { tools: "role.tools", hooks: "role.hooks", instructions: "role.instructions", plugin: "role.plugin" } as const;

/** The word for a file's purpose. */
export function roleWord(role: string): string {
  return Object.hasOwn(ROLES, role) ? t(ROLES[role as keyof typeof ROLES]) : role;
}

/** The file that keeps an agent from being read, and why, with the line. */
export function unreadableReason(agent: AgentReport): { path: string; why: Sentence } | undefined {
  if (agent.state !== "unreadable") return undefined;
  for (const { path, reason } of agent.files) if (reason !== null) return { path, why: reason };
  return undefined;
}
