// Filters in the window: the one behind an event, Plimsoll's own costs, and how settings are grouped.
import { describe, expect, it } from "vitest";
import { filterOf, shortened } from "../src/features/events";
import { costs } from "../src/features/home/figures";
import { ownCost } from "../src/features/names.svelte";
import { switchCommand } from "../src/features/filters.svelte";
import { sectionOf, settingsOf } from "../src/features/settings/sections";
import type { GroupRow, Sums } from "../src/contract";

describe("The filter of an event", () => {
  it("is the one that its rule names, whatever else was added", () => {
    for (const [decision, rule, wanted] of [
      ["replace", "filter git-log", "git-log"],
      ["replace", "filter cargo-test, resume note", "cargo-test"],
      ["replace", "filter my own one, fails again", "my own one"],
      ["context", "filter git-log", null],
      ["replace", "nudge:shell", null],
      ["replace", null, null],
      ["replace", "filter ", null],
    ] as const) {
      expect(filterOf({ decision, rule }), String(rule)).toBe(wanted);
    }
  });

  it("shortened something only where both sizes say so", () => {
    expect(shortened({ bytes_before: 10, bytes_after: 9 })).toBe(true);
    expect(shortened({ bytes_before: 10, bytes_after: 10 })).toBe(false);
    expect(shortened({ bytes_before: null, bytes_after: 9 })).toBe(false);
  });

  it("is switched by the command line that its hint names", () => {
    expect(switchCommand("git-log", false)).toBe("plimsoll filters off git-log");
    expect(switchCommand("git-log", true)).toBe("plimsoll filters on git-log");
    expect(switchCommand("my off one", true)).toBe("plimsoll filters on 'my off one'");
  });
});

describe("Plimsoll's own words", () => {
  const sums = (overhead_bytes: number): Sums => ({
    calls: 0, failed: 0, raw_bytes: 0, returned_bytes: 0, measured_bytes: 0, estimated_bytes: 0, overhead_bytes, net_bytes: 0, elapsed_us: 0,
  });
  const row = (name: string, bytes: number): GroupRow => ({ name, sums: sums(bytes) });

  it("are told by what they were, and nothing of the sum is left out", () => {
    const rows = [row("execute", 300), row("hook", 420), row("note", 1_380), row("tool list", 0), row("Bash", 0)];
    const parts = costs(sums(2_100), rows, ownCost);
    expect(parts).toEqual([
      { name: "note", bytes: 1_380 },
      { name: "hook", bytes: 420 },
      { name: "replies", bytes: 300 },
    ]);
    expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(2_100);
  });

  it("are nothing where nothing was added", () => expect(costs(sums(0), [], ownCost)).toEqual([]));
});

describe("Settings of filters and notes", () => {
  it("stand together", () => {
    expect(["filters.enabled", "filters.rewrite", "sessions.record", "sessions.resume_note"].map(sectionOf)).toEqual(Array(4).fill("filters"));
    const one = { key: "filters.enabled", kind: "switch" as const, value: true, default: true };
    expect(settingsOf("filters", [one])).toEqual([one]);
    expect(settingsOf("hooks", [one])).toEqual([]);
  });
});
