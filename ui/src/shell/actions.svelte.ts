// The list behind ⌘K. Screens add their actions while they are shown; the shell adds those that are always there.
import { untrack } from "svelte";
import type { IconName } from "../components/Icon.svelte";

export interface Action {
  /** Unique: `knowledge.purge`. */
  id: string;
  label: string;
  icon?: IconName;
  /** Shown at the right: `mod+1`. */
  keys?: string;
  /** The command line that does the same. */
  terminal?: string | null;
  /** More words that find it. */
  also?: string;
  run: () => void;
}

let sets = $state.raw<{ key: symbol; list: () => Action[] }[]>([]);

/** Every action there is at this moment, the screen's own first. */
export function allActions(): Action[] {
  return [...sets].reverse().flatMap((set) => set.list());
}

/** In a component: offers actions while it is shown. `list` is read when the palette opens, so labels are current. */
export function offer(list: () => Action[]): void {
  $effect(() => {
    const key = Symbol();
    // The list of lists is written here without tracking it; otherwise two screens would wake each other forever.
    sets = [...untrack(() => sets), { key, list }];
    return () => {
      sets = sets.filter((set) => set.key !== key);
    };
  });
}
