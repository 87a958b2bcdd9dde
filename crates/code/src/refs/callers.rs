//! Finds the functions that call a definition, from the uses of its name.

use std::path::Path;

use super::{Confidence, Definition, References, Role, Use, references};
use crate::error::Result;
use crate::search::Reader;
use crate::store::Store;

/// One function that calls a definition.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Caller {
    /// The file.
    pub path: String,
    /// The function's container and name; empty for calls outside any definition.
    pub inside: Option<String>,
    /// The line of its first call.
    pub line: u32,
    /// That line's text.
    pub text: String,
    /// How many calls are in it.
    pub calls: usize,
    /// How sure the surest is.
    pub confidence: Confidence,
}

/// What calls a definition.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Callers {
    /// The requested definitions.
    pub definitions: Vec<Definition>,
    /// The functions that call them: the surest first, then by place.
    pub callers: Vec<Caller>,
    /// How many more calls have the name but call something else, or something unknown.
    pub undecided: usize,
    /// Files with the word that could not be read.
    pub unread: Vec<String>,
    /// If nothing is defined by this name: similar names. Never used instead.
    pub similar: Vec<String>,
}

/// Finds the functions and methods that call the definitions of `name`. An occurrence of the word isn't a call.
///
/// # Errors
/// When the database cannot be read.
pub fn callers(store: &Store, reader: &Reader, root: &Path, name: &str) -> Result<Callers> {
    let found = references(store, reader, root, name)?;
    let callers = of(&found);
    let open = |u: &&Use| u.role == Role::Call && u.confidence == Confidence::Textual;
    let undecided = if found.definitions.is_empty() { 0 } else { found.uses.iter().filter(open).count() };
    let References { definitions, unread, similar, .. } = found;
    Ok(Callers { definitions, callers, undecided, unread, similar })
}

fn of(references: &References) -> Vec<Caller> {
    let mut out: Vec<Caller> = Vec::new();
    for one in references.uses.iter().filter(|u| u.role == Role::Call && u.confidence != Confidence::Textual)
    {
        match out.iter_mut().find(|known| known.path == one.path && known.inside == one.inside) {
            Some(known) => {
                known.calls += 1;
                known.confidence = known.confidence.min(one.confidence);
                if one.line < known.line {
                    (known.line, known.text) = (one.line, one.text.clone());
                }
            }
            None => out.push(Caller {
                path: one.path.clone(),
                inside: one.inside.clone(),
                line: one.line,
                text: one.text.clone(),
                calls: 1,
                confidence: one.confidence,
            }),
        }
    }
    out.sort_by(|a, b| (a.confidence, &a.path, a.line).cmp(&(b.confidence, &b.path, b.line)));
    out
}
