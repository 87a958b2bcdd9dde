//! Purging moves to the trash, reports what and how much, and can be undone.

use plimsoll_knowledge::{KnowledgeError, NewSource, PurgeScope};

use crate::common::{Temp, find, markdown, source, temp};

fn three() -> Temp {
    let mut t = temp();
    t.add("docs/a", "# Alpha\n\nelephant alpha\n");
    t.add("docs/b", "# Beta\n\nelephant beta\n");
    t.store
        .index_text(NewSource { session: Some("s1"), ..source("out", "# Out\n\nelephant output zyxwvut\n") })
        .expect("index");
    t
}

#[test]
fn each_scope_removes_its_own_and_restore_brings_it_back() {
    for (scope, gone) in [
        (PurgeScope::Source("docs/a".into()), 1),
        (PurgeScope::Source("docs/".into()), 2),
        (PurgeScope::Source("#1".into()), 1),
        (PurgeScope::Session("s1".into()), 1),
        (PurgeScope::All, 3),
    ] {
        let mut t = three();
        let trash = t.dir.path().join("trash");
        let preview = t.store.purge_preview(&scope).expect("preview");
        assert_eq!(t.find("elephant").total, 3);
        let purged = t.store.purge(&scope, Some(&trash), 5_000).expect("purge");
        assert_eq!((purged.sources, purged.chunks), (gone, gone), "{scope}");
        assert_eq!(
            (preview.sources, preview.bytes, &preview.labels),
            (purged.sources, purged.bytes, &purged.labels)
        );
        assert!(purged.bytes > 10);
        assert_eq!(t.find("elephant").total, 3 - gone);
        assert!(t.store.index_is_sound().expect("check"));

        let file = purged.trash.expect("trash file");
        let restored = t.store.restore(&file).expect("restore");
        assert_eq!(
            (restored.sources, restored.chunks, restored.bytes),
            (gone, gone, purged.bytes),
            "{scope}"
        );
        assert_eq!(t.find("elephant").total, 3);
        assert!(t.store.index_is_sound().expect("check"));
        assert!(!file.exists());
    }
}

/// Whoever writes `npm` doesn't mean `npm-audit`, and neither does whoever mistypes a name.
#[test]
fn the_beginning_of_a_name_removes_nothing() {
    let mut t = three();
    t.add("docs-old", "# Gamma\n\nelephant gamma\n");
    t.add("batch:hold2/1 npm test", "elephant one\n");
    t.add("batch:hold2/2 npm run lint", "elephant two\n");
    for beginning in ["d", "do", "docs/a-", "docs-", "o", "batch", "batch:", "batch:ho", "batch:hold2/1"] {
        let scope = PurgeScope::Source(beginning.into());
        for outcome in [t.store.purge_preview(&scope), t.store.purge(&scope, None, 5_000)] {
            assert!(matches!(outcome, Err(KnowledgeError::NothingToPurge(_))), "{beginning}");
        }
    }
    assert_eq!(t.find("elephant").total, 6);
    for (name, gone) in [("docs", 2), ("batch:hold2", 2), ("docs-old", 1)] {
        let purged = t.store.purge(&PurgeScope::Source(name.into()), None, 5_000).expect("purge");
        assert_eq!(purged.sources, gone, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn only_the_user_can_open_the_trash() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut t = three();
    let trash = t.dir.path().join("trash");
    let purged = t.store.purge(&PurgeScope::All, Some(&trash), 5_000).expect("purge");
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
    assert_eq!((mode(&trash), mode(&purged.trash.expect("trash file"))), (0o700, 0o600));
}

#[test]
fn what_another_process_stores_meanwhile_is_in_the_trash_too() {
    let mut t = three();
    // Another process is in the middle of storing when the purge begins.
    let other = rusqlite::Connection::open(t.store.path()).expect("open");
    other
        .execute_batch(
            "BEGIN IMMEDIATE; INSERT INTO sources (label, kind, bytes, chunks, code_chunks, indexed_ms)
             VALUES ('late', 'text', 5, 0, 0, 1)",
        )
        .expect("insert");
    let storing = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        other.execute_batch("COMMIT").expect("commit");
    });
    let purged = t.store.purge(&PurgeScope::All, Some(&t.dir.path().join("trash")), 5_000).expect("purge");
    storing.join().expect("the other process");
    let restored = t.store.restore(&purged.trash.expect("trash file")).expect("restore");
    assert_eq!((purged.sources, restored.sources), (4, 4));
    assert!(t.store.source_text("late").is_ok());
}

