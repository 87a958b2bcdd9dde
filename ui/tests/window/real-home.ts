// The guard over the real home: nothing that these tests start may write there. It compares what Plimsoll would
// leave (its folder, its name in agents' configs) before the first test and after the last.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const CONFIGS = [
  ".claude.json",
  ".claude/settings.json",
  ".claude/CLAUDE.md",
  ".codex/config.toml",
  ".codex/hooks.json",
  ".codex/AGENTS.md",
  ".gemini/settings.json",
  ".cursor/mcp.json",
  ".cursor/hooks.json",
  ".config/opencode/opencode.json",
  ".config/opencode/opencode.jsonc",
  ".copilot/mcp-config.json",
  ".kiro/settings/mcp.json",
];

function picture(): Record<string, string> {
  const home = homedir();
  const seen: Record<string, string> = {};
  const own = join(home, ".plimsoll");
  seen["~/.plimsoll"] = existsSync(own) ? readdirSync(own).sort().map((name) => `${name} ${name === "settings.toml" ? statSync(join(own, name)).mtimeMs : ""}`).join(",") : "absent";
  for (const config of CONFIGS) {
    const path = join(home, config);
    seen[config] = existsSync(path) ? String(readFileSync(path, "utf8").split("plimsoll").length - 1) : "absent";
  }
  return seen;
}

export default function guard(): () => void {
  const before = JSON.stringify(picture());
  return () => {
    const after = JSON.stringify(picture());
    if (before !== after) {
      process.exitCode = 1;
      throw new Error(`a test wrote to the real home\nbefore: ${before}\nafter:  ${after}`);
    }
  };
}
