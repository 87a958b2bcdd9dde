//! The laws of every file: connecting and disconnecting, what survives both, and what is never touched.

use edits::{Change, Dialect, Edit};
use serde_json::Value;

use crate::files::{self, TargetFile};
use crate::scratch::{Scratch, write};

/// Connects and disconnects a file with this content: the same bytes come back, and in between everything of the user's is
/// where it was.
pub(crate) fn round_trip(scratch: &Scratch, file: &TargetFile, before: &[u8], what: &str) {
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
            let entry_state = edits::entry_state(&file.path, file.format, edit);
            assert_eq!(entry_state, edits::EntryState::Absent, "{what}: {} is still there", edit.place());
        }
    }
}

/// The user's content is still there.
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

/// Every member of `part` is in `whole`, arrays in order.
pub(crate) fn contains(whole: &Value, part: &Value, file: &TargetFile, what: &str) {
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

/// Nothing is written, not even the same bytes.
pub(crate) fn refused(scratch: &Scratch, file: &TargetFile, bytes: &[u8], what: &str) {
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
