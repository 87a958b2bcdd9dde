// Callers and tools in the record, which also contains Plimsoll's own costs and names that others chose.
import { expect, it } from "vitest";
import type { LedgerCall } from "../src/contract";
import { agentName, callAmong, filterBy, NONE, sessionPlace, toolName } from "../src/features/names.svelte";
import { parseRoute, routePath } from "../src/shell/route";

const row = (tool: string, agent = "claude-code"): LedgerCall => ({ tool, agent }) as LedgerCall;

it("a call is what an agent called: a tool list, a hook's text and a note aren't calls", () => {
  const own = ["tool list", "hook", "note"].map((tool) => row(tool));
  expect(callAmong(own)).toBeUndefined();
  expect(callAmong([...own, row("search"), row("execute")])?.tool).toBe("search");
  expect(callAmong([row("execute", ""), row("search")])?.tool, "a terminal's isn't an agent's").toBe("search");
});

it("an unknown name stays unchanged and can't reverse the text around it", () => {
  expect(agentName("claude-code")).toBe("Claude Code");
  expect(agentName("some-\u202etnega")).toBe("some-[U+202E]tnega");
  expect(toolName("\u2066execute")).toBe("[U+2066]execute");
});

it("what has no name can be asked for and has an address: an empty value would mean all, and an empty step none", () => {
  expect([filterBy("agent", ""), filterBy("agent", "codex"), filterBy("agent", NONE)]).toEqual([{}, { agent: "codex" }, { agent: "" }]);
  for (const [agent, session] of [["", "s-1"], ["codex", "a/b"]] as const) {
    expect(parseRoute(routePath({ screen: "sessions", rest: sessionPlace(agent, session) })).rest).toEqual([agent || NONE, session]);
  }
});
