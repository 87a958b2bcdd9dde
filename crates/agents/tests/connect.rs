//! The fixture matrix: every agent's files in every state in which a file can be found, connected and
//! disconnected through `edits`.
//!
//! Laws: connecting twice writes once; disconnecting brings the same bytes back; what is the user's (other
//! servers, other hooks, unknown keys, comments) survives both; a file that must not be written keeps its
//! bytes and its time. A state that some file cannot have (a comment in strict JSON) must be refused.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod files;

use std::path::{Path, PathBuf};

use edits::{Change, Dialect, Edit, FilePlan, Store};
use files::{Style, TargetFile, render, theirs, users_value};
use plimsoll_agents::{self as agents};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A scratch computer with one agent on it.
struct Scratch {
    dir: tempfile::TempDir,
    files: Vec<TargetFile>,
}

impl Scratch {
    fn new(agent: &'static dyn agents::Agent) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let files = files::of(agent, dir.path());
        assert!(!files.is_empty(), "{} has no files", agent.id());
        Self { dir, files }
    }

    fn store(&self) -> Store {
        Store {
            backups: self.dir.path().join("plimsoll/backups"),
            locks: self.dir.path().join("plimsoll/locks"),
        }
    }

    fn plan(file: &TargetFile) -> FilePlan {
        let mut plan = edits::plan(&file.path, file.format, &file.edits);
        plan.allow_folders = true;
        plan
    }

    /// Plans and applies; the file must take it.
    fn connect(&self, file: &TargetFile, what: &str) -> edits::FileReceipt {
        let plan = Self::plan(file);
        assert!(plan.refusal.is_none(), "{what}: {:?}", plan.refusal);
        let receipt =
            edits::apply(&plan, &self.store(), 1_000).unwrap_or_else(|error| panic!("{what}: {error}"));
        let again = Self::plan(file);
        assert_eq!(again.change, Change::Unchanged, "{what}: a second time writes again:\n{}", again.diff);
        receipt
    }

    fn disconnect(&self, file: &TargetFile, receipt: Option<&edits::FileReceipt>, what: &str) {
        let plan = edits::plan_removal(&file.path, file.format, &file.edits, receipt);
        assert!(plan.refusal.is_none(), "{what}: {:?}", plan.refusal);
        edits::apply(&plan, &self.store(), 2_000).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Every file of every agent, alone on a fresh scratch computer.
fn each(mut test: impl FnMut(&Scratch, &TargetFile, &str)) {
    for agent in agents::all() {
        let count = Scratch::new(*agent).files.len();
        for index in 0..count {
            let scratch = Scratch::new(*agent);
            let file = &scratch.files[index];
            let what = format!("{} {}", agent.id(), file.path.file_name().unwrap().to_string_lossy());
            test(&scratch, file, &what);
        }
    }
}

fn is_whole(file: &TargetFile) -> bool {
    file.edits.iter().any(|edit| matches!(edit, Edit::Whole { .. }))
}

/// Connect and disconnect a file with this content: the same bytes come back, and in between everything of
/// the user's stands where it stood.
fn round_trip(scratch: &Scratch, file: &TargetFile, before: &[u8], what: &str) {
    write(&file.path, before);
    let receipt = scratch.connect(file, what);
    let between = std::fs::read(&file.path).unwrap();
    survives(file, before, &between, what);
    scratch.disconnect(file, Some(&receipt), what);
    let after = std::fs::read(&file.path).unwrap_or_else(|error| panic!("{what}: gone: {error}"));
    assert_eq!(
        String::from_utf8_lossy(&after),
        String::from_utf8_lossy(before),
        "{what}: other bytes came back"
    );
    // And without a receipt, by meaning.
    write(&file.path, &between);
    scratch.disconnect(file, None, what);
    let after = std::fs::read(&file.path).unwrap_or_default();
    survives(file, before, &after, &format!("{what}, without a receipt"));
    for edit in &file.edits {
        if !matches!(edit, Edit::SetIfAbsent { .. }) {
            let presence = edits::presence(&file.path, file.format, edit);
            assert_eq!(presence, edits::Presence::Absent, "{what}: {} is still there", edit.place());
        }
    }
}

/// What the user had is still there.
fn survives(file: &TargetFile, before: &[u8], after: &[u8], what: &str) {
    let after_text = String::from_utf8(after.to_vec()).unwrap();
    let before_text = String::from_utf8(before.to_vec()).unwrap();
    for line in before_text.lines().filter(|line| line.contains("note to myself")) {
        assert!(after_text.contains(line.trim()), "{what}: a comment is gone: {line}");
    }
    if file.format.dialect == Dialect::Markdown {
        assert!(after_text.contains(before_text.trim()), "{what}: the text is gone");
        return;
    }
    let (Some(before), Some(after)) = (files::value(before, file.format), files::value(after, file.format))
    else {
        return;
    };
    contains(&after, &before, file, what);
}

/// Every member of `part` is in `whole`, arrays in their order.
fn contains(whole: &Value, part: &Value, file: &TargetFile, what: &str) {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            for (key, part) in part {
                let whole = whole.get(key).unwrap_or_else(|| panic!("{what}: {key} is gone"));
                contains(whole, part, file, what);
            }
        }
        (Value::Array(whole), Value::Array(part)) => {
            let whole: Vec<&Value> = whole.iter().filter(|item| !files::is_ours(item, file)).collect();
            let part: Vec<&Value> = part.iter().filter(|item| !files::is_ours(item, file)).collect();
            assert_eq!(whole, part, "{what}: elements are gone or moved");
        }
        (whole, part) => assert_eq!(whole, part, "{what}"),
    }
}

