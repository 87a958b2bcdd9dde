//! Writes facts: merges them with recorded ones, resolves errors after a success, and evicts the least important ones
//! above the limit.

use rusqlite::{Connection, OptionalExtension as _, params};

use sessions::table::touch;

use crate::session::fact::{Category, Fact, Facts, MAX_FACTS, MergeRule, State, hash};

/// Maximum number of files named in a resolution.
const MAX_FILES: u32 = 5;

/// Writes redacted facts in order and enforces the session's limit.
pub(crate) fn insert(db: &Connection, facts: &Facts) -> rusqlite::Result<()> {
    touch(db, &facts.agent, &facts.session, &facts.project, facts.at_ms)?;
    // An agent's folder may change within a session; the project doesn't.
    let project: String = db
        .prepare_cached("SELECT project FROM sessions WHERE agent = ?1 AND session = ?2")?
        .query_row([&facts.agent, &facts.session], |row| row.get(0))?;
    let writer = Writer { db, project: &project, of: facts };
    for fact in &facts.facts {
        match fact.category {
            Category::Cleared => writer.drop_all(None)?,
            Category::NewList => writer.drop_all(Some(Category::Task))?,
            Category::Resolution => writer.resolve(fact)?,
            _ => writer.merge(fact)?,
        }
    }
    evict(db, &facts.agent, &facts.session, MAX_FACTS)
}

struct Writer<'a> {
    db: &'a Connection,
    project: &'a str,
    of: &'a Facts,
}

