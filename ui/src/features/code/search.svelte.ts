// Search in code as one types: waits for a pause of the fingers, asks, drops every answer that was overtaken. Owns the question,
// its places and which one is chosen; does not know how they are shown.
import type { CodeHit, CodePage } from "../../contract";
import { asCallError, call, type CallError } from "../../platform";

/** A pause of this length means that the user is reading. */
const PAUSE_MS = 120;
/** Places of one answer. */
const PIECE = 40;

export class CodeSearch {
  text = $state("");
  rows = $state.raw<CodeHit[]>([]);
  /** The last answer. */
  page = $state.raw<CodePage | undefined>(undefined);
  /** The question that the answer belongs to. */
  answered = $state("");
  error = $state.raw<CallError | undefined>(undefined);
  active = $state(-1);
  #project: string;
  #turn = 0;
  #busy = false;
  /** Something was written while an answer was pending. */
  #stale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(project: string) {
    this.#project = project;
  }

  get chosen(): CodeHit | undefined {
    return this.rows[this.active];
  }

  typed(): void {
    clearTimeout(this.#timer);
    if (this.text.trim() === "") this.clear();
    else this.#timer = setTimeout(() => void this.ask(), PAUSE_MS);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#busy = this.#stale = false;
    [this.text, this.answered, this.rows, this.page, this.error, this.active] = ["", "", [], undefined, undefined, -1];
  }

  /** Repeats the question because something was written. A pending answer is awaited first; otherwise a slow one would be
   *  overtaken again and again. */
  again(): void {
    if (this.#busy) this.#stale = true;
    else if (this.answered !== "") void this.ask();
  }

  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    const text = this.text.trim();
    if (text === "") return;
    const turn = ++this.#turn;
    this.#stale = false;
    this.#busy = true;
    try {
      const page = await call("code_search", { project: this.#project, text, offset: 0, limit: PIECE });
      if (turn !== this.#turn) return;
      // What is chosen by now, not what was when it was asked.
      const same = this.answered === text ? placeOf(this.chosen, page.rows) : 0;
      [this.rows, this.page, this.answered, this.error] = [page.rows, page, text, undefined];
      this.active = page.rows.length === 0 ? -1 : same;
    } catch (reason) {
      if (turn !== this.#turn) return;
      this.error = asCallError(reason);
      // Where the same question isn't answered again, its places stay beside the error.
      if (this.answered !== text) [this.rows, this.page, this.active] = [[], undefined, -1];
    }
    this.#busy = false;
    if (this.#stale) void this.ask();
  }
}

/** The index of a place among the new ones: the same lines, else the same name in that file, else that file, else the first. */
function placeOf(kept: CodeHit | undefined, rows: readonly CodeHit[]): number {
  const inFile = rows.flatMap((row, at) => (row.path === kept?.path ? [{ row, at }] : []));
  const same = inFile.find(({ row }) => row.start === kept?.start) ?? inFile.find(({ row }) => row.symbol === kept?.symbol) ?? inFile[0];
  return same?.at ?? 0;
}
