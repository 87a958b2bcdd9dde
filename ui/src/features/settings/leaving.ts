// What becomes of an agent's file, in the person's language. The program's own sentence stands where it says more
// than the few that are known here.
import { t, tn } from "../../i18n/index.svelte";

/** The state of a returned file in words. */
export function stateOf(state: string): string {
  const lines = /^Plimsoll's entries would go \((\d+) lines\)$/.exec(state);
  if (lines) return tn("settings.leaving.lines", Number(lines[1]));
  switch (state) {
    case "would be removed: Plimsoll made it":
      return t("settings.leaving.ours");
    case "as before":
      return t("settings.leaving.before");
    case "our entries are out":
      return t("settings.leaving.out");
    case "removed":
      return t("settings.leaving.removed");
    default:
      return state;
  }
}
