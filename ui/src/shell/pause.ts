// Pausing until tomorrow, and how a terminal says a pause or its end. A terminal knows lengths, not hours of the day.
import { quoted } from "../components/terminal";

/** Tomorrow at six: a pause until tomorrow is over when work begins. */
export function tomorrow(now = Date.now()): number {
  const day = new Date(now);
  day.setDate(day.getDate() + 1);
  day.setHours(6, 0, 0, 0);
  return day.getTime();
}

/** The command line that pauses until then. */
export function pauseLine(until_ms: number, now = Date.now()): string {
  const minutes = Math.max(1, Math.round((until_ms - now) / 60_000));
  return `plimsoll pause --for ${minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`}`;
}

/** The command line that ends a pause, everywhere or in these projects. */
export function resumeLine(...folders: readonly string[]): string {
  return folders.length === 0 ? "plimsoll resume" : folders.map((folder) => `plimsoll resume --project ${quoted(folder)}`).join(" && ");
}
