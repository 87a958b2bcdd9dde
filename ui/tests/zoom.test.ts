// The steps of the zoom and the keys that change it.
import { describe, expect, it } from "vitest";
import { directionOf, STEPS, stepFrom } from "../src/shell/zoom.svelte";

describe("steps of the size", () => {
  it("go up and down through every step and stop at the ends", () => {
    const up = STEPS.map((step) => stepFrom(step, "in"));
    expect(up).toEqual([...STEPS.slice(1), 200]);
    const down = STEPS.map((step) => stepFrom(step, "out"));
    expect(down).toEqual([50, ...STEPS.slice(0, -1)]);
  });

  it("start at a size between two steps, too", () => {
    expect(stepFrom(105, "in")).toBe(110);
    expect(stepFrom(105, "out")).toBe(100);
    expect(stepFrom(137, "reset")).toBe(100);
  });
});

describe("keys of the size", () => {
  const pressed = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey", boolean>> = { ctrlKey: true }) =>
    directionOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
  it.each([
    ["+", "in"],
    ["=", "in"],
    ["-", "out"],
    ["_", "out"],
    ["0", "reset"],
  ])("%s with Ctrl or ⌘", (key, direction) => {
    expect(pressed(key)).toBe(direction);
    expect(pressed(key, { metaKey: true })).toBe(direction);
  });

  it("don't affect typing or other keys", () => {
    expect(pressed("+", {})).toBeUndefined();
    expect(pressed("0", { ctrlKey: true, altKey: true })).toBeUndefined();
    expect(pressed("1")).toBeUndefined();
    expect(pressed("k")).toBeUndefined();
  });
});
