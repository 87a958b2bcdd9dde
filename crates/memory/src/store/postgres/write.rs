//! Everything that writes, each within the caller's transaction.

use tokio_postgres::{Row, Transaction};

use super::column::{COLUMNS, WIDTH, column, memory};
use super::connect::Server;
use super::values::Values;
use super::words::{hidden, plain};
use crate::domain::{Domain, LinkKind, Memory, Status, Trust, hash};
use crate::store::org_error::OrgError;
use crate::store::sqlite::{fresh_id, thread, word};
use crate::store::{Draft, NewChange, NewMemory, What, Who};

/// So many neighbours on each side are posted with a memory.
const REACH: usize = 2;
/// So much of a neighbour is posted at the most.
const NEIGHBOUR_BYTES: usize = 1_200;

/// What a transaction found; turned into an error outside of it.
pub(super) enum Outcome<T> {
    Done(T),
    Unknown(String),
    Forgotten,
    Changed { found: u32 },
    Denied,
}

type Db<'a> = Transaction<'a>;

/// What is unknown or denied ends the work with that.
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

pub(super) async fn rows(
    db: &Db<'_>,
    server: &Server,
    sql: &str,
    values: &Values,
) -> Result<Vec<Row>, OrgError> {
    db.query_typed(sql, &values.list()).await.map_err(|error| server.refused(&error))
}

/// A memory with its row and thread.
struct Kept {
    row: i64,
    thread: Option<i64>,
    memory: Memory,
}