impl Writer<'_> {
    fn merge(&self, fact: &Fact) -> rusqlite::Result<()> {
        let hash = fact.hash();
        let known: Option<(i64, i64)> = self
            .db
            .prepare_cached("SELECT id, state FROM facts WHERE agent = ?1 AND session = ?2 AND hash = ?3")?
            .query_row([&self.of.agent, &self.of.session, &hash], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((id, state)) = known else { return self.add(fact, &hash) };
        let over = !State::from_sql(state).is_current();
        // A fact that recurs after it was over starts again.
        let (times, first) = if over { ("1", "?6") } else { ("times + 1", "first_ms") };
        let sql = match fact.meeting {
            MergeRule::First if !over => return Ok(()),
            MergeRule::Latest => {
                "UPDATE facts SET text = iif(?2 = '', text, ?2), detail = iif(?3 = '', detail, ?3),
                   subject = iif(?4 = '', subject, ?4), state = ?5, at_ms = ?6, priority = ?7 WHERE id = ?1"
                    .to_owned()
            }
            _ => format!(
                "UPDATE facts SET text = ?2, detail = iif(?3 = '', detail, ?3),
                   subject = iif(?4 = '', subject, ?4), state = ?5, at_ms = max(at_ms, ?6), priority = ?7,
                   times = {times}, first_ms = {first} WHERE id = ?1"
            ),
        };
        self.db.prepare_cached(&sql)?.execute(params![
            id,
            fact.text,
            fact.detail,
            fact.subject,
            fact.state.to_sql(),
            self.of.at_ms,
            fact.priority.clamp(1, 4),
        ])?;
        Ok(())
    }

    fn add(&self, fact: &Fact, hash: &str) -> rusqlite::Result<()> {
        // An update without text says nothing if the fact isn't recorded.
        if fact.text.is_empty() {
            return Ok(());
        }
        self.db
            .prepare_cached(
                "INSERT INTO facts (session, agent, project, category, priority, text, detail, subject, state,
                   times, hash, first_ms, at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?11, ?11)",
            )?
            .execute(params![
                self.of.session,
                self.of.agent,
                self.project,
                fact.category.name(),
                fact.priority.clamp(1, 4),
                fact.text,
                fact.detail,
                fact.subject,
                fact.state.to_sql(),
                hash,
                self.of.at_ms,
            ])?;
        Ok(())
    }

    /// Marks facts as dropped; they can still be searched.
    fn drop_all(&self, category: Option<Category>) -> rusqlite::Result<()> {
        let sql = "UPDATE facts SET state = ?3, priority = 4
                   WHERE agent = ?1 AND session = ?2 AND state IN (0, 1) AND (?4 IS NULL OR category = ?4)";
        self.db.prepare_cached(sql)?.execute(params![
            self.of.agent,
            self.of.session,
            State::Dropped.to_sql(),
            category.map(Category::name)
        ])?;
        Ok(())
    }

    /// After a success, resolves earlier failures of the same kind whose command asked for at most as much. Records
    /// nothing if nothing had failed.
    fn resolve(&self, passed: &Fact) -> rusqlite::Result<()> {
        let open: Vec<(i64, String, i64)> = self
            .db
            .prepare_cached(
                "SELECT id, text, first_ms FROM facts WHERE agent = ?1 AND session = ?2 AND category = 'error'
                   AND state = 0 AND subject = ?3 ORDER BY id",
            )?
            .query_map([&self.of.agent, &self.of.session, &passed.subject], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?
            .collect::<rusqlite::Result<_>>()?;
        for (id, failed, since_ms) in open {
            if !covers(&failed, &passed.text) {
                continue;
            }
            self.db
                .prepare_cached("UPDATE facts SET state = ?2, priority = 4 WHERE id = ?1")?
                .execute(params![id, State::Done.to_sql()])?;
            let files = self.edited_since(since_ms)?;
            let detail = if files.is_empty() { String::new() } else { format!("after edits of {files}") };
            let fact = Fact::new(Category::Resolution, 3, failed.clone()).detail(detail);
            // The files edited since, even if there were none.
            self.db
                .prepare_cached("DELETE FROM facts WHERE agent = ?1 AND session = ?2 AND hash = ?3")?
                .execute([&self.of.agent, &self.of.session, &hash(Category::Resolution, &failed)])?;
            self.add(&fact, &fact.hash())?;
        }
        Ok(())
    }

    fn edited_since(&self, since_ms: i64) -> rusqlite::Result<String> {
        let files: Vec<String> = self
            .db
            .prepare_cached(
                "SELECT text FROM facts WHERE agent = ?1 AND session = ?2 AND category = 'file'
                   AND subject <> 'read' AND at_ms >= ?3 ORDER BY at_ms DESC, id DESC LIMIT ?4",
            )?
            .query_map(params![self.of.agent, self.of.session, since_ms, MAX_FILES], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(files.join(", "))
    }
}

/// Whether `passed` did at least what `failed` did: it has no words that the other lacks. `cargo test` covers `cargo
/// test -p shop`, not the reverse.
fn covers(failed: &str, passed: &str) -> bool {
    passed.split_whitespace().all(|word| failed.split_whitespace().any(|known| known == word))
}

/// Deletes what a session has above `max` facts: lowest priority first, then oldest.
fn evict(db: &Connection, agent: &str, session: &str, max: u32) -> rusqlite::Result<()> {
    let number: i64 = db
        .prepare_cached("SELECT count(*) FROM facts WHERE agent = ?1 AND session = ?2")?
        .query_row([agent, session], |row| row.get(0))?;
    let above = number - i64::from(max);
    if above > 0 {
        db.prepare_cached(
            "DELETE FROM facts WHERE id IN (SELECT id FROM facts WHERE agent = ?1 AND session = ?2
               ORDER BY priority DESC, at_ms, id LIMIT ?3)",
        )?
        .execute(params![agent, session, above])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn database() -> Connection {
        let db = Connection::open_in_memory().unwrap();
        for migration in sessions::table::MIGRATIONS {
            db.execute_batch(migration.sql).unwrap();
        }
        db
    }

    #[test]
    fn a_broader_success_settles_a_narrower_failure_and_no_other() {
        for (failed, passed, settled) in [
            ("cargo test", "cargo test", true),
            ("cargo test -p shop", "cargo test", true),
            ("cargo test", "cargo test -p shop", false),
            ("cargo test -p shop", "cargo test -p bank", false),
            ("npm run build", "npm run test", false),
        ] {
            assert_eq!(covers(failed, passed), settled, "{failed} / {passed}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_least_important_and_oldest_go_first(
            rows in proptest::collection::vec((1_u8..=4, 0_i64..50), 1..60),
            max in 1_u32..40,
        ) {
            let db = database();
            for (number, (priority, at_ms)) in rows.iter().enumerate() {
                let fact = Fact::new(Category::Decision, *priority, format!("fact {number}"));
                let of = Facts { session: "s".into(), agent: "codex".into(), project: String::new(), at_ms: *at_ms, facts: vec![fact] };
                insert(&db, &of).unwrap();
            }
            let other = Fact::new(Category::Tool, 4, "another session's");
            insert(&db, &Facts { session: "t".into(), agent: "codex".into(), facts: vec![other], ..Facts::default() }).unwrap();
            evict(&db, "codex", "s", max).unwrap();
            let kept: Vec<(i64, i64, i64)> = db
                .prepare("SELECT priority, at_ms, id FROM facts WHERE session = 's'").unwrap()
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap()
                .collect::<rusqlite::Result<_>>().unwrap();
            prop_assert_eq!(kept.len(), rows.len().min(max as usize));
            let mut order: Vec<(i64, std::cmp::Reverse<i64>, usize)> = rows
                .iter().enumerate()
                .map(|(number, (priority, at_ms))| (i64::from(*priority), std::cmp::Reverse(*at_ms), number))
                .collect();
            // By priority, then latest first; at equal times the later written.
            order.sort_by_key(|(priority, at, number)| (*priority, *at, std::cmp::Reverse(*number)));
            order.truncate(max as usize);
            let mut wanted: Vec<(i64, i64)> = order.iter().map(|(priority, at, _)| (*priority, at.0)).collect();
            let mut found: Vec<(i64, i64)> = kept.iter().map(|(priority, at, _)| (*priority, *at)).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, wanted);
            // No row of the first priority goes while another priority has any.
            let first = rows.iter().filter(|(priority, _)| *priority == 1).count();
            let first_kept = kept.iter().filter(|(priority, _, _)| *priority == 1).count();
            prop_assert!(first_kept == first || kept.iter().all(|(priority, _, _)| *priority == 1));
            let elsewhere: i64 = db.query_row("SELECT count(*) FROM facts WHERE session = 't'", [], |row| row.get(0)).unwrap();
            prop_assert_eq!(elsewhere, 1);
        }
    }
}
