//! The memory system's part in doctor and retention.

use std::path::Path;
use std::time::Duration;

use contract::{Check, Health, LowerError, Sentence};
use home::{Home, Retention, Settings};
use system::{Database, Host, Removed};

use super::damaged_copies;
use crate::actions::{ActionContext, is_from_file, purge_for_good, shared_problems};
use crate::domain::{DAY_MS, Memory, Status, record_scope};
use crate::paths::database;
use crate::query::{Clause, Filter, Scope, Selection, Statuses};
use crate::store::{Actor, Page, PgStore, SqliteStore, Store, messages};
use crate::wire::KeyLocation;

/// Days for which a deleted memory can be restored, and an expired one found.
const TOMBSTONED_DAYS: i64 = 30;
/// Days after which an unreviewed memory is dropped.
const PENDING_DAYS: i64 = 90;
/// How long doctor waits for the organisation's server.
const SERVER_TIME_LIMIT: Duration = Duration::from_secs(3);
/// Maximum number of memories of one kind that are removed in one run.
const MAX_REMOVED: usize = 50_000;
/// The number of memories that are looked at together.
const PAGE: usize = 10_000;

/// The memories, and the state of the exchange with the organisation's server.
pub(crate) fn databases(home: &Home) -> Vec<Database> {
    let memories = database(home);
    let exchange = crate::org::exchange_state_path(&memories);
    vec![
        Database { name: messages::memory_database(), path: memories, newest: crate::store::NEWEST },
        Database { name: messages::org_exchange(), path: exchange, newest: crate::org::NEWEST_EXCHANGE },
    ]
}

/// The checks for doctor: how much is remembered, and what waits for review.
pub(crate) fn check(host: &dyn Host) -> Vec<Check> {
    let path = database(host.home());
    let mut checks = local_checks(host, &path);
    checks.extend(other_keys(host, &path));
    checks.extend(unreadable_files(host, &path));
    checks.extend(damaged_copies::check(&path));
    checks.extend(organisation(host, &path));
    checks.extend(models(host));
    checks
}

/// The other keys of this project, such as that of a remote that was renamed.
fn other_keys(host: &dyn Host, path: &Path) -> Option<Check> {
    let project = host.has_project().then(|| host.project())?;
    let context = ActionContext::in_project(path, Some(&project), Actor::local_user(host.now_ms()));
    let first = context.earlier.first()?;
    let detail = messages::same_project(context.earlier.join(", "), first.as_str());
    Some(Check { health: Health::Ok, name: messages::earlier_names(), detail })
}

/// Files of the repository that aren't read, such as those in which a merge left both sides.
fn unreadable_files(host: &dyn Host, path: &Path) -> Option<Check> {
    let project = host.has_project().then(|| host.project())?;
    let context = ActionContext::in_project(path, Some(&project), Actor::local_user(host.now_ms()));
    let problems = shared_problems(&context);
    let (file, problem) = problems.first()?;
    let detail = messages::shared_unreadable(problems.len(), file.as_str(), problem.as_str());
    Some(Check { health: Health::Warn, name: messages::shared_memories(), detail })
}

/// Whether the organisation's server answers, if one is configured.
fn organisation(host: &dyn Host, path: &Path) -> Option<Check> {
    let line = |health, detail| Check { health, name: messages::org_memories(), detail };
    let server = match crate::org::server(host.settings())? {
        Ok(server) => server,
        Err(error) => return Some(line(Health::Fail, error.message())),
    };
    let waiting = crate::org::exchange_lag(path, &server).map_or(0, |lag| lag.waiting);
    Some(match PgStore::open(&server, SERVER_TIME_LIMIT) {
        Ok(_) => line(Health::Ok, messages::org_met(server.name(), waiting)),
        Err(error) => line(Health::Warn, messages::org_waits(error.message(), waiting)),
    })
}

/// The configured models: whether the settings make sense, the folder is readable and the key exists. Doesn't use the
/// network.
fn models(host: &dyn Host) -> Vec<Check> {
    let line = |name, health, detail| Check { health, name, detail };
    let failed = |error: String| (Health::Fail, Sentence::from(error));
    let mut out = Vec::new();
    if let Some(embedder) = crate::embedding::embedder(host.home(), host.settings()) {
        let (health, detail) = match embedder.and_then(|one| one.model().map(|_| one)) {
            Err(error) => failed(error.to_string()),
            Ok(one) if one.lacks_key() => (Health::Warn, messages::model_without_key(one.display_name())),
            Ok(one) => (Health::Ok, model_sentence(one.display_name(), one.key_location())),
        };
        out.push(line(messages::model_of_vectors(), health, detail));
    }
    if let Some(model) = crate::model::model(host.home(), host.settings()) {
        let (health, detail) = match model {
            Err(error) => failed(error.to_string()),
            Ok(one) if one.lacks_key() => (Health::Warn, messages::model_without_key(one.display_name())),
            Ok(one) => (Health::Ok, model_sentence(one.display_name(), one.key_location())),
        };
        out.push(line(messages::model_of_language(), health, detail));
    }
    out
}

