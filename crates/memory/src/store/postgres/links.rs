//! Links between memories, each within the caller's transaction. A memory that another replaces is superseded.

use super::connect::Server;
use super::rows::{Db, rows};
use super::values::Values;
use super::write::{Kept, Outcome, by_id, found, set_status};
use crate::domain::{LinkKind, Status};
use crate::store::Actor;
use crate::store::org_error::OrgError;

pub(super) async fn link(
    db: &Db<'_>,
    server: &Server,
    from: &str,
    to: &str,
    kind: LinkKind,
    who: &Actor,
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
    who: &Actor,
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

/// The old memory keeps its text and history, and is no longer found by default.
pub(super) async fn supersede(
    db: &Db<'_>,
    server: &Server,
    new: i64,
    old: &Kept,
    who: &Actor,
) -> Result<Outcome<()>, OrgError> {
    write_link(db, server, new, old.row, LinkKind::Supersedes, who).await?;
    if matches!(old.memory.status, Status::Active | Status::Pending) {
        found!(set_status(db, server, &old.memory.id, Status::Superseded, who).await?);
    }
    Ok(Outcome::Done(()))
}
