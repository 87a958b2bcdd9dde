//! The organisation's store on PostgreSQL. Implements the same trait as the local store, plus what only a shared
//! store has: setup, roles, and the exchange with a team's computers (`exchange`).
//!
//! Nothing depends on a connection's state, so a pooler may be in between (PgBouncer, transaction pooling). Only
//! servers and command lines connect; a hook never does.

mod capture;
mod columns;
mod condition;
mod connect;
mod exchange;
mod index_words;
mod links;
mod lists;
mod matching;
mod mentions;
mod postings;
mod records;
mod rows;
mod schema;
mod values;
mod vectors;
mod write;

use std::cell::OnceCell;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Row, Transaction};

use columns::{COLUMNS, column, memory};
pub use connect::Server;
pub use exchange::{ChangesPage, GrantedRole, Health, Role};
pub use records::RecordsPage;
use values::Values;
pub use vectors::SharedVector;
use write::Outcome;

use super::error::{Result, StoreError};
use super::messages;
use super::org_error::OrgError;
use super::store_trait::{
    Actor, CaptureResult, Effort, HistoryEntry, Matches, MemoryPage, NearMatch, Page, QueryVector,
    Statistics, Store, Term,
};
use super::validation::{NewChange, NewMemory};
use crate::domain::{Link, LinkKind, Memory, Record, RecordKind, Status};
use crate::query::{Scope, Selection};

/// The organisation's store over one connection.
pub struct PgStore {
    client: Client,
    runtime: Runtime,
    server: Server,
    within: Duration,
    /// Whether the server stores vectors, once that was asked.
    vectors: OnceCell<bool>,
}

impl std::fmt::Debug for PgStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PgStore({})", self.server.name())
    }
}

impl PgStore {
    /// Connects to a server that is set up. `within` limits each answer.
    ///
    /// # Errors
    /// [`OrgError`]: no connection, no right, no tables, or tables of another version.
    pub fn open(server: &Server, within: Duration) -> Result<Self> {
        let store = Self::connect(server, within)?;
        let found = store.wait(schema::version(&store.client, server))?;
        schema::fits(server, found)?;
        Ok(store)
    }

    /// Creates or upgrades the tables; returns whether anything changed. The first caller becomes their owner and
    /// first admin.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn init(server: &Server, within: Duration) -> Result<(Self, bool)> {
        let mut store = Self::connect(server, within)?;
        let made = store.change(async |transaction, server| schema::init(transaction, server).await)?;
        Ok((store, made))
    }

    fn connect(server: &Server, within: Duration) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            OrgError::Unreachable { host: server.host().to_owned(), reason: error.to_string() }
        })?;
        let connected =
            runtime.block_on(async { tokio::time::timeout(within, server.connect(within)).await });
        let client = connected.map_err(|_| server.slow(within))??;
        Ok(Self { client, runtime, server: server.clone(), within, vectors: OnceCell::new() })
    }

    /// Whether the connection is closed.
    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Sets the time limit for answers.
    pub fn set_within(&mut self, within: Duration) {
        self.within = within;
    }

    fn wait<T>(&self, work: impl Future<Output = Result<T, OrgError>>) -> Result<T> {
        let done = self.runtime.block_on(async { tokio::time::timeout(self.within, work).await });
        Ok(done.map_err(|_| self.server.slow(self.within))??)
    }

    /// Queries within a snapshot.
    fn rows(&self, sql: &str, values: &Values) -> Result<Vec<Row>> {
        self.wait(async {
            self.client.query_typed(sql, &values.list()).await.map_err(|error| self.server.refused(&error))
        })
    }

    fn memories(&self, sql: &str, values: &Values) -> Result<Vec<(i64, Memory)>> {
        Ok(self.rows(sql, values)?.iter().map(memory).collect::<Result<_, OrgError>>()?)
    }

    /// Runs a transaction: everything or nothing.
    fn change<T>(
        &mut self,
        work: impl AsyncFnOnce(&Transaction<'_>, &Server) -> Result<T, OrgError>,
    ) -> Result<T> {
        let Self { client, runtime, server, within, .. } = self;
        let done = runtime.block_on(async {
            tokio::time::timeout(*within, async {
                let printed = |error: tokio_postgres::Error| server.refused(&error);
                let transaction = client.transaction().await.map_err(printed)?;
                let done = work(&transaction, server).await?;
                transaction.commit().await.map_err(printed)?;
                Ok::<T, OrgError>(done)
            })
            .await
        });
        Ok(done.map_err(|_| server.slow(*within))??)
    }

    fn outcome<T>(&self, outcome: Outcome<T>, id: &str, expected: Option<u32>) -> Result<T> {
        Err(match outcome {
            Outcome::Done(done) => return Ok(done),
            Outcome::Unknown(id) => StoreError::NotFound(id),
            Outcome::Forgotten => StoreError::Forgotten(id.to_owned()),
            Outcome::Changed { found } => {
                StoreError::Changed { id: id.to_owned(), expected: expected.unwrap_or_default(), found }
            }
            Outcome::Denied => StoreError::Org(OrgError::Denied {
                host: self.server.host().to_owned(),
                user: self.server.user().to_owned(),
                reason: Box::new(messages::org_read_only()),
            }),
        })
    }
}