#[test]
fn absent_files_and_folders_come_and_go() {
    each(|scratch, file, what| {
        for with_folder in [false, true] {
            if with_folder {
                std::fs::create_dir_all(file.path.parent().unwrap()).unwrap();
            }
            let receipt = scratch.connect(file, what);
            assert!(file.path.is_file());
            scratch.disconnect(file, Some(&receipt), what);
            assert!(!file.path.exists(), "{what}: a file that we made is still there");
            assert_eq!(
                file.path.parent().unwrap().exists(),
                with_folder || in_home(scratch, file),
                "{what}: folder"
            );
        }
    });
}

fn in_home(scratch: &Scratch, file: &TargetFile) -> bool {
    file.path.parent() == Some(files::home(scratch.dir.path()).as_path())
}

#[test]
fn a_file_without_content_is_like_an_empty_one() {
    each(|scratch, file, what| {
        write(&file.path, b"");
        let receipt = scratch.connect(file, what);
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&file.path).unwrap(), b"", "{what}");
    });
}

#[test]
fn every_way_of_writing_a_file_survives() {
    each(|scratch, file, what| {
        if is_whole(file) {
            return;
        }
        let value = users_value(file);
        for style in Style::ALL {
            let what = format!("{what}, {style:?}");
            let Some(text) = render(&value, file.format.dialect, style) else { continue };
            if style.accepted_by(file.format) {
                round_trip(scratch, file, text.as_bytes(), &what);
            } else {
                refused(scratch, file, text.as_bytes(), &what);
            }
        }
        if let Some(minimal) = render(&json!({}), file.format.dialect, Style::Pretty) {
            round_trip(scratch, file, minimal.as_bytes(), &format!("{what}, minimal"));
        }
    });
}

#[test]
fn a_byte_order_mark_stays_where_the_host_takes_it() {
    each(|scratch, file, what| {
        if is_whole(file) || file.format.dialect == Dialect::Markdown {
            return;
        }
        let Some(text) = render(&users_value(file), file.format.dialect, Style::Pretty) else { return };
        let bytes = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        write(&file.path, &bytes);
        let receipt = scratch.connect(file, what);
        let between = std::fs::read(&file.path).unwrap();
        assert_eq!(between.starts_with(b"\xef\xbb\xbf"), file.format.bom_ok, "{what}");
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&file.path).unwrap(), bytes, "{what}");
    });
}

/// Nothing is written, not even the same bytes.
fn refused(scratch: &Scratch, file: &TargetFile, bytes: &[u8], what: &str) {
    write(&file.path, bytes);
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    std::fs::File::options().write(true).open(&file.path).unwrap().set_modified(old).unwrap();
    let plan = Scratch::plan(file);
    assert_eq!(plan.change, Change::Refused, "{what}:\n{}", plan.diff);
    assert!(plan.refusal.is_some());
    let _ = edits::apply(&plan, &scratch.store(), 1_000);
    assert_eq!(std::fs::read(&file.path).unwrap(), bytes, "{what}");
    assert_eq!(std::fs::metadata(&file.path).unwrap().modified().unwrap(), old, "{what}: it was touched");
}

