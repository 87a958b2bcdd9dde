// The listed memories: what was typed and chosen, the rows, the memory that is read. Waits for a pause in typing and drops every
// outdated answer. Doesn't know how memories are shown.
import type { MemoriesPage, MemoriesQuery, MemoryRow, MemoryView } from "../../contract";
import { asCallError, call, type CallError } from "../../platform";

/** A pause of this length means that the user is reading. */
const PAUSE_MS = 80;
/** Rows of one answer. */
const PIECE = 50;
/** The program never gives more at once. */
const AT_ONCE = 200;
/** More than this isn't read; better words help more. */
const MOST = 1000;

/** What narrows a list down, beside words. */
export interface Narrowed {
  namespace: string;
  scope: string;
  status: string;
  trust: string;
  agent: string;
}

const NOTHING: Narrowed = { namespace: "", scope: "", status: "", trust: "", agent: "" };

export class Memories {
  /** The text in the field. */
  text = $state("");
  narrowed = $state.raw<Narrowed>(NOTHING);
  /** The last answer without its rows. */
  page = $state.raw<MemoriesPage | undefined>(undefined);
  rows = $state.raw<MemoryRow[]>([]);
  error = $state.raw<CallError | undefined>(undefined);
  busy = $state(false);
  /** The row that is chosen; -1 for none. */
  active = $state(-1);
  /** The item in the reader. */
  view = $state.raw<MemoryView | undefined>(undefined);
  viewError = $state.raw<CallError | undefined>(undefined);

