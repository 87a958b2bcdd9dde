//! The contract of a store, and what is SQLite's own: damage, other processes, files, and secrets on the way in.

#![allow(clippy::unwrap_used, reason = "tests")]

mod contract;

use contract::{ALL, NOW, capture, draft, select, shop, who};
use plimsoll_memory::domain::{Domain, Memory, Namespace, Status};
use plimsoll_memory::recall::{RecallRequest, recall};
use plimsoll_memory::store::{
    Adoption, Change, Draft, Effort, MAX_CONTENT_BYTES, Secrets, SqliteStore, Store, StoreError,
};

macro_rules! on_every_store {
    ($($(@$part:ident)? $case:ident)*) => {
        mod sqlite {
            $(#[test]
            fn $case() {
                let dir = tempfile::tempdir().unwrap();
                let mut store = plimsoll_memory::store::SqliteStore::open(&dir.path().join("memory.db")).unwrap();
                super::contract::$($part::)?$case(&mut store);
            })*
        }
    };
}

on_every_store! {
    content_comes_back_word_for_word
    the_same_twice_is_once
    a_proposal_counts_when_it_is_confirmed
    what_expired_is_gone_at_once
    what_is_superseded_stays_but_is_not_found
    @changes changes_keep_what_was
    @changes a_source_on_the_web_makes_a_memory_untrusted
    @changes trust_belongs_to_a_wording
    @changes two_who_change_one_memory_both_know
    @changes deleting_can_be_undone_until_it_is_purged
    @changes what_is_purged_leaves_no_word_with_its_neighbours
    a_users_memory_reaches_every_project_and_a_projects_only_its_own
    statistics_count_what_is_selected
    links_are_kept_once_and_lead_nowhere_else
    ids_are_found_by_their_beginning
    a_filter_names_its_tags_paths_and_times
    what_speaks_of_something_is_found_by_its_names
    the_last_record_of_a_key_counts_in_whatever_order_they_come
}

fn open(dir: &tempfile::TempDir) -> SqliteStore {
    SqliteStore::open(&dir.path().join("memory.db")).unwrap()
}

const TOKEN: &str = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");

#[test]
fn secrets_are_taken_out_or_refused_wherever_something_comes_in() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(&dir);
    let with = |content: &str, tag: &str, source: &str| Draft {
        tags: vec![tag.to_owned()],
        source: Some(source.to_owned()),
        ..draft(content)
    };
    let secret = format!("the token is {TOKEN}");
    for (n, given) in [
        with(&secret, "a", "b"),
        with("one", TOKEN, "b"),
        with("two", "a", &format!("https://u:{TOKEN}@example.org")),
    ]
    .into_iter()
    .enumerate()
    {
        let refused = given.clone().check(Secrets::Refuse).unwrap_err();
        assert!(matches!(refused, StoreError::Secret { .. }), "{n}: {refused}");
        assert_eq!(refused.number(), -32605);
        assert!(!refused.to_string().contains(TOKEN));
        let kept = capture(&mut store, given);
        assert!(kept.redacted, "{n}");
    }
    let id = capture(&mut store, draft("clean")).memory.id;
    let change = Change { content: Some(secret), ..Change::default() };
    assert!(matches!(change.clone().check(Secrets::Refuse), Err(StoreError::Secret { .. })));
    let change = change.check(Secrets::Redact).unwrap();
    assert!(change.redacted());
    store.update(&id, &change, &who()).unwrap();
    let whole = std::fs::read(store.path()).unwrap();
    let log = std::fs::read(dir.path().join("memory.db-wal")).unwrap_or_default();
    for bytes in [whole, log] {
        assert!(!bytes.windows(12).any(|window| window == &TOKEN.as_bytes()[..12]));
    }
}

#[test]
fn unusable_texts_are_reported_and_not_stored() {
    for (bad, word) in [
        (draft(""), "empty"),
        (draft(" \n\t"), "empty"),
        (draft(&"x".repeat(MAX_CONTENT_BYTES + 1)), "500001 bytes; the limit is 500000"),
        (Draft { tags: vec!["a,b".into()], ..draft("x") }, "comma"),
        (Draft { tags: vec!["x".repeat(101)], ..draft("x") }, "101 bytes"),
        (Draft { tags: (0..51).map(|n| n.to_string()).collect(), ..draft("x") }, "at most 50"),
        (Draft { source: Some("a\u{7}b".into()), ..draft("x") }, "control"),
    ] {
        let error = bad.check(Secrets::Redact).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    assert!(draft(&"x ".repeat(MAX_CONTENT_BYTES / 2)).check(Secrets::Redact).is_ok());
    assert!(matches!(Change::default().check(Secrets::Redact), Err(StoreError::NothingToChange)));
}

#[test]
fn reading_writes_nothing_and_creates_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    assert!(SqliteStore::open_read_only(&path).unwrap().is_none());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    let id = capture(&mut open(&dir), draft("Reads never write")).memory.id;
    let before = std::fs::read(&path).unwrap();
    let store = SqliteStore::open_read_only(&path).unwrap().unwrap();
    let selection = select(shop(), "", NOW);
    store.list(&selection, ALL).unwrap();
    store.matches(&selection, &contract::terms("reads write"), Effort::Usual).unwrap();
    store.statistics(&selection).unwrap();
    store.history(&id, 5).unwrap();
    store.ids("", 5).unwrap();
    drop(store);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn files_are_private_to_their_owner() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("plimsoll");
    let mut store = SqliteStore::open(&folder.join("memory.db")).unwrap();
    capture(&mut store, draft("Nobody else reads this"));
    // The files beside it while it is open are private too.
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", entry.path().display());
        names.push(entry.file_name().into_string().unwrap());
    }
    assert!(
        names.contains(&"memory.db".to_owned()) && names.contains(&"memory.db-wal".to_owned()),
        "{names:?}"
    );
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn sixteen_who_write_at_once_lose_nothing_and_store_nothing_twice() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(&dir));
    std::thread::scope(|scope| {
        for writer in 0..16 {
            let dir = &dir;
            scope.spawn(move || {
                let mut store = open(dir);
                for n in 0..10 {
                    capture(&mut store, draft(&format!("writer {writer} says {n}")));
                    capture(&mut store, draft(&format!("all say {n}")));
                }
            });
        }
    });
    let store = open(&dir);
    assert_eq!(store.list(&select(shop(), "", NOW), ALL).unwrap().total, 170);
}

