// Agents by the names that people know, and which agents, tools and projects the record knows at all: what lists
// can be filtered by. Asked for once, cheaply; an unknown id stays as it is.
import { SvelteMap } from "svelte/reactivity";
import { agents, type LedgerCall } from "../contract";
import { t } from "../i18n/index.svelte";
import { call } from "../platform";
import { visible } from "../components/visible";

/** What the record contains. */
interface Facets {
  agents: string[];
  tools: string[];
  filters: string[];
  projects: string[];
}

/** Stands for a missing name in lists and addresses, where an empty value means no filter. */
export const NONE = "-";

/** The field that filters by this value; none if everything is chosen. */
export function filterBy<Name extends string>(name: Name, value: string): { [key in Name]?: string } {
  return (value === "" ? {} : { [name]: value === NONE ? "" : value }) as { [key in Name]?: string };
}

/** The address of a session, also of one without an agent. */
export const sessionPlace = (agent: string, session: string): string[] => [agent || NONE, session];

const names = new SvelteMap<string, string>(agents.map((agent) => [agent.id, agent.name]));
let facets = $state.raw<Facets>({ agents: [], tools: [], filters: [], projects: [] });

/** What people call this agent. */
export const agentName = (id: string): string => (id === NONE ? t("home.noagent") : (names.get(id) ?? visible(id)));

/** What Plimsoll itself put into conversations has rows of its own in the ledger; these are its words for them. */
const OWN: Readonly<Record<string, "list" | "hook" | "note">> = { "tool list": "list", hook: "hook", note: "note" };

/** Which of Plimsoll's own costs a tool's name in the ledger means; undefined for a tool. */
export const ownCost = (tool: string): "list" | "hook" | "note" | undefined => (Object.hasOwn(OWN, tool) ? OWN[tool] : undefined);

/** The first of these that an agent called: what Plimsoll itself put into conversations is among them, and proves nothing. */
export const callAmong = (rows: readonly LedgerCall[]): LedgerCall | undefined => rows.find((row) => row.agent !== "" && ownCost(row.tool) === undefined);

/** A tool's name; words for Plimsoll's own costs. */
export function toolName(tool: string): string {
  if (tool === NONE) return t("home.notool");
  const own = ownCost(tool);
  return own === undefined ? visible(tool) : t(`home.own.${own}`);
}

/** What the record can be filtered by. */
export const known = {
  get agents(): string[] {
    return facets.agents;
  },
  get tools(): string[] {
    return facets.tools;
  },
  get filters(): string[] {
    return facets.filters;
  },
  get projects(): string[] {
    return facets.projects;
  },
};

/** Learns names and facets; what cannot be learned leaves the filters shorter. */
export async function learn(): Promise<void> {
  const [listing, stats] = await Promise.allSettled([
    call("agents", { thorough: false }),
    call("stats", { period: { since_ms: 0, utc_offset_min: 0 }, bucket: "day" }),
  ]);
  const found = new Set<string>();
  if (listing.status === "fulfilled") {
    for (const one of listing.value) {
      names.set(one.id, one.name);
      if (one.state !== "not_installed") found.add(one.id);
    }
  }
  if (stats.status === "fulfilled") for (const one of stats.value.by_agent) found.add(one.name);
  const listed = stats.status === "fulfilled" ? stats.value : undefined;
  // An empty name would choose all of them.
  const chosen = (all: Iterable<string>): string[] => [...all].map((name) => name || NONE).sort();
  facets = {
    agents: chosen(found),
    tools: chosen(listed?.by_tool.map((one) => one.name) ?? []),
    filters: listed?.by_filter.map((one) => one.name).filter((name) => name !== "").sort() ?? [],
    projects: chosen(listed?.by_project.map((one) => one.name) ?? []),
  };
}
