//! Analyses one file: language, role, definitions, imports, and chunks with their words. A pure function of path and
//! bytes: the parse limit counts work, not time.

use std::collections::HashMap;

use crate::chunk::{self, Lines, Span};
use crate::component_script;
use crate::grammar::Kind;
use crate::language;
use crate::parse::{self, Parsed};
use crate::role::{self, Role};
use crate::second_parse;
use crate::symbols::{self, Outline, Symbol};
use crate::words;

/// The number of bytes of a minified text that are indexed.
const MINIFIED_BYTES: usize = 4_096;
/// The maximum for a text without a grammar, and for data.
pub(crate) const MAX_INDEXED_BYTES: usize = 2 * 1024 * 1024;

/// How often a word occurs in a chunk, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// In code.
    pub code: u8,
    /// In comments.
    pub comment: u8,
    /// In names that are defined here.
    pub name: u8,
    /// In the file's name (2) or its folders (1).
    pub path: u8,
}

impl Tally {
    /// In one byte.
    pub fn pack(self) -> u8 {
        self.code.min(7) | (self.comment.min(3) << 3) | (self.name.min(1) << 5) | (self.path.min(3) << 6)
    }

    /// From one byte.
    pub fn unpack(byte: u8) -> Tally {
        Tally { code: byte & 7, comment: (byte >> 3) & 3, name: (byte >> 5) & 1, path: byte >> 6 }
    }
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The same for the same path, lines and text, on every computer.
    pub key: [u8; 8],
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The definition it shows, as an index into the symbols.
    pub symbol: Option<usize>,
    /// Its words with their counts, in order.
    pub words: Vec<(String, u8)>,
    /// How many words it has in all.
    pub length: u32,
}

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// Its language.
    pub language: Option<&'static str>,
    /// The part it plays.
    pub role: Role,
    /// How its symbols were found.
    pub parsed: Parsed,
    /// How many lines it has.
    pub lines: u32,
    /// Definitions and imports.
    pub outline: Outline,
    /// The chunks, in order.
    pub chunks: Vec<Chunk>,
}

/// Analyses `bytes` as the file at `path`, which is relative to the repository and uses `/`.
pub fn analyse(path: &str, bytes: &[u8]) -> Analysis {
    analyse_within(path, bytes, parse::MAX_STEPS)
}

/// The same, with another limit for what parsing may take, in steps of a hundred operations.
pub fn analyse_within(path: &str, bytes: &[u8], max_steps: u64) -> Analysis {
    let cut = &bytes[..bytes.len().min(MAX_INDEXED_BYTES)];
    let text = String::from_utf8_lossy(cut);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let language = language::of(path, text.lines().next().unwrap_or(""));
    let name = language.map(|l| l.name);
    let role = role::of(path, name, text);
    if role.is(Role::MINIFIED) {
        let short = &text[..text.floor_char_boundary(MINIFIED_BYTES)];
        return by_lines(path, short, name, role, Parsed::Minified);
    }
    let Some((language, grammar)) = language.and_then(|l| Some((l, l.grammar()?))) else {
        return by_lines(path, text, name, role, Parsed::NoGrammar);
    };
    // A header of C++ is not C.
    let c_header = language.name == "c" && path.ends_with(".h") && looks_like_cpp(text);
    let (called, grammar) = match language::by_name("cpp").and_then(language::Language::grammar) {
        Some(cpp) if c_header => ("cpp", cpp),
        _ => (language.name, grammar),
    };
    let script = component_script::of(called, text);
    let source = script.as_deref().unwrap_or(text);
    match second_parse::parse(grammar, called, source, max_steps) {
        Err(why) => by_lines(path, text, Some(called), role, why),
        Ok(tree) if tree.root_node().has_error() && is_template(path, text) => {
            let name = language::by_name("erb").map(|language| language.name);
            by_lines(path, text, name, role::of(path, name, text), Parsed::NoGrammar)
        }
        Ok(tree) => {
            let lines = Lines::of(text);
            let outline = symbols::outline(grammar, called, &tree, source, path);
            let spans =
                if script.is_some() { chunk::by_lines(text, &lines) } else { chunk::by_tree(&tree, &lines) };
            let chunks = chunks(path, text, &lines, &spans, &outline.symbols);
            let parsed = if tree.root_node().has_error() { Parsed::WithErrors } else { Parsed::Whole };
            Analysis { language: Some(called), role, parsed, lines: number(lines.count()), outline, chunks }
        }
    }
}

/// Analyses a file whose grammar must not see it.
pub(crate) fn without_grammar(path: &str, bytes: &[u8]) -> Analysis {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_INDEXED_BYTES)]);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let name = language::of(path, text.lines().next().unwrap_or("")).map(|language| language.name);
    let role = role::of(path, name, text);
    by_lines(path, text, name, role, Parsed::Fatal)
}

