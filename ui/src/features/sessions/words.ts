// A session in words: its purpose and how it went. Figures come from the record and nothing is guessed.
import type { SessionFact, SessionRow } from "../../contract";
import { t, tn } from "../../i18n/index.svelte";
import { fmt } from "../../shell/app.svelte";
import { isProject } from "../projects";

/** A session that was last active more recently may still be at work. */
const YOUNG_MS = 10 * 60_000;

/** The name of the session's project. */
export const whereOf = (row: Pick<SessionRow, "project">): string => (isProject(row.project) ? fmt.basename(row.project) : t("sessions.noproject"));

/** Its first request, or else its project. */
export function titleOf(row: Pick<SessionRow, "title" | "project" | "session">): string {
  if (row.title !== "") return row.title;
  return t("sessions.untitled", { project: whereOf(row) });
}

/** How it went, in a few words; empty if nothing was special. */
export function outcome(row: SessionRow, now_ms: number): string {
  const parts: string[] = [];
  if (row.errors > 0) parts.push(row.open_errors > 0 ? t("sessions.errors.open", { errors: tn("sessions.errors", row.errors), open: row.open_errors }) : tn("sessions.errors", row.errors));
  if (row.denied > 0) parts.push(tn("sessions.denials", row.denied));
  if (row.compactions > 0) parts.push(tn("sessions.compacted", row.compactions));
  if (parts.length === 0 && row.ended) parts.push(t("sessions.done"));
  else if (parts.length === 0 && now_ms - row.last_ms < YOUNG_MS) parts.push(t("sessions.now"));
  return parts.join(", ");
}

/** What is remembered about a session in four lines: what it is for, what was decided, what is open, what was
 *  touched. */
export function gist(facts: readonly SessionFact[]): { name: "goal" | "decided" | "open" | "touched"; text: string }[] {
  const holding = (...categories: string[]) =>
    facts.filter((fact) => fact.holds && categories.includes(fact.category)).toSorted((a, b) => b.at_ms - a.at_ms);
  // The full stop of one would come before the semicolon to the next.
  const plain = (text: string): string => {
    const bare = text.trim();
    return /(?:^|[^.])[.;]$/.test(bare) ? bare.slice(0, -1) : bare;
  };
  const line = (list: readonly SessionFact[], most: number, separator: string) =>
    [...new Set(list.map((fact) => (most > 1 ? plain(fact.text) : fact.text)))].slice(0, most).join(separator);
  const changed = holding("file").filter((fact) => fact.subject !== "read");
  return [
    { name: "goal" as const, text: line([...holding("goal"), ...holding("request")], 1, "") },
    { name: "decided" as const, text: line(holding("decision", "constraint"), 3, "; ") },
    { name: "open" as const, text: line(holding("error", "blocker", "task"), 4, "; ") },
    { name: "touched" as const, text: line(changed, 6, ", ") },
  ].filter((one) => one.text !== "");
}
