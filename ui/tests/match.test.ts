// How the palette tells rows with the same name apart.
import { describe, expect, it } from "vitest";
import { distinguish, isCalled, rank } from "../src/shell/match";

describe("rows of the palette", () => {
  it("are ordered by name: exact names, then names that start with the words, then rows that contain them", () => {
    const rows = [
      { label: "Open the code’s map", also: "" },
      { label: "Search the code", also: "" },
      { label: "Codex", also: "Connected" },
      { label: "Code", also: "open go to screen" },
      { label: "Purge…", also: "" },
      { label: "Übersicht", also: "open go to screen" },
    ];
    const found = (typed: string) => rank(rows, typed, (one) => `${one.label} ${one.also}`, (one) => one.label).map((one) => one.label);
    expect(found("code")).toEqual(["Code", "Codex", "Open the code’s map", "Search the code"]);
    expect(found("purge")).toEqual(["Purge…"]);
    expect(found("ubersicht")).toEqual(["Übersicht"]);
    expect(found("screen open").map((one) => one)).toEqual(["Code", "Übersicht"]);
    expect(found("code connected")).toEqual(["Codex"]);
    expect(found("nothing of it")).toEqual([]);
    expect([isCalled("Time limit", "time  LIMIT"), isCalled("Purge…", "purge"), isCalled("Purge…", "pur")]).toEqual([true, true, false]);
  });

  it("say where they are from if another row has the same name", () => {
    const rows = distinguish([
      { label: "Moorings", detail: "rings", of: "north.md:1" },
      { label: "Moorings", detail: "rings", of: "south.md:1" },
      { label: "Cranes", detail: "two", of: "west.md:1" },
      { label: "Moorings" },
    ]);
    expect(rows.map((one) => one.detail)).toEqual(["north.md:1 · rings", "south.md:1 · rings", "two", undefined]);
  });
});
