//! No secret reaches the disk, whichever way a text comes in.

use plimsoll_knowledge::folder::{self, Origin, WalkOptions};

use crate::common::temp;

/// Made of two halves, so that no scanner takes this file for a leak.
fn token() -> String {
    format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

#[test]
fn inline_text_files_and_folders_are_redacted_before_they_are_stored() {
    let mut t = temp();
    let work = tempfile::tempdir().expect("temp dir");
    let line = format!("The deploy key is {} and the lighthouse is blue.\n", token());
    for name in ["one.md", "sub/two.txt"] {
        let path = work.path().join(name);
        std::fs::create_dir_all(path.parent().expect("parent")).expect("dir");
        std::fs::write(path, &line).expect("write");
    }
    t.add("inline", &line);
    let origin = Origin { label: None, session: None, agent: None, now_ms: 1_000, force: false };
    folder::index_file(&mut t.store, &work.path().join("one.md"), 1_000_000, &origin).expect("file");
    folder::index(&mut t.store, work.path(), &WalkOptions::default(), &origin, &mut |_| true)
        .expect("folder");
    assert!(t.find("lighthouse").total >= 3);
    let secret = token();
    for entry in std::fs::read_dir(t.dir.path()).expect("dir").flatten() {
        let bytes = std::fs::read(entry.path()).expect("read");
        let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "{} holds the secret", entry.path().display());
    }
}
