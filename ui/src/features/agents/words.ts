// The program's few fixed words about agents, in the person's language. What it says in whole sentences (what a
// person must do, what will surprise) is shown as it came.
import type { AgentReport } from "../../contract";
import { t } from "../../i18n/index.svelte";

const HOW = { program: "found.program", application: "found.application", "config folder": "found.folder", "settings file": "found.settings" } as const;

/** Why an agent is believed to be installed. */
export function foundHow(how: string): string {
  return Object.hasOwn(HOW, how) ? t(HOW[how as keyof typeof HOW]) : how;
}

const FILE_STATES = { absent: "file.absent", ours: "file.ours", outdated: "file.outdated", partly: "file.partly", foreign: "file.foreign", "removed by you": "file.removed" } as const;

/** How a file of an agent's stands; a reason why it cannot be read stays as it is. */
export function fileState(state: string): string {
  return Object.hasOwn(FILE_STATES, state) ? t(FILE_STATES[state as keyof typeof FILE_STATES]) : state;
}

const ROLES = { tools: "role.tools", hooks: "role.hooks", instructions: "role.instructions", plugin: "role.plugin" } as const;

/** What a file is for. */
export function roleWord(role: string): string {
  return Object.hasOwn(ROLES, role) ? t(ROLES[role as keyof typeof ROLES]) : role;
}

/** The file that keeps an agent from being read, and why, with the line. */
export function unreadableReason(agent: AgentReport): { path: string; text: string } | undefined {
  if (agent.state !== "unreadable") return undefined;
  const file = agent.files.find((one) => !Object.hasOwn(FILE_STATES, one.state));
  return file ? { path: file.path, text: file.state.replace(/^unreadable: /, "") } : undefined;
}
