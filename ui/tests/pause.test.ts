// The terminal commands for pausing and resuming.
import { describe, expect, it } from "vitest";
import { pauseLine, resumeLine, tomorrow } from "../src/shell/pause";

describe("A pause in a terminal", () => {
  it("until tomorrow lasts as long as the window's", () => {
    const now = new Date(2026, 10, 22, 15, 20).getTime();
    expect(tomorrow(now)).toBe(new Date(2026, 10, 23, 6).getTime());
    expect(pauseLine(tomorrow(now), now)).toBe("plimsoll pause --for 880m");
    expect(pauseLine(now + 7_200_000, now)).toBe("plimsoll pause --for 2h");
    expect(pauseLine(now, now)).toBe("plimsoll pause --for 1m");
  });

  it("ends everywhere, or in one folder", () => {
    expect(resumeLine()).toBe("plimsoll resume");
    expect(resumeLine("/ana/my shop")).toBe("plimsoll resume --project '/ana/my shop'");
    expect(resumeLine("/ana/my shop", "/ana/ferry"), "each that the button ends").toBe("plimsoll resume --project '/ana/my shop' && plimsoll resume --project /ana/ferry");
  });
});
