// A plan's totals. Pure.
import type { AgentPlanReport, AgentReport } from "../../contract";
import { quoted } from "../../components/terminal";

/** Files that would be written, lines added and removed. Blocked agents, refused files and a file
 *  that was counted already count for nothing. */
export function summary(agents: readonly AgentPlanReport[]): { files: number; added: number; removed: number } {
  const sums = { files: 0, added: 0, removed: 0 };
  const paths = new Set<string>();
  for (const agent of agents) {
    if (agent.blocked) continue;
    for (const file of agent.files) {
      // Entries that two agents share are written once; they may also have an entry each in one file.
      if (file.change === "unchanged" || file.change === "refused" || file.change === "shared") continue;
      sums.files = paths.add(file.path).size;
      sums.added += file.added;
      sums.removed += file.removed;
    }
  }
  return sums;
}

/** The parts of a sentence about these sums, in order: no part about added lines if there are none, but one that says that nothing is removed. */
export function amounts({ files, added, removed }: ReturnType<typeof summary>): ["files" | "added" | "cut" | "nothing.removed", number][] {
  return [["files", files], ...(added > 0 ? [["added", added] as ["added", number]] : []), removed > 0 ? ["cut", removed] : ["nothing.removed", 0]];
}

/** The command that disconnects it where it is connected. */
export function disconnecting(agent: Pick<AgentReport, "id" | "project">): string {
  return agent.project === null ? `plimsoll disconnect ${agent.id}` : `cd ${quoted(agent.project)} && plimsoll disconnect ${agent.id} --scope project`;
}
