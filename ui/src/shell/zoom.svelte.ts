// How large the window draws itself: the steps, the keys, and what is kept for the next start. Knows no screen.
import { say } from "../components/toasts.svelte";
import { t } from "../i18n/index.svelte";
import { setZoom } from "../platform";

/** The steps, in percent; those of browsers. The setting may have any number between the first and the last. */
export const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200];
const OWN_SIZE = 100;
/** How long after the last key press the size is saved, in milliseconds: five presses save once. */
const KEEP_MS = 400;

export type Direction = "in" | "out" | "reset";

let percent = $state(OWN_SIZE);
let keeping: ReturnType<typeof setTimeout> | undefined;

export const zoom = {
  /** The size now, in percent. */
  get percent(): number {
    return percent;
  },
};

/** The next step from a size, which may be between two steps. */
export function stepFrom(from: number, direction: Direction): number {
  if (direction === "reset") return OWN_SIZE;
  const further = direction === "in" ? STEPS.filter((step) => step > from) : STEPS.filter((step) => step < from);
  return (direction === "in" ? further[0] : further.at(-1)) ?? from;
}

/** What a key asks for, if it's one of those for the size: with ⌘ or Ctrl, on any keyboard and on its number pad. Plus needs
 *  Shift on some keyboards, and is written on the key of the equals sign there. */
export function directionOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): Direction | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  if (event.key === "+" || event.key === "=") return "in";
  if (event.key === "-" || event.key === "_") return "out";
  return event.key === "0" ? "reset" : undefined;
}

function draw(to: number): void {
  if (to === percent) return;
  percent = to;
  void setZoom(to / 100).catch(() => undefined);
}

/** Follows the setting, unless the keys have just changed it. A value written into the file by hand is kept within
 *  bounds. */
export function followZoom(value: unknown): void {
  if (keeping !== undefined || typeof value !== "number") return;
  draw(Math.min(Math.max(value, STEPS[0] ?? value), STEPS.at(-1) ?? value));
}

/** Makes everything larger or smaller at once, says so, and keeps it. */
export function changeZoom(direction: Direction, keep: (percent: number) => Promise<unknown>): void {
  draw(stepFrom(percent, direction));
  say(t("zoom.now", { percent }));
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    keeping = undefined;
    // What can't be kept is drawn all the same; the settings say why nothing is kept.
    void keep(percent).catch(() => undefined);
  }, KEEP_MS);
}
