// A list too long to load: asked for piece by piece while the user scrolls. Owns which pieces are here, which are on
// their way, and that an answer to an older question is dropped. Doesn't know rows or screens.
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
/** Dragging the scroll bar passes most rows: only those where it rests are loaded. */
const REST_MS = 40;

export class Paged<Row> {
  /** How many rows there are; null until the first answer. */
  total = $state<number | null>(null);
  /** Why the last question failed. */
  error = $state.raw<CallError | undefined>(undefined);
  /** Whether a question is pending. */
  busy = $state(false);

  #pieces = new Map<number, Row[]>();
  #asked = new Set<number>();
  #version = $state(0);
  #question = 0;
  /** Something was written while an answer was pending. */
  #stale = false;
  /** Whether the shown rows belong to an earlier question. */
  #other = true;
  #sight: [number, number] = [0, 0];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fetch: Fetch<Row>;

  constructor(fetch: Fetch<Row>) {
    this.#fetch = fetch;
  }

  /** Asks again for what is in view. The rows stay until the answer is here, then all change at once; where there is no
   *  answer, they stay beside the error. That there are none doesn't stay: there may be some by now. */
  async reload(): Promise<void> {
    const question = ++this.#question;
    this.#stale = false;
    this.#asked.clear();
    const [from, to] = this.#inSight();
    this.busy = true;
    try {
      const answers = await Promise.all(
        Array.from({ length: to - from + 1 }, (_, at) => this.#fetch((from + at) * PIECE, PIECE)),
      );
      if (question !== this.#question) return;
      this.#pieces.clear();
      answers.forEach((answer, at) => this.#pieces.set(from + at, answer.rows));
      this.#other = false;
      this.total = answers[0]?.total ?? 0;
      this.error = undefined;
      // Somebody may have scrolled on meanwhile.
      this.want(...this.#sight);
    } catch (reason) {
      if (question !== this.#question) return;
      if (this.#other || this.total === 0) {
        this.#pieces.clear();
        this.total = null;
      }
      this.error = asCallError(reason);
    }
    this.busy = false;
    this.#version += 1;
    if (this.#stale) void this.reload();
  }

  /** Asks again because something was written. What is on its way comes first: where an agent writes all the time, a slow answer
   *  would be overtaken again and again. */
  again(): void {
    if (this.busy) this.#stale = true;
    else void this.reload();
  }

  /** Another list: asks from its beginning. What is shown answers another question, so it does not outlive an error. */
  restart(): Promise<void> {
    clearTimeout(this.#timer);
    this.#sight = [0, 0];
    this.#other = true;
    return this.reload();
  }

  /** The row at `index`; undefined while it is loading. */
  row(index: number): Row | undefined {
    void this.#version;
    const piece = Math.floor(index / PIECE);
    return this.#pieces.get(piece)?.[index - piece * PIECE];
  }

  /** Rows from `first` to `last` are in sight: loads them. */
  want(first: number, last: number): void {
    this.#sight = [first, last];
    clearTimeout(this.#timer);
    const [from, to] = this.#inSight();
    let here = true;
    for (let piece = from; piece <= to; piece += 1) here &&= this.#pieces.has(piece);
    if (!here) this.#timer = setTimeout(() => this.#fill(), REST_MS);
  }

  #inSight(): [number, number] {
    const end = Math.max(0, (this.total ?? 1) - 1);
    const piece = (index: number) => Math.floor(Math.max(0, Math.min(index, end)) / PIECE);
    return [piece(this.#sight[0]), piece(this.#sight[1])];
  }

  #fill(): void {
    const [from, to] = this.#inSight();
    for (let piece = from; piece <= to; piece += 1) {
      if (!this.#pieces.has(piece) && !this.#asked.has(piece)) void this.#ask(piece);
    }
  }

  async #ask(piece: number): Promise<void> {
    const question = this.#question;
    this.#asked.add(piece);
    this.busy = true;
    try {
      const answer = await this.#fetch(piece * PIECE, PIECE);
      if (question !== this.#question) return;
      this.#pieces.set(piece, answer.rows);
      this.#forget();
      this.total = answer.total;
      this.error = undefined;
    } catch (reason) {
      if (question !== this.#question) return;
      this.error = asCallError(reason);
    }
    this.#asked.delete(piece);
    this.busy = this.#asked.size > 0;
    this.#version += 1;
    if (this.#stale && !this.busy) void this.reload();
  }

  /** Drops the pieces that are farthest from the visible rows. */
  #forget(): void {
    const [from] = this.#inSight();
    while (this.#pieces.size > KEPT) {
      const far = [...this.#pieces.keys()].reduce((a, b) => (Math.abs(b - from) > Math.abs(a - from) ? b : a));
      this.#pieces.delete(far);
    }
  }
}
