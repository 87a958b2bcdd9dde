//! Operations that only a shared store has: changes since a position, roles, health.

use std::time::{Duration, Instant};

use super::PgStore;
use super::columns::{COLUMNS, WIDTH, column, memory};
use super::connect::Server;
use super::rows::Db;
use super::schema::EXTENSIONS;
use super::values::Values;
use super::write::{Outcome, by_id, by_row, found, insert, replace, same, set_status};
use crate::domain::{Memory, Status, Trust, hash};
use crate::store::sqlite::thread;
use crate::store::{Actor, Draft, OrgError, Result};

/// A role on the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// May read.
    Reader,
    /// May read, capture and change.
    Writer,
    /// May also grant roles.
    Admin,
}

impl Role {
    /// All variants with their names.
    pub const ALL: &'static [(Self, &'static str)] =
        &[(Self::Reader, "reader"), (Self::Writer, "writer"), (Self::Admin, "admin")];

    /// The variant with this name.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, name)| *name == word).map(|(role, _)| *role)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A role that somebody has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantedRole {
    /// The user.
    pub person: String,
    /// The project; `*` for all.
    pub project: String,
    /// The role.
    pub role: String,
}

/// The server's health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// PostgreSQL's version.
    pub version: String,
    /// The approximate number of visible memories.
    pub memories: u64,
    /// The answer time.
    pub answer: Duration,
    /// Whether mistyped words are found (`pg_trgm`).
    pub trigrams: bool,
    /// `pgvector`: `used`, `installed`, `available`, or `None`.
    pub vectors: Option<String>,
    /// The visible roles.
    pub given: Vec<GrantedRole>,
}

/// A page of changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangesPage {
    /// The changed memories.
    pub memories: Vec<Memory>,
    /// Ids of purged memories.
    pub purged: Vec<String>,
    /// Where to continue.
    pub next: (i64, i64),
    /// Whether there are more.
    pub more: bool,
}

/// Page size.
const AT_ONCE: i64 = 500;

impl PgStore {
    /// Applies memories captured or changed on another computer, all or none; repeating it changes nothing. Returns
    /// their ids on this server, in the same order.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn put(&mut self, all: &[Memory]) -> Result<Vec<String>> {
        let done = self.change(async |db, server| {
            let mut ids = Vec::new();
            // In a fixed order, so that two senders of the same memories never deadlock.
            let mut order: Vec<usize> = (0..all.len()).collect();
            order.sort_by(|a, b| all[*a].id.cmp(&all[*b].id));
            ids.resize(all.len(), String::new());
            for at in order {
                let given = &all[at];
                let draft =
                    Draft { project: given.project.clone(), ..Draft::new("", given.namespace, given.domain) };
                let thread = given.session.as_deref().map(|session| thread(&draft, session));
                match put(db, server, given, thread).await? {
                    Outcome::Done(id) => ids[at] = id,
                    Outcome::Unknown(_) | Outcome::Forgotten | Outcome::Changed { .. } => {}
                    Outcome::Denied => return Ok(Outcome::Denied),
                }
            }
            Ok(Outcome::Done(ids))
        })?;
        self.outcome(done, "", None)
    }

    /// The current position in the changes.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn now(&self) -> Result<(i64, i64)> {
        let rows =
            self.rows("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint", &Values::default())?;
        Ok((rows.first().map(|row| column(row, 0)).transpose()?.unwrap_or(0), 0))
    }

    /// The changes of a project (or, with an empty name, of everybody's memories) since a position. Leaves out
    /// changes that a running transaction could still precede, so that one that ends late is never missed.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn since(&self, place: &str, from: (i64, i64)) -> Result<ChangesPage> {
        let mut values = Values::default();
        let (place, xid, row) = (values.text(place), values.number(from.0), values.number(from.1));
        let limit = AT_ONCE;
        let sql = format!(
            "SELECT {COLUMNS}, m.changed::text::bigint FROM plimsoll.memories m WHERE m.place = {place} AND m.domain <> 'user'
                AND m.changed < pg_snapshot_xmin(pg_current_snapshot())
                AND (m.changed, m.row) > ({xid}::text::xid8, {row}) ORDER BY m.changed, m.row LIMIT {limit}"
        );
        let rows = self.rows(&sql, &values)?;
        let mut found = ChangesPage { next: from, ..ChangesPage::default() };
        for one in &rows {
            let (row, memory) = memory(one)?;
            found.next = (column(one, WIDTH)?, row);
            found.memories.push(memory);
        }
        found.more = i64::try_from(rows.len()).is_ok_and(|rows| rows >= limit);
        let sql = format!(
            "SELECT id FROM plimsoll.purged WHERE place = {place} AND changed >= {xid}::text::xid8
             AND changed < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY changed LIMIT 10000"
        );
        found.purged =
            self.rows(&sql, &values)?.iter().map(|row| column(row, 0)).collect::<Result<_, OrgError>>()?;
        Ok(found)
    }

    /// A scope's newest memories, oldest first, at most `most`.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn newest(&self, place: &str, most: u32) -> Result<Vec<Memory>> {
        let mut values = Values::default();
        let place = values.text(place);
        let sql = format!(
            "SELECT {COLUMNS} FROM plimsoll.memories m WHERE m.place = {place} AND m.domain <> 'user' AND m.status = 'active'
             ORDER BY m.changed DESC, m.row DESC LIMIT {most}"
        );
        let mut all: Vec<Memory> =
            self.memories(&sql, &values)?.into_iter().map(|(_, memory)| memory).collect();
        all.reverse();
        Ok(all)
    }

    /// Grants somebody a role in one project, or with `*` in all.
    ///
    /// # Errors
    /// [`OrgError::NoRole`] for a role that the server doesn't have, [`OrgError::Denied`].
    pub fn grant(&mut self, person: &str, project: &str, role: Role) -> Result<()> {
        let mut values = Values::default();
        let places = [values.text(person), values.text(project), values.text(role.as_str())];
        let rows = self.rows(&format!("SELECT plimsoll.admit({})", places.join(", ")), &values)?;
        if rows.first().map(|row| column(row, 0)).transpose()? == Some(true) {
            return Ok(());
        }
        Err(OrgError::NoRole { host: self.server.host().to_owned(), person: person.to_owned() }.into())
    }

    /// Revokes a role; returns whether there was one.
    ///
    /// # Errors
    /// [`OrgError::Denied`].
    pub fn revoke(&mut self, person: &str, project: &str) -> Result<bool> {
        let mut values = Values::default();
        let places = [values.text(person), values.text(project)];
        let rows = self.rows(&format!("SELECT plimsoll.dismiss({})", places.join(", ")), &values)?;
        Ok(rows.first().map(|row| column(row, 0)).transpose()?.unwrap_or(false))
    }

    /// The logged-in user's roles: projects (`*` for all) with the role in each.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn roles(&self) -> Result<Vec<(String, String)>> {
        let sql =
            "SELECT project, role FROM plimsoll.members WHERE person = session_user ORDER BY 1 LIMIT 1000";
        let rows = self.rows(sql, &Values::default())?;
        let read = |row: &tokio_postgres::Row| Ok((column(row, 0)?, column(row, 1)?));
        Ok(rows.iter().map(read).collect::<Result<_, OrgError>>()?)
    }

    /// The server's health.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn health(&self) -> Result<Health> {
        let none = Values::default();
        let before = Instant::now();
        let version = self.rows("SELECT current_setting('server_version')", &none)?;
        let answer = before.elapsed();
        let version = version.first().map(|row| column(row, 0)).transpose()?.unwrap_or_default();
        // The planner's estimate: counting a hundred million rows takes too long.
        let about = self.rows(
            "SELECT CASE WHEN reltuples < 10000 THEN (SELECT count(*) FROM plimsoll.memories) ELSE reltuples::bigint END
             FROM pg_class WHERE oid = 'plimsoll.memories'::regclass",
            &none,
        )?;
        let about: i64 = about.first().map(|row| column(row, 0)).transpose()?.unwrap_or(0);
        let extensions = self.rows(EXTENSIONS, &none)?;
        let (mut trigrams, mut vectors) = (false, None);
        if let Some(row) = extensions.first() {
            trigrams = column(row, 0)?;
            vectors = column(row, 1)?;
        }
        let given =
            self.rows("SELECT person, project, role FROM plimsoll.members ORDER BY 1, 2 LIMIT 1000", &none)?;
        let read = |row: &tokio_postgres::Row| -> Result<GrantedRole, OrgError> {
            Ok(GrantedRole { person: column(row, 0)?, project: column(row, 1)?, role: column(row, 2)? })
        };
        let given = given.iter().map(read).collect::<Result<_, OrgError>>()?;
        Ok(Health { version, memories: u64::try_from(about).unwrap_or(0), answer, trigrams, vectors, given })
    }
}

