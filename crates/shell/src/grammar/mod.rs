//! The shell's grammar, as far as it decides which programs start with which words.
//!
//! One cursor passes over the text once and parses what is nested (`$( )`, `( )`, backticks, here-documents) in place. The
//! result is a flat list of steps. Nothing is expanded or judged. The parser never fails: it reads what a shell would
//! refuse as well as it can, and marks it as odd.
//!
//! A command knows its pipeline, and a pipeline the group, subshell or loop that contains it: the output of `( a; b ) | head`
//! ends in `head`.
//!
//! This file owns the parser and its depth limit; lists, commands, compound commands, redirections, words, quotes,
//! expansions and the resulting tree have a file each.

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
pub use tree::{Place, Redir, RedirKind, Script, Seg, Simple, Step, Word};

/// How deep substitutions, subshells and scripts in scripts may nest before the parser gives up.
pub const MAX_DEPTH: usize = 40;

/// Parses `text`. Never fails; takes linear time.
///
/// ```
/// use plimsoll_shell::grammar::{Step, parse};
/// let script = parse("cd 'a b' && cat <<X | wc\nrm y\nX");
/// let programs = script.steps.iter().filter_map(|step| match step {
///     Step::Run(simple) => simple.words.first().map(|word| word.text()),
///     _ => None,
/// });
/// assert_eq!(programs.collect::<Vec<_>>(), ["cd", "cat", "wc"]);
/// assert_eq!(script.bodies, ["rm y\n"]);
/// ```
pub fn parse(text: &str) -> Script {
    let mut parser = Parser::new(text, 0, Script::default());
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
    /// Whether the next list gets its input from elsewhere.
    fed: bool,
    /// The position of the next command among the pipelines.
    place: Place,
    /// The open groups and loops, each with its own position as a stage.
    groups: Vec<Place>,
    /// How many substitutions the cursor is inside.
    substituting: usize,
}

impl<'a> Parser<'a> {
    fn new(src: &'a str, depth: usize, out: Script) -> Self {
        let mut parser = Parser {
            src,
            pos: 0,
            depth,
            out,
            pending: Vec::new(),
            fed: false,
            place: Place::default(),
            groups: Vec::new(),
            substituting: 0,
        };
        parser.pipeline(None);
        parser
    }

    /// Begins a new pipeline inside that stage.
    fn pipeline(&mut self, inside: Option<Place>) {
        self.place = Place { pipeline: self.out.pipelines.len(), stage: 0 };
        self.out.pipelines.push(inside);
    }

    /// Begins the next pipeline of the same list.
    fn next_pipeline(&mut self) {
        self.pipeline(self.out.pipelines.get(self.place.pipeline).copied().flatten());
    }

    /// Parses the content of that stage, or of none, and restores the position among the pipelines.
    fn in_stage(&mut self, stage: Option<Place>, read: impl FnOnce(&mut Self)) {
        let (place, groups) = (self.place, std::mem::take(&mut self.groups));
        self.pipeline(stage);
        read(self);
        (self.place, self.groups) = (place, groups);
    }

    /// Begins a group or a loop.
    fn open_group(&mut self) {
        self.out.intricate |= self.substituting == 0;
        self.groups.push(self.place);
        self.pipeline(Some(self.place));
    }

    /// Ends it; it was a stage of the pipeline that contains it.
    fn close_group(&mut self) {
        self.out.intricate |= self.substituting == 0;
        if let Some(place) = self.groups.pop() {
            self.place = place;
        }
    }

    /// Goes one level down; `false` if that is too deep, and then nothing more is parsed.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.out.too_deep = true;
            self.pos = self.src.len();
        }
        self.depth <= MAX_DEPTH
    }

    /// Parses `text`, a script of its own, into the same output.
    fn parse_nested(&mut self, text: &str, expansions_only: bool) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.out.too_deep = true;
        } else {
            let mut inner = Parser::new(text, self.depth, std::mem::take(&mut self.out));
            inner.substituting = self.substituting + 1;
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
