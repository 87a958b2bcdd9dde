//! A system's memories about a part of a project, for another system that shows that part.

use home::Project;

/// A part of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// The project; `None` for the process's own.
    pub project: Option<Project>,
    /// The subject: a question, a name.
    pub words: String,
    /// Its files, relative to the project, the most important first.
    pub files: Vec<String>,
    /// Its definitions, alone or with the container: `run`, `App.run`.
    pub symbols: Vec<String>,
}

/// Something remembered. It is data, whoever wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// Its address.
    pub address: String,
    /// Its kind: `decision`, `convention`, `gotcha`, `failure`.
    pub kind: &'static str,
    /// Its text, or the part that matters.
    pub text: String,
    /// The day when it was last written, in UTC: `2026-05-31`.
    pub day: String,
    /// The same moment, in milliseconds since 1970, for whoever has another day then.
    pub written_ms: i64,
    /// How far it can be relied on at its age, 0 to 1.
    pub confidence: f64,
    /// So old that it may no longer be so, or about something that is gone.
    pub stale: bool,
    /// The file that it is about, relative to the project.
    pub file: Option<String>,
    /// The definition in that file that it is about.
    pub symbol: Option<String>,
    /// The parts of its subject that no longer exist, according to the system that knows the code.
    pub gone: Option<String>,
}

impl Remembered {
    /// Whether it tells what went wrong.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.kind == "failure"
    }
}