/// Whether a memory has what another computer sends: the same content, and no more trust.
fn agree(known: &Memory, given: &Memory) -> bool {
    let lowered = given.trust == Trust::Untrusted && known.trust != Trust::Untrusted;
    !lowered
        && (&known.content, &known.tags, known.namespace, &known.source, known.expires_ms)
            == (&given.content, &given.tags, given.namespace, &given.source, given.expires_ms)
}

/// Applies a memory from another computer: stores a new one, updates an older one. Returns its id on this server.
async fn put(
    db: &Db<'_>,
    server: &Server,
    given: &Memory,
    thread: Option<i64>,
) -> Result<Outcome<String>, OrgError> {
    let who = Actor { at_ms: given.updated_ms, client: given.client.clone(), session: given.session.clone() };
    let known = match by_id(db, server, &given.id).await? {
        Outcome::Unknown(_) => None,
        outcome => Some(found!(outcome)),
    };
    let Some(known) = known else {
        if let Some(row) = same(db, server, hash(&given.content), given, given.updated_ms).await? {
            let known = found!(by_row(db, server, row).await?);
            // A replaced memory is out of use, whoever captured the same text before.
            if given.status == Status::Superseded && given.updated_ms >= known.updated_ms {
                found!(set_status(db, server, &known.id, given.status, &who).await?);
            }
            return Ok(Outcome::Done(known.id));
        }
        insert(db, server, given, thread, &who).await?;
        return Ok(Outcome::Done(given.id.clone()));
    };
    // The latest change wins; the history keeps the other text.
    if given.updated_ms >= known.memory.updated_ms {
        if !agree(&known.memory, given) {
            let version = given.version.max(known.memory.version.saturating_add(1));
            let now = Memory { version, ..given.clone() };
            replace(db, server, (known.row, known.thread), &known.memory, &now, &who).await?;
        }
        // Changing a text doesn't undo its replacement, however often the change is sent: two processes may send it at
        // once, and an interrupted step is repeated.
        let changes_text = !agree(&known.memory, given) || given.updated_ms == known.memory.updated_ms;
        let stays =
            known.memory.status == Status::Superseded && given.status == Status::Active && changes_text;
        if known.memory.status != given.status && !stays {
            found!(set_status(db, server, &given.id, given.status, &who).await?);
        }
    }
    Ok(Outcome::Done(given.id.clone()))
}
