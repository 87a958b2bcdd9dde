//! Turns code into files and command lines. One file per family of languages; each keeps the user's line numbers, so that an
//! error names the line that the user wrote.
//!
//! The script itself reads `FILE_CONTENT`, when it starts and only if its code mentions the name; it is never pasted into the
//! code, so a file of any size costs nothing. Invalid UTF-8 is replaced in languages whose strings must be Unicode, and
//! kept in the others. The path is always in the environment as `FILE_CONTENT_PATH` too.

mod compiled;
mod dynamic;
mod javascript;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::runtimes::RuntimeKind;
use crate::{Language, Runtime, Runtimes};

/// A plan's inputs.
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
    /// Whether it starts in the temporary folder instead of the working folder: for compilers, which would otherwise read the
    /// project's own settings.
    pub(crate) in_temp: bool,
}

/// The programs to start one after the other, as long as each exits with 0, and their environment.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) env: Vec<(OsString, OsString)>,
}

/// The inputs of the language modules.
pub(crate) struct ScriptContext<'a> {
    pub(crate) code: &'a str,
    pub(crate) runtime: &'a Runtime,
    pub(crate) cwd: &'a Path,
    pub(crate) env: &'a [(OsString, OsString)],
    pub(crate) has_file: bool,
    dir: &'a Path,
}

impl Plan {
    /// Writes the script and its companion files into `dir`.
    pub(crate) fn write(
        request: &Request<'_>,
        runtime: &Runtime,
        file: Option<&Path>,
        dir: &Path,
    ) -> io::Result<Plan> {
        let context = ScriptContext {
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
            | RuntimeKind::TsNode => javascript::plan(&context)?,
            RuntimeKind::Python => dynamic::python(&context)?,
            RuntimeKind::Bash | RuntimeKind::Sh => dynamic::shell(&context)?,
            RuntimeKind::Ruby => dynamic::ruby(&context)?,
            RuntimeKind::Php => dynamic::php(&context)?,
            RuntimeKind::Perl => dynamic::perl(&context)?,
            RuntimeKind::Rscript => dynamic::r(&context)?,
            RuntimeKind::Elixir => dynamic::elixir(&context)?,
            RuntimeKind::Pwsh | RuntimeKind::WindowsPowerShell => dynamic::powershell(&context)?,
            RuntimeKind::Go => compiled::go(&context)?,
            RuntimeKind::Rustc => compiled::rust(&context)?,
            RuntimeKind::Dotnet | RuntimeKind::DotnetScript | RuntimeKind::Csc | RuntimeKind::Mcs => {
                compiled::csharp(&context)?
            }
        };
        if let Some(file) = file {
            plan.env.push(("FILE_CONTENT_PATH".into(), file.into()));
        }
        Ok(plan)
    }
}

impl ScriptContext<'_> {
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

    /// Whether the code uses `FILE_CONTENT`, in any case, other than as the start of another name.
    fn wants_content(&self) -> bool {
        self.has_file && mentions(self.code, "file_content")
    }

    /// Whether the code uses `FILE_CONTENT_PATH`.
    fn wants_path(&self) -> bool {
        self.has_file && mentions(self.code, "file_content_path")
    }

    /// A step that starts the runtime in the working folder.
    fn runtime_step(&self, args: Vec<OsString>) -> Step {
        Step { program: self.runtime.program.clone(), args, in_temp: false }
    }

    /// A plan with one step.
    fn single_step(&self, args: Vec<OsString>) -> Plan {
        Plan { steps: vec![self.runtime_step(args)], env: Vec::new() }
    }
}

/// Whether `word` (lower case) is in the code as a whole identifier, in any case.
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