/// A configured model, with where its key is stored.
fn model_sentence(model: String, kept: Option<KeyLocation>) -> Sentence {
    match kept {
        None => messages::model_ready(model),
        Some(KeyLocation::Keyring) => messages::model_with_keyring(model),
        Some(KeyLocation::File(_)) => messages::model_with_file(model),
    }
}

fn local_checks(host: &dyn Host, path: &Path) -> Vec<Check> {
    let line = |health, detail| vec![Check { health, name: messages::memories(), detail }];
    if let Err(error) = super::retention_periods::configured_periods(host.settings()) {
        return line(Health::Warn, Sentence::from(error));
    }
    let statistics = match SqliteStore::open_read_only(path) {
        Ok(None) => return line(Health::Ok, messages::nothing_yet()),
        Ok(Some(store)) => store.statistics(&everything(host.now_ms(), Filter::default())),
        Err(error) => Err(error),
    };
    match statistics {
        Ok(statistics) => {
            let pending = statistics.statuses.iter().find(|(status, _)| *status == Status::Pending);
            let pending = pending.map_or(0, |(_, count)| *count);
            line(Health::Ok, messages::remembered(statistics.total, pending))
        }
        Err(error) => line(Health::Fail, LowerError::message(&error)),
    }
}

fn everything(now_ms: i64, filter: Filter) -> Selection {
    Selection { scope: Scope::Everywhere, filter, now_ms }
}

/// Purges what was deleted or expired long ago, and drops what waited too long for review.
pub(crate) fn retain(home: &Home, _: &Retention, now_ms: i64) -> Vec<Removed> {
    crate::auto_recall::forget_old(home);
    crate::auto_recall::retain_deliveries(home, now_ms);
    let removed = |number| vec![Removed { what: "memories", number }];
    let work = || -> crate::store::Result<u64> {
        let path = database(home);
        let Some(reader) = SqliteStore::open_read_only(&path)? else { return Ok(0) };
        // Memories captured meanwhile don't shift the pages.
        reader.hold_view()?;
        let mut ids = Vec::new();
        for (status, days) in [(Status::Tombstoned, TOMBSTONED_DAYS), (Status::Pending, PENDING_DAYS)] {
            let statuses = Statuses { any: vec![status], expired: None };
            let selection = everything(now_ms, Filter { clauses: Vec::new(), statuses });
            let until = now_ms.saturating_sub(days * DAY_MS);
            // Without a trace of its deletion, a file of the repository's would bring its memory back.
            let old = |memory: &Memory| {
                memory.tombstoned_ms.unwrap_or(memory.updated_ms) <= until && !is_from_file(memory)
            };
            ids.extend(ids_of(&reader, &selection, (PAGE, MAX_REMOVED), old)?);
        }
        ids.extend(long_expired(&reader, now_ms)?);
        let past_retention = past_retention(home, &reader, now_ms)?;
        let awaits_erasure = reader.awaits_erasure();
        drop(reader);
        // Opening it overwrites what an earlier process deleted.
        if ids.is_empty() && past_retention.is_empty() && !awaits_erasure {
            return Ok(0);
        }
        let mut store = SqliteStore::open(&path)?;
        let ids = without_unheard(home, &store, ids)?;
        let purged = purge_for_good(&mut store, &ids)?;
        // These can be restored for as long as other deleted memories.
        for id in &past_retention {
            store.set_status(id, Status::Tombstoned, &Actor::local_user(now_ms))?;
        }
        Ok(purged + past_retention.len() as u64)
    };
    work().map_or_else(
        |error| {
            log::warn!("old memories stay for now: {error}");
            removed(0)
        },
        removed,
    )
}

/// Without those whose last state the organisation's server hasn't heard of yet, such as that they are deleted. While nobody knows
/// which server that is, because the settings can't be read, that's all that it may have.
fn without_unheard(
    home: &Home,
    store: &SqliteStore,
    mut ids: Vec<String>,
) -> crate::store::Result<Vec<String>> {
    let server = Settings::load(home).map(|settings| crate::org::server(&settings));
    if matches!(server, Ok(None)) {
        return Ok(ids);
    }
    let mut memories = Vec::with_capacity(ids.len());
    for id in &ids {
        memories.extend(store.get(id)?);
    }
    let unheard = match server {
        Ok(Some(Ok(server))) => crate::org::unheard(store.path(), &server, &memories)?,
        _ => {
            let shared = memories.into_iter().filter(|memory| record_scope(memory).is_some());
            shared.map(|memory| memory.id).collect()
        }
    };
    ids.retain(|id| !unheard.contains(id));
    Ok(ids)
}

