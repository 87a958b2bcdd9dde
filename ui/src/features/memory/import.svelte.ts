// What is on this computer already and can be imported: what was found, what is ticked, the result of each. Nothing is
// ticked before the user ticks it, and what is imported waits for the review. Knows no markup.
import type { MemorySource, MemoryTaken, Sentence } from "../../contract";
import { asCallError, call } from "../../platform";
import { Resource } from "../../shell/resource.svelte";

/** What became of one of them. */
export type Outcome = { state: "busy" } | { state: "taken"; taken: MemoryTaken } | { state: "failed"; sentence: Sentence };

/** A file may count in one project and in every one. */
export const keyOf = (source: Pick<MemorySource, "path" | "folder">): string => `${source.folder ?? ""}\n${source.path}`;

export class ImportSources {
  readonly found = new Resource(() => call("memory_sources", {}));
  /** The keys of what will be imported. */
  ticked = $state.raw<ReadonlySet<string>>(new Set());
  outcomes = $state<Record<string, Outcome>>({});
  busy = $state(false);

  get rows(): MemorySource[] {
    return this.found.value?.rows ?? [];
  }

  /** Can be imported, and was not yet. */
  get open(): MemorySource[] {
    return this.rows.filter((one) => one.problem === null && this.outcome(one)?.state !== "taken");
  }

  get chosen(): MemorySource[] {
    return this.open.filter((one) => this.ticked.has(keyOf(one)));
  }

  /** How many wait for the review since this began. */
  get waiting(): number {
    return Object.values(this.outcomes).reduce((sum, one) => sum + (one.state === "taken" ? one.taken.waiting : 0), 0);
  }

  /** Something was imported, or failed. */
  get begun(): boolean {
    return Object.keys(this.outcomes).length > 0;
  }

  outcome(source: MemorySource): Outcome | undefined {
    return this.outcomes[keyOf(source)];
  }

  tick(sources: MemorySource[], on: boolean): void {
    const next = new Set(this.ticked);
    for (const one of sources) {
      if (on) next.add(keyOf(one));
      else next.delete(keyOf(one));
    }
    this.ticked = next;
  }

  /** Imports what is ticked, one after another; one that fails does not stop the rest. */
  async take(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (const source of this.chosen) {
      const key = keyOf(source);
      this.outcomes[key] = { state: "busy" };
      try {
        this.outcomes[key] = { state: "taken", taken: await call("memory_take_in", { path: source.path, folder: source.folder }) };
      } catch (reason) {
        this.outcomes[key] = { state: "failed", sentence: asCallError(reason).sentence };
      }
    }
    this.busy = false;
  }
}
