// What is left for somebody to do after the wizard: the agents that were found and aren't connected by it although they could
// be, because a file of theirs can't be read or can't be edited safely; and those to restart. Pure.
import type { AgentReport, AppliedReport, PlanView, Sentence } from "../../contract";
import { unreadableReason } from "../agents/words";

export interface LeftOut {
  id: string;
  name: string;
  path: string;
  why: Sentence;
}

/** Each with the first file that blocked it, and why. */
export function leftOut(found: readonly AgentReport[], plan: PlanView | undefined): LeftOut[] {
  const unreadable = found.flatMap((agent): LeftOut[] => {
    const reason = unreadableReason(agent);
    return reason ? [{ id: agent.id, name: agent.name, ...reason }] : [];
  });
  const blocked = (plan?.report.agents ?? []).flatMap((agent): LeftOut[] => {
    const file = agent.blocked ? agent.files.find((one) => one.refusal !== null) : undefined;
    return file?.refusal ? [{ id: agent.id, name: agent.name, path: file.path, why: file.refusal }] : [];
  });
  const ids = new Set(unreadable.map((one) => one.id));
  return [...unreadable, ...blocked.filter((one) => !ids.has(one.id))];
}

/** The next steps that already say how an agent loads its new entries. */
const STARTS: readonly string[] = ["next_claude_code", "next_codex", "next_opencode", "next_gemini_cli"].map((step) => `messages.agents.${step}`);

/** The connected agents of which no step of their own says that they must be started again. */
export function toRestart<Row extends { applied?: Pick<AppliedReport, "next_steps"> | undefined }>(rows: readonly Row[]): Row[] {
  return rows.filter((row) => !(row.applied?.next_steps ?? []).some((step) => step.key !== null && STARTS.includes(step.key)));
}
