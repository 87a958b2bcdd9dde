//! The entries that connect an agent, as far as several agents shape them alike: the server's command
//! line, hook commands for each shell, and how an entry of ours is told from somebody else's. It does not
//! know which file or key they go to; each agent's file does.

use std::path::Path;
use std::sync::Arc;

use edits::{Edit, Ours};
use home::{Env, Os};
use serde_json::{Map, Value, json};

use crate::SERVER_KEY;

/// How long a host should wait for one tool call, in seconds: our own longest limit is an hour, and the
/// server keeps every shorter one by itself.
pub(crate) const TOOL_TIMEOUT_S: u64 = 3_660;

/// How long a host should wait for a hook, in seconds. A hook takes milliseconds; the rest is for a
/// computer that swaps.
pub(crate) const HOOK_TIMEOUT_S: u64 = 10;

/// Longest text that hosts take as context from a hook, in characters; longer ones are dropped or spilled.
pub(crate) const MAX_CONTEXT_CHARS: usize = 10_000;

/// A path as entries carry it.
pub(crate) fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Arguments of the server for this agent.
pub(crate) fn mcp_args(agent: &str) -> Vec<String> {
    ["mcp", "--agent", agent].map(str::to_owned).to_vec()
}

/// Arguments of the hook command; `event` for hosts whose payload does not name it.
pub(crate) fn hook_args(agent: &str, event: Option<&str>) -> Vec<String> {
    ["hook", agent].into_iter().chain(event).map(str::to_owned).collect()
}

