//! Odd names. Linux allows those that aren't UTF-8: the store has texts only, and two such names may read the same.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use plimsoll_knowledge::folder::{Origin, WalkOptions, index};

use crate::common::{Temp, request, temp};

/// Long after the files were written.
const LATER: i64 = 4_000_000_000_000;

fn finds(t: &mut Temp, words: &[&str]) {
    let allow = |_: &Path| false;
    let (reply, refreshed) = t.store.search_fresh(&request(words), &allow, LATER).expect("search");
    assert_eq!(refreshed.removed, 0);
    for found in &reply.per_query {
        assert_eq!(found.total, 1, "{}", found.query);
    }
}

#[test]
fn files_whose_names_arent_utf8_are_kept_apart_and_stay() {
    let dir = tempfile::tempdir().expect("temp");
    let roots = [&b"sh\xffip"[..], b"sh\xfeip"].map(|name| dir.path().join(OsStr::from_bytes(name)));
    let words = [["narwhal", "walrus"], ["beluga", "manatee"]];
    for (root, words) in roots.iter().zip(words) {
        for (name, word) in [&b"ke\xffel"[..], b"ke\xfeel"].into_iter().zip(words) {
            let folder = root.join(OsStr::from_bytes(name));
            fs::create_dir_all(&folder).expect("folder");
            fs::write(folder.join("mast.md"), format!("# Mast\n\nThe {word} is grey.\n")).expect("write");
        }
    }
    let mut t = temp();
    let allow = |_: &Path| false;
    let origin = Origin { now_ms: LATER, ..Origin::default() };
    for (pattern, kept) in [("*.md", 0), ("*.md", 0), ("*.txt", 2), ("*.md", 0)] {
        for root in &roots {
            let include = vec![pattern.to_owned()];
            let options = WalkOptions { deny_read: &allow, include, ..WalkOptions::default() };
            let report = index(&mut t.store, root, &options, &origin, &mut |_| true).expect("index");
            assert_eq!((report.files, report.kept, report.removed), (2, kept, 0), "{pattern}: {report:?}");
        }
        finds(&mut t, words.as_flattened());
    }
}

/// The root of the disk is called that. Without the separator its source would have no name at all.
#[test]
fn a_folder_whose_name_is_a_separator_keeps_it() {
    let dir = tempfile::tempdir().expect("temp");
    fs::write(dir.path().join("mast.md"), "# Mast\n\nThe walrus is grey.\n").expect("write");
    let mut t = temp();
    let allow = |_: &Path| false;
    for (label, named) in [("/", "/"), ("ship/", "ship")] {
        let origin = Origin { label: Some(label), now_ms: LATER, ..Origin::default() };
        let options = WalkOptions { deny_read: &allow, ..WalkOptions::default() };
        let report = index(&mut t.store, dir.path(), &options, &origin, &mut |_| true).expect("index");
        assert_eq!((report.label.as_str(), report.added), (named, 1));
        assert_eq!(t.store.source(named).expect("a source").label, named);
    }
}
