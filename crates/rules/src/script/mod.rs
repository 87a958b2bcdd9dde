//! Commands, file names and hosts in scripts, as far as they appear as text.
//!
//! Follows string concatenation, lists of strings, and variables that are assigned a string once; nothing computed. It
//! reports too much rather than too little: a string that only looks like a command costs nothing unless a rule covers it.
//!
//! This file owns the walk over the tokens; `values` follows strings and variables, `calls` analyses calls.

mod calls;
mod file_functions;
mod functions;
mod process_functions;
mod tokens;
mod values;

use std::borrow::Cow;
use std::collections::HashMap;

use tokens::{Token, surface, tokens};

/// The longest string that is analysed.
const MAX_TEXT: usize = 64 * 1024;
/// The bracket depth that is followed; deeper ones count as their parent.
const MAX_DEPTH: usize = 200;
/// How many strings are kept as candidates, and their maximum length.
const MAX_STRINGS: usize = 64;
const MAX_STRING: usize = 256;
/// The most bytes of one variable's strings.
const MAX_VALUE: usize = 4096;

/// Something that a script would do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    Shell(String),
    Argv(Vec<String>),
    Read(String),
    Write(String),
    Host(String),
    /// Text that the language itself evaluates as a program.
    Code(String, String),
    /// Text that may be run: programs start by names that are computed or passed on.
    MaybeRun(String),
    /// Text that may name a file that is read.
    MaybeRead(String),
    /// Why it can't be determined what runs.
    Unsure(&'static str),
}

#[derive(Debug, Clone)]
enum Item {
    Text(String),
    List(Vec<String>),
    /// An object or block, whose strings are options, not arguments.
    Options(Vec<String>),
    Other,
}

#[derive(Debug)]
struct Frame {
    callee: String,
    open: char,
    items: Vec<Item>,
    /// Opened by a name without parentheses; ends with the statement.
    bare: bool,
}

/// The canonical name of a language.
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
pub(crate) fn scan(language: &str, code: &str) -> Vec<Action> {
    let language = family(language);
    let mut scan = Scan {
        awk: language == "awk",
        language: language.to_owned(),
        loose_reads: language == "perl" && code.contains("ARGV"),
        // `.exec` on a database or a pattern starts nothing.
        members: ["child_process", "shelljs", "execa", "bun", "zx"].iter().any(|name| code.contains(name)),
        ..Scan::default()
    };
    // Names may use equivalent letters (Python: fullwidth ones).
    let plain = if code.is_ascii() { Cow::Borrowed(code) } else { Cow::Owned(normalize_letters(code)) };
    for token in tokens(&surface(language), &plain) {
        scan.token(token);
    }
    scan.finish_path(None);
    while !scan.stack.is_empty() {
        scan.close();
    }
    scan.end_chain();
    let strings = std::mem::take(&mut scan.strings);
    if scan.loose_runs {
        scan.found.extend(strings.iter().cloned().map(Action::MaybeRun));
    }
    if scan.loose_reads {
        scan.found.extend(strings.into_iter().map(Action::MaybeRead));
    }
    scan.found
}