/// The ids of the selected memories that `goes` is true for, at most `most`; looks at `page` at a time. All are looked at: a list
/// begins with the newest, and what is old enough to go is at its end.
fn ids_of(
    reader: &SqliteStore,
    selection: &Selection,
    (page, most): (usize, usize),
    goes: impl Fn(&Memory) -> bool,
) -> crate::store::Result<Vec<String>> {
    let (mut ids, mut offset) = (Vec::new(), 0);
    loop {
        let listed = reader.list(selection, Page { offset, limit: page })?.memories;
        let is_last = listed.len() < page;
        offset += listed.len();
        ids.extend(listed.into_iter().filter(|memory| goes(memory)).map(|memory| memory.id));
        ids.truncate(most);
        if is_last || ids.len() == most {
            return Ok(ids);
        }
    }
}

/// Memories that expired as long ago as a deleted one is kept.
fn long_expired(reader: &SqliteStore, now_ms: i64) -> crate::store::Result<Vec<String>> {
    let statuses = Statuses { expired: Some(true), ..Statuses::all() };
    let selection = everything(now_ms, Filter { clauses: Vec::new(), statuses });
    let until = now_ms.saturating_sub(TOMBSTONED_DAYS * DAY_MS);
    let long = |memory: &Memory| memory.expired(until) && !is_from_file(memory);
    ids_of(reader, &selection, (PAGE, MAX_REMOVED), long)
}

/// Active memories that exceed the configured period of their namespace.
fn past_retention(home: &Home, reader: &SqliteStore, now_ms: i64) -> crate::store::Result<Vec<String>> {
    let kept = super::retention_periods::configured_periods(&Settings::load(home).unwrap_or_default())
        .unwrap_or_else(|error| {
            log::warn!("{error}");
            Vec::new()
        });
    let mut ids = Vec::new();
    for (namespace, period) in kept {
        let until = now_ms.saturating_sub(period);
        let clauses = vec![Clause::Namespace(vec![namespace])];
        let statuses = Statuses { any: vec![Status::Active, Status::Archived], expired: None };
        let selection = everything(now_ms, Filter { clauses, statuses });
        ids.extend(ids_of(reader, &selection, (PAGE, MAX_REMOVED), |memory| memory.updated_ms <= until)?);
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::store::{Draft, Secrets};

    #[test]
    fn old_memories_are_found_behind_any_number_of_newer_ones() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for n in 0..23 {
            let draft = Draft::new(format!("Memory number {n}"), Namespace::Decisions, Domain::User);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(n)).unwrap();
        }
        let selection = everything(23, Filter::default());
        for (page, most, expected) in [(3, 100, 5), (5, 100, 5), (23, 100, 5), (100, 100, 5), (3, 2, 2)] {
            let ids = ids_of(&store, &selection, (page, most), |memory| memory.updated_ms < 5).unwrap();
            assert_eq!(ids.len(), expected, "{page} at a time, at most {most}");
        }
    }

    #[test]
    fn an_unsent_deletion_stays_until_the_server_has_it() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().to_owned());
        std::fs::write(home.settings_path(), "[memory.org]\nurl = \"postgres://ana@db.example.com/team\"\n")
            .unwrap();
        let server = crate::org::server(&Settings::load(&home).unwrap()).unwrap().unwrap();
        let path = database(&home);
        let mut store = SqliteStore::open(&path).unwrap();
        let draft = Draft {
            project: Some("github.com/acme/shop".into()),
            ..Draft::new("Deploys run at noon", Namespace::Decisions, Domain::Project)
        };
        let who = Actor::local_user(1);
        let before = store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory;
        let after = store.set_status(&before.id, Status::Tombstoned, &who).unwrap();
        drop(store);
        let is_there = || SqliteStore::open(&path).unwrap().get(&before.id).unwrap().is_some();
        let later = 1 + (TOMBSTONED_DAYS + 1) * DAY_MS;
        crate::org::for_tests::agree(&path, &server, &before);
        retain(&home, &Retention::default(), later);
        assert!(is_there(), "a recall would show the server's again");
        crate::org::for_tests::agree(&path, &server, &after);
        let settings = std::fs::read_to_string(home.settings_path()).unwrap();
        for unreadable in ["[memory.org", "[memory.org]\nurl = \"db.example.com/team\"\n"] {
            std::fs::write(home.settings_path(), unreadable).unwrap();
            retain(&home, &Retention::default(), later);
            assert!(is_there(), "{unreadable}");
        }
        std::fs::write(home.settings_path(), settings).unwrap();
        retain(&home, &Retention::default(), later);
        assert!(!is_there());
    }

    #[test]
    fn retention_overwrites_a_killed_processes_deletions() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().to_owned());
        let path = database(&home);
        let db = home::open_db(&path, crate::store::MIGRATIONS).unwrap();
        db.execute_batch("INSERT INTO tasks VALUES('erase 1')").unwrap();
        drop(db);
        let awaits = || SqliteStore::open_read_only(&path).unwrap().unwrap().awaits_erasure();
        assert!(awaits());
        retain(&home, &Retention::default(), 1);
        assert!(!awaits());
    }
}