#[test]
fn a_damaged_database_is_saved_row_by_row_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let mut store = open(&dir);
    for n in 0..400 {
        let tags = vec![format!("tag{n}")];
        capture(&mut store, Draft { tags, ..draft(&format!("memory {n} {}", "filling ".repeat(40))) });
    }
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 40_000..end - 36_000].fill(0xA5);
    std::fs::write(&path, &bytes).unwrap();
    // As a killed process would leave it: checked before it is trusted.
    std::fs::write(dir.path().join("memory.db-wal"), b"x").unwrap();
    let store = open(&dir);
    if let Some(salvaged) = store.salvaged() {
        assert!(salvaged.kept.exists());
    }
    let all = store.list(&select(shop(), "", NOW), ALL).unwrap();
    assert!(all.total >= 350, "{}", all.total);
    let newest = &all.memories[0];
    assert_eq!(newest.tags.len(), 1);
    let found = store.matches(&select(shop(), "", NOW), &contract::terms("memory"), Effort::Usual).unwrap();
    assert_eq!(found.all.len() as u64, all.total);
}

#[test]
fn an_unreadable_database_is_left_alone_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let garbage = b"this was never a database, and it is long enough to be looked at".repeat(100);
    std::fs::write(&path, &garbage).unwrap();
    let error = SqliteStore::open(&path).unwrap_err();
    assert!(error.is_damage() && error.to_string().contains("memory.db"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), garbage);
    // Set aside, it is kept, and memory goes on.
    let kept = home::set_aside(&path, NOW).unwrap();
    assert_eq!(std::fs::read(kept).unwrap(), garbage);
    let mut store = open(&dir);
    assert!(!capture(&mut store, draft("on we go")).duplicate);
}

#[test]
fn a_full_disk_keeps_existing_memories() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(&dir);
    let id = capture(&mut store, draft("first")).memory.id;
    store.limit_pages_for_test(60);
    let huge = draft(&"word ".repeat(90_000)).check(Secrets::Redact).unwrap();
    let error = store.capture(&huge, &who()).unwrap_err();
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(store.list(&select(shop(), "status:any", NOW), ALL).unwrap().total, 1);
    assert_eq!(store.get(&id).unwrap().unwrap().status, Status::Active);
}

#[test]
fn a_clock_that_jumps_back_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(&dir);
    for (n, at) in [NOW, NOW - 100_000, 0, -5].into_iter().enumerate() {
        let draft = Draft { ttl_ms: Some(1_000), ..draft(&format!("at {n}")) };
        let who = plimsoll_memory::store::Actor { at_ms: at, ..who() };
        store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap();
    }
    assert_eq!(store.list(&select(shop(), "status:any", NOW), ALL).unwrap().total, 4);
    assert_eq!(store.list(&select(shop(), "", -4), ALL).unwrap().total, 4);
}

#[test]
fn where_every_word_is_common_the_oldest_with_all_of_them_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(&dir);
    let words = ["harbour", "invoice", "winch"];
    let mut all = vec!["the winch of the harbour has its own invoice".to_owned()];
    // More than are looked at for one word, each with two of them at most.
    all.extend((0..4_200).map(|n| format!("{} number {n}", words[n % 3])));
    all.extend((0..60).map(|n| format!("{} and {} of row {n}", words[n % 3], words[(n + 1) % 3])));
    let all: Vec<_> = all.iter().map(|text| (draft(text).check(Secrets::Redact).unwrap(), who())).collect();
    store.capture_all(&all).unwrap();
    for effort in [Effort::Usual, Effort::Quick] {
        let asked = RecallRequest {
            query: Some("harbour invoice winch".into()),
            selection: select(shop(), "", NOW),
            limit: 3,
            effort,
            ..RecallRequest::default()
        };
        let found = recall(&store, &asked).unwrap();
        assert_eq!(
            found.hits[0].memory.content, "the winch of the harbour has its own invoice",
            "{effort:?}"
        );
        let second = &found.hits[1].memory.content;
        assert!(second.contains(" and "), "{effort:?}: {second} has one of the words");
    }
}

