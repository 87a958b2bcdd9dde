// Everything that the window does can be typed, and the window says how.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { terminalCommands } from "../src/contract";

const root = join(import.meta.dirname, "../src");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(svelte|ts)$/.test(name) && !name.startsWith("contract"))
  .map((name) => readFileSync(join(root, name), "utf8"))
  .join("\n");
const lines = terminalCommands as Record<string, string | null>;

/** What only fetches the parts of a screen, or shows what an action would do before it's taken. */
const LOOKS = [
  "activity", "code_card", "code_files", "code_projects", "code_references", "code_status", "memories", "memory", "memory_entity", "memory_projects", "memory_prompt_versions",
  "memory_status", "overview", "plan_connect", "plan_disconnect", "plan_uninstall", "projects", "purge_preview", "read_source", "session", "session_tokens", "settings", "sources", "stats",
];
/** Undoes what was just done, from the message that says so; its preview is one that's being written. */
const PARTS = ["memory_restore_prompt", "memory_preview_prompt"];
/** Is made of the wizard's choices there. */
const MADE = ["save_diff"];

const called = [...new Set([...sources.matchAll(/\bcall\("(\w+)"/g)].map((found) => found[1] ?? ""))];
const named = (command: string): boolean => sources.includes(`terminalCommand("${command}"`) || new RegExp(`["\`]${(lines[command] ?? "").split(" {")[0]}\\b`).test(sources);

it("says the command line of each action", () => {
  expect(called.length).toBeGreaterThan(60);
  const actions = called.filter((command) => lines[command] !== null && ![...LOOKS, ...PARTS, ...MADE].includes(command));
  expect(actions.length).toBeGreaterThan(30);
  expect(actions.filter((command) => !named(command))).toEqual([]);
});

it("leaves out nothing that there isn't", () => {
  for (const command of [...LOOKS, ...PARTS, ...MADE]) expect([command, called.includes(command) && typeof lines[command] === "string"]).toEqual([command, true]);
});
