//! The texts that docs/style.md is about: the window's catalogues, the documents, what packages and filters say about
//! themselves, and the strings, comments and names in the code. Owns where they are and what of a file is text; does not know what
//! is wrong with one.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};

use super::names;

/// Where a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Window,
    German,
    Document,
    Program,
    Comment,
    Name,
}

impl Kind {
    pub(super) const ENGLISH: [Self; 4] = [Self::Window, Self::Document, Self::Program, Self::Comment];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::German => "german",
            Self::Document => "documents",
            Self::Program => "program",
            Self::Comment => "comments",
            Self::Name => "names",
        }
    }
}

/// One text: a string, a line of a document, a comment, or a name that the code declares.
pub(super) struct Text {
    pub(super) kind: Kind,
    /// `README.md:12`, `en.json tray.kept`, `crates/x/src/y.rs`.
    pub(super) place: String,
    pub(super) words: String,
}

impl Text {
    /// The name that it's counted under: its kind, and for a comment the crate or folder that it's in, so that each can
    /// be put right on its own.
    pub(super) fn counted_as(&self) -> String {
        if self.kind != Kind::Comment {
            return self.kind.name().to_owned();
        }
        let depth = if self.place.starts_with("crates/") { 2 } else { 1 };
        let area: Vec<&str> = self.place.split('/').take(depth).collect();
        format!("{} in {}", self.kind.name(), area.join("/"))
    }
}

/// Documents that people read beside `docs/`.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "installers/README.md",
    "plugin/README.md",
    "icons/README.md",
    "tests/facts/README.md",
    "tests/code-search/README.md",
    "installers/linux/deb/control",
    "installers/linux/rpm/plimsoll.spec",
    "installers/linux/dev.plimsoll.Plimsoll.metainfo.xml",
    "installers/linux/plimsoll-desktop.desktop",
    "installers/linux/plimsoll.1",
    "installers/linux/plimsoll-desktop.1",
];

/// Folders of code whose comments are read.
const COMMENTED: &[&str] =
    &["crates", "fuzz/fuzz_targets", "src-tauri", "tests", "ui/src", "ui/tests", "xtask/src"];

/// How a comment of several lines begins and ends.
const BLOCKS: [(&str, &str); 2] = [("/*", "*/"), ("<!--", "-->")];

/// Every text below `root` that a user or a developer reads.
pub(super) fn all(root: &Path) -> Result<Vec<Text>> {
    let mut texts = Vec::new();
    let (english, german) = (["en.json", "en.later.json"], ["de.json", "de.later.json"]);
    let english = english.map(|name| (name, Kind::Window));
    for (name, kind) in english.into_iter().chain(german.map(|name| (name, Kind::German))) {
        let json = std::fs::read_to_string(root.join("ui/src/i18n").join(name)).context(name)?;
        let catalogue: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json)?;
        texts.extend(catalogue.into_iter().map(|(key, words)| Text {
            kind,
            place: format!("{name} {key}"),
            words: words.as_str().unwrap_or_default().to_owned(),
        }));
    }
    let mut documents: Vec<PathBuf> = DOCUMENTS.iter().map(|name| root.join(name)).collect();
    documents.retain(|path| path.is_file());
    files(&root.join("docs"), "md", &mut documents)?;
    for path in documents {
        let place = display_path(root, &path);
        // Quoted command output is checked, too: the command-line reference consists of such output.
        let printed = place == "docs/cli.md";
        document(&std::fs::read_to_string(&path)?, &place, printed, &mut texts);
    }
    let mut filters = Vec::new();
    files(&root.join("crates/filters/builtin"), "toml", &mut filters)?;
    for path in filters {
        let text = std::fs::read_to_string(&path)?;
        let about = text.lines().filter(|line| line.starts_with("about = "));
        texts.extend(about.map(|line| Text {
            kind: Kind::Program,
            place: display_path(root, &path),
            words: line.to_owned(),
        }));
    }
    for (place, source) in sources(root, &["crates", "src-tauri", "xtask"])? {
        literals(tokens(&source, &place)?, &mut |words| {
            if words.matches(' ').count() >= 2 {
                texts.push(Text { kind: Kind::Program, place: place.clone(), words: joined(words) });
            }
        });
    }
    let mut commented = Vec::new();
    for folder in COMMENTED {
        for ending in ["rs", "svelte", "ts"] {
            files(&root.join(folder), ending, &mut commented)?;
        }
    }
    let mut code = Vec::new();
    for path in commented {
        let place = display_path(root, &path);
        // Fixtures stay as they were captured, and the contract's TypeScript repeats the comments of its crate.
        if !place.contains("/fixtures/") && !place.starts_with("ui/src/contract/") {
            let source = std::fs::read_to_string(&path)?;
            comments(&source, &place, &mut texts);
            code.push((place, source));
        }
    }
    let names = names::declared_names(&code)?;
    texts.extend(names.into_iter().map(|(place, words)| Text { kind: Kind::Name, place, words }));
    Ok(texts)
}

