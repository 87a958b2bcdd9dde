// Opens the file behind a source in the user's editor, and a folder in the file manager.
import type { SourceRow } from "../../contract";
import { toastError } from "../../components/toasts.svelte";
import { t } from "../../i18n/index.svelte";
import { call } from "../../platform";

/** There is something to be opened. */
export const editable = (source: SourceRow): boolean => source.kind === "file" || source.kind === "folder";

/** The action's label. */
export const editing = (source: SourceRow): string => t(source.kind === "folder" ? "knowledge.edit.folder" : "knowledge.edit");

export async function edit(source: SourceRow): Promise<void> {
  try {
    await call("open", { what: "source", project: source.project, source: source.id });
  } catch (reason) {
    toastError(reason);
  }
}
