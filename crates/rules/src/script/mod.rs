//! Shell-outs, file names and hosts in scripts, as far as they stand there as text.
//!
//! Follows strings that are joined, lists of strings, and variables that are given a string once; nothing
//! that is computed. More is reported than may be true: a string that only looks like a command costs
//! nothing unless a rule speaks about it.

mod names;
mod token;

use std::collections::HashMap;

use crate::domain::host_of;
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

    fn assign(&mut self, name: &str) {
        let short = name.trim_start_matches(['$', '@']).to_owned();
        self.vars.remove(&short);
        self.assigning = Some((short, self.stack.len()));
    }

    fn text(&mut self, text: &str) {
        if text.len() > MAX_TEXT {
            return;
        }
        let callee = self.stack.last().map(|f| f.callee.clone()).unwrap_or_default();
        if (text.starts_with("http://") || text.starts_with("https://")) && !names::shows(&callee) {
            self.found.extend(host_of(text).map(Found::Host));
        }
        if self.awk {
            match &self.last {
                Some(Token::Op('|')) => self.found.push(Found::Shell(text.to_owned())),
                Some(Token::Op('<')) => self.found.push(Found::Read(text.to_owned())),
                Some(Token::Op('>')) => self.found.push(Found::Write(text.to_owned())),
                _ => {}
            }
        }
        if matches!(self.last, Some(Token::Op('/')))
            && let Some(path) = self.path.take()
        {
            let path = format!("{}/{text}", path.trim_end_matches('/'));
            self.found.push(Found::Read(path.clone()));
            self.path = Some(path);
        }
        // `psi.FileName = "rm"`, `psi.Arguments = "-rf x"`.
        if let Some((name, _)) = &self.assigning {
            if name.ends_with("FileName") {
                self.found.push(Found::Argv(vec![text.to_owned()]));
                self.program = Some(text.to_owned());
            } else if name.ends_with("Arguments")
                && let Some(program) = &self.program
            {
                self.found.push(Found::Shell(format!("{program} {text}")));
            }
        }
        let joins = matches!(self.last, Some(Token::Str(_)))
            || (matches!(self.last, Some(Token::Op('+' | '>' | '&')))
                && matches!(self.before_last, Some(Token::Str(_))))
            || matches!((&self.last, &self.before_last), (Some(Token::Name(dot)), Some(Token::Str(_))) if dot == "." || dot == "..");
        if joins && self.join(text) {
            return;
        }
        self.bare_call();
        self.item(Item::Text(text.to_owned()));
    }

    /// Adds `text` to the string before it.
    fn join(&mut self, text: &str) -> bool {
        let depth = self.stack.len();
        if let Some((name, at)) = &self.assigning
            && *at == depth
            && let Some(value) = self.vars.get_mut(name).and_then(|v| v.last_mut())
        {
            if value.len() <= MAX_VALUE {
                value.push_str(text);
            }
            return true;
        }
        let Some(frame) = self.stack.last_mut() else { return false };
        while matches!(frame.items.last(), Some(Item::Other)) {
            frame.items.pop();
        }
        match frame.items.last_mut() {
            Some(Item::Text(before)) if before.len() < MAX_TEXT => {
                before.push_str(text);
                true
            }
            _ => false,
        }
    }

    fn item(&mut self, item: Item) {
        if let Some((name, depth)) = &self.assigning
            && *depth == self.stack.len()
        {
            match &item {
                Item::Text(text) if text.len() > MAX_VALUE => {}
                Item::List(list) if list.iter().map(String::len).sum::<usize>() > MAX_VALUE => {}
                Item::Text(text) => {
                    self.vars.insert(name.clone(), vec![text.clone()]);
                }
                Item::List(list) => {
                    self.vars.insert(name.clone(), list.clone());
                }
                _ => {}
            }
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.items.push(item);
        }
    }

    /// A string or list right behind the name of a function: a call without parentheses.
    fn bare_call(&mut self) {
        if let Some(Token::Name(name)) = &self.last
            && (names::runs(name) || names::reads(name) || names::writes(name))
            && !self.vars.contains_key(name)
            && self.stack.len() < MAX_DEPTH
        {
            self.stack.push(Frame { callee: name.clone(), open: ' ', items: Vec::new(), bare: true });
        }
    }

    fn close_bare(&mut self) {
        while self.stack.last().is_some_and(|f| f.bare) {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        let flat: Vec<String> = flatten(&frame.items, true);
        if names::runs(&frame.callee) {
            self.run(&frame);
        } else if [".arg", ".args", ".Add", ".AddRange", ".WithArguments"]
            .iter()
            .any(|m| frame.callee.ends_with(m))
            && !self.chain.is_empty()
        {
            self.chain.extend(flat.iter().cloned());
        }
        if names::reads(&frame.callee) {
            self.touch(&flat);
        }
        if names::writes(&frame.callee) {
            self.found.extend(flat.iter().cloned().map(Found::Write));
        }
        let joined = (names::joins(&frame.callee) && flat.len() > 1).then(|| flat.join("/"));
        let callee = frame.callee.rsplit(['.', ':']).next().unwrap_or("");
        self.path = match callee {
            "home" | "homedir" => Some("~".to_owned()),
            "Path" | "PurePath" | "joinpath" => Some(flat.join("/")),
            "resolve" | "expanduser" => self.path.take(),
            _ => None,
        };
        self.item(match (joined, frame.open) {
            (Some(path), _) => Item::Text(path),
            (None, '{') => Item::Options(flat),
            (None, _) if frame.callee.is_empty() || flat.len() != 1 => Item::List(flat),
            (None, _) => Item::Text(flat.into_iter().next().unwrap_or_default()),
        });
    }

    fn touch(&mut self, flat: &[String]) {
        for text in flat {
            let path = text.trim_start_matches(['<', '>', '+']).trim();
            if path.ends_with('|') || text.trim_start().starts_with('|') {
                // Perl: open(F, "rm x |").
                self.found.push(Found::Shell(path.trim_matches('|').trim().to_owned()));
            }
            self.found.push(Found::Read(path.to_owned()));
        }
        let pipes = flat.iter().position(|t| t == "-|" || t == "|-");
        if let Some(rest) = pipes.and_then(|at| flat.get(at + 1..)) {
            self.found.push(Found::Argv(rest.to_vec()));
            self.found.extend(rest.first().cloned().map(Found::Shell));
        }
        let writing = flat.iter().skip(1).any(|m| {
            m.len() <= 3 && m.contains(['w', 'a', '+', '>', 'x']) && m.chars().all(|c| "wabrtx+>".contains(c))
        });
        if writing {
            self.found.extend(flat.first().cloned().map(Found::Write));
        }
    }

    fn run(&mut self, frame: &Frame) {
        let with_options =
            frame.callee.contains("Command") || frame.callee.contains("Process") || frame.open == '{';
        let mut argv = Vec::new();
        let mut first_text = None;
        for item in &frame.items {
            match item {
                Item::Text(text) => {
                    if argv.is_empty() {
                        first_text = Some(text.clone());
                    }
                    argv.push(text.clone());
                }
                Item::List(list) => argv.extend(list.iter().cloned()),
                Item::Options(list) if with_options => argv.extend(list.iter().cloned()),
                Item::Options(_) | Item::Other => {}
            }
        }
        if let Some(text) = first_text {
            self.found.push(Found::Shell(text));
        }
        let one_text =
            argv.len() == 1 && matches!(self.found.last(), Some(Found::Shell(text)) if *text == argv[0]);
        // `execvp("rm", ["rm", "-rf"])` names the program twice.
        if argv.len() > 1 && argv[0] == argv[1] {
            self.found.push(Found::Argv(argv[1..].to_vec()));
        }
        if frame.callee.ends_with("Command::new")
            || frame.callee.ends_with("Info")
            || frame.callee.ends_with("Wrap")
        {
            self.end_chain();
            self.chain.clone_from(&argv);
        }
        if !argv.is_empty() && !one_text {
            self.found.push(Found::Argv(argv));
        }
    }

    fn end_chain(&mut self) {
        if self.chain.len() > 1 {
            let argv = std::mem::take(&mut self.chain);
            self.found.push(Found::Argv(argv));
        }
        self.chain.clear();
    }
}

fn flatten(items: &[Item], options: bool) -> Vec<String> {
    let mut flat = Vec::new();
    for item in items {
        match item {
            Item::Text(text) => flat.push(text.clone()),
            Item::List(list) => flat.extend(list.iter().cloned()),
            Item::Options(list) if options => flat.extend(list.iter().cloned()),
            Item::Options(_) | Item::Other => {}
        }
    }
    flat
}
