// Search as you type: waits for a pause of the fingers, asks, and drops every answer that was overtaken. Owns the
// question and its hits; does not know how they are shown.
import type { Kind, SearchHit, SearchPage } from "../../contract";
import { asCallError, call, type CallError } from "../../platform";

/** A pause of this length means that the user is reading. */
const PAUSE_MS = 80;
/** Hits of one answer. */
const PIECE = 50;
/** More than this isn't read; better words help more. */
const MOST = 1000;

export class Search {
  /** The text in the field. */
  query = $state("");
  /** Only code, only prose, or both. */
  kind = $state<Kind | "any">("any");
  newest = $state(false);
  /** The last answer without its hits. */
  page = $state.raw<SearchPage | undefined>(undefined);
  hits = $state.raw<SearchHit[]>([]);
  /** The question that the answer belongs to. */
  answered = $state("");
  error = $state.raw<CallError | undefined>(undefined);
  busy = $state(false);

  #project: () => string;
  #turn = 0;
  /** The last question, until it's answered. */
  #asking: Promise<void> = Promise.resolve();
  /** Once it's answered, it's asked again. */
  #follows = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(project: () => string) {
    this.#project = project;
  }

  /** The key of the searched project. */
  get project(): string {
    return this.#project();
  }

  /** There is something to look for. */
  get wanted(): boolean {
    return this.query.trim() !== "";
  }

  /** The field changed. */
  typed(): void {
    clearTimeout(this.#timer);
    if (!this.wanted) {
      this.clear();
      return;
    }
    this.#timer = setTimeout(() => void this.ask(), PAUSE_MS);
  }

  /** Empties field and answer. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.query = "";
    this.answered = "";
    this.page = undefined;
    this.hits = [];
    this.error = undefined;
    this.busy = false;
  }

  /** Asks now. */
  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.wanted || this.#project() === "") return;
    await this.#ask(0);
  }

  /** Asks the answered question again, because something was stored; not where one has read on beyond the first hits, nor
   *  while something else is being typed. What is on its way comes first. Says whether there's a new answer. */
  async again(): Promise<boolean> {
    if (this.#follows) return false;
    this.#follows = true;
    while (this.busy) await this.#asking;
    this.#follows = false;
    if (this.answered === "" || this.query.trim() !== this.answered || this.hits.length > PIECE) return false;
    await this.#ask(0, true);
    return this.error === undefined;
  }

  /** There are hits that are not here yet. */
  get more(): boolean {
    return this.page !== undefined && this.hits.length < Math.min(this.page.total, MOST);
  }

  /** Fetches the next hits. */
  async further(): Promise<void> {
    // While something else is being typed, the next ones would be of another question.
    if (this.more && !this.busy && this.query.trim() === this.answered) await this.#ask(this.hits.length);
  }

  /** Fetches the next hits as one reads on. What failed isn't asked for with every step: the button below them asks again. */
  async ahead(): Promise<void> {
    if (this.error === undefined) await this.further();
  }

  #ask(offset: number, keep = false): Promise<void> {
    this.#asking = this.#answer(offset, keep);
    return this.#asking;
  }

  /** Where the same question isn't answered again (`keep`), or not further, the hits stay beside the error. */
  async #answer(offset: number, keep: boolean): Promise<void> {
    const turn = ++this.#turn;
    const query = this.query.trim();
    this.busy = true;
    try {
      const page = await call("search", {
        project: this.#project(),
        query,
        newest: this.newest,
        offset,
        limit: PIECE,
        ...(this.kind === "any" ? {} : { kind: this.kind }),
      });
      if (turn !== this.#turn) return;
      this.hits = offset === 0 ? page.hits : [...this.hits, ...page.hits];
      this.page = offset > 0 && page.hits.length === 0 ? { ...page, total: this.hits.length } : page;
      this.answered = query;
      this.error = undefined;
    } catch (reason) {
      if (turn !== this.#turn) return;
      this.error = asCallError(reason);
      if (offset === 0 && !keep) {
        this.hits = [];
        this.page = undefined;
      }
    }
    this.busy = false;
  }
}
