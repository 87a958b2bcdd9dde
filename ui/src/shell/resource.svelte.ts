// A value that the window loads from the program: the value, whether it is loading, and why loading failed. Reloads when its
// dependencies change and, if wanted, when something was written. The last value stays on the screen meanwhile, so that nothing
// flickers.
import { asCallError, onChanged, type CallError } from "../platform";

export class Resource<T> {
  #load: () => Promise<T>;
  #turn = 0;
  #waiting: (() => void)[] = [];
  /** Something was written while a question was pending, so its answer may be outdated. */
  #stale = false;
  /** The last answer. */
  value = $state.raw<T | undefined>(undefined);
  /** Why the last question was not answered. */
  error = $state.raw<CallError | undefined>(undefined);
  /** Whether a question is pending. */
  busy = $state(false);

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Whether there is neither a value nor an error yet. */
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

  /** Sets the value from an answer that arrived another way. */
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

/** A question, its last answer, and why it wasn't answered the last time. */
export interface Answer<T> {
  question: string;
  value: T | undefined;
  error: CallError | undefined;
}

/** Asks a question that changes. Where the same one isn't answered again, its answer stays beside the error; the answer to
 *  another one says nothing about this one. */
export async function answerTo<T>(question: string, load: () => Promise<T>, last: () => Answer<T> | undefined): Promise<Answer<T>> {
  try {
    return { question, value: await load(), error: undefined };
  } catch (reason) {
    const before = last();
    return { question, value: before?.question === question ? before.value : undefined, error: asCallError(reason) };
  }
}

/** {@link resource} for a question that changes. Until a new one is answered, the value is still that of the one before. */
export function resourceFor<T>(question: () => string, load: () => Promise<T>, options: { live?: boolean } = {}): Resource<Answer<T>> {
  const made: Resource<Answer<T>> = resource(() => answerTo(question(), load, () => made.value), options);
  return made;
}
