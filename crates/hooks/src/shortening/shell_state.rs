//! What a command line changes in its own shell, so that a prefix before a later command would change what that command
//! does: where its output goes (`exec >log`), what its name runs (`alias`, `hash -p`), how much it may use (`ulimit`), whether
//! it is traced (`set -x`), and the variables by which Plimsoll finds its folder or the loader finds libraries.
//!
//! The law: whatever is before a command in its line, it runs as if there were no prefix. Where that can't be seen, the
//! line is left alone. A file that a line sources isn't read: that is usually a toolchain's environment.

use shell::line::{self, Line, Simple};
use shell::{base, is_assignment};

/// Variables by which Plimsoll finds its folder. Under another value the full output would be kept in a folder where
/// nobody looks for it.
const WHERE_PLIMSOLL_IS: &[&str] = &["HOME", "USERPROFILE", "PLIMSOLL_HOME"];

/// Names of variables that the system's loader reads begin with these: they are for the command, and Plimsoll would load
/// the libraries too.
const OF_THE_LOADER: &[&str] = &["LD_", "DYLD_"];

/// How deep `eval` within `eval` is read; beyond that, anything may have changed.
const MAX_DEPTH: usize = 4;

/// Whether a command of the line changes what a prefix before one of its commands would do.
pub(super) fn changes_what_follows(line: &Line) -> bool {
    changes(line, 0)
}

fn changes(line: &Line, depth: usize) -> bool {
    line.commands.iter().any(|simple| {
        simple.assigns.iter().any(|(name, _)| is_special(name)) || command_changes(simple, depth)
    })
}

fn command_changes(simple: &Simple, depth: usize) -> bool {
    let argv = simple.argv();
    // `command exec >log` and `builtin exec >log` are the same as `exec >log`.
    let known = argv.iter().position(|word| !matches!(word.as_str(), "command" | "builtin"));
    let Some((program, arguments)) = known.and_then(|at| argv.get(at..)).and_then(<[String]>::split_first)
    else {
        return false;
    };
    match base(program) {
        "exec" => simple.to_file || simple.errors_to_file || simple.to_descriptor,
        "ulimit" | "limit" => true,
        // The trace would show the prefix instead of the command.
        "set" => arguments.iter().take_while(|word| *word != "--").any(|word| is_trace(word)),
        "trap" => arguments.iter().any(|word| word == "DEBUG"),
        "alias" => arguments.iter().any(|word| word.contains('=')),
        "hash" => arguments.iter().any(|word| word.starts_with("-p") || is_assignment(word)),
        "export" | "declare" | "typeset" | "readonly" | "local" | "unset" => arguments
            .iter()
            .any(|word| is_special(word.split_once('=').map_or(word.as_str(), |(name, _)| name))),
        "eval" => eval_changes(&arguments.join(" "), depth),
        _ => false,
    }
}

/// Whether the text that `eval` runs changes what follows. A command's output in it isn't known, and is taken for what a
/// tool prints to set up its environment, like a file that is sourced.
fn eval_changes(text: &str, depth: usize) -> bool {
    if depth >= MAX_DEPTH {
        return true;
    }
    let inner = line::parse(text);
    let unknown_text = text.contains("$(") || text.contains('`');
    inner.odd && !unknown_text || changes(&inner, depth + 1)
}

/// Whether this argument of `set` has each command printed: `-x`, `-euxo`, `-o xtrace`, and the same with `v`.
fn is_trace(word: &str) -> bool {
    match word.strip_prefix('-') {
        Some(letters) => letters.contains(['x', 'v']),
        None => matches!(word, "xtrace" | "verbose"),
    }
}

fn is_special(name: &str) -> bool {
    WHERE_PLIMSOLL_IS.contains(&name) || OF_THE_LOADER.iter().any(|prefix| name.starts_with(prefix))
}
