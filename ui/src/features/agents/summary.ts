// What a plan amounts to. Pure.
import type { AgentPlanReport, AgentReport } from "../../contract";

/** Files that would be written, lines added and removed. Blocked agents, refused files and a file
 *  that was counted already count for nothing. */
export function summary(agents: readonly AgentPlanReport[]): { files: number; added: number; removed: number } {
  const sums = { files: 0, added: 0, removed: 0 };
  for (const agent of agents) {
    if (agent.blocked) continue;
    for (const file of agent.files) {
      // A file that two agents read is written once.
      if (file.change === "unchanged" || file.change === "refused" || file.change === "shared") continue;
      sums.files += 1;
      sums.added += file.added;
      sums.removed += file.removed;
    }
  }
  return sums;
}

/** The command that disconnects it where it is connected. */
export function disconnecting(agent: Pick<AgentReport, "id" | "project">): string {
  return agent.project === null ? `plimsoll disconnect ${agent.id}` : `cd '${agent.project}' && plimsoll disconnect ${agent.id} --scope project`;
}
