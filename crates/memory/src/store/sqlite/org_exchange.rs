//! The local side of the exchange with an organisation's server. The history of changes is the outbox: a capture
//! enters it in the same transaction, so nothing can be lost in between.

use rusqlite::{Connection, OptionalExtension};

use super::write::{Outcome, record, set_status, thread, write_tags};
use super::{SqliteStore, entities, postings, rows};
use crate::domain::{Domain, Memory, Status, Trust, hash, record_scope};
use crate::store::{Actor, ChangeKind, Draft, Result, trust_with};

/// Who a history names for a change that came from the server.
const TEAM: &str = "team";

/// The result of adopting a memory from the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adoption {
    /// It was new here or had other content.
    Changed,
    /// It was here with the same content.
    Same,
}

impl SqliteStore {
    /// The number of the latest change.
    ///
    /// # Errors
    /// If the database fails.
    pub fn last_change(&self) -> Result<i64> {
        self.look(|db| db.query_row("SELECT coalesce(max(number), 0) FROM changes", [], |r| r.get(0)))
    }

    /// The project and organisation memories changed after a change, each with its latest change, oldest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn changed_since(&self, number: i64, most: usize) -> Result<Vec<(i64, Memory)>> {
        self.look(|db| {
            // Read the changes in order up to a number; the latest change of every memory would require all of them.
            let found: Vec<(i64, i64)> = db
                .prepare_cached(
                    "SELECT memory, max(number) FROM (SELECT memory, number FROM changes WHERE number > ?1 ORDER BY number LIMIT ?2)
                     GROUP BY memory ORDER BY 2",
                )?
                .query_map((number, most), |r| Ok((r.get(0)?, r.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            let mut out = Vec::new();
            for (row, number) in found {
                out.extend(rows::by_row(db, row)?.map(|(_, memory)| (number, memory)));
            }
            Ok(out)
        })
    }

    /// Adopts a memory from the server: stores a new one, updates one with other content. Returns its local id.
    ///
    /// # Errors
    /// If the database fails.
    pub fn adopt(&mut self, given: &Memory, known: Option<&str>) -> Result<(String, Adoption)> {
        self.change(&given.id, None, |db| adopt(db, given, known))
    }
}

fn adopt(
    db: &Connection,
    given: &Memory,
    known: Option<&str>,
) -> rusqlite::Result<Outcome<(String, Adoption)>> {
    let who = Actor { at_ms: given.updated_ms, client: given.client.clone(), session: given.session.clone() };
    // A memory for one project, or for everybody, changes no memory outside it, because its writer may choose any id.
    let is_here = |found: &(i64, Memory)| record_scope(&found.1) == record_scope(given);
    let is_taken = rows::by_id(db, &given.id)?.is_some_and(|found| !is_here(&found));
    let id = if is_taken { id_beside(given) } else { given.id.clone() };
    let mut row = match known {
        Some(known) => rows::by_id(db, known)?.filter(is_here),
        None => None,
    };
    if row.is_none() {
        row = rows::by_id(db, &id)?.filter(is_here);
    }
    if row.is_none()
        && let Some(twin) = same(db, given)?
    {
        row = rows::by_row(db, twin)?;
    }
    let Some((row, old)) = row else {
        let new = Memory { id, ..given.clone() };
        let row = insert(db, &new)?;
        record(db, row, given.version, ChangeKind::Captured, &who, None)?;
        posted(db, row, given)?;
        return Ok(Outcome::Done((new.id, Adoption::Changed)));
    };
    // An exchange takes trust away and never gives it. What waits for a review here, nobody has confirmed yet.
    let trust = if given.trust == Trust::Untrusted || old.status == Status::Pending {
        old.trust.max(given.trust)
    } else {
        trust_with(&old, &given.content, given.trust)
    };
    let trust = trust.with_source(given.source.as_deref());
    // The server says who captured it, and not who changed it.
    let team = Actor { at_ms: given.updated_ms, client: Some(TEAM.to_owned()), session: None };
    let agree = (&old.content, &old.tags, old.namespace, &old.source, old.expires_ms, old.trust)
        == (&given.content, &given.tags, given.namespace, &given.source, given.expires_ms, trust);
    if agree && old.status == given.status {
        return Ok(Outcome::Done((old.id, Adoption::Same)));
    }
    if !agree {
        let version = given.version.max(old.version.saturating_add(1));
        db.prepare_cached(
            "UPDATE memories SET content = ?2, hash = ?3, namespace = ?4, source = ?5, expires_ms = ?6, version = ?7,
                    updated_ms = ?8, trust = ?9 WHERE row = ?1",
        )?
        .execute((
            row,
            &given.content,
            hash(&given.content),
            given.namespace.as_str(),
            &given.source,
            given.expires_ms,
            version,
            given.updated_ms,
            trust.as_str(),
        ))?;
        write_tags(db, row, &given.tags)?;
        record(db, row, version, ChangeKind::Updated, &team, Some(&old))?;
        posted(db, row, given)?;
        entities::forget_unstated(db, &old)?;
    }
    if old.status != given.status {
        // Who deleted it there is unknown, so no agent here may restore it.
        let client = team.client.filter(|_| given.status != Status::Tombstoned);
        set_status(db, &old.id, given.status, &Actor { client, ..team })?;
    }
    Ok(Outcome::Done((old.id, Adoption::Changed)))
}

/// The id here of a memory whose own id another project's memory has, or the user's own.
fn id_beside(given: &Memory) -> String {
    let scope = record_scope(given).unwrap_or_default();
    blake3::hash(format!("{}\n{scope}", given.id).as_bytes()).to_hex()[..20].to_owned()
}

fn posted(db: &Connection, row: i64, given: &Memory) -> rusqlite::Result<()> {
    postings::post(db, row)?;
    postings::post_neighbours(db, row, thread_of(given))?;
    entities::mention(db, row, given.updated_ms)
}

fn thread_of(given: &Memory) -> Option<i64> {
    let draft = Draft { project: given.project.clone(), ..Draft::new("", given.namespace, given.domain) };
    given.session.as_deref().map(|session| thread(&draft, session))
}

/// The existing memory with the same text in the same scope.
fn same(db: &Connection, given: &Memory) -> rusqlite::Result<Option<i64>> {
    let project = (given.domain == Domain::Project).then_some(given.project.as_deref()).flatten();
    db.prepare_cached(
        "SELECT row FROM memories WHERE hash = ?1 AND domain = ?2 AND namespace = ?3
            AND (domain <> 'project' OR project IS ?4) AND status IN ('active', 'pending') ORDER BY row LIMIT 1",
    )?
    .query_row((hash(&given.content), given.domain.as_str(), given.namespace.as_str(), project), |r| r.get(0))
    .optional()
}

fn insert(db: &Connection, given: &Memory) -> rusqlite::Result<i64> {
    db.prepare_cached(
        "INSERT INTO memories(id, namespace, domain, status, project, created_ms, expires_ms, thread, branch, file, source,
                              author, client, session, trust, version, updated_ms, tombstoned_ms, hash, content)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
    )?
    .execute(rusqlite::params![
        given.id,
        given.namespace.as_str(),
        given.domain.as_str(),
        given.status.as_str(),
        given.project,
        given.created_ms,
        given.expires_ms,
        thread_of(given),
        given.branch,
        given.file,
        given.source,
        given.author,
        given.client,
        given.session,
        given.trust.with_source(given.source.as_deref()).as_str(),
        given.version,
        given.updated_ms,
        given.tombstoned_ms,
        hash(&given.content),
        given.content,
    ])?;
    let row = db.last_insert_rowid();
    write_tags(db, row, &given.tags)?;
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Namespace;
    use crate::store::{Change, Secrets, Store as _, clean_memory};

    /// Words of the user or of their agent aren't what others write in their place, and a text that nobody here has confirmed
    /// is theirs.
    #[test]
    fn words_that_come_from_a_server_have_no_trust_of_those_before() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        let (active, pending) = (Status::Active, Status::Pending);
        for (n, (status, here, given, changes, expected)) in [
            (active, Trust::User, Trust::Repository, true, Trust::Repository),
            (active, Trust::Agent, Trust::Repository, true, Trust::Repository),
            (active, Trust::User, Trust::Repository, false, Trust::User),
            (active, Trust::User, Trust::Untrusted, false, Trust::Untrusted),
            (active, Trust::Untrusted, Trust::Repository, true, Trust::Untrusted),
            (pending, Trust::User, Trust::Repository, false, Trust::Repository),
            (pending, Trust::Untrusted, Trust::Repository, false, Trust::Untrusted),
        ]
        .into_iter()
        .enumerate()
        {
            let draft = Draft {
                project: Some("example.org/acme/shop".into()),
                trust: here,
                status,
                client: Some("codex".into()),
                ..Draft::new(format!("Queue {n} is RabbitMQ"), Namespace::Decisions, Domain::Project)
            };
            let who = Actor { at_ms: 1, client: draft.client.clone(), session: None };
            let mine = store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory;
            let content = if changes { format!("Queue {n} is NATS") } else { mine.content.clone() };
            let theirs = Memory {
                content,
                trust: given,
                status: active,
                tags: vec!["theirs".into()],
                updated_ms: 5,
                ..mine.clone()
            };
            store.adopt(&theirs, Some(&mine.id)).unwrap();
            let adopted = store.get(&mine.id).unwrap().unwrap();
            assert_eq!((adopted.trust, adopted.status), (expected, active), "{n}");
            // The history names only those who changed it.
            let history = store.history(&mine.id, 9).unwrap();
            let by: Vec<&str> = history.iter().filter_map(|step| step.who.client.as_deref()).collect();
            assert_eq!((by.first(), by.last()), (Some(&"team"), Some(&"codex")), "{n}");
            // The same a second time takes nothing more.
            assert_eq!(store.adopt(&theirs, Some(&mine.id)).unwrap().1, Adoption::Same, "{n}");
        }
    }

