//! A database of an earlier version: what its newest tables make of what was in it.

#![allow(clippy::unwrap_used, reason = "tests")]

use plimsoll_memory::domain::{Domain, Trust};
use plimsoll_memory::prompts::Kind;
use plimsoll_memory::query::Scope;
use plimsoll_memory::store::{SqliteStore, Store};

fn shop() -> Scope {
    Scope::Project("github.com/acme/shop".into())
}

#[test]
fn what_was_there_before_it_could_be_shared_is_shared_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("older.db");
    let older = home::open_db(&path, &plimsoll_memory::store::MIGRATIONS[..2]).unwrap();
    older
        .execute_batch(
            "INSERT INTO memories(row, id, namespace, domain, status, project, created_ms, trust, version, updated_ms, hash, content)
             VALUES (1, 'aaaa', 'decisions', 'project', 'active', 'github.com/acme/shop', 1, 'user', 1, 1, x'00', 'one'),
                    (2, 'bbbb', 'decisions', 'org', 'superseded', NULL, 1, 'user', 1, 1, x'01', 'two'),
                    (3, 'cccc', 'decisions', 'user', 'active', NULL, 1, 'user', 1, 1, x'02', 'three');
             INSERT INTO links(source, target, kind, at_ms) VALUES (1, 2, 'supersedes', 4), (1, 3, 'refines', 4);
             INSERT INTO entities(row, id, project, kind, name, aliases, properties, confidence, created_ms)
             VALUES (1, 'entity_ledger', 'github.com/acme/shop', 'Concept', 'Ledger', '[\"books\"]', '{\"port\":1}', 1, 5),
                    (2, 'entity_pg', 'github.com/acme/shop', 'Technology', 'pg', 'not json', '{}', 1, 5),
                    (3, 'entity_found', 'github.com/acme/shop', 'Concept', 'Found', '[]', '{}', 0.9, 5),
                    (4, 'entity_mine', 'local/x-1', 'Concept', 'Mine', '[]', '{}', 1, 5),
                    (5, 'entity_outside', '', 'Concept', 'Outside', '[]', '{}', 1, 5);
             INSERT INTO relations(source, target, kind, properties, confidence, since_ms)
             VALUES (1, 2, 'Uses', '{}', 1, 6), (1, 3, 'Uses', '{}', 0.8, 6);
             INSERT INTO prompts(kind, domain, project, name, version, content, variables, tags, created_ms)
             VALUES ('prompt', 'org', '', 'review', 1, 'Review {{file}}', '[{\"name\":\"file\"}]', '[\"x\"]', 7),
                    ('prompt', 'org', '', 'review', 2, 'Look at {{file}}', '[]', '[]', 8),
                    ('template', 'project', 'github.com/acme/shop', 'list', 1, 'x', '[]', '[]', 9),
                    ('prompt', 'user', '', 'mine', 1, 'x', '[]', '[]', 9);",
        )
        .unwrap();
    drop(older);
    let store = SqliteStore::open(&path).unwrap();
    let all: Vec<_> = store.records_since(0, 100).unwrap().into_iter().map(|(_, record)| record).collect();
    let keys: Vec<String> = all.iter().map(|record| format!("{} {}", record.place, record.key)).collect();
    assert_eq!(
        keys,
        [
            " prompt/review/7/1",
            " prompt/review/8/2",
            "github.com/acme/shop template/list/9/1",
            "github.com/acme/shop entity_ledger",
            "github.com/acme/shop entity_pg",
            "github.com/acme/shop entity_ledger/entity_pg/Uses",
            "github.com/acme/shop aaaa/bbbb/supersedes",
        ]
    );
    // Somebody else gets everything from that.
    let mut other = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    other.put_records(&all).unwrap();
    let prompts = |store: &SqliteStore| {
        let of = |kind| store.prompts(&shop(), kind).unwrap();
        [of(Kind::Prompt), of(Kind::Template)].concat().into_iter().filter(|one| one.domain != Domain::User)
    };
    assert_eq!(prompts(&other).collect::<Vec<_>>(), prompts(&store).collect::<Vec<_>>());
    assert_eq!(prompts(&other).count(), 2);
    let net = other.graph(&shop()).unwrap();
    let ledger = net.entity("entity_ledger").unwrap();
    assert_eq!(
        (ledger.aliases.as_slice(), &ledger.properties["port"]),
        (&["books".to_owned()][..], &1.into())
    );
    assert_eq!(net.relations.len(), 1);
    assert_eq!(other.last_record().unwrap(), 7);
    assert!(other.records_since(0, 100).unwrap().is_empty(), "what came from others is not sent back");
}

#[test]
fn what_waits_or_is_deleted_is_in_no_graph_any_more() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("older.db");
    let older = home::open_db(&path, &plimsoll_memory::store::MIGRATIONS[..3]).unwrap();
    older
        .execute_batch(
            "INSERT INTO memories(row, id, namespace, domain, status, created_ms, trust, version, updated_ms, hash, content)
             VALUES (1, 'aa', 'apis', 'user', 'active', 1, 'user', 1, 1, x'00', 'one'), (2, 'bb', 'apis', 'user', 'pending', 1, 'user', 1, 1, x'01', 'two');
             INSERT INTO entities(row, id, project, kind, name, aliases, properties, confidence, created_ms)
             VALUES (1, 'both', '', 'Concept', 'Both', '[]', '{}', 0.9, 5), (2, 'waits', '', 'Concept', 'Waits', '[]', '{}', 0.9, 5);
             INSERT INTO mentions(entity, memory) VALUES (1, 1), (1, 2), (2, 2);",
        )
        .unwrap();
    drop(older);
    let found = SqliteStore::open(&path).unwrap().graph(&shop()).unwrap().entities;
    let known: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.mentions)).collect();
    assert_eq!(known, [("both", 1)]);
}

#[test]
fn what_a_page_says_is_untrusted_whenever_it_was_captured() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("older.db");
    let older = home::open_db(&path, &plimsoll_memory::store::MIGRATIONS[..6]).unwrap();
    older
        .execute_batch(
            "INSERT INTO memories(id, namespace, domain, status, created_ms, source, trust, version, updated_ms, hash, content)
             VALUES ('aa', 'apis', 'user', 'active', 1, 'see HTTPS://example.org/a', 'agent', 1, 1, x'00', 'one'),
                    ('bb', 'apis', 'user', 'active', 1, 'http://example.org', 'user', 1, 1, x'01', 'two'),
                    ('cc', 'apis', 'user', 'active', 1, 'src/http.rs', 'user', 1, 1, x'02', 'three'),
                    ('dd', 'apis', 'user', 'active', 1, NULL, 'agent', 1, 1, x'03', 'four');",
        )
        .unwrap();
    drop(older);
    let store = SqliteStore::open(&path).unwrap();
    let trust = |id: &str| store.get(id).unwrap().unwrap().trust;
    assert_eq!(
        ["aa", "bb", "cc", "dd"].map(trust),
        [Trust::Untrusted, Trust::Untrusted, Trust::User, Trust::Agent]
    );
}

/// Several calls of an agent come at once: the first one that writes makes the database, and the others read meanwhile.
#[test]
fn a_database_that_is_just_being_made_has_nothing_yet() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let maker = home::open_db(&path, &[]).unwrap();
    assert!(path.exists());
    assert!(SqliteStore::open_read_only(&path).unwrap().is_none());
    drop(maker);
    drop(SqliteStore::open(&path).unwrap());
    assert!(SqliteStore::open_read_only(&path).unwrap().is_some());
}
