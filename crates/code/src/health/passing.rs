//! Finds the tests that import a file's names from others that pass them on: `from shop import Cart`, where `shop/__init__.py` has it
//! from `shop/cart.py`; in C and C++, those that include such a file and have one of the names. Doesn't know what else a test does.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::error::Result;
use crate::role::Role;
use crate::search::Reader;
use crate::store::Store;
use crate::words;

/// How many files may pass a name on before it arrives.
const MAX_PASSES: usize = 4;

/// The most names of a file that tests are searched for, its types first.
const MAX_NAMES: i64 = 30;

/// The names that tests import from one file, with the place of each test.
type Taken = Vec<(usize, String)>;

/// Which files pass on the names of others.
pub(super) struct Passing<'a> {
    store: &'a Store,
    reader: &'a Reader,
    /// By a file's place, those that pass its names on.
    by: HashMap<usize, Vec<usize>>,
    taken: HashMap<usize, Taken>,
}

impl<'a> Passing<'a> {
    pub(super) fn new(store: &'a Store, reader: &'a Reader) -> Self {
        let mut by: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, file) in reader.files().iter().enumerate() {
            for of in &file.passes_on {
                by.entry(*of as usize).or_default().push(at);
            }
        }
        Self { store, reader, by, taken: HashMap::new() }
    }

    /// The places of the tests that import a name of this file from another one.
    ///
    /// # Errors
    /// When the database can't be read.
    pub(super) fn tests(&mut self, file: usize) -> Result<HashSet<usize>> {
        let mut passers = HashSet::from([file]);
        let mut level = vec![file];
        for _ in 0..MAX_PASSES {
            let next = level.iter().filter_map(|at| self.by.get(at)).flatten().copied();
            level = next.filter(|at| passers.insert(*at)).collect();
        }
        passers.remove(&file);
        let mut out = HashSet::new();
        if passers.is_empty() {
            return Ok(out);
        }
        if matches!(self.reader.files()[file].language.as_str(), "c" | "cpp") {
            return self.tests_that_name(file, &passers);
        }
        let own = self.names_of(file)?;
        for passer in passers {
            let taken = match self.taken.entry(passer) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(taken_from(self.store, self.reader, passer)?),
            };
            out.extend(taken.iter().filter(|(_, name)| own.contains(name)).map(|(test, _)| *test));
        }
        out.remove(&file);
        Ok(out)
    }

    /// The places of the tests that include one of the `passers` and have a name of this file of C or C++.
    fn tests_that_name(&self, file: usize, passers: &HashSet<usize>) -> Result<HashSet<usize>> {
        let files = self.reader.files();
        let includers = passers.iter().flat_map(|at| &files[*at].imported_by).map(|at| *at as usize);
        let mut out: HashSet<usize> =
            includers.filter(|at| *at != file && files[*at].role.is(Role::TEST)).collect();
        if out.is_empty() {
            return Ok(out);
        }
        let id = files[file].id;
        let names: Vec<String> = self.store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT DISTINCT name FROM symbols WHERE file = ?1 AND exported
                 AND kind IN ('class', 'struct', 'enum', 'type', 'function', 'macro')
                 ORDER BY kind IN ('function', 'macro'), name LIMIT ?2",
            )?;
            statement.query_map((id, MAX_NAMES), |row| row.get(0))?.collect()
        })?;
        let mut wanted = Vec::new();
        for name in names {
            let mut word = String::new();
            words::words(&name, &mut String::new(), |found| found.clone_into(&mut word));
            wanted.push(word);
        }
        let having = self.reader.files_with_each(self.store, &wanted)?;
        out.retain(|test| having.iter().any(|files| files.contains(test)));
        Ok(out)
    }

    /// What others can name of a file.
    fn names_of(&self, file: usize) -> Result<HashSet<String>> {
        let id = self.reader.files()[file].id;
        self.store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT DISTINCT name FROM symbols WHERE file = ?1 AND exported AND container = ''",
            )?;
            statement.query_map([id], |row| row.get(0))?.collect()
        })
    }
}

/// What tests import from a file by name.
fn taken_from(store: &Store, reader: &Reader, file: usize) -> Result<Taken> {
    let files = reader.files();
    let rows: Vec<(i64, String)> = store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT DISTINCT e.importer, i.names FROM edges e
             JOIN imports i ON i.file = e.importer AND i.line = e.line
             WHERE e.imported = ?1 AND i.names <> ''",
        )?;
        statement.query_map([files[file].id], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    })?;
    let mut out = Taken::new();
    for (id, names) in rows {
        let test = reader.place(id).filter(|at| files[*at].role.is(Role::TEST));
        out.extend(
            test.into_iter().flat_map(|test| names.split(',').map(move |name| (test, name.to_owned()))),
        );
    }
    Ok(out)
}
