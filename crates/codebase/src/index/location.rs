//! Locates a project's index: one `code.db` in the project's data folder, with the files beside it. A worktree is a separate project
//! with its own index.

use std::path::{Path, PathBuf};
use std::time::Duration;

use contract::{Error, ErrorCode};
use home::{Home, Project};
use system::CallContext;

use crate::messages;

/// A project and its index.
#[derive(Debug, Clone)]
pub(crate) struct IndexLocation {
    pub(crate) home: Home,
    /// The project's id.
    pub(crate) id: String,
    pub(crate) root: PathBuf,
    /// The database.
    pub(crate) db: PathBuf,
    /// The lock for writing.
    pub(crate) lock: String,
    /// The worker's program, if it isn't this process's.
    pub(crate) program: Option<PathBuf>,
    /// How long to wait; otherwise as agents and terminals do.
    pub(crate) waits: Option<Duration>,
}

impl IndexLocation {
    /// The location for a request.
    pub(crate) fn of(at: &CallContext) -> Result<Self, Error> {
        if !at.host.has_project() {
            return Err(Error::new(
                ErrorCode::NotFound,
                "this folder isn't a project, so there is no code to look at; start in a folder with code",
            ));
        }
        let project = at.host.project();
        // A session may go on in a folder that was moved away or deleted.
        if !project.root.is_dir() {
            return Err(Error::new(ErrorCode::NotFound, messages::folder_gone(project.root.display())));
        }
        Ok(Self { program: at.host.sidecar(), ..Self::new(at.host.home(), &project) })
    }

    /// Checks that a call that names a project means this one: its id, its name, its folder or one inside.
    ///
    /// # Errors
    /// When it's another.
    pub(crate) fn check_named(at: &CallContext, named: &str) -> Result<(), Error> {
        let project = at.host.project();
        let named = named.trim();
        let path = Path::new(named);
        let is_name = !named.contains(['/', '\\']) && named != "." && named != "..";
        let whole = std::fs::canonicalize(project.root.join(path));
        let root = std::fs::canonicalize(&project.root).unwrap_or_else(|_| project.root.clone());
        let fits = named.is_empty()
            || [&project.id, &project.name].into_iter().any(|own| own == named)
            || is_name && root.file_name().is_some_and(|name| name.eq_ignore_ascii_case(named))
            || whole.is_ok_and(|whole| whole.starts_with(&root))
            || path == project.root;
        if fits {
            return Ok(());
        }
        Err(Error::new(ErrorCode::NotFound, messages::other_project(named, project.root.display())))
    }

    /// Of a project.
    pub(crate) fn new(home: &Home, project: &Project) -> Self {
        Self {
            home: home.clone(),
            id: project.id.to_string(),
            root: project.root.clone(),
            db: home.project(project).join("code.db"),
            lock: format!("code-{}", project.id),
            program: None,
            waits: None,
        }
    }

    /// How far the worker is, while it works.
    pub(crate) fn progress(&self) -> PathBuf {
        self.db.with_extension("progress")
    }

    /// The journal of what the worker is parsing, to find out what crashed it.
    pub(crate) fn reading(&self) -> PathBuf {
        self.db.with_extension("reading")
    }

    /// The copy of another checkout's index, until it's whole.
    pub(crate) fn beginning(&self) -> PathBuf {
        self.db.with_extension("begin")
    }

    /// A folder or file that a caller names, relative to the project; nothing for the whole project.
    pub(crate) fn relative(&self, asked: &str) -> Option<String> {
        let asked = asked.trim();
        let inside = Path::new(asked).strip_prefix(&self.root).ok();
        let path = inside.map_or_else(|| asked.to_owned(), |path| path.to_string_lossy().replace('\\', "/"));
        let path = path.trim_start_matches("./").trim_end_matches('/');
        (!path.is_empty() && path != ".").then(|| path.to_owned())
    }

    /// The absolute path of one of the project's files.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }
}

/// All indexes there are.
pub(crate) fn all(home: &Home) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(home.projects_dir()) else { return Vec::new() };
    let mut out: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join("code.db")))
        .filter(|db| db.is_file())
        .collect();
    out.sort();
    out
}

/// A database with the files that SQLite and the worker keep beside it.
pub(crate) fn with_companions(db: &Path) -> impl Iterator<Item = PathBuf> {
    let beside = ["-wal", "-shm"].map(|suffix| {
        let mut name = db.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    });
    let working = ["progress", "reading", "fallen", "begin"].map(|ending| db.with_extension(ending));
    std::iter::once(db.to_owned()).chain(beside).chain(working)
}

/// Removes an index with the files that SQLite and the worker keep beside it.
pub(crate) fn remove(db: &Path) -> std::io::Result<()> {
    for path in with_companions(db) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
