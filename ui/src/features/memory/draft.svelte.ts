// A prompt that is being written: its fields, the values it is tried with, and how it reads. Asks for the preview in pauses of the
// fingers and drops every answer that was overtaken.
import type { MemoryPrompt } from "../../contract";
import { asCallError, call } from "../../platform";

const PAUSE_MS = 80;

export class Draft {
  /** The saved one that is edited; none for a new one. */
  of = $state.raw<MemoryPrompt | undefined>(undefined);
  open = $state(false);
  name = $state("");
  scope = $state("project");
  description = $state("");
  content = $state("");
  values = $state.raw<Record<string, string>>({});
  places = $state.raw<string[]>([]);
  preview = $state("");
  problem = $state<string | undefined>(undefined);
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Opens one; `fresh` for one that is not saved yet. */
  edit(prompt: MemoryPrompt, fresh = false): void {
    this.of = fresh ? undefined : prompt;
    this.open = true;
    [this.name, this.scope, this.description, this.content] = [prompt.name, prompt.scope, prompt.description, prompt.content];
    this.values = Object.fromEntries(prompt.variables.flatMap((one) => (one.default === null ? [] : [[one.name, one.default]])));
    void this.#ask();
  }

  /** It was saved as it is; what it is tried with stays. */
  taken(prompt: MemoryPrompt): void {
    this.of = prompt;
    this.name = prompt.name;
  }

  close(): void {
    this.open = false;
    this.of = undefined;
  }

  get changed(): boolean {
    const { of } = this;
    return of === undefined || of.content !== this.content || of.description !== this.description;
  }

  typed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  fill(place: string, value: string): void {
    this.values = { ...this.values, [place]: value };
    this.typed();
  }

  /** What is to be saved: what is known of each place stays known. */
  prompt(): MemoryPrompt {
    const variables = this.of?.variables.filter((one) => this.places.includes(one.name)) ?? [];
    return { name: this.name.trim(), scope: this.scope, version: 0, description: this.description, content: this.content, variables, created_ms: 0 };
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    try {
      const answer = await call("memory_preview_prompt", { content: this.content, values: this.values });
      if (turn !== this.#turn) return;
      this.problem = answer.problem ?? undefined;
      // What was there stays while a place is half typed.
      if (answer.problem === null) [this.preview, this.places] = [answer.text, answer.places];
    } catch (reason) {
      if (turn === this.#turn) this.problem = asCallError(reason).message;
    }
  }
}