    /// An earlier version stored what today's rules take out of a text. Without it the words are still whose they were,
    /// whether they come back from the server or an agent gives them back.
    #[test]
    fn a_text_without_its_secret_keeps_its_trust() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        let who = Actor::local_user(1);
        let stored = |store: &mut SqliteStore, n: u32| {
            let draft = Draft {
                project: Some("example.org/acme/shop".into()),
                trust: Trust::User,
                ..Draft::new(format!("Queue {n} is RabbitMQ"), Namespace::Decisions, Domain::Project)
            };
            let id = store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory.id;
            let text = format!("Queue {n} is RabbitMQ <private>on the second host</private>");
            store.db.execute("UPDATE memories SET content = ?1 WHERE id = ?2", (&text, &id)).unwrap();
            store.get(&id).unwrap().unwrap()
        };
        let trust_of = |store: &SqliteStore, id: &str| store.get(id).unwrap().unwrap().trust;
        let mine = stored(&mut store, 1);
        let mut theirs = Memory { trust: Trust::Repository, updated_ms: 5, ..mine.clone() };
        clean_memory(&mut theirs);
        assert_ne!(theirs.content, mine.content);
        store.adopt(&theirs, Some(&mine.id)).unwrap();
        assert_eq!(trust_of(&store, &mine.id), Trust::User);
        theirs.content.push_str(" and NATS");
        store.adopt(&theirs, Some(&mine.id)).unwrap();
        assert_eq!(trust_of(&store, &mine.id), Trust::Repository);
        let mine = stored(&mut store, 2);
        let agent = Actor { at_ms: 6, client: Some("codex".into()), session: None };
        let change = Change { content: Some(mine.content.clone()), ..Change::default() };
        store.update(&mine.id, &change.check(Secrets::Redact).unwrap(), &agent).unwrap();
        let changed = store.get(&mine.id).unwrap().unwrap();
        assert_ne!(changed.content, mine.content);
        assert_eq!(changed.trust, Trust::User);
    }
}
