//! Write operations, each within the caller's transaction.

use super::columns::{COLUMNS, WIDTH, column, memory};
use super::connect::Server;
use super::mentions;
use super::postings::{own, post_around};
use super::rows::{Db, rows};
use super::values::Values;
use crate::domain::{Domain, Memory, Status, Trust, hash};
use crate::store::org_error::OrgError;
use crate::store::sqlite::{after, word};
use crate::store::{Actor, ChangeKind, Draft, NewChange, trust_with};

/// A transaction's outcome; the caller turns it into an error.
pub(super) enum Outcome<T> {
    Done(T),
    Unknown(String),
    Forgotten,
    Changed { found: u32 },
    Denied,
}

/// Returns early with an outcome that isn't a result.
macro_rules! found {
    ($outcome:expr) => {
        match $outcome {
            Outcome::Done(done) => done,
            Outcome::Unknown(id) => return Ok(Outcome::Unknown(id)),
            Outcome::Forgotten => return Ok(Outcome::Forgotten),
            Outcome::Changed { found } => return Ok(Outcome::Changed { found }),
            Outcome::Denied => return Ok(Outcome::Denied),
        }
    };
}
pub(super) use found;

/// A memory with its row and thread.
pub(super) struct Kept {
    pub(super) row: i64,
    pub(super) thread: Option<i64>,
    pub(super) memory: Memory,
}

/// Locks the memory with this id for a change.
pub(super) async fn by_id(db: &Db<'_>, server: &Server, id: &str) -> Result<Outcome<Kept>, OrgError> {
    let mut values = Values::default();
    let place = values.text(id);
    let sql = format!("SELECT {COLUMNS}, m.thread FROM plimsoll.memories m WHERE m.id = {place}");
    let found = rows(db, server, &format!("{sql} FOR UPDATE"), &values).await?;
    if let Some(row) = found.first() {
        let (key, memory) = memory(row)?;
        return Ok(Outcome::Done(Kept { row: key, thread: column(row, WIDTH)?, memory }));
    }
    // A read-only memory can't be locked.
    let seen = rows(db, server, &sql, &values).await?;
    Ok(if seen.is_empty() { Outcome::Unknown(id.to_owned()) } else { Outcome::Denied })
}

pub(super) async fn by_row(db: &Db<'_>, server: &Server, row: i64) -> Result<Outcome<Memory>, OrgError> {
    let mut values = Values::default();
    let place = values.number(row);
    let sql = format!("SELECT {COLUMNS} FROM plimsoll.memories m WHERE m.row = {place}");
    match rows(db, server, &sql, &values).await?.first() {
        Some(row) => Ok(Outcome::Done(memory(row)?.1)),
        None => Ok(Outcome::Forgotten),
    }
}

/// The scope for the rights on a memory.
pub(super) fn place(memory: &Memory) -> &str {
    match memory.domain {
        // No project has an empty name.
        Domain::Project => memory.project.as_deref().filter(|project| !project.is_empty()).unwrap_or("?"),
        Domain::User | Domain::Org => "",
    }
}

/// Inserts a memory unchanged; returns its row.
pub(super) async fn insert(
    db: &Db<'_>,
    server: &Server,
    memory: &Memory,
    thread: Option<i64>,
    who: &Actor,
) -> Result<i64, OrgError> {
    let mut values = Values::default();
    let own = own(memory, &mut values);
    let places = [
        values.text(&memory.id),
        values.text(place(memory)),
        values.text(memory.namespace.as_str()),
        values.text(memory.domain.as_str()),
        values.text(memory.status.as_str()),
        values.maybe(memory.project.as_deref()),
        values.number(memory.created_ms),
        values.maybe_number(memory.expires_ms),
        values.maybe_number(thread),
        values.maybe(memory.branch.as_deref()),
        values.maybe(memory.file.as_deref()),
        values.maybe(memory.source.as_deref()),
        values.maybe(memory.author.as_deref()),
        values.maybe(memory.client.as_deref()),
        values.maybe(memory.session.as_deref()),
        values.text(memory.trust.with_source(memory.source.as_deref()).as_str()),
        values.number(i64::from(memory.version)),
        values.number(memory.updated_ms),
        values.maybe_number(memory.tombstoned_ms),
        values.bytes(&hash(&memory.content)),
        values.texts(memory.tags.clone()),
        values.text(&memory.content),
    ];
    let sql = format!(
        "INSERT INTO plimsoll.memories (id, place, namespace, domain, status, project, created_ms, expires_ms, thread, branch,
             file, source, author, client, session, trust, version, updated_ms, tombstoned_ms, hash, tags, content, own)
         VALUES ({}, {own}) RETURNING row",
        places.join(", ")
    );
    let made = rows(db, server, &sql, &values).await?;
    let row = made.first().map(|row| column(row, 0)).transpose()?.unwrap_or_default();
    record(db, server, row, memory.version, ChangeKind::Captured, who, None).await?;
    mentions::post(db, server, row, &memory.content).await?;
    post_around(db, server, row, thread).await?;
    Ok(row)
}

