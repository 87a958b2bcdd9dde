// Agents as users have them: config files with things of their own in them, and a program that prints its version. Only
// what detection and connecting look at; no agent runs in these tests.
import type { Computer } from "./computer";

export const CLAUDE_JSON = `{
  "numStartups": 184,
  "installMethod": "native",
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.example.org/mcp"
    }
  },
  "projects": {}
}
`;

export const CLAUDE_SETTINGS = `{
  "permissions": {
    "allow": ["Bash(git status:*)"],
    "deny": ["Bash(shred:*)"]
  },
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [{ "type": "command", "command": "prettier --write" }]
      }
    ]
  },
  "theme": "dark"
}
`;

export const CODEX_CONFIG = `# my own settings
model = "gpt-5.4"
approval_policy = "on-request"   # asks first

[mcp_servers.docs]
command = "docs-server"
args = ["--stdio"]
`;

export const OPENCODE_CONFIG = `{
  // comments are kept
  "$schema": "https://opencode.ai/config.json",
  "theme": "system",
  "mcp": {}
}
`;

export const CURSOR_CONFIG = `{
\t"mcpServers": {
\t\t"files": { "command": "files-server", "args": [] }
\t}
}
`;

export const GEMINI_SETTINGS = `{
  "general": { "vimMode": true }
}
`;

const program = (computer: Computer, name: string, says: string): void => {
  computer.write(`.local/bin/${name}`, `#!/bin/sh\necho '${says}'\n`, 0o755);
};

/** Codex as it answers when asked which hooks are approved: none of Plimsoll's yet. */
const CODEX = `#!/bin/sh
if [ "$1" = app-server ]; then
  while read -r line; do
    case "$line" in
    *'"initialize"'*) echo '{"id":1,"result":{}}' ;;
    *hooks/list*)
      cat <<'END'
{"id":2,"result":{"data":[{"hooks":[${["sessionStart", "preToolUse", "postToolUse"]
  .map((event) => JSON.stringify({ eventName: event, enabled: true, command: '"$HOME/.plimsoll/bin/plimsoll" hook codex', trustStatus: "untrusted" }))
  .join(",")}],"errors":[],"warnings":[]}]}}
END
      ;;
    esac
  done
  exit 0
fi
echo 'codex-cli 0.169.0'
`;

export const install = {
  claude(computer: Computer): void {
    computer.write(".claude.json", CLAUDE_JSON, 0o600);
    computer.write(".claude/settings.json", CLAUDE_SETTINGS);
    program(computer, "claude", "2.1.197 (Claude Code)");
  },
  codex(computer: Computer): void {
    computer.write(".codex/config.toml", CODEX_CONFIG, 0o600);
    computer.write(".local/bin/codex", CODEX, 0o755);
  },
  opencode(computer: Computer): void {
    computer.write(".config/opencode/opencode.jsonc", OPENCODE_CONFIG);
    program(computer, "opencode", "1.18.33");
  },
  cursor(computer: Computer): void {
    computer.write(".cursor/mcp.json", CURSOR_CONFIG);
    program(computer, "cursor", "2.4.21");
  },
  gemini(computer: Computer): void {
    computer.write(".gemini/settings.json", GEMINI_SETTINGS);
    program(computer, "gemini", "0.61.0");
  },
};
