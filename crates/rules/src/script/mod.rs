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

use std::collections::HashMap;

use token::{Token, surface, tokens};

/// The longest string that is looked at.
const MAX_TEXT: usize = 64 * 1024;
/// How deep brackets are followed; deeper ones count as the one they stand in.
const MAX_DEPTH: usize = 200;
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
    let mut scan = Scan { awk: language == "awk", ..Scan::default() };
    for token in tokens(&surface(language), code) {
        scan.token(token);
    }
    while !scan.stack.is_empty() {
        scan.close();
    }
    scan.end_chain();
    scan.found
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
}

impl Scan {
    fn token(&mut self, token: Token) {
        match &token {
            Token::Str(text) => self.text(text),
            Token::Command(text) => self.found.push(Found::Shell(text.clone())),
            Token::Words(words) => {
                self.bare_call();
                self.item(Item::List(words.clone()));
            }
            Token::Open(open) => {
                let callee = match (&self.last, open) {
                    (Some(Token::Name(name)), '(') => name.clone(),
                    // `cmd!{…}`, `new ProcessStartInfo { … }` and Bash-like macros.
                    (Some(Token::Name(name)), '[' | '{') if names::runs(name) => name.clone(),
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
