//! The numbers. Measured and estimated stay apart, a failed call saves nothing, our own overhead is taken
//! off, and the net may be negative.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::store::{Sessions, SessionsError};

/// Bytes of one class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    /// Produced.
    pub raw_bytes: i64,
    /// Returned to the agent.
    pub returned_bytes: i64,
    /// Kept out: produced less returned. Negative when our replies were longer.
    pub kept_out_bytes: i64,
}

/// Calls of one agent or one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// Agent id or tool name.
    pub name: String,
    /// Calls.
    pub calls: u64,
    /// Calls that failed.
    pub failed: u64,
    /// What was measured.
    pub measured: Sum,
    /// What is a guess.
    pub estimated: Sum,
    /// Bytes that we added.
    pub overhead_bytes: i64,
    /// Our own time, in microseconds.
    pub elapsed_us: i64,
}

/// The numbers of a stretch of time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// From when on, in milliseconds since the epoch.
    pub since_ms: i64,
    /// Everything together.
    pub total: Total,
    /// Measured bytes kept out, less our overhead.
    pub net_bytes: i64,
    /// Agent by agent.
    pub agents: Vec<Total>,
    /// Tool by tool.
    pub tools: Vec<Total>,
}

const SUMS: &str = "
    count(*),
    coalesce(sum(ok = 0), 0),
    coalesce(sum(CASE WHEN ok AND class = 1 THEN raw_bytes ELSE 0 END), 0),
    coalesce(sum(CASE WHEN ok AND class = 1 THEN returned_bytes ELSE 0 END), 0),
    coalesce(sum(CASE WHEN ok AND class = 2 THEN raw_bytes ELSE 0 END), 0),
    coalesce(sum(CASE WHEN ok AND class = 2 THEN returned_bytes ELSE 0 END), 0),
    coalesce(sum(overhead_bytes), 0),
    coalesce(sum(elapsed_us), 0)
FROM ledger WHERE at_ms >= ?1";

impl Sessions {
    /// The numbers since `since_ms` (milliseconds since the epoch), of one session when it is named.
    ///
    /// # Errors
    /// [`SessionsError`].
    pub fn stats(&self, since_ms: i64, session: Option<&str>) -> Result<Stats, SessionsError> {
        let total = totals(&self.db, "''", "", since_ms, session)?.pop().unwrap_or_default();
        let net_bytes = total.measured.kept_out_bytes.saturating_sub(total.overhead_bytes);
        Ok(Stats {
            since_ms,
            net_bytes,
            total,
            agents: totals(&self.db, "agent", "GROUP BY agent ORDER BY 4 DESC", since_ms, session)?,
            tools: totals(&self.db, "tool", "GROUP BY tool ORDER BY 4 DESC", since_ms, session)?,
        })
    }
}

fn totals(
    conn: &Connection,
    name: &str,
    group: &str,
    since_ms: i64,
    session: Option<&str>,
) -> rusqlite::Result<Vec<Total>> {
    let filter = if session.is_some() { "AND session = ?2" } else { "AND ?2 IS NULL" };
    conn.prepare(&format!("SELECT {name}, {SUMS} {filter} {group}"))?
        .query_map(rusqlite::params![since_ms, session], |row| {
            let sum = |raw: i64, returned: i64| Sum {
                raw_bytes: raw,
                returned_bytes: returned,
                kept_out_bytes: raw.saturating_sub(returned),
            };
            Ok(Total {
                name: row.get(0)?,
                calls: row.get::<_, i64>(1)?.unsigned_abs(),
                failed: row.get::<_, i64>(2)?.unsigned_abs(),
                measured: sum(row.get(3)?, row.get(4)?),
                estimated: sum(row.get(5)?, row.get(6)?),
                overhead_bytes: row.get(7)?,
                elapsed_us: row.get(8)?,
            })
        })?
        .collect()
}
