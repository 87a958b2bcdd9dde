// Hook events in words: what happened, what was decided, and how it is marked. Sessions and Activity use the same
// words. A kind or decision of a newer sidecar is shown by its own name.
import { visible } from "../components/visible";
import type { EventRow } from "../contract";
import type { IconName } from "../components/Icon.svelte";
import { t } from "../i18n/index.svelte";

export const DECISIONS = ["pass", "deny", "ask", "rewrite", "replace", "redirect", "context"] as const;
type Decision = (typeof DECISIONS)[number];
const KINDS = [
  "session_start", "session_end", "prompt", "pre_tool", "post_tool", "post_tool_failure", "permission_request",
  "pre_compact", "post_compact", "stop", "subagent_start", "subagent_stop", "answer", "filter",
] as const;
type Kind = (typeof KINDS)[number];

const decision = (name: string): Decision | undefined => DECISIONS.find((one) => one === name);
const kind = (name: string): Kind | undefined => KINDS.find((one) => one === name);

/** One word for a decision. */
export function decisionName(name: string): string {
  const known = decision(name);
  return known === undefined ? name : t(`activity.decision.${known}`);
}

/** What a decision meant for the agent, in a sentence; null for an unknown one. */
export function decisionMeaning(name: string): string | null {
  const known = decision(name);
  return known === undefined ? null : t(`activity.decision.${known}.text`);
}

/** A decision's colour: red for a denial, amber for a question, accent for a shortened or redirected output. */
export function decisionTone(name: string): "plain" | "accent" | "amber" | "red" {
  if (name === "deny") return "red";
  if (name === "ask") return "amber";
  return name === "pass" ? "plain" : "accent";
}

/** The kind of event. */
export function kindName(name: string): string {
  const known = kind(name);
  return known === undefined ? name : t(`activity.kind.${known}`);
}

/** The filter that shortened an output; null when none did. The rule says it, and what else was added after a comma. */
export function filterOf(event: Pick<EventRow, "decision" | "rule">): string | null {
  if (event.decision !== "replace") return null;
  return /^filter ([^,]+)/.exec(event.rule ?? "")?.[1]?.trim() ?? null;
}

/** Whether more came in than was passed on, and both are known. */
export const shortened = (event: Pick<EventRow, "bytes_before" | "bytes_after">): event is { bytes_before: number; bytes_after: number } =>
  event.bytes_before !== null && event.bytes_after !== null && event.bytes_after < event.bytes_before;

/** Whether a summary is a file's path. */
export const isPath = (summary: string): boolean => /^(?:\/|~\/|[A-Za-z]:[\\/])[^\n]*$/.test(summary) && !/\s-/.test(summary);

/** Its icon. */
export function iconOf(event: Pick<EventRow, "kind" | "tool" | "summary">): IconName {
  switch (event.kind) {
    case "prompt":
      return "text";
    case "session_start":
    case "subagent_start":
      return "play";
    case "session_end":
    case "stop":
    case "subagent_stop":
      return "minus";
    case "pre_compact":
    case "post_compact":
      return "note";
    case "post_tool_failure":
      return "warning";
    case "permission_request":
      return "shield";
    default:
      if (/^https?:/.test(event.summary)) return "globe";
      return isPath(event.summary) ? "file" : "terminal";
  }
}

/** What to show as its line: its summary, or else its kind. */
export const lineOf = (event: Pick<EventRow, "kind" | "tool" | "summary">): string =>
  event.summary !== "" ? visible(event.summary) : event.tool !== null ? visible(event.tool) : kindName(event.kind);
