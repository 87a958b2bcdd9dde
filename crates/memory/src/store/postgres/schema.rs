//! The server's tables and their migrations.

use tokio_postgres::{Client, Transaction};

use super::columns::column;
use super::connect::Server;
use super::mentions;
use crate::store::org_error::OrgError;

/// Every migration from nothing to the newest tables, oldest first.
const STEPS: &[&str] = &[
    include_str!("schema.sql"),
    include_str!("shared.sql"),
    include_str!("search.sql"),
    include_str!("web_trust.sql"),
];
/// The additions to the search if `pg_trgm` is installed.
const NEAR_DUPLICATE: &str = include_str!("near.sql");
const NEAR_INDEX: &str = "CREATE INDEX memories_near ON plimsoll.memories USING gin (lower(left(content, 200)) {trgm}.gin_trgm_ops);";

/// The table of vectors, if `pgvector` is installed.
const VECTORS: &str = include_str!("vectors.sql");

/// The tables' version that this program makes.
const SUPPORTED: i32 = 4;
/// The oldest version that it works with: step 4 corrects rows and leaves the tables alone, so a team goes on before its
/// owner has run it.
const OLDEST: i32 = 3;
/// The first version with a table of mentions.
const MENTIONS: i32 = 2;

/// The tables' version; `None` without tables.
pub(super) async fn version(client: &Client, server: &Server) -> Result<Option<i32>, OrgError> {
    let printed = |error: tokio_postgres::Error| match server.refused(&error) {
        // A user without rights can't even see whether there are tables.
        OrgError::Denied { host, user, .. } => {
            OrgError::NotSetUp { host, database: server.database().to_owned(), user }
        }
        other => other,
    };
    let row = client.query_typed("SELECT max(version) FROM plimsoll.version", &[]).await.map_err(printed)?;
    row.first().map(|row| column(row, 0)).transpose().map(Option::flatten)
}

/// Whether this program supports tables of that version.
pub(super) fn fits(server: &Server, found: Option<i32>) -> Result<(), OrgError> {
    let host = server.host().to_owned();
    match found {
        Some(OLDEST..=SUPPORTED) => Ok(()),
        None => Err(OrgError::NotSetUp {
            host,
            database: server.database().to_owned(),
            user: server.user().to_owned(),
        }),
        Some(found) => Err(OrgError::Schema { host, found, known: SUPPORTED }),
    }
}

/// Creates what is missing; returns whether anything was.
pub(super) async fn init(db: &Transaction<'_>, server: &Server) -> Result<bool, OrgError> {
    let printed = |error: tokio_postgres::Error| server.refused(&error);
    // Concurrent setups run one after the other.
    db.batch_execute("SELECT pg_advisory_xact_lock(7236837214)").await.map_err(printed)?;
    let encoding = one(db, server, "SELECT current_setting('server_encoding')").await?;
    if encoding.as_deref() != Some("UTF8") {
        let reason =
            format!("the database {} is not in UTF8; make one with ENCODING 'UTF8'", server.database());
        return Err(OrgError::Failed { host: server.host().to_owned(), reason });
    }
    let there = one(
        db,
        server,
        "SELECT 'yes' FROM pg_tables WHERE schemaname = 'plimsoll' AND tablename = 'version'",
    )
    .await?;
    let found = if there.is_some() {
        let rows = db.query_typed("SELECT max(version) FROM plimsoll.version", &[]).await.map_err(printed)?;
        rows.first().map(|row| column(row, 0)).transpose()?.flatten().unwrap_or(0)
    } else {
        0
    };
    if found >= SUPPORTED {
        fits(server, Some(found))?;
        return init_vectors(db, server).await;
    }
    db.batch_execute("CREATE SCHEMA IF NOT EXISTS plimsoll").await.map_err(printed)?;
    // Without it mistyped words aren't found, and nothing else is missing.
    let near = extension(db, server, "pg_trgm").await?;
    for step in &STEPS[usize::try_from(found).unwrap_or(0)..] {
        let sql = match &near {
            Some(schema) => step
                .replace("{near_index}", NEAR_INDEX)
                .replace("{near}", NEAR_DUPLICATE)
                .replace("{trgm}", &quoted(schema)),
            None => step.replace("{near_index}", "").replace("{near}", ""),
        };
        db.batch_execute(&sql).await.map_err(printed)?;
    }
    if found > 0 && found < MENTIONS {
        mentions::post_all(db, server).await?;
    }
    init_vectors(db, server).await?;
    Ok(true)
}

/// Creates the table of vectors if it is missing, `pgvector` is installed or can be, and the user owns the other
/// tables; returns whether it was created.
async fn init_vectors(db: &Transaction<'_>, server: &Server) -> Result<bool, OrgError> {
    let may = "SELECT 'yes' FROM pg_tables WHERE schemaname = 'plimsoll' AND tablename = 'memories'
        AND pg_has_role(tableowner, 'MEMBER') AND to_regclass('plimsoll.vectors') IS NULL";
    if one(db, server, may).await?.is_none() {
        return Ok(false);
    }
    let Some(schema) = extension(db, server, "vector").await? else { return Ok(false) };
    let sql = VECTORS.replace("{vector}", &quoted(&schema));
    db.batch_execute(&sql).await.map_err(|error| server.refused(&error))?;
    Ok(true)
}

/// The schema of an extension, installed if that is possible; the database's owner may install some.
async fn extension(db: &Transaction<'_>, server: &Server, name: &str) -> Result<Option<String>, OrgError> {
    let printed = |error: tokio_postgres::Error| server.refused(&error);
    let schema = format!(
        "SELECT n.nspname::text FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = '{name}'"
    );
    let found = one(db, server, &schema).await?;
    let available = format!("SELECT 'yes' FROM pg_available_extensions WHERE name = '{name}'");
    if found.is_some() || one(db, server, &available).await?.is_none() {
        return Ok(found);
    }
    db.batch_execute("SAVEPOINT extension").await.map_err(printed)?;
    match db.batch_execute(&format!("CREATE EXTENSION {name} SCHEMA plimsoll")).await {
        Ok(()) => one(db, server, &schema).await,
        Err(_) => {
            db.batch_execute("ROLLBACK TO SAVEPOINT extension").await.map_err(printed)?;
            Ok(None)
        }
    }
}

/// The text in the first column of the first row.
async fn one(db: &Transaction<'_>, server: &Server, sql: &str) -> Result<Option<String>, OrgError> {
    let rows = db.query_typed(sql, &[]).await.map_err(|error| server.refused(&error))?;
    rows.first().map(|row| column(row, 0)).transpose().map(Option::flatten)
}

/// An identifier as SQL takes it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The installed and used extensions: whether mistyped words are found, and whether vectors are stored or could be.
pub(super) const EXTENSIONS: &str = "SELECT to_regclass('plimsoll.memories_near') IS NOT NULL,
    (SELECT 'used' WHERE to_regclass('plimsoll.vectors') IS NOT NULL
     UNION ALL SELECT 'installed' FROM pg_extension WHERE extname = 'vector'
     UNION ALL SELECT 'available' FROM pg_available_extensions WHERE name = 'vector' LIMIT 1)";
