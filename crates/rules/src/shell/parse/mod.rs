//! The grammar of the shell, as far as it decides which programs are started with which words.
//!
//! One cursor walks the text once; what is nested (`$( )`, `( )`, backticks, here-documents) is parsed where
//! it stands. The result is a flat list of steps. Nothing is expanded here and nothing is judged. The parser
//! never fails: what a shell would refuse is read as well as it can be, and marked as odd.
//!
//! This file owns the parser and how deep it goes; a file each for the lists, commands, compound commands,
//! redirections, words, quotes and expansions of the grammar, and one for the tree that comes out.

mod command;
mod compound;
mod cursor;
mod expansion;
mod list;
mod quote;
mod redirect;
mod tree;
mod word;

use list::End;
use redirect::Pending;
pub(crate) use tree::{Redir, RedirKind, Script, Seg, Simple, Step, Word};

/// How deep substitutions, subshells and scripts in scripts may nest before a command is given up as
/// something that cannot be taken apart.
pub(crate) const MAX_DEPTH: usize = 40;

pub(crate) fn parse(text: &str) -> Script {
    let mut parser =
        Parser { src: text, pos: 0, depth: 0, out: Script::default(), pending: Vec::new(), fed: false };
    parser.out.chains.push(text.trim().to_owned());
    parser.list(End::Eof);
    parser.flush_heredocs();
    parser.out
}

struct Parser<'a> {
    src: &'a str,
    pos: usize,
    depth: usize,
    out: Script,
    pending: Vec<Pending>,
    /// The list that begins here gets its input from elsewhere.
    fed: bool,
}

impl Parser<'_> {
    /// Goes one level down; `false` if that is too deep, and then nothing more is read.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.out.too_deep = true;
            self.pos = self.src.len();
        }
        self.depth <= MAX_DEPTH
    }

    /// Parses `text`, which stands for itself, with the output going to the same place.
    fn nested(&mut self, text: &str, expansions_only: bool) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.out.too_deep = true;
        } else {
            let out = std::mem::take(&mut self.out);
            let mut inner =
                Parser { src: text, pos: 0, depth: self.depth, out, pending: Vec::new(), fed: false };
            if expansions_only {
                inner.expansions();
            } else {
                inner.out.chains.push(text.trim().to_owned());
                inner.list(End::Eof);
                inner.flush_heredocs();
            }
            self.out = inner.out;
        }
        self.depth -= 1;
    }
}
