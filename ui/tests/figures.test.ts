import { describe, expect, it } from "vitest";
import type { Sums } from "../src/contract";
import { queryOf, series, shareOf } from "../src/features/home/figures";

const sums = (some: Partial<Sums>): Sums => ({
  calls: 1,
  failed: 0,
  raw_bytes: 0,
  returned_bytes: 0,
  measured_bytes: 0,
  estimated_bytes: 0,
  overhead_bytes: 0,
  net_bytes: 0,
  elapsed_us: 0,
  ...some,
});
const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();

describe("the share", () => {
  it("is net, rounded down, and only told where it means something", () => {
    expect(shareOf(sums({ net_bytes: 94, raw_bytes: 100 }))).toBe(0.94);
    expect(shareOf(sums({ net_bytes: 999, raw_bytes: 1000 }))).toBe(0.99);
    expect(shareOf(sums({ net_bytes: -5, raw_bytes: 100 }))).toBeUndefined();
    expect(shareOf(sums({ net_bytes: 5, raw_bytes: 0 }))).toBeUndefined();
    expect(shareOf(sums({ net_bytes: 101, raw_bytes: 100 }))).toBeUndefined();
  });
});

describe("the course over time", () => {
  it("fills stretches without calls with nothing, from the beginning to now", () => {
    const rows = [
      { start_ms: at(3, 2), sums: sums({ measured_bytes: 10, estimated_bytes: 4 }) },
      { start_ms: at(3, 5), sums: sums({ measured_bytes: 20 }) },
    ];
    const points = series(rows, "hour", at(3, 0), at(3, 6) + 60_000);
    expect(points.map((point) => point.measured)).toEqual([0, 0, 10, 0, 0, 20, 0]);
    expect(points[2]?.estimated).toBe(4);
  });

  it("counts days by the calendar, across a change of the clock", () => {
    const rows = [{ start_ms: at(27, 0), sums: sums({ measured_bytes: 1 }) }];
    const points = series(rows, "day", 0, at(31, 12));
    expect(points.map((point) => new Date(point.start_ms).getDate())).toEqual([27, 28, 29, 30, 31]);
  });

  it("is empty without calls", () => expect(series([], "day", 0, at(1, 1))).toEqual([]));
});

describe("the question", () => {
  const now = at(10, 15);
  it("begins at midnight here", () => {
    expect(queryOf("today", now)).toMatchObject({ bucket: "hour", period: { since_ms: at(10, 0) } });
    expect(queryOf("week", now)).toMatchObject({ bucket: "day", period: { since_ms: at(4, 0) } });
    expect(queryOf("all", now)).toMatchObject({ bucket: "day", period: { since_ms: 0 } });
  });
});
