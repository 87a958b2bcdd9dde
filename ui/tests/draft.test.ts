// A prompt that is written: what is answered when another one is open by then. Calls are stubbed.
import { expect, it, vi } from "vitest";
import type { MemoryPrompt } from "../src/contract";

vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  call: (name: string) => Promise.resolve(name === "memory_prompt_versions" ? { rows: [] } : { problem: null, text: "", places: [], lists: [], memories: 0, examples: false }),
}));

const { Draft } = await import("../src/features/memory/draft.svelte");
const prompt = (name: string, version = 1): MemoryPrompt =>
  ({ kind: "prompt", name, scope: "project", version, description: "", content: `text of ${name}`, variables: [], tags: [], format: "", created_ms: 0 });

it("a prompt that was saved doesn't take over the one that was opened meanwhile", () => {
  const draft = new Draft(() => "shop");
  draft.edit(prompt("first"));
  const { edition } = draft;
  draft.edit(prompt("second"));
  draft.taken(prompt("first", 2), edition);
  expect([draft.name, draft.of?.name, draft.prompt().content]).toEqual(["second", "second", "text of second"]);
  draft.close(edition);
  expect(draft.open, "nor does one that was deleted").toBe(true);
});

it("a prompt that was saved is the one that's edited on", () => {
  const draft = new Draft(() => "shop");
  draft.edit(prompt("first"));
  draft.content = "another text";
  draft.taken({ ...prompt("first", 2), content: "another text" }, draft.edition);
  expect([draft.of?.version, draft.version, draft.changed]).toEqual([2, "2", false]);
  draft.close(draft.edition);
  expect([draft.open, draft.of]).toEqual([false, undefined]);
});
