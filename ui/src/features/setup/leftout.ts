// The agents that were found and aren't connected by this wizard although they could be: a file of theirs can't be read, or
// can't be edited safely. Pure.
import type { AgentReport, PlanView, Sentence } from "../../contract";
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
