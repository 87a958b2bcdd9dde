//! Turning code into files and command lines. One file per family of languages; each keeps the user's line
//! numbers, so that an error names the line that the user wrote.
//!
//! `FILE_CONTENT` is read by the script itself, when it starts and only if its code mentions the name, never
//! pasted into the code: a file of any size costs nothing here. Bytes that are no UTF-8 are replaced in
//! languages whose strings must be Unicode, and kept in the others. The path always is in the environment
//! as `FILE_CONTENT_PATH` too.

mod compiled;
mod dynamic;
mod javascript;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::runtimes::RuntimeKind;
use crate::{Language, Runtime, Runtimes};

/// What a plan is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) language: Language,
    pub(crate) code: &'a str,
    pub(crate) cwd: &'a Path,
    pub(crate) file: Option<&'a Path>,
    pub(crate) env: &'a [(OsString, OsString)],
    pub(crate) temp_root: &'a Path,
    pub(crate) runtimes: &'a Runtimes,
    pub(crate) confine: Option<&'a crate::Confine>,
}

/// One program to start.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// Started in the temp folder instead of the working folder: compilers, which would otherwise take up
    /// the project's own settings.
    pub(crate) in_temp: bool,
}

/// The programs to start one after the other, as long as each ends with 0; and what they need besides.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) env: Vec<(OsString, OsString)>,
}

/// What the language files work with.
pub(crate) struct Workshop<'a> {
    pub(crate) code: &'a str,
    pub(crate) runtime: &'a Runtime,
    pub(crate) cwd: &'a Path,
    pub(crate) env: &'a [(OsString, OsString)],
    pub(crate) has_file: bool,
    dir: &'a Path,
}

impl Plan {
    /// Writes the script and whatever goes with it into `dir`.
    pub(crate) fn write(
        request: &Request<'_>,
        runtime: &Runtime,
        file: Option<&Path>,
        dir: &Path,
    ) -> io::Result<Plan> {
        let shop = Workshop {
            code: request.code,
            runtime,
            cwd: request.cwd,
            env: request.env,
            has_file: file.is_some(),
            dir,
        };
        let mut plan = match runtime.kind {
            RuntimeKind::Bun
            | RuntimeKind::Deno
            | RuntimeKind::Node
            | RuntimeKind::NodeStripTypes
            | RuntimeKind::NodeTypes
            | RuntimeKind::NodeWithTypescript
            | RuntimeKind::Tsx
            | RuntimeKind::TsNode => javascript::plan(&shop)?,
            RuntimeKind::Python => dynamic::python(&shop)?,
            RuntimeKind::Bash | RuntimeKind::Sh => dynamic::shell(&shop)?,
            RuntimeKind::Ruby => dynamic::ruby(&shop)?,
            RuntimeKind::Php => dynamic::php(&shop)?,
            RuntimeKind::Perl => dynamic::perl(&shop)?,
            RuntimeKind::Rscript => dynamic::r(&shop)?,
            RuntimeKind::Elixir => dynamic::elixir(&shop)?,
            RuntimeKind::Pwsh | RuntimeKind::WindowsPowerShell => dynamic::powershell(&shop)?,
            RuntimeKind::Go => compiled::go(&shop)?,
            RuntimeKind::Rustc => compiled::rust(&shop)?,
            RuntimeKind::Dotnet | RuntimeKind::DotnetScript | RuntimeKind::Csc | RuntimeKind::Mcs => {
                compiled::csharp(&shop)?
            }
        };
        if let Some(file) = file {
            plan.env.push(("FILE_CONTENT_PATH".into(), file.into()));
        }
        Ok(plan)
    }
}

impl Workshop<'_> {
    /// Writes a file beside the script.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> io::Result<PathBuf> {
        let path = self.dir.join(name);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?.write_all(content.as_ref())?;
        Ok(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Whether the code uses `FILE_CONTENT`, in any case of letters, other than as the start of another name.
    fn wants_content(&self) -> bool {
        self.has_file && mentions(self.code, "file_content")
    }

    /// Whether the code uses `FILE_CONTENT_PATH`.
    fn wants_path(&self) -> bool {
        self.has_file && mentions(self.code, "file_content_path")
    }

    /// A step that starts the runtime itself in the working folder.
    fn runtime_step(&self, args: Vec<OsString>) -> Step {
        Step { program: self.runtime.program.clone(), args, in_temp: false }
    }

    /// A plan of one step.
    fn just(&self, args: Vec<OsString>) -> Plan {
        Plan { steps: vec![self.runtime_step(args)], env: Vec::new() }
    }
}

/// Whether `word` (lower case) stands in the code as a whole identifier, in any case of letters.
fn mentions(code: &str, word: &str) -> bool {
    let part_of_name = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = code.as_bytes();
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + word.len()) {
        let before = at.checked_sub(1).and_then(|i| bytes.get(i));
        if window.eq_ignore_ascii_case(word.as_bytes())
            && !part_of_name(before)
            && !part_of_name(bytes.get(at + word.len()))
        {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether a line of the code starts, after blanks, with one of these.
fn has_line_starting(code: &str, starts: &[&str]) -> bool {
    code.lines().any(|line| starts.iter().any(|start| line.trim_start().starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_only_whole() {
        for (code, expected) in [
            ("print(FILE_CONTENT)", true),
            ("file_content |> IO.puts", true),
            ("$FILE_CONTENT", true),
            ("FILE_CONTENT_PATH", false),
            ("MY_FILE_CONTENT", false),
            ("", false),
            ("ü FILE_CONTENTü", true),
        ] {
            assert_eq!(mentions(code, "file_content"), expected, "{code}");
        }
    }
}
