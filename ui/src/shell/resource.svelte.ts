// Something that is asked from the program and shown: its value, whether it is on its way, why it did not come.
// Asks again when what it depends on changes and, if wanted, when something was written. The last answer stays
// on the screen meanwhile, so that nothing flickers.
import { asCallError, onChanged, type CallError } from "../platform";

export class Resource<T> {
  #load: () => Promise<T>;
  #turn = 0;
  #waiting: (() => void)[] = [];
  /** Something was written while a question was on its way: its answer may be of before that. */
  #stale = false;
  /** The last answer. */
  value = $state.raw<T | undefined>(undefined);
  /** Why the last question was not answered. */
  error = $state.raw<CallError | undefined>(undefined);
  /** A question is on its way. */
  busy = $state(false);

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Nothing has come yet, and nothing went wrong. */
  get first(): boolean {
    return this.value === undefined && this.error === undefined;
  }

  /** Asks again; an answer that was overtaken by a newer question is dropped. */
  async reload(): Promise<void> {
    const turn = ++this.#turn;
    this.#stale = false;
    this.busy = true;
    try {
      const value = await this.#load();
      if (turn !== this.#turn) return;
      this.value = value;
      this.error = undefined;
    } catch (reason) {
      if (turn !== this.#turn) return;
      this.error = asCallError(reason);
    }
    this.busy = false;
    this.#settle();
    if (this.#stale) void this.reload();
  }

  /** Asks the same once more, because something was written. The answer that's on its way is shown first: where an agent
   *  writes all the time, each question would overtake the one before, and a slow one would never be answered. */
  again(): void {
    if (this.busy) this.#stale = true;
    else void this.reload();
  }

  /** Resolves when a question under way has been answered, or failed. */
  settled(): Promise<void> {
    return this.busy ? new Promise((done) => this.#waiting.push(done)) : Promise.resolve();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const done of waiting) done();
  }

  /** Puts in an answer that came by another way. */
  set(value: T): void {
    this.#turn++;
    this.#stale = false;
    this.value = value;
    this.error = undefined;
    this.busy = false;
    this.#settle();
  }
}

/** In a component: asks now, again when a rune that `load` reads before its first `await` changes, and with
 *  `live` whenever something was written. */
export function resource<T>(load: () => Promise<T>, options: { live?: boolean } = {}): Resource<T> {
  const made = new Resource(load);
  $effect(() => {
    void made.reload();
  });
  if (options.live) $effect(() => onChanged(() => made.again()));
  return made;
}
