// Days where the clocks change: each bar is of the day that it's called, whichever offset the program was told.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sums, TimeRow } from "../src/contract";
import { sinceOf } from "../src/features/activity/period";
import { queryOf, series } from "../src/features/home/figures";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let zone: string | undefined;

/** A call at noon of each of these days, in rows as the program makes them: days of 24 hours, all by one offset. */
function rows(days: readonly Date[], offset_min: number): TimeRow[] {
  const offset = offset_min * 60_000;
  return days.map((day) => {
    const noon = new Date(day).setHours(12);
    return { start_ms: Math.floor((noon + offset) / DAY_MS) * DAY_MS - offset, sums: { calls: 1, measured_bytes: day.getDate(), estimated_bytes: 0 } as Sums };
  });
}

describe.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])("In %s", (name) => {
  beforeAll(() => {
    zone = process.env.TZ;
    process.env.TZ = name;
  });
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([["spring", 2026, 2], ["autumn", 2026, 9]] as const)("every day of a %s has its own bar", (_, year, month) => {
    const days = Array.from({ length: 60 }, (_, index) => new Date(year, month, 1 + index));
    for (const [at, today] of days.entries()) {
      const now = new Date(today).setHours(15);
      const { period, bucket } = queryOf("all", now);
      const points = series(rows(days.slice(0, at + 1), period.utc_offset_min), bucket, period.since_ms, now);
      expect(points.map((point) => [point.start_ms, point.measured])).toEqual(days.slice(0, at + 1).map((day) => [day.getTime(), day.getDate()]));
    }
  });

  it("seven days are seven, from midnight on", () => {
    for (let day = 0; day < 365; day += 1) {
      const now = new Date(2026, 0, 1 + day, 15).getTime();
      const { period, bucket } = queryOf("week", now);
      const since = new Date(2026, 0, 1 + day - 6).getTime();
      expect([period.since_ms, sinceOf("week", now)]).toEqual([since, since]);
      const days = Array.from({ length: 7 }, (_, index) => new Date(2026, 0, 1 + day - 6 + index));
      expect(series(rows(days, period.utc_offset_min), bucket, period.since_ms, now)).toHaveLength(7);
    }
  });
});
