//! A team's database on a real server, for tests of the organisation's store.

#![allow(dead_code, reason = "each test uses some of it")]

use std::time::Duration;

use plimsoll_memory::store::{OrgError, PgStore, Role, Server, Store, StoreError};
use postgres::{Postgres, SUPERUSER};

use crate::contract;

pub(crate) const WITHIN: Duration = Duration::from_secs(20);

pub(crate) fn server(postgres: &Postgres, user: &str, database: &str) -> Server {
    Server::parse(&postgres.url(user, database)).unwrap()
}

pub(crate) fn open(postgres: &Postgres, user: &str, database: &str) -> PgStore {
    PgStore::open(&server(postgres, user, database), WITHIN).unwrap()
}

/// A database with the tables in it, and `ana`, who is an admin and does not own them.
pub(crate) fn team(postgres: &Postgres, database: &str) -> PgStore {
    postgres.make(database, &["ana", "bo", "cy"]);
    let (mut owner, made) = PgStore::init(&server(postgres, SUPERUSER, database), WITHIN).unwrap();
    assert!(made);
    owner.grant("ana", "*", Role::Admin).unwrap();
    open(postgres, "ana", database)
}

pub(crate) fn org(error: StoreError) -> OrgError {
    match error {
        StoreError::Org(error) => error,
        other => panic!("{other}"),
    }
}

type Case = fn(&mut dyn Store);

const CASES: &[(&str, Case)] = &[
    ("content", contract::content_comes_back_word_for_word),
    ("twice", contract::the_same_twice_is_once),
    ("proposals", contract::a_proposal_counts_when_it_is_confirmed),
    ("expiry", contract::what_expired_is_gone_at_once),
    ("superseded", contract::what_is_superseded_stays_but_is_not_found),
    ("changes", contract::changes::changes_keep_what_was),
    ("sources", contract::changes::a_source_on_the_web_makes_a_memory_untrusted),
    ("wordings", contract::changes::trust_belongs_to_a_wording),
    ("two who change", contract::changes::two_who_change_one_memory_both_know),
    ("deleting", contract::changes::deleting_can_be_undone_until_it_is_purged),
    ("purged", contract::changes::what_is_purged_leaves_no_word_with_its_neighbours),
    ("scope", contract::a_users_memory_reaches_every_project_and_a_projects_only_its_own),
    ("statistics", contract::statistics_count_what_is_selected),
    ("links", contract::links_are_kept_once_and_lead_nowhere_else),
    ("ids", contract::ids_are_found_by_their_beginning),
    ("filters", contract::a_filter_names_its_tags_paths_and_times),
    ("mentions", contract::what_speaks_of_something_is_found_by_its_names),
    ("records", contract::the_last_record_of_a_key_counts_in_whatever_order_they_come),
];

/// Runs every case against this store, each with nothing in it.
pub(crate) fn fulfils_the_contract(postgres: &Postgres, store: &mut PgStore) {
    for (name, case) in CASES {
        eprintln!("{name}");
        let _ = postgres.sql("team", "TRUNCATE plimsoll.memories, plimsoll.records CASCADE");
        case(store);
    }
}
