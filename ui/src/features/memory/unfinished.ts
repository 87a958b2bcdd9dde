// What was written to memories and not saved, as it was in the fields when Escape or a click beside them closed the dialog. Pure;
// knows no dialog.

/** What a memory is written with. */
export interface Fields {
  content: string;
  namespace: string;
  scope: string;
  tags: string;
}

/** What is written to: one text of a memory, or a new one of a project. */
export interface Written {
  memory: { id: string; version: number } | undefined;
  project: string;
}

export class Unfinished {
  readonly #left = new Map<string, { version: number | undefined; fields: Fields }>();

  keep(of: Written, fields: Fields): void {
    this.#left.set(keyOf(of), { version: of.memory?.version, fields });
  }

  /** What was kept, once; nothing if the memory has another text by now: saving would overwrite that. */
  take(of: Written): Fields | undefined {
    const left = this.#left.get(keyOf(of));
    this.#left.delete(keyOf(of));
    return left?.version === of.memory?.version ? left?.fields : undefined;
  }
}

/** A new one is of the project in which it was begun: it must not be saved in another. */
const keyOf = ({ memory, project }: Written): string => JSON.stringify(memory === undefined ? { project } : { memory: memory.id });
