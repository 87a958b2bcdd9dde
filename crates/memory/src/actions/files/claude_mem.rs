//! Imports claude-mem's database: its observations and session summaries. Reads a copy of the file, so that a running
//! claude-mem isn't disturbed, and recognises the file by its tables.

use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::Value;

use super::import::{Item, Reader};
use crate::actions::failure::Failure;
use crate::domain::{Namespace, Status, Trust};

/// Larger files aren't copied.
const MAX_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// Maximum number of rows imported from one table.
const MAX_ROWS: u32 = 20_000;

/// The projects in the database, by folder name.
///
/// # Errors
/// [`Failure`] if it isn't such a database or can't be read.
pub(super) fn projects(path: &Path) -> Result<Vec<String>, Failure> {
    Copy::of(path)?.projects()
}

/// A temporary copy of the database, deleted after reading.
struct Copy {
    db: Connection,
    path: PathBuf,
    _dir: tempfile::TempDir,
}

impl Copy {
    fn of(path: &Path) -> Result<Self, Failure> {
        let failed = |why: String| Failure::unusable(format!("{}: {why}", path.display()));
        let log = PathBuf::from(format!("{}-wal", path.display()));
        let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
        if bytes(path) + bytes(&log) > MAX_BYTES {
            return Err(failed(format!("it is larger than {}", contract::Amount::bytes(MAX_BYTES))));
        }
        let dir = home::private_temp_dir("plimsoll-import-").map_err(|error| failed(error.to_string()))?;
        let copy = dir.path().join("copy.db");
        std::fs::copy(path, &copy).map_err(|error| failed(error.to_string()))?;
        if log.is_file() {
            let to = dir.path().join("copy.db-wal");
            std::fs::copy(&log, to).map_err(|error| failed(error.to_string()))?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let sqlite = |error: rusqlite::Error| failed(error.to_string());
        let db = Connection::open_with_flags(&copy, flags).map_err(sqlite)?;
        let check: String = db.query_row("PRAGMA quick_check(1)", [], |r| r.get(0)).map_err(sqlite)?;
        if check != "ok" {
            return Err(failed(format!(
                "it is damaged or being written ({check}); close what writes it and try again"
            )));
        }
        let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'observations'";
        let known: u32 = db.query_row(tables, [], |r| r.get(0)).map_err(sqlite)?;
        if known == 0 {
            return Err(failed("it has no observations, so it isn't claude-mem's database".into()));
        }
        Ok(Self { db, path: path.to_owned(), _dir: dir })
    }

    fn failed(&self, error: &rusqlite::Error) -> Failure {
        Failure::unusable(format!("{}: {error}", self.path.display()))
    }

    fn projects(&self) -> Result<Vec<String>, Failure> {
        let read = || -> rusqlite::Result<Vec<String>> {
            self.db
                .prepare(
                    "SELECT project FROM observations GROUP BY project ORDER BY count(*) DESC LIMIT 500",
                )?
                .query_map([], |r| r.get(0))?
                .collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// The rows of a table for a project, oldest first, with their column names.
    fn rows(&self, table: &str, project: &str) -> Result<Vec<NamedRow>, Failure> {
        let read = || -> rusqlite::Result<Vec<NamedRow>> {
            let sql = format!(
                "SELECT * FROM (SELECT * FROM {table} WHERE project = ?1 ORDER BY created_at_epoch DESC, id DESC LIMIT {MAX_ROWS})
                 ORDER BY created_at_epoch, id"
            );
            let mut statement = self.db.prepare(&sql)?;
            let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
            statement.query_map([project], |r| NamedRow::of(r, &names))?.collect()
        };
        match read() {
            // Old versions have no summaries.
            Err(error) if error.to_string().contains("no such table") => Ok(Vec::new()),
            read => read.map_err(|error| self.failed(&error)),
        }
    }
}

/// A row by column names: the columns differ between versions.
struct NamedRow(Vec<(String, String)>);

impl NamedRow {
    fn of(row: &Row<'_>, names: &[String]) -> rusqlite::Result<Self> {
        let mut out = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let text = match row.get_ref(at)? {
                ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => continue,
            };
            out.push((name.clone(), text));
        }
        Ok(Self(out))
    }

    fn text(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name).map(|(_, text)| text.trim());
        found.filter(|text| !text.is_empty())
    }

    /// A column that contains a JSON list of words.
    fn list(&self, name: &str) -> Vec<String> {
        let all = self.text(name).and_then(|text| serde_json::from_str::<Vec<Value>>(text).ok());
        all.unwrap_or_default().iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// When it was written (ms since the epoch).
    fn at_ms(&self, now: i64) -> i64 {
        let at = self.text("created_at_epoch").and_then(|text| text.parse::<i64>().ok()).unwrap_or(now);
        // The first versions stored seconds.
        let at = if at < 100_000_000_000 { at.saturating_mul(1_000) } else { at };
        at.clamp(0, now)
    }
}

impl Reader<'_> {
    /// Reads this project's observations and summaries. A model wrote them, so they wait for review.
    pub(super) fn claude_mem(&mut self, path: &Path) -> Result<(), Failure> {
        let copy = Copy::of(path)?;
        let all = copy.projects()?;
        let here = self.context.root.as_deref().and_then(Path::file_name);
        let here = here.map(|name| name.to_string_lossy().into_owned());
        let Some(project) = here.filter(|name| all.contains(name)) else {
            let names: Vec<&str> = all.iter().take(20).map(String::as_str).collect();
            return Err(Failure::unusable(format!(
                "{} has nothing of this project; it knows the folders {}. Run it in one of them",
                path.display(),
                if names.is_empty() { "(none)".into() } else { names.join(", ") }
            )));
        };
        for found in copy.rows("observations", &project)? {
            self.observation(&found);
        }
        for found in copy.rows("session_summaries", &project)? {
            self.summary(&found);
        }
        Ok(())
    }

    fn observation(&mut self, found: &NamedRow) {
        let kind = found.text("type").unwrap_or("observation").to_owned();
        let body = found.text("narrative").or_else(|| found.text("text")).or_else(|| found.text("subtitle"));
        let mut content = [found.text("title"), body].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        let facts: Vec<String> = found.list("facts").iter().map(|fact| format!("- {fact}")).collect();
        if !facts.is_empty() {
            content.push_str(if content.is_empty() { "" } else { "\n\n" });
            content.push_str(&facts.join("\n"));
        }
        if content.is_empty() {
            return;
        }
        let namespace = match kind.as_str() {
            "decision" => Namespace::Decisions,
            "bugfix" | "discovery" => Namespace::Learnings,
            "feature" | "refactor" | "change" => Namespace::Progress,
            other if other.starts_with("security") => Namespace::Security,
            _ => Namespace::Context,
        };
        let mut tags = vec![kind];
        tags.extend(found.list("concepts"));
        let files = found.list("files_modified");
        self.waiting(found, content, namespace, tags, files);
    }

    fn summary(&mut self, found: &NamedRow) {
        if found.text("learned").is_none() && found.text("completed").is_none() {
            return;
        }
        let mut parts = Vec::new();
        for (name, title) in [
            ("request", ""),
            ("learned", "Learned: "),
            ("completed", "Completed: "),
            ("next_steps", "Next: "),
        ] {
            parts.extend(found.text(name).map(|text| format!("{title}{text}")));
        }
        let namespace =
            if found.text("learned").is_some() { Namespace::Learnings } else { Namespace::Progress };
        self.waiting(found, parts.join("\n"), namespace, vec!["session".into()], Vec::new());
    }

    fn waiting(
        &mut self,
        found: &NamedRow,
        content: String,
        namespace: Namespace,
        tags: Vec<String>,
        files: Vec<String>,
    ) {
        let mut draft = self.draft(content, self.namespace.unwrap_or(namespace));
        draft.tags = tags;
        (draft.status, draft.trust) = (Status::Pending, Trust::Agent);
        draft.source = Some("claude-mem".into());
        if let ([file], Some(root)) = (files.as_slice(), &self.context.root) {
            let inside = Path::new(file).strip_prefix(root).ok();
            let inside = inside.or_else(|| Some(Path::new(file)).filter(|path| path.is_relative()));
            draft.file = inside.map(|path| path.to_string_lossy().replace('\\', "/"));
        }
        let at_ms = found.at_ms(self.context.who.at_ms);
        self.out.items.push(Item { draft, at_ms, id: None, links: Vec::new() });
    }
}
