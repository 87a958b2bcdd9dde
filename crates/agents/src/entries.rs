//! The parts of entries that several agents share: the server's command line, and how to recognise Plimsoll's entries.
//! `command_line` writes hook commands; each agent's file knows the files and keys.

use std::path::Path;
use std::sync::Arc;

use edits::{Edit, EntryMatcher};
use serde_json::{Map, Value, json};

use crate::SERVER_KEY;
use crate::command_line::{is_launcher, launcher_words, leading_words, path_text};

/// An agent's time limit for a tool call, in seconds: Plimsoll's own longest limit is an hour, and the server enforces
/// every shorter one.
pub(crate) const TOOL_TIMEOUT_S: u64 = 3_660;

/// An agent's time limit for a hook, in seconds. A hook takes milliseconds; the rest is for a computer that swaps.
pub const HOOK_TIMEOUT_S: u64 = 10;

/// The longest context that agents take from a hook, in characters; longer ones are dropped or spilled.
pub(crate) const MAX_CONTEXT_CHARS: usize = 10_000;

/// The server's arguments for this agent.
pub(crate) fn mcp_args(agent: &str) -> Vec<String> {
    ["mcp", "--agent", agent].map(str::to_owned).to_vec()
}

/// The hook command's arguments; `event` for agents whose payload doesn't name it.
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

/// The edit that appends Plimsoll's element to the array at `<parents>.<last>`.
pub(crate) fn put_hook(agent: &str, parents: &[&str], last: &str, value: Value) -> Edit {
    Edit::Put { path: path(parents, last), value, ours: ours_hook(agent) }
}

/// The edit that removes Plimsoll's server entry at `<parents>.plimsoll`; it writes none.
pub(crate) fn remove_server(parents: &[&str]) -> Edit {
    set_server(parents, Value::Null, true)
}

/// The edit that removes each of Plimsoll's hooks for `agent` below `path`, whatever its event and whoever shares its
/// group; it adds none. This includes events that only a newer version registered, and hooks that the user moved.
pub(crate) fn remove_hooks(agent: &str, path: &[&str]) -> Edit {
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    Edit::Set { path, value: Value::Null, ours: ours_hook(agent), keep_extra_keys: true }
}

fn path(parents: &[&str], last: &str) -> Vec<String> {
    parents.iter().chain([&last]).map(|key| (*key).to_owned()).collect()
}

/// Matches Plimsoll's server entry: it starts the launcher as a server, wherever the launcher is.
pub(crate) fn ours_server() -> EntryMatcher {
    EntryMatcher(Arc::new(is_our_server))
}

/// Matches Plimsoll's hook element: a handler that runs its hook command for `agent`, or a group of only such handlers. A
/// group with someone else's handler is theirs too and stays; `edits` takes Plimsoll's handler away.
pub(crate) fn ours_hook(agent: &str) -> EntryMatcher {
    let agent = agent.to_owned();
    EntryMatcher(Arc::new(move |value| is_our_hook(value, &agent)))
}

/// See [`ours_server`]. The arguments are the ones Plimsoll writes and no others: another vendor's program may have the
/// same name.
pub(crate) fn is_our_server(value: &Value) -> bool {
    let Some(words) = words_of(value) else { return false };
    let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    is_launcher(&words[0]) && matches!(arguments[..], ["mcp"] | ["mcp", "--agent", _])
}

/// See [`ours_hook`].
pub(crate) fn is_our_hook(value: &Value, agent: &str) -> bool {
    match value.get("hooks").and_then(Value::as_array) {
        Some(handlers) => !handlers.is_empty() && handlers.iter().all(|handler| is_our_hook(handler, agent)),
        None => hook_agent(value).is_some_and(|named| named == agent),
    }
}

