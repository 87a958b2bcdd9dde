//! Walks a text and lists everything in it: parts, files and hosts.
//!
//! Follows the folder (`cd`), the variables and the pipes' input as far as the text determines them. Judges nothing: `set`
//! matches the rules.
//!
//! This file owns where a walk begins, its limits and its state: `steps` walks a shell's commands, `program` analyses one
//! program, `other_languages` other languages, `scope` what later commands inherit.

mod analysis;
mod known_input;
mod other_languages;
mod program;
mod scope;
mod steps;

use std::collections::HashSet;
use std::path::Path;

use super::expand::{Field, Vars};
pub(crate) use analysis::{Analysis, Part, PathMention};
use scope::Scope;
pub(super) use scope::variable_scripts;

/// How deep texts may be nested (`bash -c "bash -c '…'"`).
const MAX_SCRIPTS: usize = 16;
/// How many parts a command may have before the walk gives up.
const MAX_PARTS: usize = 20_000;

/// The bytes that a walk may read, also repeatedly, whatever the text's length; see [`work`].
const BASE_WORK: usize = 512 * 1024;
/// How often each byte of a text may be read.
const WORK_PER_BYTE: usize = 16;

/// A text's budget: the walk reads at most this many bytes.
fn work(length: usize) -> usize {
    length.saturating_mul(WORK_PER_BYTE).saturating_add(BASE_WORK)
}

/// The text that a walk begins with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Snippet<'a> {
    Shell(&'a str),
    PowerShell(&'a str),
    /// A language and a program in it.
    Code(&'a str, &'a str),
}

/// Analyses `start`. Without a home folder and working folder, files are skipped.
pub(crate) fn analyze(start: Snippet<'_>, cwd: Option<&Path>, home: Option<&Path>) -> Analysis {
    let length = match start {
        Snippet::Shell(text) | Snippet::PowerShell(text) | Snippet::Code(_, text) => text.len(),
    };
    let mut walk = Walk {
        home,
        seen: Analysis::default(),
        budget: length.saturating_mul(4).saturating_add(1 << 20),
        written: Vec::new(),
        inner_pipe: false,
        unknown_read: false,
        functions: HashSet::new(),
        runs_arguments: false,
        work: work(length),
    };
    let mut vars = Vars::default();
    if let Some(home) = home.and_then(Path::to_str) {
        vars.set("HOME", home);
    }
    if let Some(cwd) = cwd.and_then(Path::to_str) {
        vars.set("PWD", cwd);
    }
    let scope = Scope { vars, dir: cwd.map(Path::to_path_buf) };
    match start {
        Snippet::Shell(text) => walk.script(text, scope, None, 0),
        Snippet::PowerShell(text) => walk.powershell(text, &scope, None, 0),
        Snippet::Code(language, code) => walk.code(language, code, &scope, None, 0),
    }
    if let (true, Snippet::Shell(text) | Snippet::PowerShell(text)) = (walk.unknown_read, start) {
        let words = text.split(|c: char| c.is_whitespace() || "\"'`()=;|&<>{}$".contains(c));
        let mut words: Vec<String> =
            words.filter(|w| !w.is_empty() && w.len() <= 256).map(str::to_owned).collect();
        words.sort();
        words.dedup();
        words.truncate(64);
        walk.seen.maybe_reads.extend(words);
    }
    walk.seen
}

struct Walk<'a> {
    home: Option<&'a Path>,
    seen: Analysis,
    budget: usize,
    /// Files that received known text, by name: a later command may run them.
    written: Vec<(String, String)>,
    /// Something in a loop or branch may read from a pipe.
    inner_pipe: bool,
    /// The script's functions: the words after their names may be what they run.
    functions: HashSet<String>,
    /// A function runs its arguments.
    runs_arguments: bool,
    /// How many bytes may still be read.
    work: usize,
    /// A file with a computed name is read.
    unknown_read: bool,
}

/// A command's input from a pipe or from a text.
#[derive(Clone, Default)]
struct Input {
    /// Known text: here-documents, here-strings, `echo … |`.
    texts: Vec<String>,
    /// The words of the command before the pipe.
    words: Vec<Field>,
    /// Whether a pipe feeds it.
    piped: bool,
}

