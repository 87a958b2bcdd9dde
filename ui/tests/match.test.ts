// How the palette tells rows with the same name apart.
import { describe, expect, it } from "vitest";
import { apart } from "../src/shell/match";

describe("rows of the palette", () => {
  it("say what they are of where another one bears the same name", () => {
    const rows = apart([
      { label: "Moorings", detail: "rings", of: "north.md:1" },
      { label: "Moorings", detail: "rings", of: "south.md:1" },
      { label: "Cranes", detail: "two", of: "west.md:1" },
      { label: "Moorings" },
    ]);
    expect(rows.map((one) => one.detail)).toEqual(["north.md:1 · rings", "south.md:1 · rings", "two", undefined]);
  });
});
