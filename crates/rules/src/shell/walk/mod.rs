//! From a text to all that is seen in it: a flat list of parts, files and hosts.
//!
//! Follows the folder (`cd`), the variables and the input of pipes as far as they are plain. Judges nothing:
//! which rule speaks about a part is decided in `set`.
//!
//! This file owns where a walk begins, its limits and what it carries along: `steps` walks the commands of a
//! shell, `program` looks at one program, `foreign` at other languages, `scope` at what later commands
//! inherit.

mod foreign;
mod program;
mod scope;
mod seen;
mod steps;

use std::path::Path;

use super::expand::{Field, Vars};
use scope::Scope;
pub(crate) use seen::{Part, Place, Seen};

/// How many texts may be wrapped in one another (`bash -c "bash -c '…'"`).
const MAX_SCRIPTS: usize = 16;
/// How many parts one command may have before it is given up.
const MAX_PARTS: usize = 20_000;

/// Where the walk begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    Shell(&'a str),
    PowerShell(&'a str),
    /// A language and a program in it.
    Code(&'a str, &'a str),
}

/// Looks through `start`. Without a home and folder, files are not looked at.
pub(crate) fn see(start: Start<'_>, cwd: Option<&Path>, home: Option<&Path>) -> Seen {
    let length = match start {
        Start::Shell(text) | Start::PowerShell(text) | Start::Code(_, text) => text.len(),
    };
    let mut walk =
        Walk { home, seen: Seen::default(), budget: length.saturating_mul(4).saturating_add(1 << 20) };
    let mut vars = Vars::default();
    if let Some(home) = home.and_then(Path::to_str) {
        vars.set("HOME", home);
    }
    if let Some(cwd) = cwd.and_then(Path::to_str) {
        vars.set("PWD", cwd);
    }
    let scope = Scope { vars, dir: cwd.map(Path::to_path_buf) };
    match start {
        Start::Shell(text) => walk.script(text, scope, None, 0),
        Start::PowerShell(text) => walk.powershell(text, &scope, None, 0),
        Start::Code(language, code) => walk.code(language, code, &scope, None, 0),
    }
    walk.seen
}

struct Walk<'a> {
    home: Option<&'a Path>,
    seen: Seen,
    budget: usize,
}

/// What comes into a command through a pipe or from a text.
#[derive(Default)]
struct Input {
    /// Text that is plain: here-documents, here-strings, `echo … |`.
    texts: Vec<String>,
    /// The words of the command before the pipe.
    words: Vec<Field>,
}

impl Walk<'_> {
    fn too_deep(&mut self) {
        self.seen.closed = Some("it is nested too deep or too large");
    }

    fn places(&mut self, found: &[Field], scope: &Scope, write: bool, redirected: bool) {
        let Some(dir) = &scope.dir else {
            // Behind a `cd` to nowhere known, only absolute paths say where they are.
            let known: Vec<Field> =
                found.iter().filter(|f| f.text.starts_with(['/', '~'])).cloned().collect();
            if let (false, Some(home)) = (known.is_empty(), self.home) {
                let scope = Scope { vars: Vars::default(), dir: Some(home.to_path_buf()) };
                self.places(&known, &scope, write, redirected);
            }
            return;
        };
        for field in found.iter().filter(|f| !f.text.is_empty()) {
            let place = Place { text: field.text.clone(), dir: dir.clone(), glob: field.glob, redirected };
            if write { self.seen.writes.push(place) } else { self.seen.reads.push(place) }
        }
    }
}

fn join(argv: &[Field]) -> String {
    argv.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ")
}
