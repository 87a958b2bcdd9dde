// The figures of Home: the share, the series over time, its query and the labels below the bars.
import { describe, expect, it } from "vitest";
import type { Sums } from "../src/contract";
import { headline, queryOf, series, shareOf } from "../src/features/home/figures";
import { labels } from "../src/features/home/labels";

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

describe("the big figure", () => {
  it("says what was added where nothing was kept out", () => {
    expect(headline(1_930_000)).toEqual({ verb: "kept", bytes: 1_930_000 });
    expect(headline(0)).toEqual({ verb: "kept", bytes: 0 });
    expect(headline(-4_300)).toEqual({ verb: "added", bytes: 4_300 });
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

describe("the names below the bars", () => {
  /** Where each begins and ends, by the width that is reckoned with. */
  const extents = (names: string[], step: number, thick: number) =>
    labels(names, step, thick).map(({ index, x, anchor }) => {
      const wide = (names[index] ?? "").length * 6.2;
      const left = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2;
      return [left, left + wide] as const;
    });

  it("touch neither each other nor the edges, however many bars there are", () => {
    for (const width of [300, 648, 820, 1100]) {
      for (const count of [1, 2, 7, 24, 41, 62]) {
        for (const name of ["9:00", "Mon 19 Oct", "Mo., 19. Okt.", "Mo., 19. Okt. – Di., 20. Okt."]) {
          const step = width / count;
          const shown = extents(Array.from({ length: count }, () => name), step, Math.min(28, step * 0.68));
          expect(shown.length, `${count} of ${name} in ${width}`).toBeGreaterThan(0);
          for (const [at, [left, right]] of shown.entries()) {
            expect(left, `${count} of ${name} in ${width}`).toBeGreaterThanOrEqual(at === 0 ? 0 : (shown[at - 1]?.[1] ?? 0) + 8);
            expect(right, `${count} of ${name} in ${width}`).toBeLessThanOrEqual(width);
          }
        }
      }
    }
  });

  it("are all of them where there is room", () => expect(labels(["Mon", "Tue", "Wed"], 200, 28).map((one) => one.index)).toEqual([0, 1, 2]));
});