/// The memory of this id, to be changed: nobody else changes it meanwhile.
async fn by_id(db: &Db<'_>, server: &Server, id: &str) -> Result<Outcome<Kept>, OrgError> {
    let mut values = Values::default();
    let place = values.text(id);
    let sql = format!("SELECT {COLUMNS}, m.thread FROM plimsoll.memories m WHERE m.id = {place}");
    let found = rows(db, server, &format!("{sql} FOR UPDATE"), &values).await?;
    if let Some(row) = found.first() {
        let (key, memory) = memory(row)?;
        return Ok(Outcome::Done(Kept { row: key, thread: column(row, WIDTH)?, memory }));
    }
    // What may only be read can't be locked either.
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

pub(super) async fn capture(
    db: &Db<'_>,
    server: &Server,
    new: &NewMemory,
    who: &Who,
) -> Result<Outcome<(Memory, bool)>, OrgError> {
    let draft = new.draft();
    let mut replaced = Vec::new();
    for id in &draft.supersedes {
        replaced.push(found!(by_id(db, server, id).await?));
    }
    if let Some(row) = same(db, server, new.hash(), &of_draft(new, who), who.at_ms).await? {
        let known = found!(by_row(db, server, row).await?);
        found!(confirm(db, server, &known, draft, who).await?);
        for old in replaced.iter().filter(|old| old.row != row) {
            found!(supersede(db, server, row, old, who).await?);
        }
        let memory = found!(by_row(db, server, row).await?);
        return Ok(Outcome::Done((memory, true)));
    }
    let mut memory = of_draft(new, who);
    memory.id = fresh_id(new, who.at_ms);
    let thread = draft.session.as_deref().map(|session| thread(draft, session));
    let row = insert(db, server, &memory, thread, who).await?;
    for old in &replaced {
        found!(supersede(db, server, row, old, who).await?);
    }
    Ok(Outcome::Done((found!(by_row(db, server, row).await?), false)))
}

/// What a draft will be, but for its id.
fn of_draft(new: &NewMemory, who: &Who) -> Memory {
    let draft = new.draft();
    Memory {
        id: String::new(),
        content: draft.content.clone(),
        namespace: draft.namespace,
        domain: draft.domain,
        project: draft.project.clone(),
        branch: draft.branch.clone(),
        file: draft.file.clone(),
        source: draft.source.clone(),
        tags: draft.tags.clone(),
        author: draft.author.clone(),
        client: draft.client.clone(),
        session: draft.session.clone(),
        trust: draft.trust,
        status: draft.status,
        version: 1,
        created_ms: who.at_ms,
        updated_ms: who.at_ms,
        expires_ms: draft.ttl_ms.filter(|ttl| *ttl > 0).map(|ttl| who.at_ms.saturating_add(ttl)),
        tombstoned_ms: None,
    }
}

/// Where a memory is kept, as far as rights go.
pub(super) fn place(memory: &Memory) -> &str {
    match memory.domain {
        Domain::Project => memory.project.as_deref().unwrap_or("?"),
        Domain::User | Domain::Org => "",
    }
}

/// Stores a memory as it is; its row.
pub(super) async fn insert(
    db: &Db<'_>,
    server: &Server,
    memory: &Memory,
    thread: Option<i64>,
    who: &Who,
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
        values.text(memory.trust.as_str()),
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
    record(db, server, row, memory.version, What::Captured, who, None).await?;
    post_around(db, server, row, thread).await?;
    Ok(row)
}

/// The expression of what is posted of a memory's own words.
fn own(memory: &Memory, values: &mut Values) -> String {
    let place = [&memory.file, &memory.source, &memory.branch];
    let place = place.into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    let tags = memory.tags.join(" ");
    let parts = [hidden(&memory.content), hidden(&place), hidden(&tags)].join(" ");
    let posted = [(plain(&memory.content), 'A'), (plain(&tags), 'B'), (plain(&place), 'C'), (parts, 'D')];
    weighted(&posted, values)
}

fn weighted(posted: &[(String, char)], values: &mut Values) -> String {
    let all: Vec<String> = posted
        .iter()
        .map(|(text, weight)| {
            format!("setweight(to_tsvector('plimsoll.words', {}), '{weight}')", values.text(text))
        })
        .collect();
    all.join(" || ")
}

/// The living memory that says the same in the same place. Whoever asks next waits for the end of this transaction.
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

/// What waited for a review and is now said by somebody who does not only propose it, or proposed in a second session, counts.
async fn confirm(
    db: &Db<'_>,
    server: &Server,
    known: &Memory,
    draft: &Draft,
    who: &Who,
) -> Result<Outcome<()>, OrgError> {
    let again = draft.session.is_some() && known.session.is_some() && draft.session != known.session;
    let trusted = draft.trust != Trust::Untrusted && known.trust != Trust::Untrusted;
    if known.status == Status::Pending && (draft.status == Status::Active || again && trusted) {
        found!(set_status(db, server, &known.id, Status::Active, who).await?);
    }
    Ok(Outcome::Done(()))
}

/// A step of a memory's history, with what it said until then where that changed.
pub(super) async fn record(
    db: &Db<'_>,
    server: &Server,
    row: i64,
    version: u32,
    what: What,
    who: &Who,
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
    who: &Who,
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
    now.updated_ms = who.at_ms;
    now.content = change.content.clone().unwrap_or(now.content);
    now.tags = change.tags.clone().unwrap_or(now.tags);
    now.namespace = change.namespace.unwrap_or(now.namespace);
    now.source = change.source.clone().or(now.source);
    now.expires_ms = match change.ttl_ms {
        None => now.expires_ms,
        Some(0) => None,
        Some(ttl) => Some(who.at_ms.saturating_add(ttl)),
    };
    replace(db, server, (old.row, old.thread), &old.memory, &now, who).await?;
    by_row(db, server, old.row).await
}

/// Makes a memory say what `now` says, its state aside.
async fn replace(
    db: &Db<'_>,
    server: &Server,
    (row, thread): (i64, Option<i64>),
    old: &Memory,
    now: &Memory,
    who: &Who,
) -> Result<(), OrgError> {
    let mut values = Values::default();
    let own = own(now, &mut values);
    let sql = format!(
        "UPDATE plimsoll.memories SET content = {}, hash = {}, namespace = {}, source = {}, expires_ms = {}, version = {},
             updated_ms = {}, tags = {}, own = {own}, changed = pg_current_xact_id() WHERE row = {}",
        values.text(&now.content),
        values.bytes(&hash(&now.content)),
        values.text(now.namespace.as_str()),
        values.maybe(now.source.as_deref()),
        values.maybe_number(now.expires_ms),
        values.number(i64::from(now.version)),
        values.number(now.updated_ms),
        values.texts(now.tags.clone()),
        values.number(row),
    );
    rows(db, server, &sql, &values).await?;
    record(db, server, row, now.version, What::Updated, who, Some(old)).await?;
    post_around(db, server, row, thread).await
}

pub(super) async fn set_status(
    db: &Db<'_>,
    server: &Server,
    id: &str,
    status: Status,
    who: &Who,
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
        values.number(who.at_ms),
        values.number(old.row),
    );
    rows(db, server, &sql, &values).await?;
    let what = match status {
        Status::Active | Status::Pending => What::Restored,
        Status::Archived => What::Archived,
        Status::Superseded => What::Superseded,
        Status::Tombstoned => What::Deleted,
    };
    record(db, server, old.row, old.memory.version, what, who, None).await?;
    post_around(db, server, old.row, old.thread).await?;
    by_row(db, server, old.row).await
}

