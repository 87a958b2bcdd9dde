//! What a system keeps, for whoever wants it gone: a person who purges, or the retention that the settings name.

use std::path::PathBuf;

use contract::Error;
use home::Home;

use crate::Host;

/// Whose things are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    /// Everybody's.
    All,
    /// Of this project folder and those below it.
    Project(PathBuf),
    /// Of the sessions of this name.
    Session(String),
}

/// Something of another program's, or of the person's own, that a system can take in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// A word for what it is.
    pub kind: String,
    /// The file or folder.
    pub path: PathBuf,
    /// The project it belongs to; `None` for what counts everywhere.
    pub folder: Option<PathBuf>,
    /// How many things are in it that the system does not know yet.
    pub new: u64,
    /// The beginnings of a few of them.
    pub samples: Vec<String>,
    /// Why it can't be read.
    pub problem: Option<String>,
}

/// What became of taking one in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Taken {
    /// So many wait for a review now.
    pub waiting: u64,
    /// So many were known already.
    pub known: u64,
    /// From so many of those that wait a secret was taken out.
    pub redacted: u64,
    /// So many were refused because of a secret in them.
    pub refused: u64,
    /// What else could not be taken, and why.
    pub problems: Vec<String>,
}

/// What a system can take in, for whoever begins with it. Nothing is taken in before the person asked for it.
#[derive(Debug, Clone, Copy)]
pub struct TakeIn {
    /// What there is. Looks only.
    pub look: fn(&dyn Host) -> Vec<Source>,
    /// Takes one of them in, to be reviewed.
    pub take: fn(&dyn Host, &Source) -> Result<Taken, Error>,
}

/// What a purge forgets.
#[derive(Debug, Clone, Copy)]
pub struct Forget {
    /// What would be forgotten.
    pub preview: fn(&Home, &Whose) -> Result<Vec<Gone>, Error>,
    /// Forgets it, for good.
    pub forget: fn(&Home, &Whose) -> Result<Vec<Gone>, Error>,
}

/// What is or would be forgotten, of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// What programs call these: `outputs`.
    pub what: &'static str,
    /// What people call one: `kept output`.
    pub one: &'static str,
    /// How many.
    pub number: u64,
    /// Their size in bytes, where that says something, and what programs call it.
    pub bytes: Option<(&'static str, u64)>,
}

/// What retention removed, of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// What.
    pub what: &'static str,
    /// How many.
    pub number: u64,
}
