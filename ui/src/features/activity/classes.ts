// How a call's raw size is known, in words.
import { t } from "../../i18n/index.svelte";

const CLASSES = ["measured", "estimated", "none"] as const;

/** One word for it. */
export function className(name: string): string {
  const known = CLASSES.find((one) => one === name);
  return known === undefined ? name : t(`activity.class.${known}`);
}

/** What it means, in a sentence; empty for a class of a newer sidecar. */
export function classMeaning(name: string): string {
  const known = CLASSES.find((one) => one === name);
  return known === undefined ? "" : t(`activity.class.${known}.text`);
}
