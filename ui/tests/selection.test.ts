// Moving through tabs by key, and finding a chosen row after its list has changed.
import { describe, expect, it } from "vitest";
import { tabAt } from "../src/components/tabs";
import { placeOf } from "../src/components/selection";

const at = (list: readonly (string | undefined)[], key: string, from: number): number =>
  placeOf(key, from, list.length, (index) => list[index], (row) => row);

describe("Tabs", () => {
  it("are gone along with the arrows, to the ends and no further", () => {
    expect(["ArrowRight", "ArrowLeft", "End", "Home", "ArrowDown", "a"].map((key) => tabAt(key, false, 1, 4))).toEqual([2, 0, 3, 0, undefined, undefined]);
    expect([tabAt("ArrowDown", true, 3, 4), tabAt("ArrowUp", true, 0, 4), tabAt("ArrowRight", true, 0, 4)]).toEqual([3, 0, undefined]);
  });
});

describe("A chosen row", () => {
  it("is found wherever the list moved it", () => {
    expect(at(["a", "b", "c"], "b", 1)).toBe(1);
    expect(at(["new", "a", "b", "c"], "b", 1)).toBe(2);
    expect(at(["b", "c"], "b", 1)).toBe(0);
    expect(at(["c", "x", "y", "z", "b"], "b", 0)).toBe(4);
    expect(at(["b"], "b", 9)).toBe(0);
  });

  it("that went away is none, and no other one", () => {
    expect(at(["a", "c"], "b", 1)).toBe(-1);
    expect(at([], "b", 0)).toBe(-1);
    expect(at(["a"], "b", 4)).toBe(-1);
  });

  it("that is on its way stays where it was", () => {
    expect(at(["a", undefined, "c"], "b", 1)).toBe(1);
  });
});
