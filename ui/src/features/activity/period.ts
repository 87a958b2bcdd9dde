// Stretches of time as people choose them.
export type Period = "today" | "week" | "all";

const DAY_MS = 86_400_000;

/** Where a stretch begins, in milliseconds since 1970; undefined for all. */
export function sinceOf(period: Period, now = Date.now()): number | undefined {
  if (period === "all") return undefined;
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  return period === "today" ? midnight.getTime() : midnight.getTime() - 6 * DAY_MS;
}
