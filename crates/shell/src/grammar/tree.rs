//! The parser's result: steps, simple commands, words and their segments, and each command's pipeline.

/// A piece of a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Seg {
    /// Literal text.
    Lit {
        /// The text without its quotes.
        text: String,
        /// Whether it was quoted.
        quoted: bool,
    },
    /// `$NAME`, with its default text (`${NAME:-text}`).
    Var {
        /// The variable; empty if only the text matters (`${NAME:+text}`).
        name: String,
        /// The default text.
        default: Option<String>,
        /// Whether it was in double quotes.
        quoted: bool,
        /// As written.
        raw: String,
    },
    /// Something of unknown value; the text as written.
    Opaque(String),
}

/// One word before expansion.
#[derive(Debug, Clone, Default)]
pub struct Word {
    /// Its segments, without blanks between them.
    pub segs: Vec<Seg>,
    /// As written.
    pub raw: String,
    /// Its byte offset in the text it was parsed from: the whole text, unless it was in backticks.
    pub at: usize,
}

impl Word {
    /// Its text without quotes, with expansions as written.
    pub fn text(&self) -> String {
        let text = |seg: &Seg| match seg {
            Seg::Lit { text, .. } | Seg::Opaque(text) | Seg::Var { raw: text, .. } => text.clone(),
        };
        self.segs.iter().map(text).collect()
    }

    /// Whether it contains a command's output.
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
    /// `<<<`: not a file; the word is the input.
    HereString,
}

/// A redirection to or from a file; copies of descriptors (`2>&1`) are left out.
#[derive(Debug, Clone)]
pub struct Redir {
    /// Its kind.
    pub kind: RedirKind,
    /// The file.
    pub word: Word,
    /// Whether standard output goes there.
    pub out: bool,
    /// Whether error output goes there.
    pub errors: bool,
}

/// A simple command.
#[derive(Debug, Clone, Default)]
pub struct Simple {
    /// As written.
    pub raw: String,
    /// The same with the reserved words before it (`coproc`, `!`, `then`), if any.
    pub raw_with_keywords: Option<String>,
    /// `NAME=value` before the program.
    pub assigns: Vec<(String, Word)>,
    /// Program and arguments.
    pub words: Vec<Word>,
    /// The files that it reads and writes.
    pub redirs: Vec<Redir>,
    /// Whether its output or error output is copied to a descriptor that the text or its caller has opened (`>&3`), which
    /// may be a file.
    pub to_descriptor: bool,
    /// Its here-documents: indices into [`Script::bodies`].
    pub heredocs: Vec<usize>,
    /// Whether its input is the previous command's output.
    pub piped: bool,
    /// Whether its output is the next command's input.
    pub piped_out: bool,
    /// Whether it runs in the background.
    pub background: bool,
    /// Its position among all pipelines.
    pub place: Place,
    /// Whether its output becomes part of another command's text.
    pub substituted: bool,
}

/// A position in a pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Script::pipelines`].
    pub pipeline: usize,
    /// The stage, from 0.
    pub stage: usize,
}

/// One step of a script, in text order.
#[derive(Debug, Clone)]
pub enum Step {
    /// A subshell begins, with its own folder and variables.
    Enter,
    /// A subshell ends.
    Leave,
    /// A loop variable takes each of the words.
    Loop {
        /// The variable.
        name: String,
        /// Its values.
        words: Vec<Word>,
    },
    /// A simple command.
    Run(Simple),
}

/// A parsed text.
#[derive(Debug, Default)]
pub struct Script {
    /// The steps in order. Nested ones precede the command whose word contains them.
    pub steps: Vec<Step>,
    /// The texts of here-documents: data, never commands, except for their substitutions.
    pub bodies: Vec<String>,
    /// The whole text, and the text of each script inside it.
    pub chains: Vec<String>,
    /// For each pipeline, the stage of another pipeline that contains it.
    pub pipelines: Vec<Option<Place>>,
    /// Whether it nests deeper than the limit: the rest wasn't parsed.
    pub too_deep: bool,
    /// The names of the functions it defines.
    pub functions: Vec<String>,
    /// Whether a loop or branch reads from a pipe.
    pub inner_pipe: bool,
    /// Whether a shell would parse it differently or reject it.
    pub odd: bool,
    /// Whether it ends where a shell waits for more: in a here-document, after a pipe.
    pub unfinished: bool,
    /// Whether it has more than simple commands in pipelines: groups, loops, tests, functions, here-documents, backticks; or a
    /// substitution whose end shells may place differently.
    pub intricate: bool,
}
