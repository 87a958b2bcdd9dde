//! Write operations, each within the caller's immediate transaction.

use std::hash::{BuildHasher, Hasher, RandomState};

use rusqlite::{Connection, OptionalExtension};
use serde_json::json;

use super::records::note;
use super::{entities, postings, rows};
use crate::domain::{Domain, LinkKind, Memory, RecordKind, Status, Trust, hash, record_scope};
use crate::store::{Actor, ChangeKind, Draft, NewChange, NewMemory, trust_with};

/// A transaction's outcome; the caller turns it into an error.
pub(super) enum Outcome<T> {
    Done(T),
    Unknown(String),
    Forgotten,
    Changed { found: u32 },
}

pub(super) fn capture(
    db: &Connection,
    new: &NewMemory,
    who: &Actor,
) -> rusqlite::Result<Outcome<(Memory, bool)>> {
    let mut fresh = Vec::new();
    let outcome = keep(db, new, who, &mut fresh)?;
    postings::post_fresh(db, &fresh)?;
    Ok(outcome)
}

/// Captures many: a memory with several new neighbours is indexed once.
pub(super) fn capture_all(
    db: &Connection,
    all: &[(NewMemory, Actor)],
) -> rusqlite::Result<Outcome<Vec<(Memory, bool)>>> {
    let (mut fresh, mut out) = (Vec::new(), Vec::with_capacity(all.len()));
    for (new, who) in all {
        match keep(db, new, who, &mut fresh)? {
            Outcome::Done(done) => out.push(done),
            Outcome::Unknown(id) => return Ok(Outcome::Unknown(id)),
            Outcome::Forgotten => return Ok(Outcome::Forgotten),
            Outcome::Changed { found } => return Ok(Outcome::Changed { found }),
        }
    }
    postings::post_fresh(db, &fresh)?;
    Ok(Outcome::Done(out))
}

/// Everything but the index; rows to index are added to `fresh`.
fn keep(
    db: &Connection,
    new: &NewMemory,
    who: &Actor,
    fresh: &mut Vec<i64>,
) -> rusqlite::Result<Outcome<(Memory, bool)>> {
    let draft = new.draft();
    let mut replaced = Vec::new();
    for id in &draft.supersedes {
        match rows::by_id(db, id)? {
            Some(found) => replaced.push(found),
            None => return Ok(Outcome::Unknown(id.clone())),
        }
    }
    if let Some(row) = same(db, new, who.at_ms)? {
        confirm(db, row, draft, who)?;
        if let Some((_, known)) = rows::by_row(db, row)?
            && let Some(longer) = new.prolongs(&known, who.at_ms)
        {
            update(db, &known.id, &longer, who)?;
        }
        for (old, _) in replaced.iter().filter(|(old, _)| *old != row) {
            supersede(db, row, *old, who)?;
        }
        return Ok(
            rows::by_row(db, row)?.map_or(Outcome::Forgotten, |(_, memory)| Outcome::Done((memory, true)))
        );
    }
    let thread = draft.session.as_deref().map(|session| thread(draft, session));
    let expires = draft.ttl_ms.filter(|ttl| *ttl > 0).map(|ttl| who.at_ms.saturating_add(ttl));
    db.prepare_cached(
        "INSERT INTO memories(id, namespace, domain, status, project, created_ms, expires_ms, thread, branch, file, source,
                              author, client, session, trust, version, updated_ms, hash, content)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 1, ?6, ?16, ?17)",
    )?
    .execute(rusqlite::params![
        fresh_id(new, who.at_ms),
        draft.namespace.as_str(),
        draft.domain.as_str(),
        draft.status.as_str(),
        draft.project,
        who.at_ms,
        expires,
        thread,
        draft.branch,
        draft.file,
        draft.source,
        draft.author,
        draft.client,
        draft.session,
        draft.trust.as_str(),
        new.hash(),
        draft.content,
    ])?;
    let row = db.last_insert_rowid();
    write_tags(db, row, &draft.tags)?;
    record(db, row, 1, ChangeKind::Captured, who, None)?;
    fresh.push(row);
    entities::mention(db, row, who.at_ms)?;
    for (old, _) in replaced {
        supersede(db, row, old, who)?;
    }
    Ok(rows::by_row(db, row)?.map_or(Outcome::Forgotten, |(_, memory)| Outcome::Done((memory, false))))
}

/// The existing memory with the same text in the same scope.
fn same(db: &Connection, new: &NewMemory, now_ms: i64) -> rusqlite::Result<Option<i64>> {
    let draft = new.draft();
    db.prepare_cached(
        "SELECT row FROM memories WHERE hash = ?1 AND domain = ?2 AND namespace = ?3
            AND (domain <> 'project' OR project IS ?4) AND status IN ('active', 'pending')
            AND (expires_ms IS NULL OR expires_ms > ?5) ORDER BY row LIMIT 1",
    )?
    .query_row((new.hash(), draft.domain.as_str(), draft.namespace.as_str(), &draft.project, now_ms), |r| {
        r.get(0)
    })
    .optional()
}

