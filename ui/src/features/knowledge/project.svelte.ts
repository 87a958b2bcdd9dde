// Which project is shown. It is guessed once, from where the user most likely is; from then on only the user, the tray
// or a link changes it: an agent that stores something elsewhere moves nothing unasked. A link to a project without
// stored sources doesn't open another one.
import type { ProjectView } from "../../contract";
import { basename } from "../../i18n/format";

/** Stands for every project, in the place of a key. */
export const EVERY = "*";

/** A project as it was when a dialog opened, kept until it closes. */
export interface Target {
  key: string;
  name: string;
  folder: string | null;
}

/** Where the user most likely is: the agent that was started last, else where something was stored last. */
export function defaultProject(list: readonly ProjectView[], root: string | null): ProjectView | undefined {
  const there = list.find((one) => one.root !== null && one.root === root && one.sources > 0);
  return there ?? [...list].sort((a, b) => b.last_ms - a.last_ms)[0];
}

/** The project that an address names, by its key, its folder or its name. */
export function namedBy(list: readonly ProjectView[], wanted: string): ProjectView | undefined {
  return list.find((one) => one.key === wanted || one.root === wanted || one.name === wanted);
}

/** What people call a project that is not in the list: its key without the hash, or the last part of its folder. */
export function plainName(wanted: string): string {
  return basename(wanted.replace(/-[0-9a-f]{16}$/, ""));
}

export class ProjectChoice {
  #key = $state("");
  /** The project that a link named, if nothing is stored for it. */
  #wanted = $state<string | undefined>(undefined);
  #list: () => readonly ProjectView[];
  #root: () => string | null;

  /** `list` are the projects there are, `root` is the folder in which an agent works now. */
  constructor(list: () => readonly ProjectView[], root: () => string | null) {
    this.#list = list;
    this.#root = root;
  }

  /** Whether all projects are shown. */
  get every(): boolean {
    return this.#wanted === undefined && this.#key === EVERY;
  }

  get project(): ProjectView | undefined {
    if (this.every) return undefined;
    if (this.#wanted !== undefined) return namedBy(this.#list(), this.#wanted);
    return this.#list().find((one) => one.key === this.#key) ?? defaultProject(this.#list(), this.#root());
  }

  /** The project that a link named and of which nothing is stored, as the link says it. */
  get missing(): string | undefined {
    return this.project === undefined ? this.#wanted : undefined;
  }

  /** Stays with the project that is shown now. */
  hold(): void {
    const key = this.project?.key;
    if (key !== undefined) this.choose(key);
  }

  choose(key: string): void {
    this.#key = key;
    this.#wanted = undefined;
  }

  /** Goes where a link leads; once something is stored there, that is shown. */
  follow(wanted: string): void {
    if (wanted === EVERY) return this.choose(EVERY);
    const found = namedBy(this.#list(), wanted);
    if (found) this.choose(found.key);
    else this.#wanted = wanted;
  }
}
