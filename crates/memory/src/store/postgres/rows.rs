//! Queries within a transaction.

use tokio_postgres::{Row, Transaction};

use super::connect::Server;
use super::values::Values;
use crate::store::org_error::OrgError;

pub(super) type Db<'a> = Transaction<'a>;

pub(super) async fn rows(
    db: &Db<'_>,
    server: &Server,
    sql: &str,
    values: &Values,
) -> Result<Vec<Row>, OrgError> {
    db.query_typed(sql, &values.list()).await.map_err(|error| server.refused(&error))
}