/// Activates a pending memory if somebody now captures it directly, or if a second session proposes it.
fn confirm(db: &Connection, row: i64, draft: &Draft, who: &Actor) -> rusqlite::Result<()> {
    let Some((_, known)) = rows::by_row(db, row)? else { return Ok(()) };
    let again = draft.session.is_some() && known.session.is_some() && draft.session != known.session;
    // Repetition never confirms untrusted text.
    let trusted = draft.trust != Trust::Untrusted && known.trust != Trust::Untrusted;
    if known.status == Status::Pending && (draft.status == Status::Active || again && trusted) {
        // Nobody has reviewed it, so it's trusted no more than its source.
        db.prepare_cached("UPDATE memories SET trust = ?2 WHERE row = ?1")?
            .execute((row, known.trust.max(draft.trust).as_str()))?;
        set_status(db, &known.id, Status::Active, who)?;
    }
    Ok(())
}

/// The number of a project's session; sessions of that name in other projects have other numbers.
pub(in crate::store) fn thread(draft: &Draft, session: &str) -> i64 {
    let mut hasher = blake3::Hasher::new();
    let project = if draft.domain == Domain::Project { draft.project.as_deref() } else { None };
    for part in [draft.domain.as_str(), project.unwrap_or_default(), session] {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    let mut number = [0; 8];
    number.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    i64::from_le_bytes(number)
}

/// A new id of 20 hexadecimal digits.
pub(in crate::store) fn fresh_id(new: &NewMemory, at_ms: i64) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&new.hash());
    hasher.update(&at_ms.to_le_bytes());
    // The system's entropy, through the seeds of a hash map.
    for _ in 0..2 {
        hasher.update(&RandomState::new().build_hasher().finish().to_le_bytes());
    }
    hasher.finalize().to_hex()[..20].to_owned()
}

pub(super) fn write_tags(db: &Connection, row: i64, tags: &[String]) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM tags WHERE memory = ?1")?.execute([row])?;
    let mut insert = db.prepare_cached("INSERT INTO tags(memory, position, tag) VALUES(?1, ?2, ?3)")?;
    for (position, tag) in tags.iter().enumerate() {
        insert.execute((row, position, tag))?;
    }
    Ok(())
}

/// Records a change, with the old text if that changed.
pub(super) fn record(
    db: &Connection,
    row: i64,
    version: u32,
    what: ChangeKind,
    who: &Actor,
    before: Option<&Memory>,
) -> rusqlite::Result<()> {
    let tags = before.map(|memory| serde_json::Value::from(memory.tags.clone()).to_string());
    db.prepare_cached(
        "INSERT INTO changes(memory, version, what, at_ms, client, session, before, tags_before)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute((
        row,
        version,
        super::history::word(what),
        who.at_ms,
        &who.client,
        &who.session,
        before.map(|memory| &memory.content),
        tags,
    ))?;
    Ok(())
}

pub(super) fn update(
    db: &Connection,
    id: &str,
    new: &NewChange,
    who: &Actor,
) -> rusqlite::Result<Outcome<Memory>> {
    let Some((row, old)) = rows::by_id(db, id)? else { return Ok(Outcome::Unknown(id.to_owned())) };
    if old.status == Status::Tombstoned {
        return Ok(Outcome::Forgotten);
    }
    let change = new.change();
    if change.expected.is_some_and(|expected| expected != old.version) {
        return Ok(Outcome::Changed { found: old.version });
    }
    let version = old.version + 1;
    let content = change.content.as_ref().unwrap_or(&old.content);
    let expires = match change.ttl_ms {
        None => old.expires_ms,
        Some(0) => None,
        Some(ttl) => Some(who.at_ms.saturating_add(ttl)),
    };
    let trust = trust_with(&old, content, who.trust()).with_source(change.source.as_deref());
    db.prepare_cached(
        "UPDATE memories SET content = ?2, hash = ?3, namespace = ?4, source = ?5, expires_ms = ?6, version = ?7,
                updated_ms = ?8, trust = ?9 WHERE row = ?1",
    )?
    .execute((
        row,
        content,
        hash(content),
        change.namespace.unwrap_or(old.namespace).as_str(),
        change.source.as_ref().or(old.source.as_ref()),
        expires,
        version,
        after(&old, who),
        trust.as_str(),
    ))?;
    if let Some(tags) = &change.tags {
        write_tags(db, row, tags)?;
    }
    record(db, row, version, ChangeKind::Updated, who, Some(&old))?;
    entities::mention(db, row, who.at_ms)?;
    entities::forget_unstated(db, &old)?;
    postings::post(db, row)?;
    postings::post_neighbours(db, row, thread_of(db, row)?)?;
    Ok(rows::by_row(db, row)?.map_or(Outcome::Forgotten, |(_, memory)| Outcome::Done(memory)))
}

