//! What comes out of the parser: steps, simple commands, words and the pieces of words.

/// A piece of a word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seg {
    /// Text that stands for itself.
    Lit { text: String, quoted: bool },
    /// `$NAME`, with the text it has when unset (`${NAME:-text}`).
    Var { name: String, default: Option<String>, quoted: bool },
    /// Something whose value cannot be known; the text as written.
    Opaque(String),
}

/// One word before expansion.
#[derive(Debug, Clone, Default)]
pub(crate) struct Word {
    pub(crate) segs: Vec<Seg>,
    pub(crate) raw: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RedirKind {
    In,
    Out,
    Both,
    HereString,
}

#[derive(Debug, Clone)]
pub(crate) struct Redir {
    pub(crate) kind: RedirKind,
    pub(crate) word: Word,
}

/// A simple command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Simple {
    pub(crate) raw: String,
    /// The same with the reserved words in front (`coproc`, `!`, `then`), where there are any.
    pub(crate) led: Option<String>,
    pub(crate) assigns: Vec<(String, Word)>,
    pub(crate) words: Vec<Word>,
    pub(crate) redirs: Vec<Redir>,
    /// Indices into [`Script::bodies`].
    pub(crate) heredocs: Vec<usize>,
    /// Its input is the output of the command before it.
    pub(crate) piped: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// A subshell begins: folder and variables are its own.
    Enter,
    Leave,
    /// A loop variable takes the words in turn.
    Loop {
        name: String,
        words: Vec<Word>,
    },
    Run(Simple),
}

/// A text taken apart.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
    pub(crate) bodies: Vec<String>,
    /// The whole text, and the text of each script inside it.
    pub(crate) chains: Vec<String>,
    pub(crate) too_deep: bool,
    /// The names of the functions that it defines.
    pub(crate) functions: Vec<String>,
    /// A loop or branch gets its input through a pipe.
    pub(crate) fed_inside: bool,
    /// A shell would read this otherwise or not at all.
    pub(crate) odd: bool,
}
