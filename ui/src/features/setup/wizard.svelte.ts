// The wizard's state: the step, what was found and chosen, the plan that was shown, each agent's result. Owns the order of the
// steps; nothing is written before `apply`. Knows no markup.
import type { AgentReport, AppliedReport, PlanView, Sentence, VerifyReport } from "../../contract";
import { quoted } from "../../components/terminal";
import { asCallError, call, type CallError } from "../../platform";
import { moreWords } from "../../i18n/index.svelte";
import { Resource } from "../../shell/resource.svelte";
import { ImportSources } from "../memory/import.svelte";

const STEPS = ["welcome", "agents", "choices", "review", "verify", "import", "done"] as const;
export type Step = (typeof STEPS)[number];

/** How far one agent has come. */
export type Phase = "waiting" | "writing" | "verifying" | "good" | "unchanged" | "failed" | "undoing" | "undone";

/** One agent while it is written and verified. */
export interface Row {
  id: string;
  name: string;
  /** The project in which it is written; undefined for every project. */
  folder: string | undefined;
  phase: Phase;
  applied?: AppliedReport | undefined;
  verified?: VerifyReport | undefined;
  /** Why it failed, and at what. */
  error?: { at: "write" | "verify" | "undo"; sentence: Sentence } | undefined;
}

export type ToolList = "compact" | "full";

/** The list of tools that agents are shown, while it is written with the rest. */
export interface Listing {
  /** As it was before this wizard wrote it. */
  from: ToolList;
  to: ToolList;
  phase: "waiting" | "good" | "failed" | "undoing" | "undone";
  /** Why it failed, and at what. */
  error?: { at: "write" | "undo"; sentence: Sentence } | undefined;
}

/** Unique among the rows: an agent may be written for every project and in one. */
export const keyOf = (row: Pick<Row, "id" | "folder">): string => `${row.id} ${row.folder ?? ""}`;

const wrote = (row: Row): boolean => (row.applied?.written.length ?? 0) > 0 && row.phase !== "undone";

/** The user removed Plimsoll's entries by hand: a wish, so the agent isn't ticked automatically. */
export const removedByHand = (agent: AgentReport): boolean =>
  agent.state === "not_connected" && agent.files.some((file) => file.state === "removed");

export class Wizard {
  step = $state<Step>("welcome");
  /** The full survey of every agent, started when the wizard opens because it takes a second or two. */
  readonly survey = new Resource(() => call("agents", { thorough: true }));
  /** What could be imported at the end; looked for while agents are verified. */
  readonly taking = new ImportSources();
  /** The ids that will be connected. */
  chosen = $state<string[]>([]);
  hooks = $state(true);
  instructions = $state(false);
  /** Agents that withhold credentials pass them on; off leaves that as it is. */
  credentials = $state(false);
  scope = $state<"user" | "project">("user");
  project = $state("");
  /** How many tools agents are shown; undefined: as it is. */
  surface = $state<ToolList>("compact");
  #surfaceNow = $state<ToolList>("compact");
  /** The outcome; undefined if nothing had to be written. */
  listing = $state<Listing | undefined>();
  plan = $state.raw<PlanView | undefined>();
  planError = $state.raw<CallError | undefined>();
  rows = $state<Row[]>([]);
  /** What an earlier plan wrote and wasn't undone, while a new plan is shown. */
  #earlier = $state<Row[]>([]);
  applying = $state(false);
  undoing = $state(false);
  #touched = false;
  #turn = 0;

  get found(): AgentReport[] {
    return (this.survey.value ?? []).filter((agent) => agent.state !== "not_installed");
  }

  get missing(): AgentReport[] {
    return (this.survey.value ?? []).filter((agent) => agent.state === "not_installed");
  }

  /** Can be connected: its files can be read. */
  get able(): AgentReport[] {
    return this.found.filter((agent) => agent.state !== "unreadable");
  }

