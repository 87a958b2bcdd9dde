//! Shell-outs, file names and hosts in scripts, as far as they stand there as text.
//!
//! Follows strings that are joined, lists of strings, and variables that are given a string once; nothing
//! that is computed. More is reported than may be true: a string that only looks like a command costs
//! nothing unless a rule speaks about it.
//!
//! This file owns the walk over the tokens; `values` follows strings and variables, `calls` reads calls.

mod calls;
mod names;
mod token;
mod values;

use std::borrow::Cow;
use std::collections::HashMap;

use token::{Token, surface, tokens};

/// The longest string that is looked at.
const MAX_TEXT: usize = 64 * 1024;
/// How deep brackets are followed; deeper ones count as the one they stand in.
const MAX_DEPTH: usize = 200;
/// How many strings are kept for what may be done with them, and how long they may be.
const MAX_STRINGS: usize = 64;
const MAX_STRING: usize = 256;
/// The most bytes of a variable's strings that are followed.
const MAX_VALUE: usize = 4096;

/// Something a script would do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    Shell(String),
    Argv(Vec<String>),
    Read(String),
    Write(String),
    Host(String),
    /// A program that the language itself is given as text.
    Code(String, String),
    /// A text that may be run: programs are started by names that are computed or passed on.
    MaybeRun(String),
    /// A text that may be the name of a file that is read.
    MaybeRead(String),
    /// Why it cannot be told what is run.
    Unsure(&'static str),
}

#[derive(Debug, Clone)]
enum Item {
    Text(String),
    List(Vec<String>),
    /// An object or block, whose strings are options rather than arguments.
    Options(Vec<String>),
    Other,
}

#[derive(Debug)]
struct Frame {
    callee: String,
    open: char,
    items: Vec<Item>,
    /// Opened by a name without parentheses; closes with the statement.
    bare: bool,
}

/// The name a language goes by here.
fn family(language: &str) -> &str {
    match language {
        "js" | "ts" | "javascript" | "typescript" | "node" | "mjs" | "tsx" | "jsx" => "javascript",
        "py" | "python" | "python3" => "python",
        "rb" | "ruby" => "ruby",
        "rs" | "rust" => "rust",
        "golang" | "go" => "go",
        "pl" | "perl" => "perl",
        "rscript" | "r" | "R" => "r",
        "ex" | "exs" | "elixir" => "elixir",
        "cs" | "c#" | "csharp" => "csharp",
        other => other,
    }
}

/// What `code` would run, read, write and fetch.
pub(crate) fn scan(language: &str, code: &str) -> Vec<Found> {
    let language = family(language);
    let mut scan = Scan {
        awk: language == "awk",
        language: language.to_owned(),
        loose_reads: language == "perl" && code.contains("ARGV"),
        // `.exec` of a database or a pattern starts nothing.
        members: ["child_process", "shelljs", "execa", "bun", "zx"].iter().any(|name| code.contains(name)),
        ..Scan::default()
    };
    // Names may be written in letters that mean the same (Python: fullwidth ones).
    let plain = if code.is_ascii() { Cow::Borrowed(code) } else { Cow::Owned(narrowed(code)) };
    for token in tokens(&surface(language), &plain) {
        scan.token(token);
    }
    scan.settle(None);
    while !scan.stack.is_empty() {
        scan.close();
    }
    scan.end_chain();
    let strings = std::mem::take(&mut scan.strings);
    if scan.loose_runs {
        scan.found.extend(strings.iter().cloned().map(Found::MaybeRun));
    }
    if scan.loose_reads {
        scan.found.extend(strings.into_iter().map(Found::MaybeRead));
    }
    scan.found
}

/// `code` with fullwidth letters as the usual ones.
fn narrowed(code: &str) -> String {
    let narrow = |c: char| match u32::from(c) {
        n @ 0xFF01..=0xFF5E => char::from_u32(n - 0xFEE0).unwrap_or(c),
        // Mathematical letters, which Python reads as plain ones.
        n @ 0x1D400..=0x1D6A3 => {
            let at = (n - 0x1D400) % 52;
            char::from_u32(if at < 26 { 65 + at } else { 71 + at }).unwrap_or(c)
        }
        _ => c,
    };
    code.chars().map(narrow).collect()
}

#[derive(Default)]
struct Scan {
    found: Vec<Found>,
    stack: Vec<Frame>,
    vars: HashMap<String, Vec<String>>,
    last: Option<Token>,
    before_last: Option<Token>,
    /// The variable that the statement gives a value, and how deep the stack was.
    assigning: Option<(String, usize)>,
    /// A command built by calls in a row (`Command::new("rm").arg("-rf")`).
    chain: Vec<String>,
    /// A path built with `/`.
    path: Option<String>,
    program: Option<String>,
    awk: bool,
    language: String,
    /// The strings of the program, up to a number.
    strings: Vec<String>,
    /// A function that starts programs is passed on, or its program is computed.
    loose_runs: bool,
    /// The same for functions that read files.
    loose_reads: bool,
    /// `.exec` may start a program.
    members: bool,
    /// A path that was made and not yet used: `Path(".env")`. Asking whether it exists reads nothing.
    made: Vec<String>,
}

impl Scan {
    /// What happens to a path that was just made: it is read unless it is only asked about.
    fn settle(&mut self, next: Option<&Token>) {
        let harmless = matches!(next, Some(Token::Name(name)) if names::asks(name));
        // A closing bracket and `.resolve()` change nothing about it.
        if matches!(next, Some(Token::Close(')'))) || self.made.is_empty() {
            return;
        }
        let made = std::mem::take(&mut self.made);
        match next {
            Some(Token::Name(name)) if names::changes(name) => {
                self.found.extend(made.into_iter().map(Found::Write));
            }
            _ if harmless => {}
            _ => self.found.extend(made.into_iter().map(Found::Read)),
        }
    }

