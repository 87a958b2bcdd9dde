// Filters by the command that was typed: `cargo-test` is `cargo test`. Loaded once; a filter that no longer exists
// keeps its own name.
import { SvelteMap } from "svelte/reactivity";
import { t } from "../i18n/index.svelte";
import { call } from "../platform";

const names = new SvelteMap<string, string>();
let asked = false;

/** Learns which filter answers to which command. */
export async function knowCommands(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    const view = await call("filters", {});
    for (const { name, commands } of view.filters) if (commands[0] !== undefined) names.set(name, together(commands));
  } catch {
    // The names of the filters say nearly the same.
    asked = false;
  }
}

/** `git log`, `git diff`, `git show` → `git log, diff, show`; of many, the first. */
function together(commands: readonly string[]): string {
  const [first = ""] = commands;
  const program = first.split(" ")[0] ?? first;
  if (commands.length > 3 || !commands.every((one) => one.startsWith(`${program} `))) return first;
  return [first, ...commands.slice(1).map((one) => one.slice(program.length + 1))].join(", ");
}

/** What a filter shortens, as people type it. */
export function commandName(filter: string): string {
  if (filter === "generic") return t("home.generic");
  return names.get(filter) ?? filter;
}