#[test]
fn without_a_trash_nothing_remains() {
    let mut t = three();
    let purged = t.store.purge(&PurgeScope::Session("s1".into()), None, 5_000).expect("purge");
    assert_eq!(purged.trash, None);
    assert_eq!(t.find("zyxwvut").total, 0);
    let path = t.store.path().to_path_buf();
    drop(t.store);
    let raw = std::fs::read(path).expect("file");
    assert!(!raw.windows(7).any(|w| w == b"zyxwvut"), "the purged word is still in the file");
}

#[test]
fn a_purge_of_nothing_and_a_foreign_file_are_errors() {
    let mut t = three();
    let error = t
        .store
        .purge(&PurgeScope::Source("nowhere".into()), Some(&t.dir.path().join("trash")), 1)
        .expect_err("nothing");
    assert!(matches!(error, KnowledgeError::NothingToPurge(_)), "{error}");
    let junk = t.dir.path().join("junk.db");
    std::fs::write(&junk, "not a database at all, but long enough to look at").expect("write");
    assert!(matches!(t.store.restore(&junk), Err(KnowledgeError::BadTrash { .. })));
    assert_eq!(t.find("elephant").total, 3);
}

#[test]
fn a_label_indexed_again_is_not_overwritten_by_a_restore() {
    let mut t = three();
    let trash = t.dir.path().join("trash");
    let purged = t.store.purge(&PurgeScope::All, Some(&trash), 5_000).expect("purge");
    t.add("docs/a", "# Alpha\n\nthe giraffe is new\n");
    let file = purged.trash.expect("file");
    let restored = t.store.restore(&file).expect("restore");
    assert_eq!(restored.sources, 2);
    assert_eq!(t.find("giraffe").total, 1);
    assert_eq!(t.find("elephant").total, 2);
    assert!(file.exists(), "what could not be restored stays in the trash");
    assert_eq!(restored.trash.as_ref(), Some(&file), "and that is told");
}

#[test]
fn a_source_that_exists_again_does_not_block_a_restore() {
    let mut t = three();
    let purged = t.store.purge(&PurgeScope::All, Some(&t.dir.path().join("trash")), 5_000).expect("purge");
    let file = purged.trash.expect("file");
    t.add("docs/a", "# Alpha\n\nthe giraffe is new\n");
    assert_eq!(t.store.restore(&file).expect("restore").sources, 2);
    // The two that came back are in both places now; the third is another text.
    let again = t.store.restore(&file).expect("restore");
    assert_eq!((again.sources, again.trash.as_ref()), (0, Some(&file)));
    t.store.purge(&PurgeScope::Source("docs/a".into()), None, 6_000).expect("purge");
    let last = t.store.restore(&file).expect("restore");
    assert_eq!((last.sources, last.trash, file.exists()), (1, None, false));
    assert_eq!((t.find("elephant").total, t.find("giraffe").total), (3, 0));
    assert!(t.store.index_is_sound().expect("check"));
}

#[test]
fn the_file_shrinks() {
    let mut t = temp();
    t.add("big", &markdown(600_000, 1));
    t.add("small", "# S\n\nelephant\n");
    let before = t.store.stats().expect("stats").database_bytes;
    t.store.purge(&PurgeScope::Source("big".into()), None, 1).expect("purge");
    let after = t.store.stats().expect("stats").database_bytes;
    assert!(after * 4 < before, "{before} → {after}");
    assert_eq!(find(&t.store, "elephant").total, 1);
}
