//! What a system keeps, for whoever wants it gone: a person who purges, or the retention that the settings name.

use std::path::PathBuf;

use contract::Error;
use home::Home;

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
