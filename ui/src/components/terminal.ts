// How to do the same in a terminal, with the values of this moment.
import { terminalCommands } from "../contract";
import type { CommandName } from "../platform";

/** A value quoted for a shell. */
export function quoted(value: string): string {
  return /^[\w@%+=:,./~-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** `terminalCommand("connect", { agent: "codex" })` → `plimsoll connect codex`; null where there is none. A value that is not known
 *  yet is in capitals, as manuals write it; an option without its value is left out. */
export function terminalCommand(command: CommandName, values: Record<string, string | number | boolean> = {}): string | null {
  const line = terminalCommands[command];
  if (line === null) return null;
  const known = (name: string) => Object.hasOwn(values, name);
  return line
    .replace(/ --[\w-]+ \{(\w+)\}/g, (whole, name: string) => (known(name) ? whole : ""))
    .replace(/\{(\w+)\}/g, (_, name: string) => (known(name) ? quoted(String(values[name])) : name.toUpperCase()));
}
