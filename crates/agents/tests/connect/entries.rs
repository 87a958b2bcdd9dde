//! Plimsoll's own entries: edited by hand, left by earlier versions, and never outside the home folder.

use std::path::PathBuf;

use edits::{Change, Dialect, Edit};
use plimsoll_agents::{self as agents};
use serde_json::json;

use crate::files::{self, Style, render, theirs, users_value};
use crate::laws::contains;
use crate::scratch::{Scratch, each, is_whole, write};

#[test]
fn plimsolls_entry_with_more_keys_is_still_recognised() {
    each(|scratch, file, what| {
        if is_whole(file) || file.format.dialect == Dialect::Markdown {
            return;
        }
        let mut value = users_value(file);
        for edit in &file.edits {
            if let Edit::Set { path, value: entry, .. } = edit
                && entry.get("command").is_some()
            {
                let mut entry = entry.clone();
                entry["note"] = json!("mine");
                entry["args"] = json!(["mcp", "--agent", "an-old-name"]);
                if entry["command"].is_array() {
                    let command = entry["command"][0].clone();
                    entry["command"] = json!([command, "mcp"]);
                    entry.as_object_mut().unwrap().remove("args");
                }
                files::set(&mut value, path, entry);
            }
        }
        let Some(text) = render(&value, file.format.dialect, Style::Pretty) else { return };
        write(&file.path, text.as_bytes());
        let receipt = scratch.connect(file, what);
        let now = files::value(&std::fs::read(&file.path).unwrap(), file.format).unwrap();
        for edit in &file.edits {
            if let Edit::Set { path, value, keep_extra_keys, .. } = edit
                && value.get("command").is_some()
            {
                let entry = files::at(&now, path).unwrap();
                assert_eq!(entry.get("note").is_some(), *keep_extra_keys, "{what}");
                for (key, value) in value.as_object().unwrap() {
                    assert_eq!(entry.get(key), Some(value), "{what}: {key}");
                }
            }
        }
        scratch.disconnect(file, Some(&receipt), what);
        let after = files::value(&std::fs::read(&file.path).unwrap(), file.format).unwrap();
        contains(&after, &theirs(file), file, what);
    });
}

/// Edits for `former_files` apply to a connected file and to an untouched one.
#[test]
fn only_plimsolls_entries_leave_a_former_file() {
    for agent in agents::all() {
        let scratch = Scratch::new(*agent);
        for former in files::former(*agent, scratch.dir.path()) {
            if is_whole(&former) {
                continue;
            }
            let what = format!("{} {}", agent.id(), former.path.display());
            let Some(text) = render(&users_value(&former), former.format.dialect, Style::Pretty) else {
                continue;
            };
            write(&former.path, text.as_bytes());
            let plan = edits::plan_removal(&former.path, former.format, &former.edits, None);
            assert_eq!(plan.change, Change::Unchanged, "{what}:\n{}", plan.diff);
        }
    }
}

/// The written paths are in the scratch home, never elsewhere.
#[test]
fn nothing_outside_the_home_is_named() {
    for agent in agents::all() {
        let scratch = Scratch::new(*agent);
        let home: PathBuf = files::home(scratch.dir.path());
        for file in &scratch.files {
            assert!(file.path.starts_with(&home), "{}: {}", agent.id(), file.path.display());
        }
    }
}
