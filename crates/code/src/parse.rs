//! Parses one text within limits of work and size. A text over the limit is indexed by lines, and the parser is reset. The
//! limit counts work, not time, so that a text gives the same result on every computer under any load. Doesn't know what the
//! nodes mean.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use crate::grammar::Grammar;

/// Larger texts are not parsed.
pub(crate) const MAX_PARSED_BYTES: usize = 1024 * 1024;
/// Steps of a hundred operations of the parser: what any text may take …
pub(crate) const MAX_STEPS: u64 = 12_000;
/// … and, in addition, one step per this many bytes. Ordinary code takes one for about a hundred.
const BYTES_FOR_A_STEP: u64 = 8;
/// The longest wait, however busy the computer is.
const MAX_PARSE_TIME: Duration = Duration::from_secs(20);

/// How a file's symbols were found, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Parsed {
    /// By its grammar.
    Whole,
    /// By its grammar, with places that it did not understand.
    WithErrors,
    /// There is no grammar for its language: by lines, without symbols.
    #[default]
    NoGrammar,
    /// The text is too large for a grammar: by lines.
    TooLarge,
    /// The grammar took too long: by lines.
    TooSlow,
    /// Too few or too long lines to be written by hand, judging by the start.
    Minified,
    /// Its grammar ended a run before, and it has not changed since: by lines.
    Fatal,
}

impl Parsed {
    /// All of them, in the order of the numbers they are stored as.
    pub const ALL: [Parsed; 7] = [
        Parsed::Whole,
        Parsed::WithErrors,
        Parsed::NoGrammar,
        Parsed::TooLarge,
        Parsed::TooSlow,
        Parsed::Minified,
        Parsed::Fatal,
    ];

    /// The number it is stored as.
    pub fn number(self) -> usize {
        Parsed::ALL.iter().position(|p| *p == self).unwrap_or(2)
    }

    /// Whether its definitions are known.
    pub fn is_by_symbols(self) -> bool {
        matches!(self, Parsed::Whole | Parsed::WithErrors)
    }

    /// As it is written in replies.
    pub fn name(self) -> &'static str {
        match self {
            Parsed::Whole => "whole",
            Parsed::WithErrors => "with_errors",
            Parsed::NoGrammar => "no_grammar",
            Parsed::TooLarge => "too_large",
            Parsed::TooSlow => "too_slow",
            Parsed::Minified => "minified",
            Parsed::Fatal => "fatal",
        }
    }
}

thread_local! {
    /// One parser for each grammar and thread: making one costs more than parsing a small file.
    static PARSERS: RefCell<HashMap<usize, Parser>> = RefCell::new(HashMap::new());
}

/// Parses `text`; the error says why there is no tree.
///
/// # Errors
/// [`Parsed::TooLarge`], [`Parsed::TooSlow`], or [`Parsed::NoGrammar`] when the grammar does not fit this library.
pub(crate) fn parse(grammar: &'static Grammar, text: &str, max_steps: u64) -> Result<Tree, Parsed> {
    if text.len() > MAX_PARSED_BYTES {
        return Err(Parsed::TooLarge);
    }
    PARSERS.with_borrow_mut(|parsers| {
        let key = std::ptr::from_ref(grammar) as usize;
        let parser = match parsers.entry(key) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let mut parser = Parser::new();
                parser.set_language(&grammar.parser.into()).map_err(|_| Parsed::NoGrammar)?;
                entry.insert(parser)
            }
        };
        let end = Instant::now() + MAX_PARSE_TIME;
        let most = max_steps.saturating_add(text.len() as u64 / BYTES_FOR_A_STEP);
        let mut steps = 0u64;
        let mut watch = |_: &ParseState| {
            steps += 1;
            let stop = steps > most || (steps.is_multiple_of(256) && Instant::now() > end);
            if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut watch);
        let bytes = text.as_bytes();
        let tree =
            parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree.ok_or(Parsed::TooSlow)
    })
}

/// The text of a node.
pub(crate) fn slice<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}
