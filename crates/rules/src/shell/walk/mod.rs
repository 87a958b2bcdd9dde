//! From a text to all that is seen in it: a flat list of parts, files and hosts.
//!
//! Follows the folder (`cd`), the variables and the input of pipes as far as they are plain. Judges nothing:
//! which rule speaks about a part is decided in `set`.
//!
//! This file owns where a walk begins, its limits and what it carries along: `steps` walks the commands of a
//! shell, `program` looks at one program, `foreign` at other languages, `scope` at what later commands
//! inherit.

mod foreign;
mod heard;
mod program;
mod scope;
mod seen;
mod steps;

use std::collections::HashSet;
use std::path::Path;

use super::expand::{Field, Vars};
use scope::Scope;
pub(crate) use seen::{Part, Place, Seen};

/// How many texts may be wrapped in one another (`bash -c "bash -c '…'"`).
const MAX_SCRIPTS: usize = 16;
/// How many parts one command may have before it is given up.
const MAX_PARTS: usize = 20_000;

/// How many bytes are looked at, over and over again where they may be programs, in texts without a length; see [`work`].
const BASE_WORK: usize = 512 * 1024;
/// How often each byte of a text may be looked at.
const WORK_PER_BYTE: usize = 16;

/// How much one text is worth: the walk looks at no more bytes than this.
fn work(length: usize) -> usize {
    length.saturating_mul(WORK_PER_BYTE).saturating_add(BASE_WORK)
}

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
    let mut walk = Walk {
        home,
        seen: Seen::default(),
        budget: length.saturating_mul(4).saturating_add(1 << 20),
        written: Vec::new(),
        fed_inside: false,
        blind: false,
        functions: HashSet::new(),
        passes: false,
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
        Start::Shell(text) => walk.script(text, scope, None, 0),
        Start::PowerShell(text) => walk.powershell(text, &scope, None, 0),
        Start::Code(language, code) => walk.code(language, code, &scope, None, 0),
    }
    if let (true, Start::Shell(text) | Start::PowerShell(text)) = (walk.blind, start) {
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
    seen: Seen,
    budget: usize,
    /// Files that got a text that is known, by their names: they may be run later on.
    written: Vec<(String, String)>,
    /// Something in a loop or branch may get its input through a pipe.
    fed_inside: bool,
    /// Functions of the script: what stands behind their names may be what they run.
    functions: HashSet<String>,
    /// A function runs what it is called with.
    passes: bool,
    /// How many bytes may still be looked at.
    work: usize,
    /// A file is read whose name is computed.
    blind: bool,
}

/// What comes into a command through a pipe or from a text.
#[derive(Clone, Default)]
struct Input {
    /// Text that is plain: here-documents, here-strings, `echo … |`.
    texts: Vec<String>,
    /// The words of the command before the pipe.
    words: Vec<Field>,
    /// Something comes through a pipe.
    fed: bool,
}

impl Walk<'_> {
    /// Takes `bytes` and a little for the call from what may still be looked at; false when that is used up.
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
        self.seen.closed = Some("it is nested too deep or too large");
    }

    fn places(&mut self, found: &[Field], scope: &Scope, write: bool, redirected: bool) {
        self.blind |= !write && found.iter().any(|f| f.dynamic && f.bare.is_empty());
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
            let text = here(&field.text);
            let place = Place { text: text.to_owned(), dir: dir.clone(), glob: field.glob, redirected };
            if write {
                self.seen.writes.push(place);
            } else {
                self.seen.reads.push(place);
            }
            // What cannot be known may be empty.
            if field.dynamic && !field.bare.is_empty() && field.bare != field.text {
                let place =
                    Place { text: field.bare.clone(), dir: dir.clone(), glob: field.glob, redirected };
                if write { self.seen.writes.push(place) } else { self.seen.reads.push(place) }
            }
        }
    }
}

/// A path without what only means the folder one is in: `~+/x`, `/proc/self/cwd/x`.
fn here(text: &str) -> &str {
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

    /// Texts of 100 KB that repeat or nest what makes a walk look again, each as one run and as one with an end.
    #[test]
    fn a_walk_looks_at_no_more_than_a_text_is_worth() {
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
                let seen = see(Start::Shell(&text), Some(cwd), Some(home));
                let bound = work(text.len()) * 2;
                assert!(seen.spent <= bound, "{piece:?}: {} bytes looked at, {bound} allowed", seen.spent);
                // What is judged afterwards is as much as was looked at, in a few spellings.
                let texts =
                    seen.parts.iter().flat_map(|p| p.words.iter().chain(&p.forms).chain(&p.strict_forms));
                let kept: usize = texts.chain(&seen.chains).map(String::len).sum();
                assert!(kept <= bound * 4, "{piece:?}: {kept} bytes to judge, {} allowed", bound * 4);
            }
        }
    }
}
