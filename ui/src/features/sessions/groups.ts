// The events of a session by what a person looks for: what was decided, what failed, what was said, which files.
import type { EventRow } from "../../contract";
import { isPath } from "../events";

export const GROUPS = ["all", "decisions", "errors", "prompts", "files", "commands", "session"] as const;
export type Group = (typeof GROUPS)[number];

const COURSE = ["session_start", "session_end", "pre_compact", "post_compact", "stop", "subagent_start", "subagent_stop"];

/** Whether an event belongs to a group. An event may belong to several. */
export function belongs(event: EventRow, group: Group): boolean {
  const tool = event.tool !== null;
  switch (group) {
    case "all":
      return true;
    case "decisions":
      return event.decision !== "pass";
    case "errors":
      return event.kind === "post_tool_failure";
    case "prompts":
      return event.kind === "prompt";
    case "files":
      return tool && isPath(event.summary);
    case "commands":
      return tool && event.summary !== "" && !isPath(event.summary);
    case "session":
      return COURSE.includes(event.kind);
  }
}

/** How many events each group has. */
export function counts(events: readonly EventRow[]): Record<Group, number> {
  const found: Record<Group, number> = { all: 0, decisions: 0, errors: 0, prompts: 0, files: 0, commands: 0, session: 0 };
  for (const event of events) for (const group of GROUPS) if (belongs(event, group)) found[group] += 1;
  return found;
}