/// Whether the groups of one event start Plimsoll's hook twice, or in a group with others.
pub(crate) fn hook_is_not_alone(groups: &Value, agent: &str) -> bool {
    let groups = groups.as_array().map(Vec::as_slice).unwrap_or_default();
    let started = groups.iter().filter(|group| starts_our_hook(group, agent)).count();
    let is_mixed = |group: &Value| mentions_our_hook(group, agent) && !is_our_hook(group, agent);
    started > 1 || groups.iter().any(is_mixed)
}

/// Whether anything in a group or handler runs Plimsoll's hook command, alone or beside others.
fn mentions_our_hook(value: &Value, agent: &str) -> bool {
    match value.get("hooks").and_then(Value::as_array) {
        Some(handlers) => handlers.iter().any(|handler| mentions_our_hook(handler, agent)),
        None => is_our_hook(value, agent),
    }
}

/// Whether anything in a group or handler starts Plimsoll's hook, even if the user's own follows in the same line: beside
/// Plimsoll's, each event is handled twice.
fn starts_our_hook(value: &Value, agent: &str) -> bool {
    const SIGNS: [char; 7] = [';', '&', '|', '>', '<', ')', '}'];
    let is_agent = |word: &str| word.split(SIGNS).next() == Some(agent);
    match value.get("hooks").and_then(Value::as_array) {
        Some(handlers) => handlers.iter().any(|handler| starts_our_hook(handler, agent)),
        None => matches!(
            words_by(value, leading_words).as_deref(),
            Some([launcher, hook, named, ..])
                if is_launcher(launcher.trim_end_matches(SIGNS)) && hook == "hook" && is_agent(named)
        ),
    }
}

/// The keys of a handler's further command lines, each for one shell or system.
const OTHER_LINES: [&str; 6] = ["bash", "powershell", "commandWindows", "windows", "linux", "osx"];

/// The agent that a handler runs Plimsoll's hook command for, if it does that and nothing else on any system. A line that
/// the user wrote for another shell or system is the user's own, and so is the whole handler then.
fn hook_agent(handler: &Value) -> Option<String> {
    let agent = agent_in(&words_of(handler)?)?;
    let mut others = OTHER_LINES.iter().filter_map(|key| handler.get(*key)).filter(|line| !line.is_null());
    let is_ours = |line: &Value| {
        line.as_str().is_some_and(|line| agent_in(&launcher_words(line)).as_ref() == Some(&agent))
    };
    others.all(is_ours).then_some(agent)
}

/// The agent in the words of Plimsoll's hook command. Whatever follows the event (`&& mine`, `| tee`) is the user's own, and
/// so is the whole command then.
fn agent_in(words: &[String]) -> Option<String> {
    let is_event = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
    match words {
        [launcher, hook, agent, event @ ..] if is_launcher(launcher) && hook == "hook" => {
            let alone = event.len() <= 1 && event.iter().all(|word| is_event(word));
            alone.then(|| agent.clone())
        }
        _ => None,
    }
}

/// An entry's command line as words: `command` with `args`, a command array (OpenCode), or a command text in any shell's
/// quoting. Never empty. If a word isn't text, the entry isn't Plimsoll's.
fn words_of(value: &Value) -> Option<Vec<String>> {
    words_by(value, launcher_words)
}

/// The same with a command text split by `split`.
fn words_by(value: &Value, split: fn(&str) -> Vec<String>) -> Option<Vec<String>> {
    let command = ["command", "bash", "powershell"].iter().find_map(|key| value.get(key)).or_else(|| {
        // Kiro wraps the command in an action.
        value.get("action")?.get("command")
    })?;
    let mut words: Vec<String> = match (command, value.get("args")) {
        (Value::Array(words), _) => texts(words)?,
        (Value::String(text), Some(Value::Array(args))) => {
            std::iter::once(text.clone()).chain(texts(args)?).collect()
        }
        (Value::String(text), None | Some(Value::Null)) => split(text),
        _ => return None,
    };
    words.retain(|word| !word.is_empty());
    (!words.is_empty()).then_some(words)
}

