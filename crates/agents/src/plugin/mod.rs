//! Plimsoll's plugins for agents: the entries of `connect` as a folder that the agent installs, made from the same hooks so
//! that the two never differ. Owns what those plugins share; each agent's own folder owns its plugin's files. `skills`
//! is what users can ask the plugin for.
//!
//! A plugin doesn't know its install folder, and agents don't always tell its hooks. So it names no file of its own: each
//! command finds the installed launcher, and explains itself if there is none. No agent is served twice: a plugin's
//! processes are marked by a variable and step aside ([`is_duplicate`]), and connecting skips an agent whose plugin is on
//! ([`Agent::plugin`]).

mod file;
pub(crate) mod skills;

use std::path::Path;

use home::Env;
use serde_json::{Value, json};

pub use file::PluginFile;

use crate::{Agent, EntryContext, Parts, Role, Scope};

/// Set for every process that a plugin starts.
pub const VARIABLE: &str = "PLIMSOLL_PLUGIN";

/// The plugin's name, and its marketplace's.
pub(crate) const NAME: &str = crate::SERVER_KEY;

/// The message without an installed Plimsoll. No quotes, because it is part of scripts.
pub(crate) const NOT_INSTALLED: &str = "The Plimsoll plugin is on, but Plimsoll itself is not installed on this computer, so it does nothing. \
    Install Plimsoll as its README says, then start a new session; or remove the plugin.";

/// One line, for lists of plugins.
pub(crate) const DESCRIPTION: &str =
    "Keeps noise out of the context window: long outputs are shortened, stored and searchable.";

pub(crate) fn manifest(version: &str) -> Value {
    json!({
        "name": NAME,
        "version": version,
        "description": DESCRIPTION,
        "author": { "name": "The Plimsoll developers" },
        "license": "MIT OR Apache-2.0",
        "keywords": ["context", "outputs", "search"],
    })
}

pub(crate) fn marketplace(source: &str, version: &str) -> Value {
    json!({
        "name": NAME,
        "owner": { "name": "The Plimsoll developers" },
        "metadata": { "description": DESCRIPTION, "version": version },
        "plugins": [{ "name": NAME, "source": source, "description": DESCRIPTION, "version": version }],
    })
}

pub(crate) fn group(matcher: Option<&str>, handler: &Value) -> Value {
    match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
        None => json!({ "hooks": [handler] }),
    }
}

/// What the user sees when a session starts without Plimsoll.
pub(crate) fn system_message(event: &str, start: &str) -> Option<Value> {
    (event == start).then(|| json!({ "systemMessage": NOT_INSTALLED }))
}

/// A hook's command; `otherwise` is its answer where Plimsoll isn't installed. It never fails (see
/// [`crate::command_line`]).
pub(crate) fn hook_command(agent: &str, event: Option<&str>, otherwise: Option<Value>) -> String {
    let otherwise = otherwise.map_or_else(String::new, |answer| format!("else\n  printf %s '{answer}'\n"));
    let script = include_str!("hook.sh").replace("@OTHERWISE@", &otherwise);
    let quoted = script.trim_end().replace('\'', r"'\''");
    let event = event.map_or_else(String::new, |event| format!(" {event}"));
    format!("/bin/sh -c '{quoted}' {agent}{event}")
}

pub(crate) fn powershell(agent: &str, event: &str) -> String {
    format!(
        "try{{$h=$env:PLIMSOLL_HOME;if(-not $h){{$h=Join-Path $HOME '.plimsoll'}};$env:PLIMSOLL_PLUGIN='1';\
         & (Join-Path $h 'bin\\plimsoll.exe') hook {agent} {event}}}catch{{}};exit 0"
    )
}

pub(crate) fn server(agent: &str) -> Value {
    let script = include_str!("server.sh").replace("@MISSING@", NOT_INSTALLED);
    json!({ "command": "/bin/sh", "args": ["-c", script.trim_end(), agent] })
}

pub(crate) fn json_file(path: &str, value: &Value) -> PluginFile {
    let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    PluginFile { path: path.to_owned(), text }
}

/// Whether a plugin started this process.
pub fn is_from_plugin(env: &Env) -> bool {
    env.var(VARIABLE).is_some()
}

/// Whether the agent that started this process by its plugin is also connected, so that this role is already served.
pub fn is_duplicate(agent: &dyn Agent, env: &Env, project: Option<&Path>, role: Role) -> bool {
    if !is_from_plugin(env) {
        return false;
    }
    let installation = agent.assumed_installation(env);
    let launcher = env.home_dir().join(".plimsoll").join("bin").join("plimsoll");
    let parts =
        Parts { mcp: role == Role::Mcp, hooks: role != Role::Mcp, instructions: false, credentials: None };
    let project = project.map(|project| Scope::Project(project.to_owned()));
    std::iter::once(Scope::User).chain(project).any(|scope| {
        let context =
            EntryContext { launcher: &launcher, scope: &scope, installation: &installation, parts, env };
        agent.files(&context).iter().any(|file| {
            let marks_us = |edit: &&edits::Edit| !matches!(edit, edits::Edit::SetIfAbsent { .. });
            file.edits.iter().filter(marks_us).any(|edit| {
                use edits::EntryState::{Differs, Ours, OursWithExtras};
                matches!(edits::entry_state(&file.path, file.format, edit), Ours | OursWithExtras | Differs)
            })
        })
    })
}

/// Whether a key in a list of enabled plugins is Plimsoll's: `plimsoll@<marketplace>`.
pub(crate) fn is_our_key(key: &str) -> bool {
    key.split_once('@').map_or(key, |(name, _)| name) == NAME
}

/// Whether a settings file enables Plimsoll's plugin; `None` if it doesn't list it.
pub(crate) fn is_enabled_in(settings: &Value) -> Option<bool> {
    let plugins = settings.get("enabledPlugins")?.as_object()?;
    let mut ours = plugins.iter().filter(|(key, _)| is_our_key(key)).peekable();
    ours.peek()?;
    Some(ours.any(|(_, on)| *on != Value::Bool(false)))
}
