//! Connecting and disconnecting in any file: a file that cannot be edited is left as it is; otherwise doing it twice is
//! doing it once, disconnecting brings the very bytes back, and by meaning alone it leaves none of Plimsoll's entries
//! and all of the others'. The first byte chooses the dialect.
#![no_main]

use std::cell::RefCell;
use std::path::PathBuf;

use edits::{
    Change, Comment, Dialect, Edit, FileReceipt, Format, Ours, EntryState, Store, apply, plan, plan_removal,
    entry_state,
};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

const DIALECTS: [Dialect; 5] =
    [Dialect::Json, Dialect::JsonComments, Dialect::Jsonc, Dialect::Toml, Dialect::Markdown];

thread_local! {
    /// In memory: every run writes and syncs several files.
    static FOLDER: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

fn folder() -> PathBuf {
    FOLDER.with_borrow_mut(|folder| {
        folder
            .get_or_insert_with(|| {
                let memory = std::path::Path::new("/dev/shm");
                let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
                let folder = base.join(format!("plimsoll-fuzz-edits-{}", std::process::id()));
                std::fs::create_dir_all(folder.join("host")).expect("a scratch folder");
                folder
            })
            .clone()
    })
}

fn path(keys: &[&str]) -> Vec<String> {
    keys.iter().map(ToString::to_string).collect()
}

fn ours(value: &Value) -> bool {
    value.get("command").and_then(Value::as_str).is_some_and(|command| command.starts_with("/h/.plimsoll/"))
}

fn edits(dialect: Dialect) -> Vec<Edit> {
    let server = json!({ "command": "/h/.plimsoll/bin/plimsoll", "args": ["mcp"], "env": { "A": "b c" } });
    let set = |keys: &[&str]| Edit::Set {
        path: path(keys),
        value: server.clone(),
        ours: Ours::new(ours),
        keep_extra_keys: true,
    };
    match dialect {
        Dialect::Toml => vec![
            set(&["mcp_servers", "plimsoll"]),
            Edit::SetIfAbsent { path: path(&["features", "hooks"]), value: json!(true) },
        ],
        Dialect::Markdown => {
            let text = "Use `search` first.\nThen read.".to_owned();
            vec![Edit::Block { id: "guide".to_owned(), text, comment: Comment::Html }]
        }
        _ => vec![
            set(&["mcpServers", "plimsoll"]),
            Edit::Put {
                path: path(&["hooks", "PreToolUse"]),
                value: json!({ "matcher": "*", "hooks": [{ "type": "command", "command": "/h/.plimsoll/bin/plimsoll hook" }] }),
                ours: Ours::new(|group| {
                    group["hooks"].as_array().is_some_and(|all| !all.is_empty() && all.iter().all(ours))
                }),
            },
        ],
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let dialect = DIALECTS[usize::from(*choice) % DIALECTS.len()];
    let (format, edits) = (Format::new(dialect), edits(dialect));
    let folder = folder();
    let file = folder.join("host/settings");
    let own = folder.join("own");
    let _ = std::fs::remove_dir_all(&own);
    std::fs::write(&file, bytes).expect("writing");
    let store = Store { backups: own.join("backups"), locks: own.join("locks") };
    let first = plan(&file, format, &edits);
    if first.refusal.is_some() {
        assert_eq!(first.after, bytes, "a refused file is left alone");
        return;
    }
    // Whether one of Plimsoll's entries is there already, which taking out rightly does not bring back.
    let before: Vec<EntryState> = edits.iter().map(|edit| entry_state(&file, format, edit)).collect();
    let receipt = apply(&first, &store, 1).expect("applying");
    assert_eq!(std::fs::read(&file).expect("reading"), first.after);
    let again = plan(&file, format, &edits);
    assert_eq!((again.change, again.refusal), (Change::Unchanged, None), "twice is once");
    for edit in &edits {
        let found = entry_state(&file, format, edit);
        let theirs = matches!(edit, Edit::SetIfAbsent { .. });
        assert!(theirs || matches!(found, EntryState::Ours | EntryState::OursWithExtras), "{found:?}");
    }
    if before.iter().any(|found| *found != EntryState::Absent) || first.change == Change::Unchanged {
        // Still: nothing panics on the way back.
        let _ = plan_removal(&file, format, &edits, Some(&receipt));
        return;
    }
    let whole = plan_removal(&file, format, &edits, Some(&receipt));
    assert_eq!(whole.refusal, None);
    assert_eq!(
        String::from_utf8_lossy(&whole.after),
        String::from_utf8_lossy(bytes),
        "the very bytes come back"
    );
    let stale = FileReceipt { hash_after: Some("0".to_owned()), ..receipt };
    let by_meaning = plan_removal(&file, format, &edits, Some(&stale));
    assert_eq!(by_meaning.refusal, None);
    apply(&by_meaning, &store, 2).expect("taking out");
    if let Ok(left) = std::fs::read(&file) {
        for edit in edits.iter().filter(|edit| !matches!(edit, Edit::SetIfAbsent { .. })) {
            assert_eq!(entry_state(&file, format, edit), EntryState::Absent, "{}", String::from_utf8_lossy(&left));
        }
        // In strict JSON without doubled keys the meaning can be compared outside this crate.
        let strict = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
        if dialect == Dialect::Json
            && let (Some(was), Some(is)) = (strict(bytes), strict(&left))
        {
            assert_eq!(was, is);
        }
    }
});
