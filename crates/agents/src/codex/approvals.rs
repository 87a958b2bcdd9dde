//! Removes Codex's approvals of Plimsoll's hooks from `config.toml`, together with the hooks.
//!
//! Codex keeps `[hooks.state."<hooks.json>:<event>:<group>:<handler>"]` with a hash of the hook's definition. When
//! Plimsoll's group is removed, the groups behind it move up (and the handlers behind Plimsoll's in a shared group), and their approvals would be read as other hooks':
//! *modified*, to be approved again (measured on 0.169.0). So their keys move up too. The hash doesn't depend on the
//! position (measured), so an approval stays valid only for the definition that the user saw. Nothing here approves a hook.

use std::path::{Path, PathBuf};

use edits::{Edit, EntryMatcher};
use serde_json::Value;

use super::{HOOKS, ID};
use crate::config::{Syntax, at, read_or_nothing};
use crate::entries;

/// One approval's key.
struct Key<'a> {
    text: &'a str,
    file: &'a str,
    event: &'a str,
    group: usize,
    handler: usize,
}

impl<'a> Key<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let mut parts = text.rsplitn(4, ':');
        let (handler, group, event) = (parts.next()?, parts.next()?, parts.next()?);
        let (group, handler) = (group.parse().ok()?, handler.parse().ok()?);
        Some(Self { text, file: parts.next()?, event, group, handler })
    }

    fn at(&self, (group, handler): (usize, usize)) -> String {
        format!("{}:{}:{group}:{handler}", self.file, self.event)
    }
}

/// The edits that remove the approvals of Plimsoll's hooks in `hooks` from `config`, applied from last to first. Used
/// only to disconnect.
pub(super) fn edits(config: &Path, hooks: &Path) -> Vec<Edit> {
    let (config, groups) = (read_or_nothing(config, Syntax::Toml), read_or_nothing(hooks, Syntax::Strict));
    let state = at(&config, &["hooks", "state"]).and_then(Value::as_object);
    let mut keys: Vec<Key<'_>> = state
        .into_iter()
        .flat_map(|state| state.keys())
        .filter_map(|key| Key::of(key).filter(|key| same_file(key.file, hooks)))
        .collect();
    keys.sort_by_key(|key| (key.group, key.handler));
    let (mut gone, mut moved) = (Vec::new(), Vec::new());
    for (event, ..) in HOOKS {
        let Some(groups) = at(&groups, &["hooks", event]).and_then(Value::as_array) else { continue };
        let path = |name: String| vec!["hooks".to_owned(), "state".to_owned(), name];
        for key in keys.iter().filter(|key| key.event == snake_case(event)) {
            match place_after(groups, key.group, key.handler) {
                None => gone.push(removed(path(key.text.to_owned()), |_| true)),
                Some(place) if place != (key.group, key.handler) => {
                    let to = path(key.at(place));
                    moved.push(Edit::RenameOnRemoval { from: path(key.text.to_owned()), to });
                }
                Some(_) => {}
            }
        }
    }
    if gone.is_empty() {
        return moved.into_iter().rev().collect();
    }
    // Tables that Codex created for the approvals are removed once empty.
    let empty = |value: &Value| value.as_object().is_some_and(serde_json::Map::is_empty);
    let mut edits = vec![
        removed(vec!["hooks".to_owned()], empty),
        removed(vec!["hooks".to_owned(), "state".to_owned()], empty),
    ];
    edits.extend(moved.into_iter().rev());
    edits.extend(gone);
    edits
}

/// Where a handler is once Plimsoll's groups and handlers are out; `None` for one of Plimsoll's.
fn place_after(groups: &[Value], group: usize, handler: usize) -> Option<(usize, usize)> {
    let is_ours = |value: &Value| entries::is_our_hook(value, ID);
    let ours_before =
        |list: &[Value], end: usize| list.iter().take(end).filter(|value| is_ours(value)).count();
    let handlers = groups.get(group).and_then(|group| group.get("hooks")).and_then(Value::as_array);
    let handlers = handlers.map(Vec::as_slice).unwrap_or_default();
    if groups.get(group).is_some_and(is_ours) || handlers.get(handler).is_some_and(is_ours) {
        return None;
    }
    Some((group - ours_before(groups, group), handler - ours_before(handlers, handler)))
}

fn removed(path: Vec<String>, ours: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Edit {
    Edit::Set { path, value: Value::Null, ours: EntryMatcher::new(ours), keep_extra_keys: false }
}

/// Codex writes the file's absolute path, links resolved or not.
fn same_file(named: &str, hooks: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let named = PathBuf::from(named);
    named == hooks || real(&named).is_some_and(|named| Some(named) == real(hooks))
}

/// `PreToolUse` as `pre_tool_use`.
fn snake_case(event: &str) -> String {
    let mut out = String::new();
    for c in event.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