#[test]
fn what_is_not_ours_is_never_written_over() {
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
        // The place of our own entry holds something of another kind.
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
fn our_entry_with_more_keys_is_still_ours() {
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

/// Eight megabytes for one file of each dialect, with one edit: the time grows with both, and the code is
/// the same for every agent. The others get a quarter of a megabyte and all of their edits.
#[test]
fn a_huge_file_is_a_file() {
    let mut seen = Vec::new();
    each(|scratch, file, what| {
        if is_whole(file) {
            return;
        }
        let first = !seen.contains(&file.format.dialect);
        seen.push(file.format.dialect);
        let size = if first { 8 * 1024 * 1024 } else { 256 * 1024 };
        let count = if first { 1 } else { file.edits.len() };
        let edits = file.edits[..count].to_vec();
        let file = &TargetFile { path: file.path.clone(), format: file.format, edits };
        let mut value = users_value(file);
        value["padding"] = json!("größe ".repeat(size / "größe ".len() + 1));
        let Some(text) = render(&value, file.format.dialect, Style::Pretty) else { return };
        assert!(text.len() >= size);
        write(&file.path, text.as_bytes());
        let receipt = scratch.connect(file, what);
        scratch.disconnect(file, Some(&receipt), what);
        assert!(std::fs::read(&file.path).unwrap() == text.as_bytes(), "{what}: other bytes came back");
    });
}

#[cfg(unix)]
#[test]
fn links_stay_links() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    each(|scratch, file, what| {
        if is_whole(file) {
            return;
        }
        let Some(text) = render(&users_value(file), file.format.dialect, Style::Pretty) else { return };
        // A link into a folder of dotfiles.
        let real = scratch.dir.path().join("dotfiles").join("real");
        write(&real, text.as_bytes());
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::fs::create_dir_all(file.path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&real, &file.path).unwrap();
        let receipt = scratch.connect(file, what);
        assert!(file.path.symlink_metadata().unwrap().file_type().is_symlink(), "{what}: the link is gone");
        assert_ne!(
            std::fs::read(&real).unwrap(),
            text.as_bytes(),
            "{what}: the file behind the link is unchanged"
        );
        assert_eq!(real.metadata().unwrap().mode() & 0o777, 0o640, "{what}: other permissions");
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&real).unwrap(), text.as_bytes(), "{what}");
        std::fs::remove_file(&file.path).unwrap();

        // Two names of one file.
        let other = scratch.dir.path().join("dotfiles").join("other");
        write(&other, text.as_bytes());
        std::fs::hard_link(&other, &file.path).unwrap();
        let receipt = scratch.connect(file, what);
        assert_eq!(
            other.metadata().unwrap().ino(),
            file.path.metadata().unwrap().ino(),
            "{what}: torn apart"
        );
        scratch.disconnect(file, Some(&receipt), what);
        assert_eq!(std::fs::read(&other).unwrap(), text.as_bytes(), "{what}");
        std::fs::remove_file(&file.path).unwrap();

        // A file that the user protects.
        write(&file.path, text.as_bytes());
        std::fs::set_permissions(&file.path, std::fs::Permissions::from_mode(0o444)).unwrap();
        let plan = Scratch::plan(file);
        assert_eq!(plan.change, Change::Refused, "{what}: read-only");
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

/// What `former_files` names can be taken out of a connected file and of an untouched one.
#[test]
fn former_files_only_take_ours_away() {
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

fn styles() -> impl Strategy<Value = Style> {
    prop::sample::select(Style::ALL.to_vec())
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(|b| json!(b)),
        any::<i32>().prop_map(|n| json!(n)),
        "[ -~äß漢\u{1f600}\\\\\"/#{}]{0,12}".prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map("[a-zA-Z][a-zA-Z0-9_.-]{0,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The laws hold whatever else is in the file.
    #[test]
    fn the_laws_hold_for_any_content(
        which in any::<prop::sample::Index>(),
        file in any::<prop::sample::Index>(),
        style in styles(),
        keys in prop::collection::btree_map("[a-zA-Z][a-zA-Z0-9_ -]{0,10}", json_value(), 0..5),
    ) {
        let agent = *which.get(agents::all());
        let scratch = Scratch::new(agent);
        let file = file.get(&scratch.files);
        prop_assume!(!is_whole(file));
        let mut value = users_value(file);
        for (key, extra) in keys {
            let ours = file.edits.iter().any(|edit| matches!(edit,
                Edit::Set { path, .. } | Edit::Put { path, .. } | Edit::SetIfAbsent { path, .. } if path[0] == key));
            if !ours {
                value[key.as_str()] = extra;
            }
        }
        let what = format!("{} {}", agent.id(), file.path.display());
        if let Some(text) = render(&value, file.format.dialect, style).filter(|_| style.accepted_by(file.format)) {
            round_trip(&scratch, file, text.as_bytes(), &what);
        }
    }
}

/// The paths that are written lie in the scratch home, never elsewhere.
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
