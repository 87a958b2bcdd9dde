//! Codex's hook as an entry: the commands that start Plimsoll, of which Codex asks the user to approve the text.

use home::Os;
use serde_json::{Value, json};

use super::ID;
use crate::{EntryContext, command_line, entries};

/// A group of one hook, as `hooks.json` has it.
pub(super) fn hook_group(context: &EntryContext<'_>, matcher: Option<&str>, limit: u64) -> Value {
    let mut handler = json!({ "type": "command", "command": command(context) });
    if let Some(command) = command_windows(context) {
        handler["commandWindows"] = json!(command);
    }
    handler["timeout"] = json!(limit);
    match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
        None => json!({ "hooks": [handler] }),
    }
}

/// Whether the launcher is at its default path. Then the command is the same text on every computer and in every
/// version, and an approval stays valid.
fn is_default_launcher(context: &EntryContext<'_>) -> bool {
    let name = if context.env.os() == Os::Windows { "plimsoll.exe" } else { "plimsoll" };
    context.launcher == context.env.home_dir().join(".plimsoll").join("bin").join(name)
}

fn command(context: &EntryContext<'_>) -> String {
    if is_default_launcher(context) {
        return format!("\"$HOME/.plimsoll/bin/plimsoll\" hook {ID}");
    }
    command_line::bare(context.env, context.launcher, &entries::hook_args(ID, None))
}

fn command_windows(context: &EntryContext<'_>) -> Option<String> {
    if is_default_launcher(context) {
        return Some(format!("cmd /c \"%USERPROFILE%\\.plimsoll\\bin\\plimsoll.exe\" hook {ID}"));
    }
    (context.env.os() == Os::Windows)
        .then(|| format!("cmd /c \"{}\" hook {ID}", command_line::path_text(context.launcher)))
}