impl Store for PgStore {
    fn capture(&mut self, new: &NewMemory, who: &Actor) -> Result<CaptureResult> {
        let done = self.change(async |db, server| capture::capture(db, server, new, who).await)?;
        let (memory, duplicate) = self.outcome(done, "", None)?;
        Ok(CaptureResult { memory, duplicate, redacted: new.redacted() })
    }

    fn get(&self, id: &str) -> Result<Option<Memory>> {
        let mut values = Values::default();
        let id = values.text(id);
        let sql = format!("SELECT {COLUMNS} FROM plimsoll.memories m WHERE m.id = {id}");
        Ok(self.memories(&sql, &values)?.pop().map(|(_, memory)| memory))
    }

    fn ids(&self, beginning: &str, limit: usize) -> Result<Vec<String>> {
        let mut values = Values::default();
        let beginning = values.text(beginning);
        // Ids are hexadecimal; compare bytes, whatever the database's collation.
        let sql = format!(
            "SELECT id FROM plimsoll.memories WHERE id COLLATE \"C\" >= {beginning} AND id COLLATE \"C\" < {beginning} || 'g'
             ORDER BY id COLLATE \"C\" LIMIT {limit}"
        );
        Ok(self.rows(&sql, &values)?.iter().map(|row| column(row, 0)).collect::<Result<_, OrgError>>()?)
    }

    fn update(&mut self, id: &str, change: &NewChange, who: &Actor) -> Result<Memory> {
        let done = self.change(async |db, server| write::update(db, server, id, change, who).await)?;
        self.outcome(done, id, change.change().expected)
    }

    fn set_status(&mut self, id: &str, status: Status, who: &Actor) -> Result<Memory> {
        let done = self.change(async |db, server| write::set_status(db, server, id, status, who).await)?;
        self.outcome(done, id, None)
    }

    fn purge(&mut self, id: &str) -> Result<()> {
        let done = self.change(async |db, server| write::purge(db, server, id).await)?;
        self.outcome(done, id, None)
    }

    fn history(&self, id: &str, limit: usize) -> Result<Vec<HistoryEntry>> {
        lists::history(self, id, limit)
    }

    fn link(&mut self, from: &str, to: &str, kind: LinkKind, who: &Actor) -> Result<()> {
        if from == to {
            return Err(StoreError::Itself(from.to_owned()));
        }
        let done = self.change(async |db, server| links::link(db, server, from, to, kind, who).await)?;
        self.outcome(done, from, None)
    }

    fn links(&self, id: &str) -> Result<Vec<Link>> {
        lists::links(self, id)
    }

    fn list(&self, selection: &Selection, page: Page) -> Result<MemoryPage> {
        lists::list(self, selection, page)
    }

    fn matches(&self, selection: &Selection, terms: &[Term], effort: Effort) -> Result<Matches> {
        matching::matches(self, selection, terms, effort)
    }

    fn nearest(&self, selection: &Selection, question: &QueryVector) -> Result<Vec<NearMatch>> {
        vectors::nearest(self, selection, question)
    }

    fn read(&self, keys: &[i64]) -> Result<Vec<(i64, Memory)>> {
        let mut values = Values::default();
        let rows = values.numbers(keys.to_vec());
        let sql = format!(
            "SELECT {COLUMNS} FROM plimsoll.memories m WHERE m.row = ANY ({rows}) ORDER BY array_position({rows}, m.row)"
        );
        self.memories(&sql, &values)
    }

    /// Well-known aliases need no query, and manual aliases reach each computer, which names them all when it asks
    /// what mentions something.
    fn aliases_of(&self, _: &Scope, _: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn ids_mentioning(&self, scope: &Scope, names: &[String], limit: usize) -> Result<Vec<String>> {
        mentions::ids_mentioning(self, scope, names, limit)
    }

    fn put_records(&mut self, records: &[Record]) -> Result<u64> {
        self.change(async |db, server| records::put(db, server, records).await)
    }

    fn records(&self, place: &str, kind: RecordKind) -> Result<Vec<Record>> {
        records::of(self, place, kind)
    }

    fn statistics(&self, selection: &Selection) -> Result<Statistics> {
        lists::statistics(self, selection)
    }

    fn reindex(&mut self) -> Result<u64> {
        let done = self.change(async |db, server| postings::reindex(db, server).await)?;
        Ok(done)
    }
}
