//! What comes out of the parser: steps, simple commands, words and the pieces of words, and to which pipeline each
//! command belongs.

/// A piece of a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Seg {
    /// Text that is taken as it is.
    Lit {
        /// The text without its quotes.
        text: String,
        /// It was in quotes.
        quoted: bool,
    },
    /// `$NAME`, with the text it has when unset (`${NAME:-text}`).
    Var {
        /// The variable; empty where only the text matters (`${NAME:+text}`).
        name: String,
        /// The text it has when unset.
        default: Option<String>,
        /// It was in double quotes.
        quoted: bool,
        /// As it was written.
        raw: String,
    },
    /// Something whose value can't be known; the text as written.
    Opaque(String),
}

/// One word before expansion.
#[derive(Debug, Clone, Default)]
pub struct Word {
    /// Its pieces, without blanks between them.
    pub segs: Vec<Seg>,
    /// As it was written.
    pub raw: String,
    /// Where it begins, in bytes, in the text it was read from: the whole one, unless it was in backticks.
    pub at: usize,
}

impl Word {
    /// Its text without quotes, expansions as they were written.
    pub fn text(&self) -> String {
        let text = |seg: &Seg| match seg {
            Seg::Lit { text, .. } | Seg::Opaque(text) | Seg::Var { raw: text, .. } => text.clone(),
        };
        self.segs.iter().map(text).collect()
    }

    /// Whether a command's output becomes a part of it.
    pub(crate) fn substitutes(&self) -> bool {
        self.segs.iter().any(|seg| matches!(seg, Seg::Opaque(text) if text.contains("$(")))
    }
}

/// What a redirection does with its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirKind {
    /// `<`: reads it.
    In,
    /// `>`, `>>`, `>|`, `&>`, `>&`: writes it.
    Out,
    /// `<>`: reads and writes it.
    Both,
    /// `<<<`: isn't a file; the word is the input.
    HereString,
}

/// A redirection to or from a file; copies of descriptors (`2>&1`) are left out.
#[derive(Debug, Clone)]
pub struct Redir {
    /// What it does.
    pub kind: RedirKind,
    /// The file.
    pub word: Word,
    /// Standard output goes there.
    pub out: bool,
    /// Error output goes there.
    pub errors: bool,
}

/// A simple command.
#[derive(Debug, Clone, Default)]
pub struct Simple {
    /// As it was written.
    pub raw: String,
    /// The same with the reserved words in front (`coproc`, `!`, `then`), where there are any.
    pub led: Option<String>,
    /// `NAME=value` in front of the program.
    pub assigns: Vec<(String, Word)>,
    /// Program and arguments.
    pub words: Vec<Word>,
    /// Files that it reads and writes.
    pub redirs: Vec<Redir>,
    /// Its here-documents: indices into [`Script::bodies`].
    pub heredocs: Vec<usize>,
    /// Its input is the output of the command before it.
    pub piped: bool,
    /// Its output is the input of the command after it.
    pub piped_out: bool,
    /// It runs in the background.
    pub background: bool,
    /// Its place among all pipelines.
    pub place: Place,
    /// What it prints becomes a part of another command's text.
    pub substituted: bool,
}

/// A place in a pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Script::pipelines`].
    pub pipeline: usize,
    /// Which of its stages, from 0.
    pub stage: usize,
}

/// One step of a script, in the order of the text.
#[derive(Debug, Clone)]
pub enum Step {
    /// A subshell begins: folder and variables are its own.
    Enter,
    /// It ends.
    Leave,
    /// A loop variable takes the words in turn.
    Loop {
        /// The variable.
        name: String,
        /// What it becomes.
        words: Vec<Word>,
    },
    /// A simple command.
    Run(Simple),
}

/// A text taken apart.
#[derive(Debug, Default)]
pub struct Script {
    /// What happens, in order. What is nested comes before the command whose word it is in.
    pub steps: Vec<Step>,
    /// The texts of here-documents: data, never commands, but for the substitutions in them.
    pub bodies: Vec<String>,
    /// The whole text, and the text of each script inside it.
    pub chains: Vec<String>,
    /// Of each pipeline, the stage of another that it is inside of.
    pub pipelines: Vec<Option<Place>>,
    /// It nests deeper than is followed: what is below was not read.
    pub too_deep: bool,
    /// The names of the functions that it defines.
    pub functions: Vec<String>,
    /// A loop or branch gets its input through a pipe.
    pub fed_inside: bool,
    /// A shell would read this otherwise or not at all.
    pub odd: bool,
    /// It ends where a shell waits for more: in a here-document, behind a pipe.
    pub unfinished: bool,
    /// It has more than simple commands in pipelines: groups, loops, tests, functions, here-documents, backticks; or a
    /// substitution whose end some shell may find elsewhere.
    pub intricate: bool,
}
