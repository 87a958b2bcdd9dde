// What Activity is filtered by, and how the address says it.
import type { Period } from "./period";

export interface Filters {
  agent: string;
  decision: string;
  tool: string;
  filter: string;
  project: string;
  period: Period;
}

/** Reads the address; a missing part doesn't filter. */
export function filtersOf(query: Record<string, string>): Filters {
  const { agent = "", decision = "", tool = "", filter = "", project = "", period } = query;
  return { agent, decision, tool, filter, project, period: period === "today" || period === "week" ? period : "all" };
}

/** The filters as an address. */
export function queryOf(filters: Filters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([name, value]) => value !== (name === "period" ? "all" : "")));
}