/// The Rust files below these folders outside of tests and fixtures, each with its path and its text.
pub(super) fn sources(root: &Path, folders: &[&str]) -> Result<Vec<(String, String)>> {
    let mut paths = Vec::new();
    for folder in folders {
        files(&root.join(folder), "rs", &mut paths)?;
    }
    let mut found = Vec::new();
    for path in paths {
        let place = display_path(root, &path);
        let is_test =
            place.ends_with("/tests.rs") || place.contains("/tests/") || place.contains("/fixtures/");
        if place.contains("/src/") && !is_test {
            found.push((place, std::fs::read_to_string(&path)?));
        }
    }
    Ok(found)
}

/// A file's tokens.
pub(super) fn tokens(source: &str, place: &str) -> Result<TokenStream> {
    TokenStream::from_str(source).map_err(|error| anyhow::anyhow!("{place}: {error}"))
}

/// The lines of a document outside of code.
fn document(text: &str, place: &str, printed: bool, out: &mut Vec<Text>) {
    let mut code = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            code = !code;
            continue;
        }
        if code && !printed {
            continue;
        }
        out.push(Text {
            kind: Kind::Document,
            place: format!("{place}:{}", index + 1),
            words: without_code(line),
        });
    }
}

/// The comments of a source file that have lines to themselves; lines that follow each other are one text, so that a
/// turn is found across the end of a line.
fn comments(source: &str, place: &str, out: &mut Vec<Text>) {
    let mut words = String::new();
    let mut first = 0;
    // The end mark of the open block comment.
    let mut open: Option<&str> = None;
    for (index, line) in source.lines().chain([""]).enumerate() {
        let line = line.trim();
        let end =
            open.or_else(|| BLOCKS.iter().find(|(begin, _)| line.starts_with(*begin)).map(|(_, end)| *end));
        open = end.filter(|end| !line.contains(*end));
        if end.is_some() || line.starts_with("//") {
            if words.is_empty() {
                first = index + 1;
            }
            words.push_str(line.trim_matches(|sign: char| "/*!<-> ".contains(sign)));
            words.push(' ');
        } else if !words.is_empty() {
            out.push(Text {
                kind: Kind::Comment,
                place: format!("{place}:{first}"),
                words: without_code(words.trim()),
            });
            words.clear();
        }
    }
}

/// A text with its code left out: every second piece between backticks.
fn without_code(text: &str) -> String {
    text.split('`').enumerate().map(|(at, piece)| if at % 2 == 0 { piece } else { "`…`" }).collect()
}

/// Calls `each` with the strings of a file as they are written, outside of tests and of attributes that only the compiler
/// reads.
pub(super) fn literals(tokens: TokenStream, each: &mut impl FnMut(&str)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut tests = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if is_attribute(&tokens, at) => {
                let inside = group.stream().to_string();
                tests |= inside.starts_with("cfg") && inside.contains("test");
                if inside.starts_with("error") {
                    literals(group.stream(), each);
                }
            }
            // `#[cfg(test)] mod tests { … }`: the closing brace ends the attribute's item.
            TokenTree::Group(group) if tests && group.delimiter() == proc_macro2::Delimiter::Brace => {
                tests = false;
            }
            TokenTree::Group(group) => literals(group.stream(), each),
            TokenTree::Punct(punct) if punct.as_char() == ';' => tests = false,
            TokenTree::Literal(literal) => {
                let words = literal.to_string();
                if words.starts_with('"') || words.starts_with('r') {
                    each(&words);
                }
            }
            _ => {}
        }
    }
}

/// Whether the brackets at `at` are those of `#[…]` or `#![…]`.
fn is_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let sign = |back: usize, sign: char| {
        let token = at.checked_sub(back).and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
    };
    sign(1, '#') || sign(1, '!') && sign(2, '#')
}

/// A literal as one line: a backslash at the end of a line takes the blanks after it away.
fn joined(literal: &str) -> String {
    let mut lines = literal.split("\\\n");
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |all, line| all + line.trim_start())
}

fn display_path(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap_or(path).iter().map(|part| part.to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// The files below a folder with that ending, in order.
fn files(folder: &Path, ending: &str, out: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, ending, out)?;
        } else if path.extension().is_some_and(|end| end == ending) {
            out.push(path);
        }
    }
    Ok(())
}
