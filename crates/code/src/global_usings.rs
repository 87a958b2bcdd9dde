//! The namespaces of C# that one file of a project uses for all of them, as `global using Shop.Pricing;` says. Read from the index.

use rusqlite::Connection;

use crate::resolve::folder;

/// What files use for their whole projects.
#[derive(Debug, Default)]
pub(crate) struct GlobalUsings {
    /// The folders of projects.
    projects: Vec<String>,
    /// The folder of a project, and a namespace that all its files see.
    used: Vec<(String, String)>,
}

impl GlobalUsings {
    /// Reads those of an index.
    pub(crate) fn read(db: &Connection) -> rusqlite::Result<GlobalUsings> {
        let mut statement = db.prepare_cached("SELECT path FROM files WHERE path LIKE '%.csproj'")?;
        let folders = statement.query_map([], |row| Ok(folder(&row.get::<_, String>(0)?).to_owned()))?;
        let projects = folders.collect::<rusqlite::Result<Vec<String>>>()?;
        let mut out = GlobalUsings { projects, used: Vec::new() };
        let mut statement = db.prepare_cached(
            "SELECT f.path, i.target FROM imports i JOIN files f ON f.id = i.file
             WHERE f.language = 'csharp' AND i.passed_on ORDER BY i.id",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let path: String = row.get(0)?;
            let project = out.project(&path).to_owned();
            out.used.push((project, row.get(1)?));
        }
        Ok(out)
    }

    /// The namespaces that the file at `path` sees without using them itself.
    pub(crate) fn seen_by(&self, path: &str) -> impl Iterator<Item = &str> {
        let project = if self.used.is_empty() { "" } else { self.project(path) };
        self.used.iter().filter(move |(home, _)| home == project).map(|(_, namespace)| namespace.as_str())
    }

    /// The folder of the project that a file belongs to: the innermost around it, or without any the whole.
    fn project(&self, path: &str) -> &str {
        let is_around = |home: &&String| {
            home.is_empty() || path.strip_prefix(home.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        self.projects.iter().filter(is_around).max_by_key(|home| home.len()).map_or("", String::as_str)
    }
}
