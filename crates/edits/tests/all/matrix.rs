//! Every fixture file in every dialect that can read it: the result of a connection (snapshots), and the laws that apply to each
//! of them.

use crate::common::{NOW, Scratch, edits, format, visible};
use plimsoll_edits::{
    Change, Dialect, EntryState, FileReceipt, Original, RollbackOutcome, apply, entry_state, plan,
    plan_removal, rollback,
};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Original states with one of Plimsoll's earlier entries: there is no connection to restore.
fn held_ours(name: &str) -> bool {
    name.starts_with("ours-") || name == "split-subtables"
}

fn check(folder: &str, dialect: Dialect) -> String {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("tests/fixtures")
        .join(folder);
    let mut files: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 8, "fixtures are missing");
    let mut report = String::new();
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let _ = writeln!(report, "════ {name}");
        one(name, &bytes, dialect, &mut report);
    }
    report
}

fn one(name: &str, bytes: &[u8], dialect: Dialect, report: &mut String) {
    let scratch = Scratch::new();
    let path = scratch.file("settings", bytes);
    let (format, edits) = (format(dialect), edits(dialect));
    let touched = fs::metadata(&path).unwrap().modified().unwrap();
    let planned = plan(&path, format, &edits);
    for note in &planned.notes {
        let _ = writeln!(report, "note: {note}");
    }
    if let Some(refusal) = &planned.refusal {
        let _ = writeln!(report, "refused ({}): {refusal}", refusal.code());
        assert_eq!(planned.change, Change::Refused);
        assert!(apply(&planned, &scratch.store, NOW).is_err(), "{name}");
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), touched, "{name}: touched");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
        return;
    }
    if planned.change == Change::Unchanged {
        report.push_str("unchanged\n");
    } else {
        let shown: Vec<String> =
            visible(&planned.after).lines().map(|line| line.chars().take(160).collect()).collect();
        let _ = writeln!(report, "{}", shown.join("\n"));
    }
    let receipt = scratch.apply(&planned);
    assert_eq!(fs::read(&path).unwrap(), planned.after, "{name}");
    let stored: FileReceipt = serde_json::from_str(&serde_json::to_string(&receipt).unwrap()).unwrap();
    assert_eq!(stored, receipt, "{name}: the receipt survives storage");

    // Twice is once, and writes nothing.
    let touched = fs::metadata(&path).unwrap().modified().unwrap();
    let again = plan(&path, format, &edits);
    assert_eq!(again.change, Change::Unchanged, "{name}: {}", again.diff);
    let second = scratch.apply(&again);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), touched, "{name}: written twice");
    for edit in &edits {
        let found = entry_state(&path, format, edit);
        assert!(matches!(found, EntryState::Ours | EntryState::OursWithExtras), "{name}: {found:?}");
    }

    // Disconnecting gives back the same bytes: by the receipt, by the receipt of the second round, and by
    // meaning alone, as if the host had rewritten the file.
    let expected = |bytes: Option<Vec<u8>>, how: &str| {
        if !held_ours(name) {
            let (now, then) = (visible(&bytes.unwrap_or_default()), visible(self::bytes(&planned)));
            assert_eq!(now, then, "{name}: {how}");
        }
    };
    expected(Some(plan_removal(&path, format, &edits, Some(&receipt)).after), "whole");
    expected(Some(plan_removal(&path, format, &edits, Some(&second)).after), "whole, second receipt");
    let stale = FileReceipt { hash_after: Some("0".to_owned()), ..receipt.clone() };
    let by_meaning = plan_removal(&path, format, &edits, Some(&stale));
    assert_eq!(by_meaning.refusal, None, "{name}");
    let bom = bytes.starts_with("\u{feff}".as_bytes());
    // Blank lines alone, or words alone, become a document: an empty one stays behind.
    if !bom && !["blank-lines", "comments-only"].contains(&name) {
        expected(Some(by_meaning.after), "by meaning");
    }
    let lost = FileReceipt { original: Original::default(), ..stale };
    let by_meaning = plan_removal(&path, format, &edits, Some(&lost));
    assert_eq!(by_meaning.refusal, None, "{name}");

    // A rollback does the same, and a removal that is carried out too.
    if planned.change != Change::Unchanged {
        assert_eq!(
            rollback(std::slice::from_ref(&receipt), &scratch.store)[0].outcome,
            RollbackOutcome::Restored
        );
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}: rollback");
        let receipt = scratch.apply(&plan(&path, format, &edits));
        scratch.apply(&plan_removal(&path, format, &edits, Some(&receipt)));
        if !held_ours(name) {
            assert_eq!(fs::read(&path).unwrap(), bytes, "{name}: removal");
        }
        for edit in &edits[..1] {
            assert_eq!(entry_state(&path, format, edit), EntryState::Absent, "{name}");
        }
    }
}

fn bytes(plan: &plimsoll_edits::FilePlan) -> &[u8] {
    plan.before.as_deref().unwrap_or_default()
}

#[test]
fn strict_json() {
    insta::assert_snapshot!(check("json", Dialect::Json));
}

#[test]
fn json_with_comments() {
    insta::assert_snapshot!(check("json", Dialect::JsonComments));
}

#[test]
fn jsonc() {
    insta::assert_snapshot!(check("json", Dialect::Jsonc));
}

#[test]
fn toml() {
    insta::assert_snapshot!(check("toml", Dialect::Toml));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(check("markdown", Dialect::Markdown));
}
