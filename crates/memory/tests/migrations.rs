//! A database of an earlier version: what its newest tables make of what was in it.

#![allow(clippy::unwrap_used, reason = "tests")]

use plimsoll_memory::domain::{Domain, Trust, redacted_key};
use plimsoll_memory::prompts::Kind;
use plimsoll_memory::query::Scope;
use plimsoll_memory::store::{SqliteStore, Store};

fn shop() -> Scope {
    Scope::Project("github.com/acme/shop".into())
}

#[test]
fn memories_from_before_sharing_are_shared_as_well() {
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
fn a_migration_removes_pending_and_deleted_memories_from_the_graph() {
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
fn text_of_a_web_page_is_untrusted_whenever_it_was_captured() {
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
fn a_database_under_creation_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let maker = home::open_db(&path, &[]).unwrap();
    assert!(path.exists());
    assert!(SqliteStore::open_read_only(&path).unwrap().is_none());
    drop(maker);
    drop(SqliteStore::open(&path).unwrap());
    assert!(SqliteStore::open_read_only(&path).unwrap().is_some());
}

/// Keys that an earlier version made of mistyped remotes: with a token, with the beginning of a password, and with an `@` that
/// belongs to the name of a repository.
const MISTYPED: &str = "oauth2/token@gitlab.com:acme/shop";
const HALF: &str = "ana:s/ecret";
const VERSIONED: [&str; 2] = ["git.example.org/a/b@v1", "git.example.org/c/d@v1"];

#[test]
fn a_password_is_taken_out_of_the_keys_of_projects_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("older.db");
    let older = home::open_db(&path, &plimsoll_memory::store::MIGRATIONS[..8]).unwrap();
    older
        .execute_batch(&format!(
            "INSERT INTO memories(id, namespace, domain, status, project, created_ms, trust, version, updated_ms, hash, content)
             VALUES ('aa', 'apis', 'project', 'active', '{MISTYPED}', 1, 'user', 1, 1, x'00', 'one'),
                    ('bb', 'apis', 'project', 'active', '{HALF}', 1, 'user', 1, 1, x'01', 'two'),
                    ('cc', 'apis', 'project', 'active', '{}', 1, 'user', 1, 1, x'02', 'three'),
                    ('dd', 'apis', 'project', 'active', '{}', 1, 'user', 1, 1, x'03', 'four'),
                    ('ee', 'apis', 'project', 'active', 'git.example.org:8443/Team/App', 1, 'user', 1, 1, x'04', 'five'),
                    ('ff', 'apis', 'user', 'active', NULL, 1, 'user', 1, 1, x'05', 'six');
             INSERT INTO prompts(kind, domain, project, name, version, content, variables, tags, created_ms)
             VALUES ('prompt', 'project', '{MISTYPED}', 'review', 1, 'x', '[]', '[]', 7),
                    ('prompt', 'project', '{MISTYPED}', 'review', 2, 'y', '[]', '[]', 8);
             INSERT INTO entities(row, id, project, kind, name, aliases, properties, confidence, created_ms)
             VALUES (1, 'entity_ledger', '{MISTYPED}', 'Concept', 'Ledger', '[]', '{{}}', 1, 5);
             INSERT INTO names(entity, project, name) VALUES (1, '{MISTYPED}', 'ledger'), (1, '{MISTYPED}', 'books');
             INSERT INTO purged VALUES ('{MISTYPED}', '11', x'00000000000000000000000000000000');
             INSERT INTO clones VALUES ('{MISTYPED}', '/srv/shop');
             INSERT INTO trees(root, folder, git, project) VALUES ('/srv/shop', '1-1', NULL, '{MISTYPED}');
             INSERT INTO same_projects VALUES ('github.com/acme/shop', '{MISTYPED}', 1, '', 5),
                                              ('local/web-1', '{MISTYPED}', 0, '1-1', 6);
             INSERT INTO records(place, what, key, body, at_ms, mine) VALUES ('{MISTYPED}', 'entity', 'entity_ledger', '{{}}', 1, 1);",
            VERSIONED[0], VERSIONED[1]
        ))
        .unwrap();
    drop(older);
    let new_key = redacted_key(MISTYPED).unwrap();
    // What is done once isn't done again.
    for _ in 0..2 {
        let store = SqliteStore::open(&path).unwrap();
        let project = |id: &str| store.get(id).unwrap().unwrap().project;
        for (id, key) in [("aa", MISTYPED), ("bb", HALF), ("cc", VERSIONED[0]), ("dd", VERSIONED[1])] {
            assert!(project(id).is_some_and(|key| key.starts_with("local/")), "{id}");
            assert_eq!(project(id), redacted_key(key), "{id}");
        }
        assert_ne!(project("cc"), project("dd"), "two projects remain two");
        assert_eq!(project("ee").as_deref(), Some("git.example.org:8443/Team/App"));
        assert_eq!(project("ff"), None);
        let scope = Scope::Project(new_key.as_str().into());
        let prompts = store.prompts(&scope, Kind::Prompt).unwrap();
        let versions: Vec<_> = prompts.iter().map(|one| (one.name.as_str(), one.version)).collect();
        assert_eq!(versions, [("review", 2)]);
        assert!(store.graph(&scope).unwrap().entity("entity_ledger").is_some());
        assert_eq!(store.aliases_of(&scope, "ledger").unwrap(), ["books"]);
        assert!(store.is_purged(&new_key, "11", [0; 16]).unwrap());
        assert_eq!(store.clones(&new_key).unwrap(), [std::path::PathBuf::from("/srv/shop")]);
        let mut pairs: Vec<_> =
            store.key_pairs().unwrap().into_iter().map(|pair| (pair.keys, pair.apart)).collect();
        pairs.sort();
        assert_eq!(
            pairs,
            [
                (["github.com/acme/shop".to_owned(), new_key.clone()], true),
                ([new_key.clone(), "local/web-1".to_owned()], false),
            ]
        );
        assert!(store.records_since(0, 10).unwrap().is_empty(), "nobody is sent a key of this computer");
    }
    let bytes = std::fs::read(&path).unwrap();
    for secret in ["token@", "s/ecret"] {
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{secret}");
    }
}

/// An earlier version compared accents as they were written, so that one name could be two entities'.
#[test]
fn names_from_before_are_found_however_their_accents_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("older.db");
    let older = home::open_db(&path, &plimsoll_memory::store::MIGRATIONS[..9]).unwrap();
    older
        .execute_batch(
            "INSERT INTO entities(row, id, project, kind, name, aliases, properties, confidence, created_ms)
             VALUES (1, 'entity_e_cole', '', 'Concept', 'E\u{301}cole', '[]', '{}', 0.9, 5),
                    (2, 'entity_école', '', 'Concept', 'École', '[]', '{}', 1, 5),
                    (3, 'entity_cafe', '', 'Concept', 'Cafe\u{301}', '[]', '{}', 0.9, 5),
                    (4, 'entity_u_ber', '', 'Concept', 'U\u{308}ber', '[]', '{}', 1, 5),
                    (5, 'entity_über', '', 'Concept', 'Über', '[]', '{}', 1, 5);
             INSERT INTO names(entity, project, name)
             VALUES (1, '', 'e\u{301}cole'), (2, '', 'école'), (2, '', 'school'), (3, '', 'cafe\u{301}'), (3, '', 'coffee'),
                    (4, '', 'u\u{308}ber'), (4, '', 'above'), (5, '', 'über'), (5, '', 'over');
             INSERT INTO relations(source, target, kind, properties, confidence, since_ms)
             VALUES (1, 3, 'Uses', '{\"since\":\"May\"}', 1, 5), (2, 3, 'Uses', '{}', 0.9, 5), (3, 1, 'PartOf', '{}', 0.9, 5);",
        )
        .unwrap();
    drop(older);
    // What is done once isn't done again.
    for _ in 0..2 {
        let store = SqliteStore::open(&path).unwrap();
        let graph = store.graph(&Scope::Everywhere).unwrap();
        let mut ids: Vec<&str> = graph.entities.iter().map(|one| one.id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, ["entity_cafe", "entity_u_ber", "entity_école", "entity_über"]);
        let mut ends: Vec<_> =
            graph.relations.iter().map(|one| (one.from.as_str(), one.to.as_str())).collect();
        ends.sort_unstable();
        assert_eq!(ends, [("entity_cafe", "entity_école"), ("entity_école", "entity_cafe")]);
        // Of a relation that both had, what somebody stated by hand stays.
        let uses = graph.relations.iter().find(|one| one.from == "entity_école").unwrap();
        assert!(uses.confidence >= 1.0 && uses.properties["since"] == "May", "{uses:?}");
        for (name, other) in [("École", "school"), ("Cafe\u{301}", "coffee"), ("Über", "over")] {
            assert_eq!(store.aliases_of(&Scope::Everywhere, name).unwrap(), [other], "{name}");
        }
        // Two that somebody made by hand stay two, with all their names.
        let above = store.aliases_of(&Scope::Everywhere, "above").unwrap();
        assert_eq!(above, ["u\u{308}ber"]);
    }
}
