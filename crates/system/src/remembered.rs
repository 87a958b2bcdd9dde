//! A system's memories about a part of a project, for another system that shows that part.

use home::Project;

/// A part of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// The project; `None` for the process's own.
    pub project: Option<Project>,
    /// What it is about: a question, a name.
    pub words: String,
    /// Its files, relative to the project, the most important first.
    pub files: Vec<String>,
    /// Its definitions, alone or with what they are in: `run`, `App.run`.
    pub symbols: Vec<String>,
}

/// Something remembered. It is data, whoever wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// Its address.
    pub address: String,
    /// What it is: `decision`, `convention`, `gotcha`, `failure`.
    pub kind: &'static str,
    /// Its text, or the part that matters.
    pub text: String,
    /// The day when it was last written: `2026-05-31`.
    pub day: String,
    /// How far it can be relied on at its age, 0 to 1.
    pub confidence: f64,
    /// So old that it may no longer be so, or about something that is gone.
    pub stale: bool,
    /// The file that it is about, relative to the project.
    pub file: Option<String>,
    /// The definition in that file that it is about.
    pub symbol: Option<String>,
    /// What it is about that is gone. Whoever knows the code says so.
    pub gone: Option<String>,
}

impl Remembered {
    /// Whether it tells what went wrong.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.kind == "failure"
    }
}