fn by_lines(path: &str, text: &str, language: Option<&'static str>, role: Role, parsed: Parsed) -> Analysis {
    let lines = Lines::of(text);
    let spans = chunk::by_lines(text, &lines);
    let chunks = chunks(path, text, &lines, &spans, &[]);
    Analysis { language, role, parsed, lines: number(lines.count()), outline: Outline::default(), chunks }
}

/// Whether this file is a generator's template: it is named after the file that it generates.
fn is_template(path: &str, text: &str) -> bool {
    let mut folders = path.rsplit('/').skip(1);
    folders.any(|name| matches!(name, "templates" | "template"))
        && text.split_once("<%").is_some_and(|(_, behind)| behind.contains("%>"))
}

fn looks_like_cpp(text: &str) -> bool {
    ["class ", "namespace ", "template <", "template<", "public:", "std::"]
        .iter()
        .any(|mark| text.contains(mark))
}

fn chunks(path: &str, text: &str, lines: &Lines, spans: &[Span], symbols: &[Symbol]) -> Vec<Chunk> {
    let mut scratch = String::new();
    let path_words = path_words(path);
    let mut out = Vec::with_capacity(spans.len());
    for span in spans {
        let body = text.get(lines.bytes(*span)).unwrap_or_default();
        if body.trim().is_empty() {
            continue;
        }
        let (start_line, end_line) = (number(span.first + 1), number(span.last + 1));
        let mut tallies: HashMap<String, Tally> = HashMap::new();
        let mut length = 0u32;
        for line in body.lines() {
            let comment = is_comment(line);
            words::words(line, &mut scratch, |word| {
                length += 1;
                let tally = entry(&mut tallies, word);
                let count = if comment { &mut tally.comment } else { &mut tally.code };
                *count = count.saturating_add(1);
            });
        }
        let first = symbols.partition_point(|s| s.start_line < start_line);
        let own = symbols[first..].iter().take_while(|s| s.start_line <= end_line);
        for symbol in own.clone() {
            words::words(&symbol.name, &mut scratch, |word| entry(&mut tallies, word).name = 1);
        }
        for (word, weight) in &path_words {
            let tally = entry(&mut tallies, word);
            tally.path = tally.path.max(*weight);
        }
        let mut words: Vec<(String, u8)> =
            tallies.into_iter().map(|(word, tally)| (word, tally.pack())).collect();
        words.sort();
        out.push(Chunk {
            key: key(path, start_line, end_line, body),
            start_line,
            end_line,
            symbol: main_symbol(symbols, first, start_line, end_line),
            words,
            length,
        });
    }
    out
}

fn entry<'m>(tallies: &'m mut HashMap<String, Tally>, word: &str) -> &'m mut Tally {
    tallies.entry(word.to_owned()).or_default()
}

/// The definition that a chunk shows: the first and largest that begins in it, else the innermost around it.
fn main_symbol(symbols: &[Symbol], first: usize, start_line: u32, end_line: u32) -> Option<usize> {
    let begins = symbols[first..].iter().take_while(|s| s.start_line <= end_line).enumerate();
    let begins = begins.filter(|(_, s)| !s.kind.is_part());
    let rank = |s: &Symbol| {
        (
            !matches!(s.kind, Kind::Constant | Kind::Variable | Kind::Macro),
            s.end_line.min(end_line + 1) - s.start_line,
        )
    };
    let mut best: Option<(usize, (bool, u32))> = None;
    for (i, symbol) in begins {
        if best.is_none_or(|(_, so_far)| rank(symbol) > so_far) {
            best = Some((first + i, rank(symbol)));
        }
    }
    best.map(|(i, _)| i).or_else(|| {
        symbols[..first]
            .iter()
            .enumerate()
            .rev()
            .take(4_000)
            .filter(|(_, s)| s.end_line >= start_line && !s.kind.is_part())
            .max_by_key(|(_, s)| s.start_line)
            .map(|(i, _)| i)
    })
}

/// The words of a path: those of the file's name count more than those of its folders.
pub fn path_words(path: &str) -> Vec<(String, u8)> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    let mut scratch = String::new();
    let mut out: Vec<(String, u8)> = Vec::new();
    let mut add = |text: &str, weight: u8| {
        words::words(text, &mut scratch, |word| {
            if !out.iter().any(|(known, _)| known == word) {
                out.push((word.to_owned(), weight));
            }
        });
    };
    add(stem, 2);
    for folder in folders.rsplit('/').take(3) {
        add(folder, 1);
    }
    out
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "/*", "* ", "*/", "--", ";;", "\"\"\"", "'''"].iter().any(|mark| line.starts_with(mark))
        && !line.starts_with("#include")
        && !line.starts_with("#define")
        && !line.starts_with("#[")
}

fn key(path: &str, start: u32, end: u32, body: &str) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(path.as_bytes()).update(&[0]).update(&start.to_le_bytes()).update(&end.to_le_bytes());
    hasher.update(body.as_bytes());
    let mut out = [0; 8];
    out.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    out
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
