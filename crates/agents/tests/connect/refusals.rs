//! Files that must not be written: other products' entries, broken texts, and a writer in between.

use edits::{Dialect, Edit};
use serde_json::json;

use crate::files::{self, Style, render, users_value};
use crate::laws::refused;
use crate::scratch::{Scratch, each, is_whole, write};

#[test]
fn a_foreign_entry_is_never_overwritten() {
    each(|scratch, file, what| {
        if is_whole(file) {
            refused(scratch, file, b"// somebody's own plugin\nexport default {}\n", what);
            return;
        }
        for edit in &file.edits {
            let (Edit::Set { path, .. }, true) = (edit, file.format.dialect != Dialect::Markdown) else {
                continue;
            };
            let mut value = json!({});
            files::set(&mut value, path, json!({ "command": "their-own-server", "args": ["mcp"] }));
            if let Some(text) = render(&value, file.format.dialect, Style::Pretty) {
                refused(scratch, file, text.as_bytes(), &format!("{what}, foreign"));
            }
        }
    });
}

#[test]
fn files_that_cannot_be_understood_are_left_alone() {
    each(|scratch, file, what| {
        let broken: &[&[u8]] = match file.format.dialect {
            Dialect::Toml => &[b"[mcp_servers", b"a = 1\na = 2\n", b"mcp_servers = 3\n", b"\xff\xfe"],
            Dialect::Markdown => &[b"\xff\xfe\x00"],
            _ if is_whole(file) => &[b"\xff\xfe\x00"],
            _ => {
                &[b"{\"a\": ", b"[]", b"\"text\"", b"{\"a\": 1} {}", b"{a: 1,, }", b"\xff\xfe{}", b"{\"a\"}"]
            }
        };
        for bytes in broken {
            refused(scratch, file, bytes, &format!("{what}, {:?}", String::from_utf8_lossy(bytes)));
        }
        // A value of another kind is at the path of Plimsoll's entry.
        for edit in &file.edits {
            if let Edit::Set { path, .. } | Edit::Put { path, .. } = edit {
                let mut value = json!({});
                files::set(&mut value, &path[..1], json!("not an object"));
                if let Some(text) = render(&value, file.format.dialect, Style::Pretty) {
                    refused(scratch, file, text.as_bytes(), &format!("{what}, {} is a text", path[0]));
                }
            }
        }
    });
}

#[test]
fn another_writer_in_between_loses_nothing() {
    each(|scratch, file, what| {
        if is_whole(file) {
            return;
        }
        let Some(text) = render(&users_value(file), file.format.dialect, Style::Pretty) else { return };
        write(&file.path, text.as_bytes());
        let plan = Scratch::plan(file);
        let mut value = users_value(file);
        value["written_meanwhile"] = json!(true);
        let Some(other) = render(&value, file.format.dialect, Style::Pretty) else { return };
        let other =
            if file.format.dialect == Dialect::Markdown { format!("{text}\nmeanwhile\n") } else { other };
        write(&file.path, other.as_bytes());
        assert!(
            edits::apply(&plan, &scratch.store(), 1_000).is_err(),
            "{what}: an outdated plan was written"
        );
        assert_eq!(std::fs::read(&file.path).unwrap(), other.as_bytes(), "{what}");
    });
}