pub(super) async fn purge(db: &Db<'_>, server: &Server, id: &str) -> Result<Outcome<()>, OrgError> {
    let old = found!(by_id(db, server, id).await?);
    let mut values = Values::default();
    let row = values.number(old.row);
    // Out of sight of its neighbours first; then nothing of its words is left with them.
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

pub(super) async fn link(
    db: &Db<'_>,
    server: &Server,
    from: &str,
    to: &str,
    kind: LinkKind,
    who: &Who,
) -> Result<Outcome<()>, OrgError> {
    let source = found!(by_id(db, server, from).await?);
    let target = found!(by_id(db, server, to).await?);
    if kind == LinkKind::Supersedes {
        return supersede(db, server, source.row, &target, who).await;
    }
    write_link(db, server, source.row, target.row, kind, who).await?;
    Ok(Outcome::Done(()))
}

async fn write_link(
    db: &Db<'_>,
    server: &Server,
    source: i64,
    target: i64,
    kind: LinkKind,
    who: &Who,
) -> Result<(), OrgError> {
    let mut values = Values::default();
    let sql = format!(
        "INSERT INTO plimsoll.links (source, target, kind, at_ms) VALUES ({}, {}, {}, {}) ON CONFLICT DO NOTHING",
        values.number(source),
        values.number(target),
        values.text(kind.as_str()),
        values.number(who.at_ms),
    );
    rows(db, server, &sql, &values).await.map(|_| ())
}

/// The old one keeps its text and history, and leaves what is found by default.
async fn supersede(
    db: &Db<'_>,
    server: &Server,
    new: i64,
    old: &Kept,
    who: &Who,
) -> Result<Outcome<()>, OrgError> {
    write_link(db, server, new, old.row, LinkKind::Supersedes, who).await?;
    if matches!(old.memory.status, Status::Active | Status::Pending) {
        found!(set_status(db, server, &old.memory.id, Status::Superseded, who).await?);
    }
    Ok(Outcome::Done(()))
}

/// What a thread has beside a memory: the neighbours' rows and texts, in order.
struct Beside {
    row: i64,
    text: String,
    says: bool,
}

/// Posts what is around a memory, and around its neighbours, again. One look at the thread, a change for each that differs.
async fn post_around(db: &Db<'_>, server: &Server, row: i64, thread: Option<i64>) -> Result<(), OrgError> {
    let Some(thread) = thread else { return Ok(()) };
    let mut values = Values::default();
    let (row_place, thread_place) = (values.number(row), values.number(thread));
    // Twice the reach, because a neighbour's neighbours are posted with it; and as many again for those that say nothing.
    let reach = 4 * REACH;
    let sql = format!(
        "SELECT row, left(content, {NEIGHBOUR_BYTES}), status FROM (
            (SELECT row, content, status FROM plimsoll.memories WHERE thread = {thread_place} AND row < {row_place} ORDER BY row DESC LIMIT {reach})
            UNION ALL
            (SELECT row, content, status FROM plimsoll.memories WHERE thread = {thread_place} AND row >= {row_place} ORDER BY row LIMIT {reach} + 1)
         ) AS near ORDER BY row"
    );
    let mut near = Vec::new();
    for found in rows(db, server, &sql, &values).await? {
        let status: &str = column(&found, 2)?;
        let says = !matches!(Status::named(status), Some(Status::Tombstoned | Status::Superseded));
        near.push(Beside { row: column(&found, 0)?, text: column(&found, 1)?, says });
    }
    let Some(here) = near.iter().position(|one| one.row == row) else { return Ok(()) };
    let mut touched = vec![here];
    touched.extend((0..here).rev().filter(|at| near[*at].says).take(REACH));
    touched.extend((here + 1..near.len()).filter(|at| near[*at].says).take(REACH));
    // In the order of their rows, so that two who post in one thread never wait for each other.
    touched.sort_unstable();
    for at in touched {
        post(db, server, &near, at).await?;
    }
    Ok(())
}

