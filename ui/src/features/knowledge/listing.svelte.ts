// How the list of sources is looked at: its filters, its order, what is unfolded, and which row was opened. Owned by the
// screen, because the list itself goes while a text is read. Knows no markup.
import type { RowKey } from "../../components/selection";
import type { DeleteSource, SourceKind, SourceOrder } from "../../contract";

export class Listing {
  /** A part of the name. */
  contains = $state("");
  kind = $state<SourceKind | "any">("any");
  order = $state<SourceOrder>("newest");
  /** Folders of which the files are shown. */
  unfolded = $state.raw<DeleteSource[]>([]);
  /** The row that was opened last, and its place then. */
  opened: { key: RowKey; at: number } | undefined;

  get filtered(): boolean {
    return this.contains.trim() !== "" || this.kind !== "any";
  }

  clear(): void {
    this.contains = "";
    this.kind = "any";
  }
}