/// The list's texts; `None` if anything else is in it.
fn texts(list: &[Value]) -> Option<Vec<String>> {
    list.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// The server and tool of an MCP call named `mcp__<server>__<tool>`.
pub(crate) fn mcp_double(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?
        .split_once("__")
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// Whether an MCP server's key is Plimsoll's; agents prefix plugins' servers.
pub(crate) fn is_our_key(server: &str) -> bool {
    server == SERVER_KEY || server.ends_with("_plimsoll")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plimsolls_entries_are_recognised_in_every_form() {
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
            json!({"command":"/opt/other-vendor/plimsoll","args":["mcp","serve","--ship","x"],"env":{"TOKEN":"t"}}),
            json!({"command":"/p/plimsoll","args":["mcp","--agent"]}),
            json!({"command":"/p/plimsoll","args":["mcp","--agent","x","--ship"]}),
            json!({"command":"/p/plimsoll","args":["mcp","--agent","x",7]}),
            json!({"command":["/p/plimsoll","mcp",{"mine":true}]}),
            json!({"type":"local","command":["/p/plimsoll","mcp","serve"]}),
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
    fn plimsolls_hooks_are_recognised_in_every_form() {
        for handler in [
            json!({"command":"/p/plimsoll","args":["hook","x"]}),
            json!({"command":"\"$HOME/.plimsoll/bin/plimsoll\" hook x","timeout":3}),
            json!({"command":"'/a b/plimsoll' hook x PreToolUse"}),
            json!({"command":"cmd /c \"%USERPROFILE%\\.plimsoll\\bin\\plimsoll.exe\" hook x"}),
            json!({"command":r"& 'C:\p\plimsoll.exe' hook x"}),
            json!({"bash":"\"/p/plimsoll\" hook x preToolUse"}),
            json!({"bash":"/p/plimsoll hook x preToolUse","powershell":"try{& '/p/plimsoll' hook x preToolUse}catch{};exit 0"}),
            json!({"command":"/p/plimsoll hook x","commandWindows":"cmd /c \"%USERPROFILE%\\p\\plimsoll.exe\" hook x"}),
            json!({"command":"/p/plimsoll","args":["hook","x"],"windows":null}),
            json!({"action":{"type":"command","command":"/p/plimsoll hook x"}}),
            json!({"matcher":"Bash","hooks":[{"command":"/p/plimsoll hook x"}]}),
        ] {
            assert!(is_our_hook(&handler, "x"), "{handler}");
            assert!(!is_our_hook(&handler, "y"), "{handler}");
        }
        for handler in [
            json!({"command":"echo plimsoll hook x"}),
            json!({"command":"/p/plimsoll-fork hook x"}),
            json!({"command":"/opt/p/plimsoll hook x && /opt/mine/audit.sh"}),
            json!({"command":"/p/plimsoll hook x PreToolUse && mine"}),
            json!({"command":"/p/plimsoll hook x & mine"}),
            json!({"command":"/p/plimsoll hook x &"}),
            json!({"command":"/p/plimsoll hook x; mine"}),
            json!({"command":"/p/plimsoll hook x ; mine"}),
            json!({"command":"/p/plimsoll hook x\nmine"}),
            json!({"command":"\"$HOME/.plimsoll/bin/plimsoll\" hook x | tee -a ~/hook.log"}),
            json!({"command":"/p/plimsoll hook x > /tmp/log"}),
            json!({"command":"/p/plimsoll hook x 2>/dev/null"}),
            json!({"command":"/p/plimsoll hook x || true"}),
            json!({"command":"/p/plimsoll","args":["hook","x","PreToolUse","mine"]}),
            json!({"command":"cmd /c \"C:\\p\\plimsoll.exe\" hook x & mine.exe"}),
            json!({"command":"& 'C:\\p\\plimsoll.exe' hook x; & mine.exe"}),
            json!({"command":"try{& 'C:\\p\\plimsoll.exe' hook x}catch{};& mine.exe;exit 0"}),
            json!({"command":"try{& 'C:\\p\\plimsoll.exe' hook x; & mine.exe}catch{};exit 0"}),
            json!({"command":"/bin/sh -c 'exec 2>/dev/null;a=$(\"$0\" hook x)&&printf %s \"$a\";exit 0' /p/plimsoll && mine"}),
            json!({"command":"/bin/sh -c 'exec 2>/dev/null;a=$(\"$0\" hook x)&&printf %s \"$a\";mine;exit 0' /p/plimsoll"}),
            json!({"command":"/bin/sh -c 'mine;a=$(\"$0\" hook x)&&printf %s \"$a\";exit 0' /p/plimsoll"}),
            json!({"command":"/bin/sh -c 'exec 2>/dev/null;a=$(\"$0\" hook x|mine)&&printf %s \"$a\";exit 0' /p/plimsoll"}),
            json!({"bash":"/p/plimsoll hook x preToolUse","powershell":"C:\\mine.ps1"}),
            json!({"bash":"/p/plimsoll hook x preToolUse","powershell":"& 'C:\\p\\plimsoll.exe' hook y preToolUse"}),
            json!({"command":"/p/plimsoll hook x","commandWindows":"C:\\mine.exe"}),
            json!({"command":"/p/plimsoll hook x","windows":"C:\\mine.exe"}),
            json!({"command":"/p/plimsoll hook x","linux":["mine"]}),
            json!({"command":"/p/plimsoll","args":["hook","x",5]}),
            json!({"command":"/p/plimsoll hook x","args":"mine"}),
            json!({"hooks":[]}),
            json!({"hooks":[{"command":"/p/plimsoll hook x"},{"command":"mine"}]}),
            json!({"hooks":[{"command":"/p/plimsoll hook x"},{"command":"/p/plimsoll hook x && mine"}]}),
        ] {
            assert!(!is_our_hook(&handler, "x"), "{handler}");
        }
        for (command, starts) in [
            ("/p/plimsoll hook x", true),
            ("/p/plimsoll hook x && mine", true),
            ("/p/plimsoll hook x; mine", true),
            ("/p/plimsoll hook x;mine", true),
            ("/p/plimsoll hook x>log", true),
            ("'/a & b/plimsoll' hook x", true),
            ("/bin/sh -c 'exec 2>/dev/null;a=$(\"$0\" hook x)&&printf %s \"$a\";exit 0' '/p/plimsoll'", true),
            (
                "/bin/sh -c 'exec 2>/dev/null;a=$(\"$0\" hook x)&&printf %s \"$a\";exit 0' '/p/plimsoll' && mine",
                true,
            ),
            (
                "/bin/sh -c 'exec 2>/dev/null;a=$(\"$0\" hook x)&&printf %s \"$a\";exit 0' '/p/plimsoll'; mine",
                true,
            ),
            ("/bin/sh -c 'mine;a=$(\"$0\" hook x Stop)&&printf %s \"$a\"' /p/plimsoll", true),
            ("try{& 'C:\\p\\plimsoll.exe' hook x}catch{};& mine.exe;exit 0", true),
            (
                "/bin/sh -c 'exec 2>/dev/null;a=$(\"$0\" hook y)&&printf %s \"$a\";exit 0' '/p/plimsoll' && mine",
                false,
            ),
            ("/bin/sh -c 'a=$(\"$0\" hook x)' /opt/other/tool", false),
            ("/p/plimsoll hook xy; mine", false),
            ("\"$HOME/.plimsoll/bin/plimsoll\" hook x | tee log", true),
            ("/p/plimsoll hook y && mine", false),
            ("echo plimsoll hook x", false),
            ("mine", false),
        ] {
            let group = json!({"hooks": [{"command": "other"}, {"command": command}]});
            assert_eq!(starts_our_hook(&group, "x"), starts, "{command}");
        }
        assert!(mentions_our_hook(
            &json!({"hooks":[{"command":"mine"},{"command":"/p/plimsoll hook x"}]}),
            "x"
        ));
    }
}