  #project: () => string;
  /** The state that everything here is in, for a queue. */
  #status: string | undefined;
  #turn = 0;
  /** The question that the rows belong to. */
  #answered = "";
  /** Something was written while an answer was pending. */
  #stale = false;
  /** Whether the rows and the open memory are being reloaded. */
  #following = false;
  #reading = "";
  #reads = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(project: () => string, status?: string) {
    this.#project = project;
    this.#status = status;
  }

  /** Something narrows the list down, words or a choice. */
  get looking(): boolean {
    return this.text.trim() !== "" || Object.values(this.narrowed).some((one) => one !== "");
  }

  get more(): boolean {
    return this.page !== undefined && this.rows.length < Math.min(this.page.total, MOST);
  }

  /** The memory that is chosen. */
  get chosen(): MemoryRow | undefined {
    return this.rows[this.active];
  }

  /** The field changed. */
  typed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), PAUSE_MS);
  }

  /** Narrows the list down, or no longer. */
  narrow(by: Partial<Narrowed>): void {
    this.narrowed = { ...this.narrowed, ...by };
    void this.ask();
  }

  /** Nothing is looked for. */
  clear(): void {
    this.text = "";
    this.narrowed = NOTHING;
    void this.ask();
  }

  /** Asks now, and begins at the first row. */
  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#ask(0, false);
  }

  /** Asks again because something was written. The selection and the number of rows stay, and a pending answer is awaited
   *  first. */
  async again(): Promise<void> {
    if (this.busy || this.#following) {
      this.#stale = true;
      return;
    }
    this.#following = true;
    await this.#ask(0, true, Math.max(PIECE, this.rows.length));
    // Each time, not only once nothing is being written: an agent may write for hours.
    if (this.#reading !== "") await this.#read(this.#reading, true);
    this.#following = false;
    if (this.#stale) void this.again();
  }

  /** Fetches the next rows. */
  async further(): Promise<void> {
    // While something else is being typed, the next ones would be of another question.
    if (this.more && !this.busy && this.text.trim() === this.#answered) await this.#ask(this.rows.length, false);
  }

  /** Fetches the next rows as one reads on. What failed isn't asked for with every step: the button below them asks again. */
  async ahead(): Promise<void> {
    if (this.error === undefined) await this.further();
  }

  choose(index: number): void {
    const row = this.rows[index];
    this.active = row ? index : -1;
    if (row === undefined) this.#leave();
    else if (row.id !== this.#reading) void this.#read(row.id, false);
    if (index > this.rows.length - 10) void this.ahead();
  }

  /** Reads a memory that need not be among the rows. */
  open(id: string): void {
    this.active = this.rows.findIndex((row) => row.id === id);
    void this.#read(id, false);
  }

  /** Asks once more for the memory that couldn't be read. */
  reread(): void {
    if (this.#reading !== "") void this.#read(this.#reading, false);
  }

  /** Removes a row at once, because the memory is elsewhere now, and selects the next one. */
  take(id: string): void {
    const at = this.rows.findIndex((row) => row.id === id);
    if (at < 0) return;
    this.rows = this.rows.filter((row) => row.id !== id);
    if (this.page) this.page = { ...this.page, total: Math.max(0, this.page.total - 1) };
    this.choose(Math.min(at, this.rows.length - 1));
  }

  #leave(): void {
    this.#reads += 1;
    this.#reading = "";
    this.view = undefined;
    this.viewError = undefined;
  }

  async #read(id: string, quietly: boolean): Promise<void> {
    const turn = ++this.#reads;
    this.#reading = id;
    if (!quietly) this.viewError = undefined;
    try {
      const view = await call("memory", { id });
      if (turn !== this.#reads) return;
      this.view = view;
      this.viewError = undefined;
    } catch (reason) {
      if (turn !== this.#reads) return;
      const error = asCallError(reason);
      // What is read stays, unless it's known to be gone.
      if (quietly && this.view?.row.id === id && error.code !== "not_found") return;
      this.view = undefined;
      this.viewError = error;
    }
  }

  async #ask(offset: number, keep: boolean, limit = PIECE): Promise<void> {
    const turn = ++this.#turn;
    const status = this.#status ?? this.narrowed.status;
    const text = this.text.trim();
    if (offset === 0) this.#stale = false;
    this.busy = true;
    try {
      const page = await this.#pages({ project: this.#project(), text, ...this.narrowed, status }, offset, limit);
      if (turn !== this.#turn) return;
      this.rows = offset === 0 ? page.rows : onlyOnce([...this.rows, ...page.rows]);
      this.#answered = text;
      this.page = offset > 0 && page.rows.length === 0 ? { ...page, total: this.rows.length } : page;
      this.error = undefined;
      if (offset === 0) {
        // The memory that is open now, not the one that was open when the question was sent.
        const at = keep && this.#reading !== "" ? this.rows.findIndex((row) => row.id === this.#reading) : 0;
        if (at >= 0) this.choose(at);
        else if (this.#status === undefined) this.active = -1;
        // A memory that was decided elsewhere left the queue: open the next one.
        else this.choose(Math.min(Math.max(0, this.active), this.rows.length - 1));
      }
    } catch (reason) {
      if (turn !== this.#turn) return;
      this.error = asCallError(reason);
      // A filter that is being typed is wrong for a moment: what was found stays meanwhile, as it does where the same question isn't
      // answered again.
      if (offset === 0 && !keep && this.error.code !== "invalid_argument") [this.rows, this.page] = [[], undefined];
    }
    this.busy = false;
    if (this.#stale && !this.#following) void this.again();
  }

  /** So many rows from a place on, in as many answers as that takes. */
  async #pages(asked: Omit<MemoriesQuery, "offset" | "limit">, offset: number, limit: number): Promise<MemoriesPage> {
    const page = await call("memories", { ...asked, offset, limit: Math.min(limit, AT_ONCE) });
    let rows = page.rows;
    for (let at = rows.length; at < limit && at + offset < page.total; ) {
      const more = await call("memories", { ...asked, offset: offset + at, limit: Math.min(limit - at, AT_ONCE) });
      if (more.rows.length === 0) break;
      rows = [...rows, ...more.rows];
      at += more.rows.length;
    }
    return { ...page, rows: onlyOnce(rows) };
  }
}

/** Without those that were pushed to the next piece by a new one meanwhile, and so came twice. */
function onlyOnce(rows: readonly MemoryRow[]): MemoryRow[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}
