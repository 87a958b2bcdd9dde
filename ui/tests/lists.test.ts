// The pure parts behind lists: groups of events, setting units and sections, filters of Activity, errors of calls.
import { describe, expect, it } from "vitest";
import type { EventRow } from "../src/contract";
import { filtersOf, queryOf } from "../src/features/activity/filters";
import { sinceOf } from "../src/features/activity/period";
import { isPath } from "../src/features/events";
import { asCallError } from "../src/platform/types";
import { belongs, counts, GROUPS } from "../src/features/sessions/groups";
import { sectionNamed, sectionOf, settingsOf } from "../src/features/settings/sections";
import { entered, formatted, typedNumber, unitOf } from "../src/features/settings/units";

const event = (part: Partial<EventRow>): EventRow => ({
  id: 1, at_ms: 0, agent: "codex", session: "s", project: "/p", kind: "pre_tool", tool: "Bash", summary: "ls", decision: "pass",
  rule: null, bytes_before: null, bytes_after: null, full_output: null, elapsed_us: 1, ...part,
});

describe("Events of a session", () => {
  it("are grouped by what a user looks for", () => {
    const events = [
      event({ decision: "deny" }),
      event({ summary: "/home/dana/a b.rs", tool: "Read" }),
      event({ kind: "post_tool_failure", summary: "C:\\code\\x.ts", tool: "Edit" }),
      event({ kind: "prompt", tool: null, summary: "please" }),
      event({ kind: "stop", tool: null, summary: "" }),
    ];
    expect(counts(events)).toEqual({ all: 5, decisions: 1, errors: 1, prompts: 1, files: 2, commands: 1, session: 1 });
    for (const one of events) expect(GROUPS.some((group) => group !== "all" && belongs(one, group))).toBe(true);
  });

  it("tell a path from a command", () => {
    expect(isPath("/usr/bin/env -i ls")).toBe(false);
    expect(isPath("~/notes.md")).toBe(true);
    expect(isPath("make -j2")).toBe(false);
  });
});

describe("Settings", () => {
  it("are entered in everyday units and stored in the file's units", () => {
    const seconds = unitOf("ms", 0);
    expect(entered(120_000, seconds, "en")).toBe("120");
    expect(typedNumber(" 1,5 ", seconds, "en")).toBe(1500);
    // As they are read, they are entered: with the language's own sign before the fraction.
    expect([entered(2500, seconds, "en"), entered(2500, seconds, "de"), entered(1_234_500, seconds, "de")]).toEqual(["2.5", "2,5", "1234,5"]);
    expect([formatted(1_234_500, seconds, "en"), formatted(1_234_500, seconds, "de")]).toEqual(["1,234.5", "1.234,5"]);
    expect(typedNumber("1e3", seconds, "en")).toBeNull();
    expect(typedNumber("-3", seconds, "en")).toBeNull();
    // Sizes have decimal units, as everywhere.
    const large = unitOf("bytes", 20_000_000_000);
    expect([large.sign, typedNumber("256", large, "en"), entered(256_000_000, large, "de")]).toEqual(["MB", 256_000_000, "256"]);
    const huge = unitOf("bytes", 2_000_000_000_000);
    expect([huge.sign, typedNumber("1.5", huge, "en"), entered(1_000_000_000, huge, "en")]).toEqual(["GB", 1_500_000_000, "1"]);
    expect(unitOf("MB", 65_536)).toEqual({ size: 1, sign: "MB" });
    const small = unitOf("bytes", 10_000_000);
    expect(entered(16_000, small, "en")).toBe("16");
    expect(typedNumber("0", small, "en")).toBe(0);
    expect(typedNumber("7", unitOf("days", 0), "en")).toBe(7);
  });

  it.each([
    ["1,500", "en", 1500], ["1.500", "en", 1.5], ["1.500", "de", 1500], ["1,500", "de", 1.5], ["1.5", "de", 1.5], ["1,5", "en", 1.5],
    ["1,234,567.5", "en", 1_234_567.5], ["1.234.567,5", "de", 1_234_567.5], ["1 234,5", "fr", 1234.5], ["1’500", "de-CH", 1500],
    ["1,50,0", "en", null], ["1.500,", "de", null], ["1.500.00", "de", null], ["0,500", "en", 0.5], ["1,125", "de-AT", 1.125],
    ["1.500", "de-AT", 1500],
  ])("takes %s in %s for what it was meant as", (typed, locale, meant) => {
    const number = typedNumber(typed, unitOf("ms", 0), locale);
    expect(number === null ? null : number / 1000).toBe(meant);
  });

  it("reads back every number as it is shown, in every language's form", () => {
    for (const locale of ["en", "en-ZA", "de", "de-AT", "de-CH", "fr", "sv"]) {
      const seconds = unitOf("ms", 0);
      for (const value of [0, 500, 1125, 1500, 120_000, 1_234_567, 1_234_500, 20_000_000, 1_234_567_890]) {
        expect([locale, typedNumber(entered(value, seconds, locale), seconds, locale)]).toEqual([locale, value]);
        expect([locale, typedNumber(formatted(value, seconds, locale), seconds, locale)]).toEqual([locale, value]);
      }
    }
  });

  it("find their section, and the program's own notes aren't shown", () => {
    expect(sectionOf("network.enabled")).toBe("network");
    expect(sectionOf("newer.thing")).toBe("tools");
    expect(sectionNamed("nonsense")).toBe("appearance");
    const own = { key: "desktop.setup_done", kind: "switch" as const, value: true, default: false };
    const theme = { key: "desktop.theme", kind: "text" as const, value: "", default: "" };
    expect(settingsOf("appearance", [own, theme])).toEqual([theme]);
  });
});

describe("Filters of Activity", () => {
  it("are read from the address as they were written to it", () => {
    const some = { agent: "codex", decision: "", tool: "execute", filter: "", project: "/work/a b", period: "week" as const };
    expect(queryOf(some)).toEqual({ agent: "codex", tool: "execute", project: "/work/a b", period: "week" });
    expect(filtersOf(queryOf(some))).toEqual(some);
    expect(queryOf(filtersOf({ period: "ever", view: "calls" }))).toEqual({});
  });
});

describe("Stretches of time", () => {
  it("begin at midnight here", () => {
    const noon = new Date(2026, 10, 22, 12).getTime();
    expect(sinceOf("today", noon)).toBe(new Date(2026, 10, 22).getTime());
    expect(sinceOf("week", noon)).toBeLessThanOrEqual(new Date(2026, 10, 16, 1).getTime());
    expect(sinceOf("all", noon)).toBeUndefined();
  });
});

describe("An error of a command", () => {
  it("keeps its message and names the database's fault", () => {
    const told = { text: "the disk is full while writing a.db", key: "messages.home.disk_full", params: { path: "a.db" } };
    const error = asCallError({ code: "storage", message: told, fault: "full" });
    expect([error.code, error.message, error.sentence, error.fault]).toEqual(["storage", told.text, told, "full"]);
    expect(asCallError({ code: "storage", message: "odd", fault: "meteor" }).fault).toBeNull();
    expect(asCallError({ code: "failed", message: "a system's word" }).sentence.key).toBeNull();
    expect(asCallError("no more").code).toBe("internal");
  });
});