/// The existing memory with the same text in the same scope. Concurrent callers wait for the end of this transaction.
pub(super) async fn same(
    db: &Db<'_>,
    server: &Server,
    hash: [u8; 16],
    memory: &Memory,
    now_ms: i64,
) -> Result<Option<i64>, OrgError> {
    let mut lock = [0; 8];
    lock.copy_from_slice(&hash[..8]);
    let mut values = Values::default();
    let number = values.number(i64::from_le_bytes(lock));
    rows(db, server, &format!("SELECT pg_advisory_xact_lock({number})"), &values).await?;
    let mut values = Values::default();
    let (hash, domain) = (values.bytes(&hash), values.text(memory.domain.as_str()));
    let (namespace, place) = (values.text(memory.namespace.as_str()), values.text(place(memory)));
    let now = values.number(now_ms);
    let sql = format!(
        "SELECT row FROM plimsoll.memories WHERE hash = {hash} AND domain = {domain} AND namespace = {namespace}
            AND place = {place} AND status IN ('active', 'pending') AND (expires_ms IS NULL OR expires_ms > {now})
         ORDER BY row LIMIT 1"
    );
    rows(db, server, &sql, &values).await?.first().map(|row| column(row, 0)).transpose()
}

/// Activates a pending memory if somebody now captures it directly, or if a second session proposes it.
pub(super) async fn confirm(
    db: &Db<'_>,
    server: &Server,
    known: &Memory,
    draft: &Draft,
    who: &Actor,
) -> Result<Outcome<()>, OrgError> {
    let again = draft.session.is_some() && known.session.is_some() && draft.session != known.session;
    let trusted = draft.trust != Trust::Untrusted && known.trust != Trust::Untrusted;
    if known.status == Status::Pending && (draft.status == Status::Active || again && trusted) {
        let mut values = Values::default();
        let sql = format!(
            "UPDATE plimsoll.memories SET trust = {} WHERE id = {}",
            values.text(known.trust.max(draft.trust).as_str()),
            values.text(&known.id),
        );
        rows(db, server, &sql, &values).await?;
        found!(set_status(db, server, &known.id, Status::Active, who).await?);
    }
    Ok(Outcome::Done(()))
}

/// Records a change, with the old text if that changed.
pub(super) async fn record(
    db: &Db<'_>,
    server: &Server,
    row: i64,
    version: u32,
    what: ChangeKind,
    who: &Actor,
    before: Option<&Memory>,
) -> Result<(), OrgError> {
    let mut values = Values::default();
    let places = [
        values.number(row),
        values.number(i64::from(version)),
        values.text(word(what)),
        values.number(who.at_ms),
        values.maybe(who.client.as_deref()),
        values.maybe(who.session.as_deref()),
        values.maybe(before.map(|memory| memory.content.as_str())),
        match before {
            Some(memory) => values.texts(memory.tags.clone()),
            None => "NULL".to_owned(),
        },
    ];
    let sql = format!(
        "INSERT INTO plimsoll.changes (memory, version, what, at_ms, client, session, before, tags_before) VALUES ({})",
        places.join(", ")
    );
    rows(db, server, &sql, &values).await.map(|_| ())
}

pub(super) async fn update(
    db: &Db<'_>,
    server: &Server,
    id: &str,
    new: &NewChange,
    who: &Actor,
) -> Result<Outcome<Memory>, OrgError> {
    let old = found!(by_id(db, server, id).await?);
    if old.memory.status == Status::Tombstoned {
        return Ok(Outcome::Forgotten);
    }
    let change = new.change();
    if change.expected.is_some_and(|expected| expected != old.memory.version) {
        return Ok(Outcome::Changed { found: old.memory.version });
    }
    let mut now = old.memory.clone();
    now.version += 1;
    now.updated_ms = after(&old.memory, who);
    now.content = change.content.clone().unwrap_or(now.content);
    now.tags = change.tags.clone().unwrap_or(now.tags);
    now.namespace = change.namespace.unwrap_or(now.namespace);
    now.trust = trust_with(&old.memory, &now.content, who.trust()).with_source(change.source.as_deref());
    now.source = change.source.clone().or(now.source);
    now.expires_ms = match change.ttl_ms {
        None => now.expires_ms,
        Some(0) => None,
        Some(ttl) => Some(who.at_ms.saturating_add(ttl)),
    };
    replace(db, server, (old.row, old.thread), &old.memory, &now, who).await?;
    by_row(db, server, old.row).await
}

