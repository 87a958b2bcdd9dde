// Agents by the names that people know. The list is asked for once, cheaply; an id nobody knows stays as it is.
import { call } from "../platform";

let names = $state.raw(new Map<string, string>());
let asked = false;

const KNOWN: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  opencode: "OpenCode",
  "gemini-cli": "Gemini CLI",
  "copilot-cli": "Copilot CLI",
  vscode: "VS Code",
  kiro: "Kiro",
  antigravity: "Antigravity",
};

/** What people call this agent. */
export function agentName(id: string): string {
  if (!asked) {
    asked = true;
    call("agents", { thorough: false }).then(
      (list) => (names = new Map(list.map((one) => [one.id, one.name]))),
      () => {
        // The ids say it too.
      },
    );
  }
  return names.get(id) ?? KNOWN[id] ?? id;
}
