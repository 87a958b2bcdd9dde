// The totals of a plan: each file once, and only those that are written.
import { describe, expect, it } from "vitest";
import type { AgentPlanReport, FilePlanReport } from "../src/contract";
import { amounts, disconnecting, summary } from "../src/features/agents/summary";

const file = (path: string, change: string, added = 3, removed = 1): FilePlanReport => ({
  path, change, added, removed, roles: [], diff: "", notes: [], refusal: null, snippet: null,
});
const agent = (files: FilePlanReport[], blocked = false) => ({ files, blocked }) as unknown as AgentPlanReport;

describe("what a plan amounts to", () => {
  it("counts a file once that two agents read", () => {
    const plan = [agent([file("AGENTS.md", "create"), file("a.json", "modify")]), agent([file("AGENTS.md", "shared"), file("b.toml", "delete")])];
    expect(summary(plan)).toEqual({ files: 3, added: 9, removed: 3 });
  });

  it("counts a file once that two agents have an entry each in", () => {
    const plan = [agent([file("AGENTS.md", "modify")]), agent([file("AGENTS.md", "modify"), file("b.toml", "delete")])];
    expect(summary(plan)).toEqual({ files: 2, added: 9, removed: 3 });
  });

  it("counts nothing that is not written", () => {
    expect(summary([agent([file("a.json", "unchanged"), file("b.json", "refused")]), agent([file("c.json", "modify")], true)])).toEqual({ files: 0, added: 0, removed: 0 });
  });

  it("names lines added only where there are some", () => {
    expect(amounts({ files: 2, added: 0, removed: 120 })).toEqual([["files", 2], ["cut", 120]]);
    expect(amounts({ files: 2, added: 126, removed: 0 })).toEqual([["files", 2], ["added", 126], ["nothing.removed", 0]]);
    expect(amounts({ files: 1, added: 3, removed: 1 })).toEqual([["files", 1], ["added", 3], ["cut", 1]]);
  });
});

describe("The command that disconnects", () => {
  it.each([
    [null, "plimsoll disconnect codex"],
    ["/home/dana/shop", "cd /home/dana/shop && plimsoll disconnect codex --scope project"],
    ["/home/dana/my shop", "cd '/home/dana/my shop' && plimsoll disconnect codex --scope project"],
    ["/home/dana/dana's; rm -rf ~", "cd '/home/dana/dana'\\''s; rm -rf ~' && plimsoll disconnect codex --scope project"],
  ])("in %s can be pasted into a shell as it is", (project, line) => {
    expect(disconnecting({ id: "codex", project })).toBe(line);
  });
});
