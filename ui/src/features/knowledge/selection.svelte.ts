// What is open in a project: which hit, which source, and at which section. Owns how an answer becomes what is shown; doesn't
// know what changes the stored sources.
import { untrack } from "svelte";
import { tn } from "../../i18n/index.svelte";
import { say } from "../../components/toasts.svelte";
import type { SearchHit } from "../../contract";
import { EVERY } from "./project.svelte";
import type { Place } from "./Reader.svelte";
import { Search } from "./search.svelte";

export class Selection {
  readonly search: Search;
  /** The hit that is chosen, by its place among the hits. */
  active = $state(-1);
  /** The item in the reader. */
  place = $state.raw<Place | undefined>(undefined);

  #project: () => string;
  /** The answer of which the first hit was shown already. */
  #answered = "";
  /** The hit that the address names, until the answer is here. */
  #wanted: Place | undefined;

  constructor(project: () => string) {
    this.#project = project;
    this.search = new Search(project);
  }

  /** Something is looked for. */
  get searching(): boolean {
    return this.search.wanted;
  }

  /** The hit that the address names is still to come. */
  get waiting(): boolean {
    return this.#wanted !== undefined;
  }

  choose(index: number): void {
    this.active = index;
    const hit = this.search.hits[index];
    this.place = hit ? { project: hit.project, source: hit.source_id, section: hit.section } : undefined;
    if (index > this.search.hits.length - 10) void this.search.ahead();
  }

  /** The field changed and isn't empty. */
  typed(): void {
    this.#wanted = undefined;
    this.search.typed();
  }

  /** Searches for a link's words; `hit` is the hit that the link names. */
  follow(query: string, hit: Place | undefined): void {
    this.search.query = query;
    this.#answered = "";
    this.#wanted = hit?.section === undefined ? undefined : hit;
    // It was found among everything.
    if (this.#wanted) [this.search.kind, this.search.newest] = ["any", false];
    void this.search.ask();
  }

  /** Ends the search. */
  leave(): void {
    this.search.clear();
    this.#answered = "";
    this.#wanted = undefined;
    this.#nowhere();
  }

  /** Another project: another question. */
  elsewhere(): void {
    this.#nowhere();
    void this.search.ask();
  }

  /** Something was stored: asks again, and what is read stays on the screen. */
  async again(): Promise<void> {
    if (!(await this.search.again())) return;
    // What is read by now, not what was when it was asked.
    const { place } = this;
    if (this.active < 0 || place === undefined) return;
    this.active = this.search.hits.findIndex((one) => one.project === place.project && one.source_id === place.source && one.section === place.section);
  }

  /** What was found may be gone: asks again, and begins at the first hit. */
  async anew(): Promise<void> {
    this.#answered = "";
    await this.search.ask();
  }

  /** An answer may have come. The first hit is shown by itself, unless the address names another; what was chosen stays
   *  chosen while more hits arrive. For an effect, which follows the answer and nothing that is done with it. */
  show(): void {
    const { search } = this;
    const now = `${search.answered}|${this.#project()}|${search.kind}|${search.newest}`;
    const page = search.page;
    if (page === undefined || now === this.#answered) return;
    this.#answered = now;
    untrack(() => {
      const wanted = this.#wanted;
      this.#wanted = undefined;
      // Each project numbers its own sections and sources.
      const isIt = (one: SearchHit): boolean => one.section === wanted?.section && one.source_id === wanted.source && (wanted.project === EVERY || one.project === wanted.project);
      const at = wanted === undefined ? 0 : search.hits.findIndex(isIt);
      if (at >= 0) this.choose(at < search.hits.length ? at : -1);
      else [this.active, this.place] = [-1, wanted];
      say(tn("knowledge.found", page.total));
    });
  }

  #nowhere(): void {
    this.place = undefined;
    this.active = -1;
  }
}