  /** Agents that were chosen and were gone when the plan was made. */
  get vanished(): string[] {
    if (!this.plan) return [];
    const planned = new Set(this.plan.report.agents.map((agent) => agent.id));
    return this.chosen.filter((id) => !planned.has(id)).map((id) => this.name(id));
  }

  /** Some agents were written or are being written. */
  get started(): boolean {
    return this.rows.length > 0;
  }

  get failed(): Row[] {
    return this.rows.filter((row) => row.phase === "failed");
  }

  /** Agents whose files were written and not given back, by this plan or an earlier one. */
  get written(): Row[] {
    return [...this.#earlier, ...this.rows].filter(wrote);
  }

  /** The list of tools as it would be written with the plan: from what it is to what was chosen. */
  get relisting(): { from: ToolList; to: ToolList } | undefined {
    return this.surface === this.#surfaceNow ? undefined : { from: this.#surfaceNow, to: this.surface };
  }

  /** A file was changed. */
  get wrote(): boolean {
    return this.written.length > 0 || this.#listed;
  }

  /** The list of tools is another one than before the wizard. */
  get #listed(): boolean {
    return this.listing !== undefined && this.#surfaceNow !== this.listing.from;
  }

  /** How a terminal takes everything back; null where there is nothing to take back. */
  get undoLine(): string | null {
    return this.wrote ? undoLine(this.written, this.#listed ? this.listing : undefined) : null;
  }

  /** Something is being written or taken back at this moment. */
  get busy(): boolean {
    return this.applying || this.undoing || this.taking.busy;
  }

  /** The steps there are: importing is one only where there is something to import, or that isn't known. */
  get steps(): Step[] {
    const { rows, found } = this.taking;
    return STEPS.filter((step) => step !== "import" || this.step === "import" || rows.length > 0 || found.error !== undefined);
  }

  /** What was applied is over: what can be imported is offered, if anything can. */
  async proceed(): Promise<void> {
    await this.taking.found.settled();
    const offers = this.steps.includes("import");
    // A step that is left out for want of words is better than one without any.
    const spoken = offers && (await moreWords().then(() => true, () => false));
    this.step = spoken ? "import" : "done";
  }

  name(id: string): string {
    return this.survey.value?.find((agent) => agent.id === id)?.name ?? id;
  }

  /** Looks for agents; ticks those that can be connected, until the user has ticked some. */
  async look(): Promise<void> {
    await this.survey.reload();
    const able = new Set(this.able.map((agent) => agent.id));
    if (this.#touched) this.chosen = this.chosen.filter((id) => able.has(id));
    else this.chosen = this.able.filter((agent) => !removedByHand(agent)).map((agent) => agent.id);
  }

  /** The current surface, from the settings. */
  knowSurface(now: unknown): void {
    if (now !== "compact" && now !== "full") return;
    this.surface = now;
    this.#surfaceNow = now;
  }

  choose(id: string, on: boolean): void {
    this.#touched = true;
    this.chosen = on ? [...this.chosen.filter((one) => one !== id), id] : this.chosen.filter((one) => one !== id);
  }

  /** Where the entries go: `null` for every project. */
  get folder(): string | undefined {
    return this.scope === "project" && this.project !== "" ? this.project : undefined;
  }

  /** Makes the plan for the current choices; writes nothing. A plan for earlier choices is dropped. */
  async makePlan(): Promise<void> {
    const turn = ++this.#turn;
    this.planError = undefined;
    this.plan = undefined;
    this.#earlier = this.written;
    this.rows = [];
    try {
      const plan = await this.#planFor(this.chosen);
      if (turn === this.#turn) this.plan = plan;
    } catch (reason) {
      if (turn === this.#turn) this.planError = asCallError(reason);
    }
  }

  /** One that was removed since it was chosen doesn't block the others: they are planned, and it is named. */
  async #planFor(chosen: readonly string[]): Promise<PlanView> {
    try {
      return await this.#ask(chosen);
    } catch (reason) {
      if (asCallError(reason).code !== "not_found") throw reason;
      await this.survey.reload();
      const able = new Set(this.able.map((agent) => agent.id));
      const rest = chosen.filter((id) => able.has(id));
      if (rest.length === 0 || rest.length === chosen.length) throw reason;
      return await this.#ask(rest);
    }
  }

  #ask(agents: readonly string[]): Promise<PlanView> {
    const project = this.folder;
    return call("plan_connect", {
      agents: [...agents],
      hooks: this.hooks,
      instructions: this.instructions,
      ...(this.credentials ? { credentials: true } : {}),
      ...(project === undefined ? {} : { project }),
    });
  }

  /** Carries out the plan that was shown, agent by agent; one that fails does not stop the rest. */
  async apply(): Promise<void> {
    const plan = this.plan;
    if (!plan || this.applying) return;
    this.applying = true;
    void this.taking.found.reload();
    const agents = plan.report.agents.filter((agent) => !agent.blocked);
    const folder = this.folder;
    const earlier = new Map(this.#earlier.map((row) => [keyOf(row), row]));
    const planned = agents.map((agent): Row => {
      const row = { id: agent.id, name: agent.name, folder };
      // What it wrote before can still be undone, and what was left for the user is still left.
      const applied = earlier.get(keyOf(row))?.applied;
      earlier.delete(keyOf(row));
      const changes = agent.files.some((file) => file.change !== "unchanged" && file.change !== "refused");
      return { ...row, applied, phase: changes ? "waiting" : "unchanged" };
    });
    this.rows = [...planned, ...earlier.values()];
    this.#earlier = [];
    const failed = await this.#list();
    if (failed) {
      // Nothing else was written yet, so this stops everything and says so in every row.
      for (const row of this.#planned(planned.length)) this.#fail(row, "write", failed);
      this.applying = false;
      return;
    }
    for (const row of this.#planned(planned.length)) await this.#connect(row, plan.plan);
    this.applying = false;
  }

  /** The rows of the plan itself; what an earlier plan wrote as well comes after them. */
  #planned(count: number): Row[] {
    return this.rows.slice(0, count);
  }

  /** Writes the chosen list of tools, if it is another one; gives what went wrong. */
  async #list(): Promise<Sentence | undefined> {
    const change = this.relisting;
    if (change === undefined) return undefined;
    this.listing = { from: this.#listed && this.listing ? this.listing.from : change.from, to: change.to, phase: "waiting" };
    try {
      await call("set_setting", { key: "mcp.surface", value: change.to });
    } catch (reason) {
      const { sentence } = asCallError(reason);
      this.listing.phase = "failed";
      this.listing.error = { at: "write", sentence };
      return sentence;
    }
    this.#surfaceNow = change.to;
    this.listing.phase = "good";
    // It was set back, so no change remains.
    if (this.listing.from === change.to) this.listing = undefined;
    return undefined;
  }

  /** Takes everything back that this wizard wrote. */
  async undoAll(): Promise<void> {
    if (this.undoing) return;
    await this.undo(this.written);
    const listing = this.listing;
    if (!listing || !this.#listed) return;
    this.undoing = true;
    listing.phase = "undoing";
    listing.error = undefined;
    try {
      await call("set_setting", { key: "mcp.surface", value: listing.from });
      this.#surfaceNow = listing.from;
      this.surface = listing.from;
      listing.phase = "undone";
    } catch (reason) {
      listing.phase = "failed";
      listing.error = { at: "undo", sentence: asCallError(reason).sentence };
    }
    this.undoing = false;
  }

  async #connect(row: Row, plan: number): Promise<void> {
    if (row.phase === "waiting") {
      row.phase = "writing";
      let applied: AppliedReport;
      try {
        applied = await call("apply_plan", { plan, agent: row.id });
      } catch (reason) {
        return this.#fail(row, "write", asCallError(reason).sentence);
      }
      // One that failed left the files as they were, with what was written before.
      if (applied.error === null || row.applied === undefined) row.applied = applied;
      if (applied.error !== null) return this.#fail(row, "write", applied.error);
    }
    await this.verify(row);
  }

  /** Starts the server as the agent would, and the hook. */
  async verify(row: Row): Promise<void> {
    row.phase = "verifying";
    row.error = undefined;
    const over = (): boolean => row.phase !== "verifying";
    try {
      const verified = await call("verify_agent", { agent: row.id });
      // The change was undone meanwhile, so the earlier answer is out of date.
      if (over()) return;
      row.verified = verified;
    } catch (reason) {
      if (over()) return;
      return this.#fail(row, "verify", asCallError(reason).sentence);
    }
    if (row.verified.error !== null) return this.#fail(row, "verify", row.verified.error);
    row.phase = "good";
  }

  #fail(row: Row, at: "write" | "verify" | "undo", sentence: Sentence): void {
    row.phase = "failed";
    row.error = { at, sentence };
  }

  /** Takes these agents' entries out again; their files are then as they were. */
  async undo(rows: Row[]): Promise<void> {
    if (this.undoing || rows.length === 0) return;
    this.undoing = true;
    // A plan is made for one place: every project, or the one that was chosen then.
    for (const folder of new Set(rows.map((row) => row.folder))) {
      await this.#undoIn(
        folder,
        rows.filter((row) => row.folder === folder),
      );
    }
    this.undoing = false;
  }

  async #undoIn(project: string | undefined, rows: Row[]): Promise<void> {
    try {
      const plan = await call("plan_disconnect", { agents: rows.map((row) => row.id), ...(project === undefined ? {} : { project }) });
      for (const row of rows) {
        row.phase = "undoing";
        try {
          const applied = await call("apply_plan", { plan: plan.plan, agent: row.id });
          if (applied.error !== null) this.#fail(row, "undo", applied.error);
          else {
            row.phase = "undone";
            row.error = undefined;
          }
        } catch (reason) {
          this.#fail(row, "undo", asCallError(reason).sentence);
        }
      }
    } catch (reason) {
      for (const row of rows) this.#fail(row, "undo", asCallError(reason).sentence);
    }
  }
}

/** The same from a terminal. What goes into one project is typed in its folder; the tool list is a setting. */
export function commandLine(wizard: Wizard, dryRun: boolean): string {
  const all = wizard.able.length > 0 && wizard.able.every((agent) => wizard.chosen.includes(agent.id));
  const dry = dryRun ? " --dry-run" : "";
  const words = ["plimsoll connect", all ? "--all" : wizard.chosen.join(" ")];
  if (!wizard.hooks) words.push("--no-hooks");
  if (wizard.instructions) words.push("--instructions");
  if (wizard.credentials) words.push("--credentials");
  if (wizard.folder !== undefined) words.push("--scope project");
  const lines = wizard.folder === undefined ? [] : [`cd ${quoted(wizard.folder)}`];
  if (wizard.relisting) lines.push(`plimsoll settings set mcp.surface ${wizard.relisting.to}${dry}`);
  return [...lines, words.join(" ") + dry].join(" && ");
}

/** The same as taking these rows back, and the tool list where it was written. */
export function undoLine(rows: readonly Pick<Row, "id" | "folder">[], listing?: Pick<Listing, "from">): string {
  // Files in projects come last: the folder that was opened stays.
  const folders = [...new Set(rows.map((row) => row.folder ?? ""))].sort();
  const lines = listing ? [`plimsoll settings set mcp.surface ${listing.from}`] : [];
  for (const folder of folders) {
    const ids = rows.filter((row) => (row.folder ?? "") === folder).map((row) => row.id);
    if (folder !== "") lines.push(`cd ${quoted(folder)}`);
    lines.push(`plimsoll disconnect ${ids.join(" ")}${folder === "" ? "" : " --scope project"}`);
  }
  return lines.join(" && ");
}
