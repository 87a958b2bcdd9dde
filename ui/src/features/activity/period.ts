// Stretches of time as people choose them.
export type Period = "today" | "week" | "all";

/** Where a stretch begins, in milliseconds since 1970; undefined for all. */
export function sinceOf(period: Period, now = Date.now()): number | undefined {
  if (period === "all") return undefined;
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  if (period === "week") midnight.setDate(midnight.getDate() - 6);
  return midnight.getTime();
}
