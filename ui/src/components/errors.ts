// The catalogue's texts for an error, by its code.
import { t } from "../i18n/index.svelte";
import type { CallError } from "../platform";

const KNOWN = ["unreachable", "storage", "not_found", "network", "timeout", "denied", "not_available", "invalid_argument", "failed", "internal"] as const;

/** Which of the catalogue's texts belong to this error. */
export function kindOf(error: Pick<CallError, "code">): (typeof KNOWN)[number] | "other" {
  return KNOWN.find((one) => one === error.code) ?? "other";
}

/** What happened, in a few words: shown above the program's own sentence. */
export function headingOf(error: Pick<CallError, "code">): string {
  return t(`error.${kindOf(error)}.title`);
}
