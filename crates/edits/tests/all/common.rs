//! Shared by the tests: the entries of a connection, and a scratch folder with a store.

use plimsoll_edits::{Comment, Dialect, Edit, EntryMatcher, FilePlan, FileReceipt, Format, Store, apply};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

/// One time for all receipts.
pub(crate) const NOW: i64 = 1_800_000_000_000;

/// A scratch folder with files, backups and locks.
pub(crate) struct Scratch {
    pub(crate) folder: TempDir,
    pub(crate) store: Store,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        // In memory where the system offers it: these tests write and sync hundreds of files.
        let memory = std::path::Path::new("/dev/shm");
        let folder = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap();
        std::fs::create_dir(folder.path().join("host")).unwrap();
        let store =
            Store { backups: folder.path().join("own/backups"), locks: folder.path().join("own/locks") };
        Scratch { folder, store }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("host").join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn apply(&self, plan: &FilePlan) -> FileReceipt {
        apply(plan, &self.store, NOW).unwrap()
    }
}

/// Whether the value runs Plimsoll: the last path part before any argument.
pub(crate) fn names_us(command: Option<&Value>) -> bool {
    command.and_then(Value::as_str).is_some_and(|c| c.split(' ').next().unwrap().ends_with("/plimsoll"))
}

pub(crate) fn server_is_ours() -> EntryMatcher {
    EntryMatcher::new(|value| names_us(value.get("command")))
}

pub(crate) fn hook_is_ours() -> EntryMatcher {
    EntryMatcher::new(|group| {
        let hooks = group.get("hooks").and_then(Value::as_array);
        hooks.is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(|hook| names_us(hook.get("command"))))
    })
}

pub(crate) fn path(keys: &[&str]) -> Vec<String> {
    keys.iter().map(ToString::to_string).collect()
}

pub(crate) fn server(keep: bool) -> Edit {
    Edit::Set {
        path: path(&["mcpServers", "plimsoll"]),
        value: json!({ "command": "/h/.plimsoll/bin/plimsoll", "args": ["mcp"] }),
        ours: server_is_ours(),
        keep_extra_keys: keep,
    }
}

pub(crate) fn hook(event: &str) -> Edit {
    Edit::Put {
        path: path(&["hooks", event]),
        value: json!({ "matcher": "*", "hooks": [{ "type": "command", "command": "/h/.plimsoll/bin/plimsoll hook" }] }),
        ours: hook_is_ours(),
    }
}

/// The edits of a connection in one dialect.
pub(crate) fn edits(dialect: Dialect) -> Vec<Edit> {
    match dialect {
        Dialect::Toml => vec![
            Edit::Set {
                path: path(&["mcp_servers", "plimsoll"]),
                value: json!({ "command": "C:\\h\\plimsoll", "args": ["mcp"], "env": { "A": "b c" } }),
                ours: EntryMatcher::new(|value| {
                    let command = value.get("command").and_then(Value::as_str);
                    command.is_some_and(|command| command.ends_with("plimsoll"))
                }),
                keep_extra_keys: true,
            },
            Edit::SetIfAbsent { path: path(&["features", "hooks"]), value: json!(true) },
        ],
        Dialect::Markdown => vec![Edit::Block {
            id: "guide".to_owned(),
            text: "Use `search` first.\nThen read.".to_owned(),
            comment: Comment::Html,
        }],
        _ => vec![
            server(true),
            hook("PreToolUse"),
            Edit::SetIfAbsent { path: path(&["version"]), value: json!(1) },
        ],
    }
}

/// A text with visible line ends and tabs.
pub(crate) fn visible(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace('\u{feff}', "<BOM>").replace('\t', "→");
    text.replace("\r\n", "␍␊\n")
}

pub(crate) fn format(dialect: Dialect) -> Format {
    Format::without_bom(dialect)
}
