// What Home computes from the ledger's sums. Pure; sizes in bytes, times in milliseconds since 1970.
import type { GroupRow, Sums, TimeBucket, TimeRow } from "../../contract";

export type Range = "today" | "week" | "all";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The query for a range: since local midnight, since six days before that, or everything. */
export function queryOf(range: Range, now_ms: number): { period: { since_ms: number; utc_offset_min: number }; bucket: TimeBucket } {
  const midnight = new Date(now_ms);
  const utc_offset_min = -midnight.getTimezoneOffset();
  midnight.setHours(0, 0, 0, 0);
  // By the calendar: where the clocks change, six days aren't six times 24 hours.
  if (range === "week") midnight.setDate(midnight.getDate() - 6);
  const since_ms = range === "all" ? 0 : midnight.getTime();
  return { period: { since_ms, utc_offset_min }, bucket: range === "today" ? "hour" : "day" };
}

/** Which part of the raw output was kept out, from 0 to 1; as the tray says it: net, never rounded up to all.
 *  Undefined when there is nothing to compare. */
export function shareOf(sums: Sums): number | undefined {
  if (sums.net_bytes <= 0 || sums.raw_bytes <= 0 || sums.net_bytes > sums.raw_bytes) return undefined;
  return Math.floor((sums.net_bytes * 100) / sums.raw_bytes) / 100;
}

/** The one big figure: what was kept out, or, where Plimsoll cost more than that, what it added; never negative. */
export function headline(net_bytes: number): { verb: "kept" | "added"; bytes: number } {
  return { verb: net_bytes < 0 ? "added" : "kept", bytes: Math.abs(net_bytes) };
}

/** Where Plimsoll's own words went, in bytes; the largest first, nothing left out: what no row of its own has is in
 *  the replies. `own` says which of its costs a tool's name in the ledger means. */
export function costs<Name extends string>(
  sums: Sums,
  by_tool: readonly GroupRow[],
  own: (tool: string) => Name | undefined,
): { name: Name | "replies"; bytes: number }[] {
  const parts: { name: Name | "replies"; bytes: number }[] = [];
  let rest = sums.overhead_bytes;
  for (const row of by_tool) {
    const name = own(row.name);
    if (name === undefined || row.sums.overhead_bytes <= 0) continue;
    parts.push({ name, bytes: row.sums.overhead_bytes });
    rest -= row.sums.overhead_bytes;
  }
  if (rest > 0) parts.push({ name: "replies", bytes: rest });
  return parts.sort((a, b) => b.bytes - a.bytes);
}

/** One point of the chart. */
export interface Point {
  start_ms: number;
  /** The measured part of what was kept out. */
  measured: number;
  /** The estimated part of what was kept out. */
  estimated: number;
  calls: number;
}

/** The series without gaps: stretches without calls are zero, up to now. */
export function series(rows: readonly TimeRow[], bucket: TimeBucket, since_ms: number, now_ms: number): Point[] {
  const first = rows[0];
  if (!first) return [];
  // The program knows one offset, that of now. A day before the clocks changed begins an hour early or late by it; its middle is
  // in the right day.
  const of = (row: TimeRow): number => slot(bucket === "day" ? row.start_ms + DAY_MS / 2 : row.start_ms, bucket);
  const known = new Map(rows.map((row) => [of(row), row]));
  const points: Point[] = [];
  const cursor = new Date(since_ms > 0 ? Math.min(slot(since_ms, bucket), of(first)) : of(first));
  // A clock that was set wrong once must not draw a century of days.
  for (let guard = 0; cursor.getTime() <= now_ms && guard < 4000; guard += 1) {
    const row = known.get(cursor.getTime());
    points.push({
      start_ms: cursor.getTime(),
      measured: row?.sums.measured_bytes ?? 0,
      estimated: row?.sums.estimated_bytes ?? 0,
      calls: row?.sums.calls ?? 0,
    });
    if (bucket === "hour") cursor.setTime(cursor.getTime() + HOUR_MS);
    else cursor.setDate(cursor.getDate() + 1);
  }
  return points;
}

/** Where the hour or day of a moment begins, by the clock here. */
function slot(at_ms: number, bucket: TimeBucket): number {
  const at = new Date(at_ms);
  if (bucket === "hour") at.setMinutes(0, 0, 0);
  else at.setHours(0, 0, 0, 0);
  return at.getTime();
}

/** One bar of the chart: a point, or several neighbours as one. */
export interface Bar extends Point {
  /** Where its last point begins. */
  last_ms: number;
}

/** At most `most` bars; where there are more points, neighbours are added up, so that nothing is left out. */
export function barsOf(points: readonly Point[], most = 62): Bar[] {
  const each = Math.max(1, Math.ceil(points.length / most));
  const bars: Bar[] = [];
  // From the end: the newest bar is a whole one.
  for (let end = points.length; end > 0; end -= each) {
    const part = points.slice(Math.max(0, end - each), end);
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined) break;
    const sum = (of: (point: Point) => number) => part.reduce((all, point) => all + of(point), 0);
    bars.unshift({
      start_ms: first.start_ms,
      last_ms: last.start_ms,
      measured: sum((point) => point.measured),
      estimated: sum((point) => point.estimated),
      calls: sum((point) => point.calls),
    });
  }
  return bars;
}

/** A day has all of its hours, also those to come: the bars of the morning stay where they are. */
export function wholeDay(points: readonly Point[], since_ms: number): Point[] {
  const known = new Map(points.map((point) => [point.start_ms, point]));
  const day: Point[] = [];
  const cursor = new Date(since_ms);
  const end = new Date(since_ms);
  end.setDate(end.getDate() + 1);
  for (let guard = 0; cursor < end && guard < 26; guard += 1) {
    day.push(known.get(cursor.getTime()) ?? { start_ms: cursor.getTime(), measured: 0, estimated: 0, calls: 0 });
    cursor.setTime(cursor.getTime() + HOUR_MS);
  }
  return day;
}

/** A row of "What was shortened". */
export interface Shortened {
  /** The filter; empty for everything that none shortened. */
  name: string;
  sums: Sums;
}

/** The rows by command (by the filter that knows it) and one for the rest: together they are the whole. */
export function byCommand(all: Sums, filters: readonly GroupRow[]): Shortened[] {
  const rows = filters.map((row) => ({ name: row.name, sums: row.sums }));
  const rest = { ...all };
  for (const { sums } of rows) {
    rest.calls -= sums.calls;
    rest.failed -= sums.failed;
    rest.raw_bytes -= sums.raw_bytes;
    rest.returned_bytes -= sums.returned_bytes;
    rest.measured_bytes -= sums.measured_bytes;
    rest.estimated_bytes -= sums.estimated_bytes;
    rest.elapsed_us -= sums.elapsed_us;
  }
  rows.sort((a, b) => b.sums.measured_bytes - a.sums.measured_bytes);
  // Below the named ones, however much it is.
  if (rest.calls > 0) rows.push({ name: "", sums: rest });
  return rows;
}
