//! Programs that run other programs: what they would run, from their arguments.
//!
//! A table for those that only take options before the command, and a function for each of the few with a grammar of their
//! own. `ssh`, `docker exec` and the like are left alone: they run things elsewhere.

mod argv;
mod env;
mod find;
mod interpreter;
mod launcher_tables;
mod launchers;
mod shell;
mod wrapper_table;

use self::shell::{SHELLS, command_option, powershell, shell};
use super::expand::Field;
pub(crate) use ::shell::base as basename;
use argv::{join, skip_options, tail};
use env::env;
use find::find;
use interpreter::interpreter;
pub(crate) use launcher_tables::DATABASES;
pub(crate) use launchers::input_commands;
use wrapper_table::WRAPPERS;

/// What a program runs.
#[derive(Debug, PartialEq)]
pub(crate) enum Inner {
    /// A command as words.
    Argv(Vec<Field>),
    /// A text for a shell.
    Script(String),
    /// A text for PowerShell.
    PowerShell(String),
    /// A program in a scripting language.
    Code(&'static str, String),
    /// A text that is hidden (an encoded command).
    Hidden(&'static str),
    /// Something that the text doesn't determine.
    Unsure(&'static str),
}

/// How far a rule for the inner command covers the whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Coverage {
    /// The wrapper adds nothing to judge: a rule for the inner command covers both.
    Transparent,
    /// Wrapper and inner command must both be allowed.
    Partial,
    /// Only a rule for exactly this command line can allow it.
    ExactOnly,
}

/// The commands that `argv` runs besides itself.
#[derive(Debug)]
pub(crate) struct InnerCommands {
    pub(crate) inner: Vec<Inner>,
    pub(crate) coverage: Coverage,
    /// A shell or interpreter that reads its program from its input.
    pub(crate) stdin: Option<&'static str>,
    /// The inner command gets more words from the input (`xargs`).
    pub(crate) more_words: bool,
    /// How many of `inner` follow from the program's own grammar. The rest are guesses, or are started by a launcher that
    /// users see as part of the command (`npx vitest`).
    pub(crate) parsed: usize,
}

fn no_commands() -> InnerCommands {
    InnerCommands {
        inner: Vec::new(),
        coverage: Coverage::Partial,
        stdin: None,
        more_words: false,
        parsed: 0,
    }
}

/// The commands that `argv` runs besides itself; none for most programs.
pub(crate) fn inner_commands(argv: &[Field]) -> InnerCommands {
    let mut found = no_commands();
    if let Some(first) = argv.first() {
        let name = basename(&first.text).to_lowercase();
        main_grammar(&name, argv, &mut found);
        found.parsed = found.inner.len();
        launchers::launched_commands(&name, argv, &mut found);
    }
    found
}

/// Whether a word is the standard input as a file.
pub(crate) fn is_stdin(word: &str) -> bool {
    word == "-" || word == "/dev/stdin" || word.starts_with("/dev/fd/") || word.starts_with("/proc/self/fd/")
}

fn main_grammar(name: &str, argv: &[Field], found: &mut InnerCommands) {
    if SHELLS.contains(&name) {
        shell(argv, found);
        return;
    }
    if let Some(wrapper) = WRAPPERS.iter().find(|w| w.names.contains(&name)) {
        found.coverage = wrapper.coverage;
        let at = skip_options(argv, 1, wrapper.value_options, wrapper.assigns) + wrapper.skip;
        match name {
            // `command -v x` only looks `x` up.
            "command" if argv.get(1).is_some_and(|f| f.text == "-v" || f.text == "-V") => {}
            "sudo" if at >= argv.len() && argv.iter().any(|f| f.text == "-s" || f.text == "-i") => {
                found.stdin = Some("shell");
            }
            "xargs" | "gxargs" => {
                found.more_words = true;
                if at == 1 {
                    found.coverage = Coverage::Transparent;
                }
                found.inner = tail(argv, at);
            }
            "parallel" => {
                found.more_words = true;
                if let Some(rest) = argv.get(at..) {
                    let end = rest.iter().position(|f| f.text.starts_with(":::")).unwrap_or(rest.len());
                    found.inner.push(Inner::Script(join(&rest[..end])));
                    found.inner.push(Inner::Script(join(rest).replace(":::", " ")));
                }
            }
            _ => found.inner = tail(argv, at),
        }
        return;
    }
    match name {
        "env" | "genv" => env(argv, found),
        "eval" => {
            let from = if argv.get(1).is_some_and(|f| f.text == "--") { 2 } else { 1 };
            found.inner.push(Inner::Script(join(argv.get(from..).unwrap_or_default())));
        }
        "trap" => {
            let words: Vec<&Field> = argv.iter().skip(1).filter(|f| f.text != "--").collect();
            found
                .inner
                .extend(words.first().filter(|_| words.len() > 1).map(|f| Inner::Script(f.text.clone())));
        }
        "source" | "." => {
            found.stdin = argv.get(1).is_none_or(|f| is_stdin(&f.text)).then_some("shell");
        }
        "at" | "batch" | "crontab" => found.stdin = Some("shell"),
        "plimsoll" if argv.get(1).is_some_and(|f| f.text == "run") => {
            found.inner = tail(argv, skip_options(argv, 2, &["--agent", "--session", "--output-of"], false));
        }
        "watch" => {
            found.coverage = Coverage::ExactOnly;
            let at = skip_options(argv, 1, &["-n", "--interval", "-q", "--equexit"], false);
            found.inner.extend(argv.get(at..).filter(|r| !r.is_empty()).map(|r| Inner::Script(join(r))));
        }
        "su" | "runuser" | "script" | "flock" => {
            found.coverage = Coverage::ExactOnly;
            command_option(argv, found);
            if name == "flock" && found.inner.is_empty() {
                found.inner = tail(argv, skip_options(argv, 1, &["-w", "--timeout", "-E"], false) + 1);
            }
        }
        "find" | "gfind" | "fd" | "fdfind" => find(argv, found),
        "powershell" | "pwsh" => powershell(argv, found),
        "cmd" => {
            let at = argv.iter().position(|f| matches!(f.text.to_lowercase().as_str(), "/c" | "/k" | "//c"));
            found.inner.extend(at.and_then(|at| argv.get(at + 1..)).map(|r| Inner::Script(join(r))));
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let at =
                skip_options(argv, 1, &["-F", "-v", "-f", "--file", "--assign", "--field-separator"], false);
            found.inner.extend(argv.get(at).map(|f| Inner::Code("awk", f.text.clone())));
        }
        "deno" if argv.get(1).is_some_and(|f| f.text == "eval") => {
            let at = skip_options(argv, 2, &[], false);
            found.inner.extend(argv.get(at).map(|f| Inner::Code("javascript", f.text.clone())));
        }
        _ => interpreter(name, argv, found),
    }
}
