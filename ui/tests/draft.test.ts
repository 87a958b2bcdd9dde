// A prompt being edited, and answers that arrive when another one is open. Calls are stubbed.
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

it("what was written and not saved is there again, and gone once it's saved", () => {
  const draft = new Draft(() => "harbour");
  const empty = { ...prompt(""), content: "an example" };
  draft.edit(empty, true);
  draft.edit(prompt("first"));
  draft.content = "half a thought";
  draft.edit(empty, true);
  expect([draft.name, draft.content], "nothing was written there").toEqual(["", "an example"]);
  [draft.name, draft.scope, draft.content] = ["new", "user", "a new text"];
  draft.edit(prompt("first"));
  expect([draft.content, draft.changed]).toEqual(["half a thought", true]);
  draft.edit(empty, true);
  expect([draft.name, draft.content]).toEqual(["new", "a new text"]);
  draft.leave();

  // The screen was left, and another project looked at in between.
  const elsewhere = new Draft(() => "quay");
  elsewhere.resume();
  expect(elsewhere.open).toBe(false);
  const again = new Draft(() => "harbour");
  again.resume();
  expect([again.of, again.name, again.scope, again.content]).toEqual([undefined, "new", "user", "a new text"]);
  again.taken({ ...prompt("new"), content: "a new text" }, again.edition);
  again.edit(prompt("first"));
  again.content = "text of first";
  again.leave();
  const last = new Draft(() => "harbour");
  last.resume();
  expect(last.open, "nothing is left").toBe(false);
});

it("an earlier version that was only looked at isn't something written", () => {
  const draft = new Draft(() => "pier");
  const [first, second] = [{ ...prompt("first"), content: "as it was" }, prompt("first", 2)];
  draft.edit(second);
  draft.versions = [second, first];
  draft.back("1");
  expect([draft.content, draft.changed]).toEqual(["as it was", true]);
  draft.leave();
  draft.edit(second);
  expect([draft.content, draft.version]).toEqual(["text of first", "2"]);
  draft.versions = [second, first];
  draft.back("1");
  draft.content = "as it was, and more";
  draft.leave();
  draft.edit(second);
  expect(draft.content).toBe("as it was, and more");
});

it("what was written can be given up", () => {
  const draft = new Draft(() => "jetty");
  draft.edit(prompt("first"));
  expect(draft.written).toBe(false);
  draft.content = "half a thought";
  expect(draft.written).toBe(true);
  draft.drop();
  expect([draft.content, draft.written, draft.of?.name]).toEqual(["text of first", false, "first"]);
  draft.edit(prompt(""), true);
  draft.name = "new";
  draft.drop();
  expect([draft.open, draft.written]).toEqual([false, false]);
  draft.edit(prompt(""), true);
  expect(draft.name, "nor is it there again").toBe("");
});

it("what was deleted isn't brought back as a draft", () => {
  const draft = new Draft(() => "dock");
  draft.edit(prompt("first"));
  draft.content = "half a thought";
  draft.close(draft.edition);
  draft.leave();
  draft.resume();
  expect(draft.open).toBe(false);
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
