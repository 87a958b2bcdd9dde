// What was written to memories and not saved, as it was in the fields when Escape or a click beside them closed the dialog. Pure;
// knows no dialog.

/** The fields of a memory. */
export interface Fields {
  content: string;
  namespace: string;
  scope: string;
  tags: string;
}

/** What is written to: a text of a memory, by its version, or a new one of a project. */
export interface Written {
  memory: { id: string; version: number } | undefined;
  project: string;
}

export class Unfinished {
  readonly #left = new Map<string, { version: number | undefined; fields: Fields }>();

  /** Keeps what is in the fields, unless that is what they began with: nobody wrote that. */
  keep(of: Written, fields: Fields, began: Fields): void {
    if (JSON.stringify(inOrder(fields)) === JSON.stringify(inOrder(began))) return;
    this.#left.set(keyOf(of), { version: of.memory?.version, fields });
  }

  /** Takes the kept text out, with the version of the memory's text that it's based on. */
  take(of: Written): { version: number | undefined; fields: Fields } | undefined {
    const left = this.#left.get(keyOf(of));
    this.#left.delete(keyOf(of));
    return left;
  }
}

const inOrder = ({ content, namespace, scope, tags }: Fields): string[] => [content, namespace, scope, tags];

/** A new one is of the project in which it was begun: it must not be saved in another. */
const keyOf = ({ memory, project }: Written): string => JSON.stringify(memory === undefined ? { project } : { memory: memory.id });
