//! Parts of compounds are looked for where neither this computer nor the organisation's server has the question's words.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod team;
mod world;

use std::time::Duration;

use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::store::{Actor, Draft, PgStore, Secrets, Server, Store};
use serde_json::json;
use team::{PROJECT, capture, computer, contents, team};
use world::NOW;

#[test]
fn a_compound_here_is_not_beside_a_word_that_the_server_has() {
    let Some(postgres) = team() else { return };
    let ana = computer(&postgres.url("ana", "team"));
    capture(&ana, "Die Datenbankverbindung läuft über den PgBouncer");
    // Somebody else's, which never came here.
    let server = Server::parse(&postgres.url("bo", "team")).unwrap();
    let theirs = "Jede Verbindung wird nach einer Stunde getrennt";
    let draft =
        Draft { project: Some(PROJECT.into()), ..Draft::new(theirs, Namespace::Decisions, Domain::Project) };
    PgStore::open(&server, Duration::from_secs(10))
        .unwrap()
        .capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(NOW))
        .unwrap();
    for (query, expected) in
        [("Verbindung", theirs), ("Datenbank", "Die Datenbankverbindung läuft über den PgBouncer")]
    {
        // The first recall may find the connection not made yet, and a busy computer's any.
        let asked = json!({"action": "recall", "query": query, "detail": "everything"});
        let mut found = (0..50).map(|_| ana.data("memory", asked.clone()));
        let found = found.find(|found| found["org"].is_null()).unwrap();
        assert_eq!(contents(&found), [expected], "{query}: {found}");
    }
    // Without the server there is what is here.
    postgres.stop().unwrap();
    let asked = json!({"action": "recall", "query": "Datenbank", "detail": "everything"});
    let found = ana.data("memory", asked);
    assert!(found["org"].is_string() && contents(&found).len() == 1, "{found}");
}
