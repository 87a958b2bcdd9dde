// What a purge deletes for good is named, kind by kind: a checkbox that says less than it does loses somebody's memories.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Forgotten } from "../src/contract";
import { otherRemovals, purgeVerb } from "../src/features/knowledge/gone";

const nothing: Forgotten = { records: 0, outputs: 0, files: 0, others: {} };

it("names memories and indexes of code apart from what is recorded about sessions", () => {
  const named = otherRemovals({ records: 5, outputs: 1, files: 2, others: { memories: 128, code_indexes: 1 } });
  // Without a catalogue, a text is its key.
  expect(named).toEqual(["knowledge.purge.records", "memory.found", "knowledge.purge.indexes", "knowledge.purge.outputs", "knowledge.purge.files"]);
  const english = JSON.parse(readFileSync(join(import.meta.dirname, "../src/i18n/en.json"), "utf8")) as Record<string, string>;
  expect(named.map((key) => english[`${key}.other`])).toEqual(["{count} session records", "{count} memories", "{count} code indexes", "{count} kept outputs", "{count} cached or downloaded files"]);
});

it("names everything that memory keeps", () => {
  const others = { prompts: 3, entities: 2, relations: 4, damaged_copies: 2 };
  const named = otherRemovals({ ...nothing, others });
  const english = JSON.parse(readFileSync(join(import.meta.dirname, "../src/i18n/en.json"), "utf8")) as Record<string, string>;
  expect(named.map((key) => english[`${key}.other`])).toEqual(["{count} saved prompts", "{count} entities", "{count} relations", "{count} copies of damaged databases"]);
});

it("names what a newer program deletes by its own name, and nothing that isn't there", () => {
  expect(otherRemovals({ ...nothing, others: { saved_prompts: 1200, memories: 0 } })).toEqual(["1,200 saved prompts"]);
  expect(otherRemovals(nothing)).toEqual([]);
});

it("takes a single kind for something to delete", () => {
  for (const one of [{ records: 1 }, { outputs: 1 }, { files: 1 }, { others: { memories: 1 } }]) expect(otherRemovals({ ...nothing, ...one })).toHaveLength(1);
});

it("promises the trash only where everything goes there", () => {
  expect(purgeVerb(3, false, false)).toBe("knowledge.purge.do");
  expect(purgeVerb(undefined, false, false)).toBe("knowledge.purge.do");
  expect(purgeVerb(3, false, true)).toBe("knowledge.purge.do.both");
  for (const [sources, now] of [[3, true], [0, true], [0, false]] as const) {
    for (const forget of [true, false]) expect(purgeVerb(sources, now, forget)).toBe("knowledge.purge.do.now");
  }
});