/// Replaces a memory's content by `now`'s, except for its state. That takes trust away and never gives it.
pub(super) async fn replace(
    db: &Db<'_>,
    server: &Server,
    (row, thread): (i64, Option<i64>),
    old: &Memory,
    now: &Memory,
    who: &Actor,
) -> Result<(), OrgError> {
    let mut values = Values::default();
    let own = own(now, &mut values);
    let trust =
        if now.trust == Trust::Untrusted { now.trust } else { trust_with(old, &now.content, now.trust) };
    let sql = format!(
        "UPDATE plimsoll.memories SET content = {}, hash = {}, namespace = {}, source = {}, trust = {}, expires_ms = {}, version = {},
             updated_ms = {}, tags = {}, own = {own}, changed = pg_current_xact_id() WHERE row = {}",
        values.text(&now.content),
        values.bytes(&hash(&now.content)),
        values.text(now.namespace.as_str()),
        values.maybe(now.source.as_deref()),
        values.text(trust.with_source(now.source.as_deref()).as_str()),
        values.maybe_number(now.expires_ms),
        values.number(i64::from(now.version)),
        values.number(now.updated_ms),
        values.texts(now.tags.clone()),
        values.number(row),
    );
    rows(db, server, &sql, &values).await?;
    record(db, server, row, now.version, ChangeKind::Updated, who, Some(old)).await?;
    if now.content != old.content {
        mentions::unpost(db, server, row).await?;
        mentions::post(db, server, row, &now.content).await?;
    }
    post_around(db, server, row, thread).await
}

pub(super) async fn set_status(
    db: &Db<'_>,
    server: &Server,
    id: &str,
    status: Status,
    who: &Actor,
) -> Result<Outcome<Memory>, OrgError> {
    let old = found!(by_id(db, server, id).await?);
    if old.memory.status == status {
        return Ok(Outcome::Done(old.memory));
    }
    let tombstoned = (status == Status::Tombstoned).then_some(who.at_ms);
    let mut values = Values::default();
    let sql = format!(
        "UPDATE plimsoll.memories SET status = {}, tombstoned_ms = {}, updated_ms = {}, changed = pg_current_xact_id() WHERE row = {}",
        values.text(status.as_str()),
        values.maybe_number(tombstoned),
        values.number(after(&old.memory, who)),
        values.number(old.row),
    );
    rows(db, server, &sql, &values).await?;
    let what = match status {
        Status::Active | Status::Pending => ChangeKind::Restored,
        Status::Archived => ChangeKind::Archived,
        Status::Superseded => ChangeKind::Superseded,
        Status::Tombstoned => ChangeKind::Deleted,
    };
    record(db, server, old.row, old.memory.version, what, who, None).await?;
    post_around(db, server, old.row, old.thread).await?;
    by_row(db, server, old.row).await
}

pub(super) async fn purge(db: &Db<'_>, server: &Server, id: &str) -> Result<Outcome<()>, OrgError> {
    let old = found!(by_id(db, server, id).await?);
    let mut values = Values::default();
    let row = values.number(old.row);
    // Remove it from its neighbours' context first, so that none of its words remain there.
    rows(
        db,
        server,
        &format!("UPDATE plimsoll.memories SET status = 'tombstoned' WHERE row = {row}"),
        &values,
    )
    .await?;
    post_around(db, server, old.row, old.thread).await?;
    rows(db, server, &format!("DELETE FROM plimsoll.memories WHERE row = {row}"), &values).await?;
    if old.memory.domain != Domain::User {
        let mut values = Values::default();
        let (id, place) = (values.text(id), values.text(place(&old.memory)));
        let sql =
            format!("INSERT INTO plimsoll.purged (id, place) VALUES ({id}, {place}) ON CONFLICT DO NOTHING");
        rows(db, server, &sql, &values).await?;
    }
    Ok(Outcome::Done(()))
}
