// The events of a session by what users look for: decisions, failures, prompts, files.
import type { EventRow } from "../../contract";
import { isPath } from "../events";

export const GROUPS = ["all", "files", "errors", "decisions", "prompts", "commands", "session"] as const;
export type Group = (typeof GROUPS)[number];

/** The groups with a tab of their own, beside the calls and the note: as many as fit into one line. */
export const TABS = ["all", "files", "errors", "decisions"] as const satisfies readonly Group[];
/** What the timeline can be narrowed to. */
export const KINDS = ["all", "prompts", "commands", "session"] as const satisfies readonly Group[];

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

/** One event for each call of a tool: its beginning goes where its outcome is here too. `events` are the latest first. */
export function byCall(events: readonly EventRow[]): EventRow[] {
  const ended = new Map<string, number>();
  return events.filter((event) => {
    const name = `${event.tool}\n${event.summary}`;
    if (event.kind === "post_tool" || event.kind === "post_tool_failure") {
      ended.set(name, (ended.get(name) ?? 0) + 1);
      return true;
    }
    const open = ended.get(name) ?? 0;
    if (event.kind !== "pre_tool" || open === 0) return true;
    ended.set(name, open - 1);
    return event.decision !== "pass" && event.decision !== "context";
  });
}
