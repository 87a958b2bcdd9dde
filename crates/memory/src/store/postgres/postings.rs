//! The index entries for a memory's words and for its neighbours' in the same session.

use super::columns::{COLUMNS, WIDTH, column, memory};
use super::connect::Server;
use super::index_words::{hidden, plain};
use super::rows::{Db, rows};
use super::values::Values;
use crate::domain::{Memory, Status};
use crate::store::org_error::OrgError;

/// The number of neighbours on each side that are indexed with a memory.
const REACH: usize = 2;
/// Maximum length of a neighbour's indexed text.
const NEIGHBOUR_BYTES: usize = 1_200;

/// The SQL expression for the index entry of a memory's own words.
pub(super) fn own(memory: &Memory, values: &mut Values) -> String {
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

/// A memory's neighbours in its thread, in order.
struct Beside {
    row: i64,
    text: String,
    says: bool,
}

/// Indexes the context of a memory and of its neighbours again. Reads the thread once and updates each entry that
/// differs.
pub(super) async fn post_around(
    db: &Db<'_>,
    server: &Server,
    row: i64,
    thread: Option<i64>,
) -> Result<(), OrgError> {
    let Some(thread) = thread else { return Ok(()) };
    let mut values = Values::default();
    let (row_place, thread_place) = (values.number(row), values.number(thread));
    // Twice the reach, because neighbours' neighbours are indexed as well; doubled again for memories without text.
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
        let says = !matches!(Status::from_name(status), Some(Status::Tombstoned | Status::Superseded));
        near.push(Beside { row: column(&found, 0)?, text: column(&found, 1)?, says });
    }
    let Some(here) = near.iter().position(|one| one.row == row) else { return Ok(()) };
    let mut touched = vec![here];
    touched.extend((0..here).rev().filter(|at| near[*at].says).take(REACH));
    touched.extend((here + 1..near.len()).filter(|at| near[*at].says).take(REACH));
    // In row order, so that two writers in one thread never deadlock.
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

/// Indexes everything that the user may change again; returns the number of memories.
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
