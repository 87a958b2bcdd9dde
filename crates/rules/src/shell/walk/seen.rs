//! What a walk comes back with.

use std::path::PathBuf;

/// One program with its arguments, as seen.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The words without quotes, redirections and assignments.
    pub(crate) words: Vec<String>,
    /// The texts that a deny or ask rule is tried on.
    pub(crate) forms: Vec<String>,
    /// The texts that an allow rule is tried on.
    pub(crate) strict_forms: Vec<String>,
    /// No variable that could change what it does is set before it.
    pub(crate) plain_env: bool,
    /// What holds for what it wraps, holds for it.
    pub(crate) transparent: bool,
    /// Only an exact rule can allow it.
    pub(crate) sealed: bool,
    /// The program is spelled with an unquoted `*`, `?` or `[`, which the shell replaces by the name of a file.
    pub(crate) glob: bool,
    /// Nobody wrote it as a command of its own: a launcher starts it, or it is tried as a program.
    pub(crate) tried: bool,
    /// The part that wraps it.
    pub(crate) parent: Option<usize>,
}

/// A file or host that a command names, with the folder it is relative to.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) text: String,
    pub(crate) dir: PathBuf,
    pub(crate) glob: bool,
    /// The target of an output redirection.
    pub(crate) redirected: bool,
}

/// Everything seen in a text.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) parts: Vec<Part>,
    pub(crate) reads: Vec<Place>,
    pub(crate) writes: Vec<Place>,
    pub(crate) hosts: Vec<String>,
    /// Whole texts, for rules whose pattern holds an operator.
    pub(crate) chains: Vec<String>,
    /// Why some of it could not be taken apart.
    pub(crate) closed: Option<&'static str>,
    /// A shell might read it otherwise, so it must not be called allowed.
    pub(crate) odd: bool,
    /// Texts that may be run, where it cannot be told what is run.
    pub(crate) maybe_runs: Vec<String>,
    /// Texts that may name a file, where it cannot be told which one is read.
    pub(crate) maybe_reads: Vec<String>,
    /// How many bytes were looked at.
    pub(crate) spent: usize,
    /// Why it cannot be told which programs it runs.
    pub(crate) unsure: Option<&'static str>,
}
