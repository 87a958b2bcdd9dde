//! The organisation's store: tables of an older version, and what is shared beside memories.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod contract;
mod server;

use contract::{capture, draft, shop};
use plimsoll_memory::domain::{Record, RecordKind};
use plimsoll_memory::query::Scope;
use plimsoll_memory::store::{Draft, OrgError, PgStore, Role, Store};
use postgres::{Postgres, SUPERUSER};
use server::{WITHIN, open, org, server, team};

/// What `init` made in version 1, with what was in it.
fn first_tables(postgres: &Postgres, database: &str) {
    postgres.make(database, &["ana", "bo"]);
    let mut sql = include_str!("../src/store/postgres/schema.sql").to_owned();
    for hole in ["{near_index}", "{near}"] {
        sql = sql.replace(hole, "");
    }
    let _ = postgres.sql(database, &format!("CREATE SCHEMA plimsoll; {sql}"));
    for member in
        ["plimsoll.admit('ana', '*', 'admin')", "plimsoll.admit('bo', 'github.com/acme/shop', 'reader')"]
    {
        assert_eq!(postgres.sql(database, &format!("SELECT {member}")), "t");
    }
    let insert = "INSERT INTO plimsoll.memories (id, place, namespace, domain, status, project, created_ms, trust, version,
            updated_ms, hash, tags, content, own)
        VALUES ('0123456789abcdef0123', 'github.com/acme/shop', 'decisions', 'project', 'active', 'github.com/acme/shop', 5, 'user',
            1, 5, '', '{}', 'We moved to PostgreSQL', to_tsvector('plimsoll.words', 'We moved to PostgreSQL'))";
    let _ = postgres.sql(database, insert);
}

#[test]
fn tables_of_the_first_version_are_brought_up_to_date_and_lose_nothing() {
    let Some(postgres) = Postgres::start() else { return };
    first_tables(&postgres, "team");
    let older = org(PgStore::open(&server(&postgres, "ana", "team"), WITHIN).unwrap_err());
    assert!(matches!(older, OrgError::Schema { found: 1, .. }), "{older}");
    assert!(older.to_string().contains("memory org init"), "{older}");
    // Who may change no tables is refused, and changes nothing.
    assert!(PgStore::init(&server(&postgres, "bo", "team"), WITHIN).is_err());
    assert_eq!(postgres.sql("team", "SELECT max(version) FROM plimsoll.version"), "1");
    let owner = server(&postgres, SUPERUSER, "team");
    assert!(PgStore::init(&owner, WITHIN).unwrap().1);
    assert!(!PgStore::init(&owner, WITHIN).unwrap().1);
    let (mut ana, mut bo) = (open(&postgres, "ana", "team"), open(&postgres, "bo", "team"));
    // What was there is found by what it speaks of, by those who were members before.
    for store in [&ana, &bo] {
        assert_eq!(store.speaking_of(&shop(), &["pg".into()], 10).unwrap(), ["0123456789abcdef0123"]);
    }
    let record = |place: &str| Record {
        place: place.into(),
        kind: RecordKind::Prompt,
        key: "prompt/review/1/1".into(),
        body: Some("{}".into()),
        at_ms: 1,
    };
    assert_eq!(ana.put_records(&[record("github.com/acme/shop"), record("")]).unwrap(), 2);
    assert_eq!(bo.records("github.com/acme/shop", RecordKind::Prompt).unwrap().len(), 1);
    assert_eq!(bo.records("", RecordKind::Prompt).unwrap().len(), 1);
    let denied = org(bo.put_records(&[record("github.com/acme/shop")]).unwrap_err());
    assert!(matches!(denied, OrgError::Denied { .. }), "{denied}");
}

#[test]
fn what_is_shared_beside_memories_has_their_rights() {
    let Some(postgres) = Postgres::start() else { return };
    let mut ana = team(&postgres, "team");
    let record = |place: &str, body: Option<&str>, at_ms| Record {
        place: place.into(),
        kind: RecordKind::Prompt,
        key: "prompt/review/1/1".into(),
        body: body.map(str::to_owned),
        at_ms,
    };
    let (here, secret) = ("github.com/acme/shop", "github.com/acme/secret");
    for place in [here, secret, ""] {
        ana.put_records(&[record(place, Some("{}"), 1)]).unwrap();
    }
    capture(&mut ana, Draft { project: Some(secret.into()), ..draft("PostgreSQL of the secret one") });
    for (role, allowed) in [(Role::Reader, &[][..]), (Role::Writer, &[here][..])] {
        ana.grant("bo", here, role).unwrap();
        let mut bo = open(&postgres, "bo", "team");
        let seen = |place: &str| bo.records(place, RecordKind::Prompt).unwrap().len();
        assert_eq!((seen(here), seen(secret), seen("")), (1, 0, 1), "{role:?}");
        assert!(bo.speaking_of(&Scope::Everywhere, &["pg".into()], 10).unwrap().is_empty());
        for place in [here, secret, ""] {
            for (body, at_ms) in [(Some("{\"by\":\"bo\"}"), 2), (None, 3)] {
                let done = bo.put_records(&[record(place, body, at_ms)]);
                assert_eq!(done.is_ok(), allowed.contains(&place), "{role:?} {place} {done:?}");
            }
        }
    }
    assert_eq!(ana.records(secret, RecordKind::Prompt).unwrap(), [record(secret, Some("{}"), 1)]);
    assert_eq!(ana.records("", RecordKind::Prompt).unwrap(), [record("", Some("{}"), 1)]);
    assert_eq!(ana.records(here, RecordKind::Prompt).unwrap(), [record(here, None, 3)]);
}