/// `code` with fullwidth letters replaced by ordinary ones.
fn normalize_letters(code: &str) -> String {
    let narrow = |c: char| match u32::from(c) {
        n @ 0xFF01..=0xFF5E => char::from_u32(n - 0xFEE0).unwrap_or(c),
        // Mathematical letters, which Python treats as ordinary ones.
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
    found: Vec<Action>,
    stack: Vec<Frame>,
    vars: HashMap<String, Vec<String>>,
    last: Option<Token>,
    before_last: Option<Token>,
    /// The variable that the statement assigns, and the stack's depth then.
    assigning: Option<(String, usize)>,
    /// A command built by chained calls (`Command::new("rm").arg("-rf")`).
    chain: Vec<String>,
    /// A path built with `/`.
    path: Option<String>,
    program: Option<String>,
    awk: bool,
    language: String,
    /// The program's strings, up to a limit.
    strings: Vec<String>,
    /// A function that starts programs is passed on, or its program is computed.
    loose_runs: bool,
    /// The same for functions that read files.
    loose_reads: bool,
    /// `.exec` may start a program.
    members: bool,
    /// A path that was created and not yet used: `Path(".env")`. Asking whether it exists reads nothing.
    made: Vec<String>,
}

impl Scan {
    /// Decides about the path just created: it is read unless the next token only queries it.
    fn finish_path(&mut self, next: Option<&Token>) {
        let harmless = matches!(next, Some(Token::Name(name)) if file_functions::is_query(name));
        // A closing bracket and `.resolve()` don't use it.
        if matches!(next, Some(Token::Close(')'))) || self.made.is_empty() {
            return;
        }
        let made = std::mem::take(&mut self.made);
        match next {
            Some(Token::Name(name)) if file_functions::is_modification(name) => {
                self.found.extend(made.into_iter().map(Action::Write));
            }
            _ if harmless => {}
            _ => self.found.extend(made.into_iter().map(Action::Read)),
        }
    }

    /// The function that a variable is assigned: `$f = "system"; $f("x")`.
    fn resolve_alias(&self, name: &str) -> String {
        match self.vars.get(name.trim_start_matches(['$', '@'])).map(Vec::as_slice) {
            Some([one]) if process_functions::runs(one, self.members) || file_functions::reads(one) => {
                one.clone()
            }
            _ => name.to_owned(),
        }
    }

    fn token(&mut self, token: Token) {
        self.finish_path(Some(&token));
        if let Some(Token::Name(name)) = &self.last {
            let called =
                matches!(token, Token::Open('(') | Token::Str(_) | Token::Words(_) | Token::Command(_));
            if process_functions::is_process_starter(name)
                && matches!(&token, Token::Name(next) if next != "as")
            {
                self.found.push(Action::Unsure("the name of a program is computed"));
            }
            let renamed = matches!(&token, Token::Name(next) if next == "as") || token == Token::Op(':');
            self.loose_runs |= !called && process_functions::is_process_starter(name)
                || renamed && process_functions::runs(name, self.members);
            self.loose_reads |= renamed && (file_functions::reads(name) || file_functions::makes_path(name));
            // `open F, ".env"`
            self.loose_reads |=
                !called && matches!(name.as_str(), "open" | "sysopen") && matches!(token, Token::Name(_));
        }
        if let Token::Name(name) = &token {
            // `execSync.apply(…)`: a method of a function.
            let mut parts = name.rsplit('.').skip(1);
            self.loose_runs |= parts.any(process_functions::is_process_starter);
        }
        match &token {
            Token::Str(text) => {
                self.loose_runs |= process_functions::is_process_starter(text) || text == "exec";
                if self.strings.len() < MAX_STRINGS && text.len() <= MAX_STRING {
                    self.strings.push(text.clone());
                }
                // PHP and Ruby: `include ".env"`, `load ".env"`.
                if matches!(&self.last, Some(Token::Name(name)) if file_functions::includes(name)) {
                    self.found.push(Action::Read(text.clone()));
                }
                self.text(text);
            }
            Token::Command(text) => self.found.push(Action::Shell(text.clone())),
            Token::Words(words) => {
                let room = MAX_STRINGS.saturating_sub(self.strings.len());
                self.strings.extend(words.iter().take(room).cloned());
                self.bare_call();
                self.item(Item::List(words.clone()));
            }
            Token::Open(open) => {
                let callee = match (&self.last, open) {
                    (Some(Token::Name(name)), '(') => self.resolve_alias(name),
                    // `getattr(os, "system")("x")`, `os["system"]("x")`
                    (Some(Token::Close(_)), '(') => functions::COMPUTED.to_owned(),
                    // `cmd!{…}`, `new ProcessStartInfo { … }` and macros like Bash's.
                    (Some(Token::Name(name)), '[' | '{') if process_functions::runs(name, self.members) => {
                        name.clone()
                    }
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
            // `x => …` assigns no variable.
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
                    self.found.push(Action::Shell(text.clone()));
                }
            }
            _ => {}
        }
        if token != Token::Newline || !matches!(self.last, Some(Token::Op('+'))) {
            self.before_last = self.last.replace(token);
        }
    }
}
