// The filters as the window knows them, and switching one: asked for once a screen wants to know, again whenever
// something was written. Activity and Settings share it. Knows no markup.
import type { FilterRow, FiltersView } from "../contract";
import { toast, toastError } from "../components/toasts.svelte";
import { terminalCommand } from "../components/terminal";
import { t } from "../i18n/index.svelte";
import { asCallError, call, onChanged, type CallError, type Unlisten } from "../platform";

let view = $state.raw<FiltersView | undefined>(undefined);
let error = $state.raw<CallError | undefined>(undefined);
let turn = 0;

export const filters = {
  /** All of them; undefined until the first answer. */
  get view(): FiltersView | undefined {
    return view;
  },
  /** Why the last question was not answered. */
  get error(): CallError | undefined {
    return error;
  },
  /** The filter of this name, if there is one that can be switched. */
  of: (name: string): FilterRow | undefined => view?.filters.find((row) => row.name === name),
};

/** Asks for them. */
export async function learnFilters(): Promise<void> {
  const mine = ++turn;
  try {
    const answer = await call("filters", {});
    if (mine !== turn) return;
    view = answer;
    error = undefined;
  } catch (reason) {
    if (mine === turn) error = asCallError(reason);
  }
}

/** Loads them now and whenever something was written, until the returned function is called. */
export function followFilters(): Unlisten {
  void learnFilters();
  return onChanged(() => void learnFilters());
}

/** Switches one, says so, and offers the way back. */
export async function switchFilter(name: string, on: boolean): Promise<void> {
  turn += 1;
  try {
    view = await call("switch_filter", { name, on });
    error = undefined;
  } catch (reason) {
    toastError(reason);
    return;
  }
  toast(t(on ? "filters.switched.on" : "filters.switched.off", { name }), {
    action: { label: t("action.undo"), run: () => void switchFilter(name, !on) },
  });
}

/** The command line that switches it. */
export const switchCommand = (name: string, on: boolean): string | null =>
  on ? (terminalCommand("switch_filter", { key: name })?.replace(" off ", " on ") ?? null) : terminalCommand("switch_filter", { key: name });
