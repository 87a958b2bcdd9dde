// A prompt or template that is being written: its fields, the values it is tried with, its earlier versions, and how it reads. Asks for the preview in pauses of the
// fingers and drops every answer that was overtaken. Unsaved text is restored when the user returns to it, as long as the window is open.
import type { MemoryPrompt, Sentence } from "../../contract";
import { asCallError, call } from "../../platform";

const PAUSE_MS = 80;

/** One that was left before it was saved: what was opened, and what was in its fields. */
interface Unsaved {
  prompt: MemoryPrompt;
  fresh: boolean;
  fields: Pick<Draft, "name" | "scope" | "description" | "content" | "format">;
}

/** By project and by what they are; the one that was left last is the last. */
const unsaved = new Map<string, Map<string, Unsaved>>();

export class Draft {
  /** The saved one that is edited; none for a new one. */
  of = $state.raw<MemoryPrompt | undefined>(undefined);
  open = $state(false);
  kind = $state("prompt");
  name = $state("");
  scope = $state("project");
  description = $state("");
  content = $state("");
  /** How a template is shown: `markdown`, `json`, `xml`. */
  format = $state("markdown");
  /** Which memories a template is tried with. */
  query = $state("");
  /** Every saved version, the newest first. */
  versions = $state.raw<MemoryPrompt[]>([]);
  /** The one whose text is in the fields. */
  version = $state("");
  values = $state.raw<Record<string, string>>({});
  places = $state.raw<string[]>([]);
  lists = $state.raw<string[]>([]);
  /** How many memories the preview shows; examples replace them if there are none. */
  memories = $state(0);
  examples = $state(false);
  preview = $state("");
  problem = $state<Sentence | undefined>(undefined);
  /** Counts the opened ones, because the answer to a save may arrive when another one is open. */
  edition = 0;
  readonly #project: () => string;
  readonly #left: Map<string, Unsaved>;
  /** The opened prompt. */
  #begun = $state.raw<{ prompt: MemoryPrompt; fresh: boolean } | undefined>(undefined);
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(project: () => string) {
    this.#project = project;
    this.#left = unsaved.get(project()) ?? new Map<string, Unsaved>();
    unsaved.set(project(), this.#left);
  }

  /** Opens the one that was left last before it was saved, if there is one. */
  resume(): void {
    const last = [...this.#left.values()].at(-1);
    if (last) this.edit(last.prompt, last.fresh);
  }

  /** Another one is opened, or the screen is left: what isn't saved is kept. */
  leave(): void {
    const begun = this.#begun;
    if (begun === undefined) return;
    this.#left.delete(keyOf(begun));
    const { name, scope, description, content, format } = this;
    if (this.written) this.#left.set(keyOf(begun), { ...begun, fields: { name, scope, description, content, format } });
  }

  /** Opens one; `fresh` for one that is not saved yet. */
  edit(prompt: MemoryPrompt, fresh = false): void {
    this.leave();
    this.edition += 1;
    this.#begun = { prompt, fresh };
    this.of = fresh ? undefined : prompt;
    this.open = true;
    [this.kind, this.name, this.scope, this.query, this.versions] = [prompt.kind, prompt.name, prompt.scope, "", []];
    this.#fields(prompt, this.#left.get(keyOf(this.#begun))?.fields);
    if (!fresh) void this.#look();
  }

  /** Puts an earlier version's text into the fields; saving makes it the newest. */
  back(version: string): void {
    const found = this.versions.find((one) => String(one.version) === version);
    if (found) this.#fields(found);
  }

  #fields(prompt: MemoryPrompt, written?: Unsaved["fields"]): void {
    [this.description, this.content, this.version] = [prompt.description, prompt.content, String(prompt.version)];
    this.format = prompt.format === "" ? "markdown" : prompt.format;
    if (written) Object.assign(this, written);
    this.values = Object.fromEntries(prompt.variables.flatMap((one) => (one.default === null ? [] : [[one.name, one.default]])));
    void this.#ask();
  }

  async #look(): Promise<void> {
    const { of } = this;
    if (of === undefined) return;
    try {
      const { rows } = await call("memory_prompt_versions", { project: this.#project(), kind: of.kind, scope: of.scope, name: of.name });
      if (this.of === of) this.versions = rows;
    } catch {
      // The text itself is here; errors of the others are shown with the list.
      if (this.of === of) this.versions = [];
    }
  }

  /** It was saved as it is, unless another one is open by now; what it is tried with stays. */
  taken(prompt: MemoryPrompt, edition: number): void {
    if (edition !== this.edition) return;
    this.#forget();
    this.#begun = { prompt, fresh: false };
    this.of = prompt;
    this.name = prompt.name;
    this.version = String(prompt.version);
    void this.#look();
  }

  /** It's gone. */
  close(edition: number): void {
    if (edition !== this.edition) return;
    this.#forget();
    this.open = false;
    this.of = undefined;
  }

  /** Discards the changes: a new one disappears, any other gets its saved text back. */
  drop(): void {
    const { of } = this;
    this.#forget();
    if (of !== undefined) return this.edit(of);
    this.edition += 1;
    this.open = false;
  }

  #forget(): void {
    if (this.#begun) this.#left.delete(keyOf(this.#begun));
    this.#begun = undefined;
  }

  get changed(): boolean {
    return this.#differs(this.of);
  }

  /** Whether the user has changed something; merely viewing an earlier version doesn't count. */
  get written(): boolean {
    const begun = this.#begun;
    if (begun === undefined) return false;
    if (begun.fresh) return this.name.trim() !== "" || this.description !== "" || this.content !== begun.prompt.content;
    return this.changed && this.#differs(this.versions.find((one) => String(one.version) === this.version));
  }

  #differs(from: MemoryPrompt | undefined): boolean {
    return from === undefined || from.content !== this.content || from.description !== this.description || (from.format || "markdown") !== this.format;
  }

  typed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  fill(place: string, value: string): void {
    this.values = { ...this.values, [place]: value };
    this.typed();
  }

  /** What will be saved: details of the variables that are still used are kept. */
  prompt(): MemoryPrompt {
    const variables = this.of?.variables.filter((one) => this.places.includes(one.name)) ?? [];
    const format = this.kind === "template" ? this.format : "";
    return { kind: this.kind, name: this.name.trim(), scope: this.scope, version: 0, description: this.description, content: this.content, variables, tags: this.of?.tags ?? [], format, created_ms: 0 };
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    try {
      const answer = await call("memory_preview_prompt", { project: this.#project(), kind: this.kind, name: this.name, format: this.format, query: this.query, content: this.content, values: this.values });
      if (turn !== this.#turn) return;
      this.problem = answer.problem ?? undefined;
      // What was there stays while a place is half typed.
      if (answer.problem !== null) return;
      [this.preview, this.places, this.lists] = [answer.text, answer.places, answer.lists];
      [this.memories, this.examples] = [answer.memories, answer.examples];
    } catch (reason) {
      if (turn === this.#turn) this.problem = asCallError(reason).sentence;
    }
  }
}

/** Of the new ones, one of a kind is being written. */
function keyOf({ prompt, fresh }: Pick<Unsaved, "prompt" | "fresh">): string {
  return JSON.stringify(fresh ? [prompt.kind] : [prompt.kind, prompt.scope, prompt.name]);
}