    /// The function that a variable stands for: `$f = "system"; $f("x")`.
    fn resolved(&self, name: &str) -> String {
        match self.vars.get(name.trim_start_matches(['$', '@'])).map(Vec::as_slice) {
            Some([one]) if names::runs(one, self.members) || names::reads(one) => one.clone(),
            _ => name.to_owned(),
        }
    }

    fn token(&mut self, token: Token) {
        self.settle(Some(&token));
        if let Some(Token::Name(name)) = &self.last {
            let called =
                matches!(token, Token::Open('(') | Token::Str(_) | Token::Words(_) | Token::Command(_));
            if names::starts(name) && matches!(&token, Token::Name(next) if next != "as") {
                self.found.push(Found::Unsure("the name of a program is computed"));
            }
            let renamed = matches!(&token, Token::Name(next) if next == "as") || token == Token::Op(':');
            self.loose_runs |= !called && names::starts(name) || renamed && names::runs(name, self.members);
            self.loose_reads |= renamed && (names::reads(name) || names::makes(name));
            // `open F, ".env"`
            self.loose_reads |=
                !called && matches!(name.as_str(), "open" | "sysopen") && matches!(token, Token::Name(_));
        }
        if let Token::Name(name) = &token {
            // `execSync.apply(…)`: the method of a function.
            let mut parts = name.rsplit('.').skip(1);
            self.loose_runs |= parts.any(names::starts);
        }
        match &token {
            Token::Str(text) => {
                self.loose_runs |= names::starts(text) || text == "exec";
                if self.strings.len() < MAX_STRINGS && text.len() <= MAX_STRING {
                    self.strings.push(text.clone());
                }
                // PHP and Ruby: `include ".env"`, `load ".env"`.
                if matches!(&self.last, Some(Token::Name(name)) if names::includes(name)) {
                    self.found.push(Found::Read(text.clone()));
                }
                self.text(text);
            }
            Token::Command(text) => self.found.push(Found::Shell(text.clone())),
            Token::Words(words) => {
                let room = MAX_STRINGS.saturating_sub(self.strings.len());
                self.strings.extend(words.iter().take(room).cloned());
                self.bare_call();
                self.item(Item::List(words.clone()));
            }
            Token::Open(open) => {
                let callee = match (&self.last, open) {
                    (Some(Token::Name(name)), '(') => self.resolved(name),
                    // `getattr(os, "system")("x")`, `os["system"]("x")`
                    (Some(Token::Close(_)), '(') => names::COMPUTED.to_owned(),
                    // `cmd!{…}`, `new ProcessStartInfo { … }` and Bash-like macros.
                    (Some(Token::Name(name)), '[' | '{') if names::runs(name, self.members) => name.clone(),
                    (Some(Token::Op('|')), _) => String::new(),
                    _ => {
                        self.bare_call();
                        String::new()
                    }
                };
                if self.stack.len() < MAX_DEPTH {
                    self.stack.push(Frame { callee, open: *open, items: Vec::new(), bare: false });
                }
            }
            Token::Close(close) => {
                let open = match close {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                self.close_bare();
                // A bracket without its partner closes nothing.
                if self.stack.iter().any(|f| f.open == open) {
                    while self.stack.last().is_some_and(|f| f.open != open) {
                        self.close();
                    }
                    self.close();
                }
            }
            Token::Name(name) => {
                if let Some(values) = self.vars.get(name.trim_start_matches(['$', '@'])).cloned() {
                    self.bare_call();
                    self.item(match <[String; 1]>::try_from(values) {
                        Ok([one]) => Item::Text(one),
                        Err(many) => Item::List(many),
                    });
                } else if name == "do" {
                    self.close_bare();
                } else {
                    self.item(Item::Other);
                }
            }
            Token::Op('=') => match (&self.last, &self.before_last) {
                (Some(Token::Name(name)), _) => self.assign(&name.clone()),
                // `name := "…"`
                (Some(Token::Op(':')), Some(Token::Name(name))) => self.assign(&name.clone()),
                _ => {}
            },
            // `x => …` gives no variable a value.
            Token::Op('>') if matches!(self.last, Some(Token::Op('='))) => self.assigning = None,
            // R: `x <- "…"`
            Token::Op('-') if matches!(self.last, Some(Token::Op('<'))) => {
                if let Some(Token::Name(name)) = &self.before_last {
                    self.assign(&name.clone());
                }
            }
            Token::Op(';') | Token::Newline => {
                let goes_on = token == Token::Newline
                    && matches!(self.last, Some(Token::Comma | Token::Op('+' | '.' | '\\' | '=')) | None);
                if !goes_on {
                    self.close_bare();
                    if token != Token::Newline || !matches!(self.last, Some(Token::Op('='))) {
                        self.assigning = self.assigning.take().filter(|(_, depth)| self.stack.len() > *depth);
                    }
                }
            }
            Token::Op('|') if self.awk => {
                if let Some(Token::Str(text)) = &self.last {
                    self.found.push(Found::Shell(text.clone()));
                }
            }
            _ => {}
        }
        if token != Token::Newline || !matches!(self.last, Some(Token::Op('+'))) {
            self.before_last = self.last.replace(token);
        }
    }
}