async fn post(db: &Db<'_>, server: &Server, near: &[Beside], at: usize) -> Result<(), OrgError> {
    let mut posted: [(String, char); 4] = ['A', 'B', 'C', 'D'].map(|weight| (String::new(), weight));
    let before = near[..at].iter().rev().filter(|one| one.says).take(REACH).enumerate();
    let after = near[at + 1..].iter().filter(|one| one.says).take(REACH).enumerate();
    for ((step, one), is_before) in before.map(|one| (one, true)).chain(after.map(|one| (one, false))) {
        let slot = match (step, is_before) {
            (0, true) if one.text.trim_end().ends_with(['?', '？']) => 0,
            (0, true) => 1,
            (0, false) => 2,
            _ => 3,
        };
        let text = &one.text[..one.text.floor_char_boundary(NEIGHBOUR_BYTES)];
        posted[slot].0.push_str(&plain(text));
        posted[slot].0.push_str(&hidden(text));
    }
    let mut values = Values::default();
    let around = weighted(&posted, &mut values);
    let row = values.number(near[at].row);
    let sql = format!(
        "UPDATE plimsoll.memories SET around = {around} WHERE row = {row} AND around IS DISTINCT FROM ({around})"
    );
    rows(db, server, &sql, &values).await.map(|_| ())
}

/// Posts everything again that may be changed; how many memories there are.
pub(super) async fn reindex(db: &Db<'_>, server: &Server) -> Result<u64, OrgError> {
    const AT_ONCE: i64 = 500;
    let (mut from, mut count) = (0, 0);
    loop {
        let mut values = Values::default();
        let after = values.number(from);
        let sql = format!(
            "SELECT {COLUMNS}, m.thread FROM plimsoll.memories m WHERE m.row > {after} ORDER BY m.row LIMIT {AT_ONCE}"
        );
        let found = rows(db, server, &sql, &values).await?;
        if found.is_empty() {
            return Ok(count);
        }
        for one in &found {
            let (row, memory) = memory(one)?;
            let mut values = Values::default();
            let own = own(&memory, &mut values);
            let place = values.number(row);
            let sql = format!("UPDATE plimsoll.memories SET own = {own} WHERE row = {place}");
            rows(db, server, &sql, &values).await?;
            post_around(db, server, row, column(one, WIDTH)?).await?;
            from = row;
            count += 1;
        }
    }
}

/// Whether two memories say the same, as far as a change goes.
fn agree(one: &Memory, other: &Memory) -> bool {
    (&one.content, &one.tags, one.namespace, &one.source, one.expires_ms)
        == (&other.content, &other.tags, other.namespace, &other.source, other.expires_ms)
}

/// Takes over a memory of another computer: stored if it is new, changed if it was changed later than here. The id under which
/// it is known here.
pub(super) async fn put(
    db: &Db<'_>,
    server: &Server,
    given: &Memory,
    thread: Option<i64>,
) -> Result<Outcome<String>, OrgError> {
    let who = Who { at_ms: given.updated_ms, client: given.client.clone(), session: given.session.clone() };
    let known = match by_id(db, server, &given.id).await? {
        Outcome::Unknown(_) => None,
        outcome => Some(found!(outcome)),
    };
    let Some(known) = known else {
        if let Some(row) = same(db, server, hash(&given.content), given, given.updated_ms).await? {
            return Ok(Outcome::Done(found!(by_row(db, server, row).await?).id));
        }
        insert(db, server, given, thread, &who).await?;
        return Ok(Outcome::Done(given.id.clone()));
    };
    // What was changed last is what counts; the other text stays in the history.
    if given.updated_ms >= known.memory.updated_ms {
        if !agree(&known.memory, given) {
            let version = given.version.max(known.memory.version.saturating_add(1));
            let now = Memory { version, ..given.clone() };
            replace(db, server, (known.row, known.thread), &known.memory, &now, &who).await?;
        }
        if known.memory.status != given.status {
            found!(set_status(db, server, &given.id, given.status, &who).await?);
        }
    }
    Ok(Outcome::Done(given.id.clone()))
}
