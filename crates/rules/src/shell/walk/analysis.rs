//! The result of a walk.

use std::path::PathBuf;

/// One program with its arguments.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The words without quotes, redirections and assignments.
    pub(crate) words: Vec<String>,
    /// The texts that a deny or ask rule is tried on.
    pub(crate) forms: Vec<String>,
    /// The texts that an allow rule is tried on.
    pub(crate) strict_forms: Vec<String>,
    /// No preceding variable could change what it does.
    pub(crate) plain_env: bool,
    /// A rule for what it wraps covers it too.
    pub(crate) transparent: bool,
    /// Only an exact rule can allow it.
    pub(crate) exact_only: bool,
    /// The program is spelled with an unquoted `*`, `?` or `[`, which the shell replaces by the name of a file.
    pub(crate) glob: bool,
    /// Not written as a command of its own: a launcher starts it, or it is tried as a program.
    pub(crate) speculative: bool,
    /// The part that wraps it.
    pub(crate) parent: Option<usize>,
}

/// A file that a command names, with the folder it is relative to.
#[derive(Debug, Clone)]
pub(crate) struct PathMention {
    pub(crate) text: String,
    pub(crate) dir: PathBuf,
    pub(crate) glob: bool,
    /// The target of an output redirection.
    pub(crate) redirected: bool,
}

/// Everything found in a text.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) parts: Vec<Part>,
    pub(crate) reads: Vec<PathMention>,
    pub(crate) writes: Vec<PathMention>,
    pub(crate) hosts: Vec<String>,
    /// Whole texts, for rules whose pattern contains an operator.
    pub(crate) chains: Vec<String>,
    /// Why a part of the text couldn't be analysed.
    pub(crate) unparsed: Option<&'static str>,
    /// A shell might parse it differently, so it must not count as allowed.
    pub(crate) ambiguous: bool,
    /// Texts that may be run, if it can't be determined what runs.
    pub(crate) maybe_runs: Vec<String>,
    /// Texts that may name a file, if it can't be determined which file is read.
    pub(crate) maybe_reads: Vec<String>,
    /// How many bytes were read.
    pub(crate) spent: usize,
    /// Why it can't be determined which programs it runs.
    pub(crate) undetermined: Option<&'static str>,
}