/// The common server entry: `command` and `args`, followed by the agent's own keys.
pub(crate) fn server(
    launcher: &Path,
    agent: &str,
    before: &[(&str, Value)],
    after: &[(&str, Value)],
) -> Value {
    let mut entry = Map::new();
    entry.extend(before.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    entry.insert("command".to_owned(), json!(path_text(launcher)));
    entry.insert("args".to_owned(), json!(mcp_args(agent)));
    entry.extend(after.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    Value::Object(entry)
}

/// The edit that sets the server entry at `<parents>.plimsoll`.
pub(crate) fn set_server(parents: &[&str], value: Value, keep_extra_keys: bool) -> Edit {
    Edit::Set { path: path(parents, SERVER_KEY), value, ours: ours_server(), keep_extra_keys }
}

/// The edit that puts one element of ours last into the array at `<parents>.<last>`.
pub(crate) fn put_hook(agent: &str, parents: &[&str], last: &str, value: Value) -> Edit {
    Edit::Put { path: path(parents, last), value, ours: ours_hook(agent) }
}

fn path(parents: &[&str], last: &str) -> Vec<String> {
    parents.iter().chain([&last]).map(|key| (*key).to_owned()).collect()
}

/// A server entry of ours: it starts our launcher as a server, wherever the launcher stands.
pub(crate) fn ours_server() -> Ours {
    Ours(Arc::new(is_our_server))
}

/// A hook element of ours: a handler that runs our hook command for `agent`, or a group in which every
/// handler does. A group to which somebody added a handler of their own is theirs too and stays.
pub(crate) fn ours_hook(agent: &str) -> Ours {
    let agent = agent.to_owned();
    Ours(Arc::new(move |value| is_our_hook(value, &agent)))
}

/// See [`ours_server`].
pub(crate) fn is_our_server(value: &Value) -> bool {
    words_of(value)
        .is_some_and(|words| is_launcher(&words[0]) && words.get(1).is_some_and(|word| word == "mcp"))
}

/// See [`ours_hook`].
pub(crate) fn is_our_hook(value: &Value, agent: &str) -> bool {
    match value.get("hooks").and_then(Value::as_array) {
        Some(handlers) => !handlers.is_empty() && handlers.iter().all(|handler| is_our_hook(handler, agent)),
        None => hook_agent(value).is_some_and(|named| named == agent),
    }
}

/// Whether anything in a group or handler runs our hook command, alone or beside others.
pub(crate) fn mentions_our_hook(value: &Value, agent: &str) -> bool {
    match value.get("hooks").and_then(Value::as_array) {
        Some(handlers) => handlers.iter().any(|handler| mentions_our_hook(handler, agent)),
        None => is_our_hook(value, agent),
    }
}

/// The agent for which a handler runs our hook command, if it is ours at all.
fn hook_agent(handler: &Value) -> Option<String> {
    let words = words_of(handler)?;
    (is_launcher(&words[0]) && words.get(1)? == "hook").then(|| words.get(2).cloned())?
}

/// The command line of an entry as words: `command` with `args`, a command array (OpenCode), or a command
/// text in any shell's quoting. Never empty.
fn words_of(value: &Value) -> Option<Vec<String>> {
    let command = ["command", "bash", "powershell"].iter().find_map(|key| value.get(key)).or_else(|| {
        // Kiro wraps the command into an action.
        value.get("action")?.get("command")
    })?;
    let mut words: Vec<String> = match command {
        Value::Array(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::String(text) => match value.get("args").and_then(Value::as_array) {
            Some(args) => std::iter::once(text.as_str())
                .chain(args.iter().filter_map(Value::as_str))
                .map(str::to_owned)
                .collect(),
            None => words(text),
        },
        _ => return None,
    };
    words.retain(|word| !word.is_empty());
    (!words.is_empty()).then_some(words)
}

/// Splits a command text at blanks outside quotes; `&`, `cmd /c` and quotes are taken off. Good enough to
/// recognise what we wrote, in each form that we ever wrote.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\\') if chars.peek() == Some(&'\'') => word.extend(chars.next()),
            (None, '"' | '\'') => quote = Some(c),
            (None, _) if c.is_whitespace() => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty() && word != "&");
    if words.len() > 2 && words[0].eq_ignore_ascii_case("cmd") && words[1].eq_ignore_ascii_case("/c") {
        words.drain(..2);
    }
    words
}

/// Whether a command is our launcher: the file is called `plimsoll`, with or without `.exe`.
pub(crate) fn is_launcher(command: &str) -> bool {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    name == SERVER_KEY || name.eq_ignore_ascii_case("plimsoll.exe")
}

/// A command line for POSIX shells, and for Git Bash where hosts on Windows use that: forward slashes,
/// quoted only where needed, because PowerShell, the second choice there, takes a quoted word for a text.
pub(crate) fn posix_command(env: &Env, launcher: &Path, args: &[String]) -> String {
    let mut program = path_text(launcher);
    if env.os() == Os::Windows {
        program = program.replace('\\', "/");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c) || !c.is_ascii();
    if !program.chars().all(plain) {
        program = if env.os() == Os::Windows {
            format!("\"{program}\"")
        } else {
            format!("'{}'", program.replace('\'', r"'\''"))
        };
    }
    joined(&program, args)
}

/// A command line for PowerShell.
pub(crate) fn powershell_command(launcher: &Path, args: &[String]) -> String {
    joined(&format!("& '{}'", path_text(launcher).replace('\'', "''")), args)
}

/// The command line for the shell that most hosts use on this system: `sh`, on Windows PowerShell.
pub(crate) fn native_command(env: &Env, launcher: &Path, args: &[String]) -> String {
    if env.os() == Os::Windows {
        powershell_command(launcher, args)
    } else {
        posix_command(env, launcher, args)
    }
}

fn joined(program: &str, args: &[String]) -> String {
    std::iter::once(program).chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// The tool of an MCP call in the form `mcp__<server>__<tool>`, as (server, tool).
pub(crate) fn mcp_double(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?
        .split_once("__")
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// Whether an MCP server's key is ours; hosts prefix plugins' servers.
pub(crate) fn is_our_key(server: &str) -> bool {
    server == SERVER_KEY || server.ends_with("_plimsoll")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_entries_are_recognised_in_every_form() {
        for entry in [
            json!({"type":"stdio","command":"/home/ana/.plimsoll/bin/plimsoll","args":["mcp","--agent","x"]}),
            json!({"command":r"C:\Users\ana\.plimsoll\bin\plimsoll.exe","args":["mcp"],"disabled":true}),
            json!({"type":"local","command":["/p/plimsoll","mcp","--agent","opencode"]}),
        ] {
            assert!(is_our_server(&entry), "{entry}");
        }
        for entry in [
            json!({"command":"npx","args":["plimsoll","mcp"]}),
            json!({"command":"/opt/plimsoll-line/chart","args":["mcp"]}),
            json!({"command":"/p/plimsoll","args":["status"]}),
            json!({"url":"http://localhost"}),
            json!({"command":[]}),
            json!({"command":7}),
            json!("plimsoll mcp"),
            json!(null),
        ] {
            assert!(!is_our_server(&entry), "{entry}");
        }
    }

    #[test]
    fn our_hooks_are_recognised_in_every_form() {
        for handler in [
            json!({"command":"/p/plimsoll","args":["hook","x"]}),
            json!({"command":"\"$HOME/.plimsoll/bin/plimsoll\" hook x","timeout":3}),
            json!({"command":"'/a b/plimsoll' hook x PreToolUse"}),
            json!({"command":"cmd /c \"%USERPROFILE%\\.plimsoll\\bin\\plimsoll.exe\" hook x"}),
            json!({"command":r"& 'C:\p\plimsoll.exe' hook x"}),
            json!({"bash":"\"/p/plimsoll\" hook x preToolUse"}),
            json!({"action":{"type":"command","command":"/p/plimsoll hook x"}}),
            json!({"matcher":"Bash","hooks":[{"command":"/p/plimsoll hook x"}]}),
        ] {
            assert!(is_our_hook(&handler, "x"), "{handler}");
            assert!(!is_our_hook(&handler, "y"), "{handler}");
        }
        for handler in [
            json!({"command":"echo plimsoll hook x"}),
            json!({"command":"/p/plimsoll-fork hook x"}),
            json!({"hooks":[]}),
            json!({"hooks":[{"command":"/p/plimsoll hook x"},{"command":"mine"}]}),
        ] {
            assert!(!is_our_hook(&handler, "x"), "{handler}");
        }
        assert!(mentions_our_hook(
            &json!({"hooks":[{"command":"mine"},{"command":"/p/plimsoll hook x"}]}),
            "x"
        ));
    }

    #[test]
    fn commands_are_quoted_for_their_shell() {
        let linux = Env::for_test("/h").with_os(Os::Linux);
        let windows = Env::for_test("/h").with_os(Os::Windows);
        let args = hook_args("x", None);
        for (env, launcher, wanted) in [
            (&linux, "/h/.plimsoll/bin/plimsoll", "/h/.plimsoll/bin/plimsoll hook x"),
            (&linux, "/h/a b/$x/plimsoll", "'/h/a b/$x/plimsoll' hook x"),
            (&linux, "/h/it's/plimsoll", r"'/h/it'\''s/plimsoll' hook x"),
            (&linux, "/h/ünï/plimsoll", "/h/ünï/plimsoll hook x"),
            (&windows, r"C:\Users\ana\plimsoll.exe", "C:/Users/ana/plimsoll.exe hook x"),
            (&windows, r"C:\Users\a b\plimsoll.exe", "\"C:/Users/a b/plimsoll.exe\" hook x"),
        ] {
            let command = posix_command(env, Path::new(launcher), &args);
            assert_eq!(command, wanted);
            assert!(is_our_hook(&json!({ "command": command }), "x"), "{command}");
        }
        let command = native_command(&windows, Path::new(r"C:\it's\plimsoll.exe"), &args);
        assert_eq!(command, r"& 'C:\it''s\plimsoll.exe' hook x");
    }
}
