// What went wrong in the page, outside of any command: shown in the place of the screen, so that the way to the other
// screens stays, and written into the program's log.
import { CallError, call } from "../platform";
import { routePath } from "./route";
import { router } from "./router.svelte";

/** More aren't logged: a repeated defect adds nothing new. */
const MOST = 20;
const logged = new Set<string>();

let shown = $state.raw<{ error: unknown; at: string } | undefined>(undefined);

export const faults = {
  /** The error of the current screen. */
  get here(): unknown {
    return shown !== undefined && shown.at === router.route.screen ? shown.error : undefined;
  },
};

/** An error as the log and the crash screen say it. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Writes it into the program's log, once. A program that does not answer has other worries. */
export function log(error: unknown): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
  if (logged.has(text) || logged.size >= MOST || error instanceof CallError) return;
  logged.add(text);
  const screen = routePath({ screen: router.route.screen, rest: router.route.rest });
  call("page_fault", { screen, text }).catch(() => undefined);
}

/** The current screen has failed. */
export function fault(error: unknown): void {
  log(error);
  shown = { error, at: router.route.screen };
}

/** Tries the screen again. */
export function clear(): void {
  shown = undefined;
}
