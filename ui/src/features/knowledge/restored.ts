// The message after a restore: where things went, or that some stay in the trash because they were indexed again since.
import type { Removed } from "../../contract";
import { t } from "../../i18n/index.svelte";

/** `project` is the name of the project that it went to; empty if there are several, or if it's unknown. */
export function restoredText(restored: readonly Pick<Removed, "trash">[], project = ""): string {
  if (restored.some((one) => one.trash.length > 0)) return t("knowledge.restored.partly");
  return project === "" ? t("knowledge.restored") : t("knowledge.restored.into", { project });
}