/// The time of a change. Whatever the clock says, it comes after the one before: in a team the latest counts.
pub(in crate::store) fn after(old: &Memory, who: &Actor) -> i64 {
    who.at_ms.max(old.updated_ms.saturating_add(1))
}

fn thread_of(db: &Connection, row: i64) -> rusqlite::Result<Option<i64>> {
    db.prepare_cached("SELECT thread FROM memories WHERE row = ?1")?.query_row([row], |r| r.get(0))
}

pub(super) fn set_status(
    db: &Connection,
    id: &str,
    status: Status,
    who: &Actor,
) -> rusqlite::Result<Outcome<Memory>> {
    let Some((row, old)) = rows::by_id(db, id)? else { return Ok(Outcome::Unknown(id.to_owned())) };
    if old.status == status {
        return Ok(Outcome::Done(old));
    }
    let tombstoned = (status == Status::Tombstoned).then_some(who.at_ms);
    db.prepare_cached("UPDATE memories SET status = ?2, tombstoned_ms = ?3, updated_ms = ?4 WHERE row = ?1")?
        .execute((row, status.as_str(), tombstoned, after(&old, who)))?;
    let what = match status {
        Status::Active | Status::Pending => ChangeKind::Restored,
        Status::Archived => ChangeKind::Archived,
        Status::Superseded => ChangeKind::Superseded,
        Status::Tombstoned => ChangeKind::Deleted,
    };
    record(db, row, old.version, what, who, None)?;
    // The graph is everybody's: what waits for review or is deleted says nothing in it.
    match status {
        Status::Pending | Status::Tombstoned => entities::retract(db, row, &old)?,
        _ if matches!(old.status, Status::Pending | Status::Tombstoned) => {
            entities::mention(db, row, who.at_ms)?;
        }
        _ => {}
    }
    postings::post_neighbours(db, row, thread_of(db, row)?)?;
    Ok(rows::by_row(db, row)?.map_or(Outcome::Forgotten, |(_, memory)| Outcome::Done(memory)))
}

pub(super) fn purge(db: &Connection, id: &str) -> rusqlite::Result<Outcome<()>> {
    let Some((row, old)) = rows::by_id(db, id)? else { return Ok(Outcome::Unknown(id.to_owned())) };
    let thread = thread_of(db, row)?;
    // Remove it from its neighbours' context first, so that none of its words remain there.
    db.execute("UPDATE memories SET status = 'tombstoned' WHERE row = ?1", [row])?;
    postings::post_neighbours(db, row, thread)?;
    postings::unpost(db, row)?;
    entities::retract(db, row, &old)?;
    db.execute("DELETE FROM memories WHERE row = ?1", [row])?;
    Ok(Outcome::Done(()))
}

pub(super) fn link(
    db: &Connection,
    from: &str,
    to: &str,
    kind: LinkKind,
    who: &Actor,
) -> rusqlite::Result<Outcome<()>> {
    let Some((source, _)) = rows::by_id(db, from)? else { return Ok(Outcome::Unknown(from.to_owned())) };
    let Some((target, _)) = rows::by_id(db, to)? else { return Ok(Outcome::Unknown(to.to_owned())) };
    if kind == LinkKind::Supersedes {
        supersede(db, source, target, who)?;
    } else {
        link_rows(db, source, target, kind, who)?;
    }
    Ok(Outcome::Done(()))
}

/// Links two memories, and records the link for other computers if both memories are shared.
fn link_rows(db: &Connection, source: i64, target: i64, kind: LinkKind, who: &Actor) -> rusqlite::Result<()> {
    if !write_link(db, source, target, kind, who.at_ms)? {
        return Ok(());
    }
    let (Some((_, from)), Some((_, to))) = (rows::by_row(db, source)?, rows::by_row(db, target)?) else {
        return Ok(());
    };
    if let (Some(place), Some(_)) = (record_scope(&from), record_scope(&to)) {
        let key = format!("{}/{}/{}", from.id, to.id, kind.as_str());
        note(db, (place, RecordKind::Link), &key, Some(json!({})), who.at_ms)?;
    }
    Ok(())
}

/// Returns whether the link is new.
pub(super) fn write_link(
    db: &Connection,
    source: i64,
    target: i64,
    kind: LinkKind,
    at_ms: i64,
) -> rusqlite::Result<bool> {
    let made = db
        .prepare_cached("INSERT OR IGNORE INTO links(source, target, kind, at_ms) VALUES(?1, ?2, ?3, ?4)")?
        .execute((source, target, kind.as_str(), at_ms))?;
    Ok(made > 0)
}

/// The old memory keeps its text and history, and is no longer found by default.
fn supersede(db: &Connection, new: i64, old: i64, who: &Actor) -> rusqlite::Result<()> {
    link_rows(db, new, old, LinkKind::Supersedes, who)?;
    if let Some((_, memory)) = rows::by_row(db, old)?
        && matches!(memory.status, Status::Active | Status::Pending)
    {
        set_status(db, &memory.id, Status::Superseded, who)?;
    }
    Ok(())
}