impl Walk<'_> {
    /// Deducts `bytes` and a little for the call from the budget; false once it is used up.
    fn spend(&mut self, bytes: usize) -> bool {
        if self.work == 0 {
            return false;
        }
        let cost = bytes.saturating_add(16);
        self.seen.spent = self.seen.spent.saturating_add(cost);
        self.work = self.work.saturating_sub(cost);
        self.work > 0
    }

    fn too_deep(&mut self) {
        self.seen.unparsed = Some("it is nested too deep or too large");
    }

    fn mention_paths(&mut self, found: &[Field], scope: &Scope, write: bool, redirected: bool) {
        self.unknown_read |= !write && found.iter().any(|f| f.dynamic && f.bare.is_empty());
        let Some(dir) = &scope.dir else {
            // After a `cd` to an unknown folder, only absolute paths can be located.
            let known: Vec<Field> =
                found.iter().filter(|f| f.text.starts_with(['/', '~'])).cloned().collect();
            if let (false, Some(home)) = (known.is_empty(), self.home) {
                let scope = Scope { vars: Vars::default(), dir: Some(home.to_path_buf()) };
                self.mention_paths(&known, &scope, write, redirected);
            }
            return;
        };
        for field in found.iter().filter(|f| !f.text.is_empty()) {
            let text = strip_cwd_alias(&field.text);
            let place = PathMention { text: text.to_owned(), dir: dir.clone(), glob: field.glob, redirected };
            if write {
                self.seen.writes.push(place);
            } else {
                self.seen.reads.push(place);
            }
            // An unknown value may be empty.
            if field.dynamic && !field.bare.is_empty() && field.bare != field.text {
                let place =
                    PathMention { text: field.bare.clone(), dir: dir.clone(), glob: field.glob, redirected };
                if write { self.seen.writes.push(place) } else { self.seen.reads.push(place) }
            }
        }
    }
}

/// A path without prefixes that only mean the working folder: `~+/x`, `/proc/self/cwd/x`.
fn strip_cwd_alias(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix("~+/") {
        return rest;
    }
    let Some((_, rest)) = text.strip_prefix("/proc/").and_then(|rest| rest.split_once('/')) else {
        return text;
    };
    let rest =
        rest.strip_prefix("task/").and_then(|rest| rest.split_once('/')).map_or(rest, |(_, rest)| rest);
    match rest.strip_prefix("cwd/").or_else(|| rest.strip_prefix("root")) {
        Some(inside) if !inside.is_empty() => inside,
        _ => text,
    }
}

/// The bytes of `words`.
fn weight(words: &[Field]) -> usize {
    words.iter().map(|field| field.text.len() + field.bare.len() + 8).sum()
}

fn join(argv: &[Field]) -> String {
    argv.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 KB texts that repeat or nest whatever makes a walk read again, each as one run and as one with an end.
    #[test]
    fn a_walk_takes_time_linear_in_its_text() {
        let pieces = [
            "{ ( $(",
            "{ ",
            "( ",
            "$(",
            "`",
            "$((",
            "<(",
            "\"$(",
            "${x:-",
            "; ",
            "rm x; ",
            "rm x\n",
            "| ",
            "a=$a$a ",
            "a=$a$a; ",
            "X=aaaaaaaa$X$X; (",
            "(a=b) ",
            "$x { ",
            "$x ",
            "setpriv ",
            "tmux ",
            "npx -y ",
            "sudo ",
            "xargs ",
            "env -S ",
            "git -c a.b=!",
            "git -c a=!b ",
            "make a=",
            "sed e;",
            "sed 's/a/b/e;' ",
            "echo a > f; sh f; ",
            "echo sh f > f; sh f; ",
            "printf %s | ",
            "echo 'sh f' | tee f | sh; ",
            "bash -c ",
            "eval ",
            "eval '",
            "f() ",
            "f() { \"$@\"; }; f ",
            "for x in ",
            "{a,",
            "{a,b}",
            "[[ ",
            "case x in x) ",
            "if ",
            "! ",
            "cat <<E | sh\n",
            "<<< ",
            "bash <<< ",
            "x=$(echo ",
            "find . -exec ",
            "parallel ",
            "python -c 'os.system(\"",
            "-- ",
            "vim '!' ",
            "set -- ",
            "export a=$(",
            "trap ",
            "nc EXEC:",
            "<(echo ",
            "cat <(",
            "PAGER=",
            "a=`",
            "\\",
            "'",
            "\"",
            "=a ",
        ];
        let (cwd, home) = (Path::new("/w"), Path::new("/h"));
        for piece in pieces {
            for end in ["", "; rm x) ) } )"] {
                let text = format!("{}{end}", piece.repeat(100_000 / piece.len()));
                let seen = analyze(Snippet::Shell(&text), Some(cwd), Some(home));
                let bound = work(text.len()) * 2;
                assert!(seen.spent <= bound, "{piece:?}: {} bytes looked at, {bound} allowed", seen.spent);
                // Judging reads as much as the walk did, in a few spellings.
                let texts =
                    seen.parts.iter().flat_map(|p| p.words.iter().chain(&p.forms).chain(&p.strict_forms));
                let kept: usize = texts.chain(&seen.chains).map(String::len).sum();
                assert!(kept <= bound * 4, "{piece:?}: {kept} bytes to judge, {} allowed", bound * 4);
            }
        }
    }
}
