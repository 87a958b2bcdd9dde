//! The grammar of the shell, as far as it decides which programs are started with which words.
//!
//! One cursor walks the text once; what is nested (`$( )`, `( )`, backticks, here-documents) is parsed where
//! it stands. The result is a flat list of steps. Nothing is expanded here and nothing is judged. The parser
//! never fails: what a shell would refuse is read as well as it can be, and marked as odd.
//!
//! A command knows its pipeline, and a pipeline the group, subshell or loop that it is inside of: what goes through
//! `( a; b ) | head` goes through `head` at last.
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
pub use tree::{Place, Redir, RedirKind, Script, Seg, Simple, Step, Word};

/// How deep substitutions, subshells and scripts in scripts may nest before a command is given up as
/// something that cannot be taken apart.
pub const MAX_DEPTH: usize = 40;

/// Takes `text` apart. Never fails; time grows with the length of the text.
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
    let mut parser = Parser::of(text, 0, Script::default());
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
    /// Where the next command stands.
    place: Place,
    /// What groups and loops are open, with the place that each has as a stage.
    groups: Vec<Place>,
    /// How many substitutions the cursor is inside of.
    substituting: usize,
}

impl<'a> Parser<'a> {
    fn of(src: &'a str, depth: usize, out: Script) -> Self {
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

    /// A new pipeline begins, inside of that stage.
    fn pipeline(&mut self, inside: Option<Place>) {
        self.place = Place { pipeline: self.out.pipelines.len(), stage: 0 };
        self.out.pipelines.push(inside);
    }

    /// The next pipeline of the same list begins.
    fn next_pipeline(&mut self) {
        self.pipeline(self.out.pipelines.get(self.place.pipeline).copied().flatten());
    }

    /// Reads what is inside of that stage, or of none; afterwards the cursor is where it was among the pipelines.
    fn within(&mut self, stage: Option<Place>, read: impl FnOnce(&mut Self)) {
        let (place, groups) = (self.place, std::mem::take(&mut self.groups));
        self.pipeline(stage);
        read(self);
        (self.place, self.groups) = (place, groups);
    }

    /// A group or a loop begins.
    fn open_group(&mut self) {
        self.out.intricate |= self.substituting == 0;
        self.groups.push(self.place);
        self.pipeline(Some(self.place));
    }

    /// It ends; it was a stage of what it is in.
    fn close_group(&mut self) {
        self.out.intricate |= self.substituting == 0;
        if let Some(place) = self.groups.pop() {
            self.place = place;
        }
    }

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
            let mut inner = Parser::of(text, self.depth, std::mem::take(&mut self.out));
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