#[test]
fn a_period_finds_its_memories_in_any_order_of_capture() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(&dir);
    const DAY: i64 = 86_400_000;
    let days = [3, 40, 1, 90, 8, 0, 5, 41, 2];
    for day in days {
        let who = plimsoll_memory::store::Actor { at_ms: NOW - day * DAY, ..who() };
        store.capture(&draft(&format!("walrus of day {day}")).check(Secrets::Redact).unwrap(), &who).unwrap();
    }
    for (filter, fits) in [
        ("since:7d", (|day| day < 7) as fn(i64) -> bool),
        ("until:7d", |day| day > 7),
        ("since:50d until:30d", |day| day > 30 && day < 50),
        ("since:7d until:4d", |day| day < 7 && day > 4),
        ("since:1d until:3d", |_| false),
    ] {
        let found =
            store.matches(&select(shop(), filter, NOW + 1), &contract::terms("walrus"), Effort::Usual);
        let keys: Vec<i64> = found.unwrap().all.iter().map(|one| one.key).collect();
        let mut found: Vec<String> =
            store.read(&keys).unwrap().into_iter().map(|(_, memory)| memory.content).collect();
        found.sort();
        let mut wanted: Vec<String> =
            days.into_iter().filter(|day| fits(*day)).map(|day| format!("walrus of day {day}")).collect();
        wanted.sort();
        assert_eq!(found, wanted, "{filter}");
    }
}

#[test]
fn a_session_of_the_same_name_elsewhere_is_no_neighbour() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(&dir);
    let noted = |content: &str, domain, project: &str| Draft {
        session: Some("s1".into()),
        project: Some(project.into()),
        ..Draft::new(content, Namespace::Context, domain)
    };
    capture(&mut store, noted("walrus", Domain::Project, "github.com/acme/secret"));
    capture(&mut store, noted("penguin", Domain::Project, "github.com/acme/shop"));
    capture(&mut store, noted("seal", Domain::User, "github.com/acme/shop"));
    let found = store.matches(&select(shop(), "", NOW), &contract::terms("walrus"), Effort::Usual).unwrap();
    assert!(found.all.is_empty());
}

#[test]
fn replaced_memories_count_for_no_entity() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("replaced.db");
    let db = home::open_db(&path, plimsoll_memory::store::MIGRATIONS).unwrap();
    db.execute_batch(
        "INSERT INTO memories(row, id, namespace, domain, status, created_ms, trust, version, updated_ms, hash, content)
         VALUES (1, 'aa', 'apis', 'user', 'active', 1, 'user', 1, 1, x'00', 'one'), (2, 'bb', 'apis', 'user', 'superseded', 1, 'user', 1, 1, x'01', 'two');
         INSERT INTO entities(row, id, project, kind, name, aliases, properties, confidence, created_ms)
         VALUES (1, 'both', '', 'Concept', 'Both', '[]', '{}', 0.9, 5);
         INSERT INTO mentions(entity, memory) VALUES (1, 1), (1, 2);",
    )
    .unwrap();
    drop(db);
    let found = SqliteStore::open(&path).unwrap().graph(&shop()).unwrap().entities;
    let known: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.mentions)).collect();
    assert_eq!(known, [("both", 1)]);
}

/// Whoever may write for one project may choose any id there.
#[test]
fn a_sync_of_one_project_changes_no_other_memory() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(&dir);
    let of = |content: &str, domain, project: &str| Draft {
        project: Some(project.into()),
        ..Draft::new(content, Namespace::Context, domain)
    };
    let mine = capture(&mut store, of("Mine", Domain::User, "github.com/acme/shop")).memory;
    let theirs = capture(&mut store, of("Theirs", Domain::Project, "github.com/acme/secret")).memory;
    let ours = capture(&mut store, of("Ours", Domain::Project, "github.com/acme/shop")).memory;
    for other in [&mine, &theirs] {
        for known in [None, Some(other.id.as_str())] {
            let content = format!("In the place of {}, known {}", other.id, known.is_some());
            let given = Memory { id: other.id.clone(), content, updated_ms: NOW + 5, ..ours.clone() };
            let (id, adopted) = store.adopt(&given, known).unwrap();
            assert_eq!(adopted, Adoption::Changed);
            assert_eq!(store.get(&other.id).unwrap().as_ref(), Some(other));
            let stored = store.get(&id).unwrap().unwrap();
            assert_eq!((&stored.content, &stored.project), (&given.content, &ours.project));
            let again = store.adopt(&given, Some(&id)).unwrap();
            assert_eq!(again, (id, Adoption::Same));
        }
    }
    let given = Memory { content: "Ours, changed".into(), updated_ms: NOW + 5, ..ours.clone() };
    assert_eq!(store.adopt(&given, None).unwrap(), (ours.id, Adoption::Changed));
}
