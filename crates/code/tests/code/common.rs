//! A project in a temporary folder, and a comparable dump of its index.

use std::path::{Path, PathBuf};

use plimsoll_code::search::{Reader, Request, search};
use plimsoll_code::{Options, Report, Store, update};

pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        let project = Project { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            project.write(path, text.as_bytes());
        }
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        let _ = std::fs::remove_file(self.root().join(path));
    }

    pub(crate) fn store(&self, name: &str) -> Store {
        Store::open(&self.folder.path().join(name).join("code.db")).unwrap()
    }

    pub(crate) fn update(&self, store: &mut Store) -> Report {
        update(store, &self.root(), &Options::default()).unwrap()
    }

    /// A fresh index.
    pub(crate) fn indexed(&self) -> (Store, Reader) {
        let mut store = self.store("fresh");
        self.update(&mut store);
        let reader = Reader::open(&store).unwrap();
        (store, reader)
    }
}

/// The paths that a question finds, best first.
pub(crate) fn found(store: &Store, reader: &Reader, query: &str) -> Vec<String> {
    let request = Request { query: query.to_owned(), limit: 10, ..Request::default() };
    search(store, reader, &request).unwrap().into_iter().map(|a| a.path).collect()
}

/// Everything in an index but the row numbers, which only reflect the order of writing.
pub(crate) fn dump(path: &Path, queries: &[&str]) -> String {
    let store = Store::open_read_only(path).unwrap().unwrap();
    let reader = Reader::open(&store).unwrap();
    let db = rusqlite::Connection::open(path).unwrap();
    let mut out = String::new();
    for sql in [
        "SELECT path || '|' || size || '|' || hex(hash) || '|' || coalesce(language,'') || '|' || role || '|' || parsed || '|' || lines FROM files ORDER BY 1",
        "SELECT f.path || '|' || hex(c.key) || '|' || c.start_line || '|' || c.end_line || '|' || coalesce(s.name,'') FROM chunks c JOIN files f ON f.id = c.file LEFT JOIN symbols s ON s.id = c.symbol ORDER BY 1",
        "SELECT f.path || '|' || s.name || '|' || s.kind || '|' || s.container || '|' || s.line || '|' || s.exported || '|' || s.signature FROM symbols s JOIN files f ON f.id = s.file ORDER BY 1",
        "SELECT a.path || ' imports ' || b.path || ' ' || line FROM edges JOIN files a ON a.id = importer JOIN files b ON b.id = imported ORDER BY 1",
    ] {
        let mut statement = db.prepare(sql).unwrap();
        let rows: Vec<String> = statement.query_map([], |r| r.get(0)).unwrap().map(Result::unwrap).collect();
        out.push_str(&rows.join("\n"));
        out.push_str("\n--\n");
    }
    out.push_str(&answers(&store, &reader, queries));
    out
}

/// What these questions find, with the scores.
pub(crate) fn answers(store: &Store, reader: &Reader, queries: &[&str]) -> String {
    let mut out = String::new();
    for query in queries {
        let request = Request { query: (*query).to_owned(), limit: 10, ..Request::default() };
        for a in search(store, reader, &request).unwrap() {
            out.push_str(&format!(
                "{query}: {} {}-{} {:.9} {:?}\n",
                a.path, a.start_line, a.end_line, a.score, a.symbol
            ));
        }
    }
    out
}
