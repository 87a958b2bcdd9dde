// A list too long to hold: asked for a piece at a time while somebody scrolls. Owns which pieces are here,
// which are on their way, and that an answer to an older question is dropped. Knows nothing of rows or screens.
import { asCallError, type CallError } from "../platform";

/** A piece of a list and how long the whole is. */
export interface Piece<Row> {
  rows: Row[];
  total: number;
}

/** How to ask for a piece. */
export type Fetch<Row> = (offset: number, limit: number) => Promise<Piece<Row>>;

/** Rows in a piece. */
const PIECE = 200;
/** Pieces that are kept; the one used longest ago goes first. */
const KEPT = 24;

export class Paged<Row> {
  /** How many rows there are; null until the first answer. */
  total = $state<number | null>(null);
  /** Why the last question failed. */
  error = $state.raw<CallError | undefined>(undefined);
  /** A question is under way. */
  busy = $state(false);

  #pieces = new Map<number, Row[]>();
  #asked = new Set<number>();
  #version = $state(0);
  #question = 0;
  #fetch: Fetch<Row>;

  constructor(fetch: Fetch<Row>) {
    this.#fetch = fetch;
  }

  /** Asks anew, from the beginning. What is shown stays until the answer is here. */
  reload(fetch: Fetch<Row> = this.#fetch): Promise<void> {
    this.#fetch = fetch;
    this.#question += 1;
    this.#asked.clear();
    return this.#ask(0, true);
  }

  /** The row at `index`; undefined while it is on its way. */
  row(index: number): Row | undefined {
    void this.#version;
    const piece = Math.floor(index / PIECE);
    const rows = this.#pieces.get(piece);
    if (rows !== undefined) {
      this.#pieces.delete(piece);
      this.#pieces.set(piece, rows);
      return rows[index - piece * PIECE];
    }
    return undefined;
  }

  /** Sees to it that the rows from `first` to `last` come. To be called when they come into sight. */
  want(first: number, last: number): void {
    if (this.total === null || this.total === 0) return;
    const end = Math.floor(Math.min(last, this.total - 1) / PIECE);
    for (let piece = Math.floor(Math.max(0, first) / PIECE); piece <= end; piece += 1) {
      if (!this.#pieces.has(piece) && !this.#asked.has(piece)) void this.#ask(piece, false);
    }
  }

  async #ask(piece: number, anew: boolean): Promise<void> {
    const question = this.#question;
    this.#asked.add(piece);
    this.busy = true;
    try {
      const answer = await this.#fetch(piece * PIECE, PIECE);
      if (question !== this.#question) return;
      if (anew) this.#pieces.clear();
      this.#pieces.set(piece, answer.rows);
      while (this.#pieces.size > KEPT) {
        const oldest = this.#pieces.keys().next();
        if (oldest.done === true) break;
        this.#pieces.delete(oldest.value);
      }
      this.total = answer.total;
      this.error = undefined;
      this.#version += 1;
    } catch (error) {
      if (question !== this.#question) return;
      this.error = asCallError(error);
      if (anew) {
        this.#pieces.clear();
        this.total = null;
        this.#version += 1;
      }
    } finally {
      if (question === this.#question) {
        this.#asked.delete(piece);
        this.busy = this.#asked.size > 0;
      }
    }
  }
}
