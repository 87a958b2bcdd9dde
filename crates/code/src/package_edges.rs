//! Narrows an import of Go, which names a whole package, to the files of it that define what is taken: `pkg.Name`. With a type come
//! the files that have methods of it.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::Transaction;

/// What files give out, read once for each.
#[derive(Default)]
pub(crate) struct PackageEdges {
    given: HashMap<i64, HashSet<String>>,
}

impl PackageEdges {
    /// Leaves of the files of one package (`found`, places in `files`) those that define something that the import on `line` takes;
    /// `mentioned` are the names that the importing file mentions, each `line.Name:where`. Where none fits, all stay: the package
    /// may be imported for what it does when it's loaded, or for methods alone.
    pub(crate) fn narrow(
        &mut self,
        tx: &Transaction<'_>,
        files: &[(i64, String, String)],
        line: i64,
        mentioned: &str,
        found: &mut Vec<usize>,
    ) -> rusqlite::Result<()> {
        let taken: HashSet<&str> = mentioned
            .split(' ')
            .filter_map(|one| one.rsplit_once(':')?.0.split_once('.'))
            .filter(|(on, _)| on.parse() == Ok(line))
            .map(|(_, name)| name)
            .collect();
        if taken.is_empty() || found.len() < 2 {
            return Ok(());
        }
        let mut defining = Vec::new();
        for at in found.iter().copied() {
            let given = self.given_by(tx, files[at].0)?;
            if taken.iter().any(|name| given.contains(*name)) {
                defining.push(at);
            }
        }
        if !defining.is_empty() {
            *found = defining;
        }
        Ok(())
    }

    fn given_by(&mut self, tx: &Transaction<'_>, file: i64) -> rusqlite::Result<&HashSet<String>> {
        if !self.given.contains_key(&file) {
            let mut statement = tx.prepare_cached("SELECT name, container FROM symbols WHERE file = ?1")?;
            let rows = statement.query_map([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let rows = rows.collect::<rusqlite::Result<Vec<(String, String)>>>()?;
            let names = rows.iter().map(|(name, container)| given(name, container).to_owned()).collect();
            self.given.insert(file, names);
        }
        Ok(&self.given[&file])
    }
}

/// What a definition is to other packages: itself, or a part of its type.
fn given<'n>(name: &'n str, container: &'n str) -> &'n str {
    if container.is_empty() { name } else { container.split('.').next().unwrap_or(container) }
}

/// What other packages can take of these definitions (name and container).
pub(crate) fn given_out<'n>(symbols: impl Iterator<Item = (&'n str, &'n str)>) -> BTreeSet<&'n str> {
    symbols
        .map(|(name, container)| given(name, container))
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect()
}
