//! The plain grammar: commands that every shell parses the same way, so that a decision about the text is a decision about
//! what runs.
//!
//! A plain command is a list of parts joined by `&&`. A part is words separated by spaces: unquoted literals of letters,
//! digits and a few harmless signs, or literals in one pair of quotes. Before the program may be assignments of literals,
//! after its arguments copies of descriptors (`2>&1`). A part's output may go through ` | ` into one of four programs that
//! run nothing and pass on their input (`tee`, `cat`, `head`, `tail`). There is no expansion, substitution, redirection to
//! a file, glob, brace, tilde, comment, history, newline or control character. [`parse`] is total: whatever it doesn't know
//! isn't plain.
//!
//! Plimsoll answers "allow" only for plain commands, and where a rule could apply it rewrites only those. The grammar may
//! grow when a construct is proven to parse alike in every shell; it must never guess.

/// The longest text that is parsed, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// One program with its arguments, exactly as every shell passes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// `NAME=literal` before the program.
    pub assigns: Vec<(String, String)>,
    /// The program and its arguments, without quotes.
    pub words: Vec<String>,
    /// Descriptor copies after the arguments (`2>&1`), as written.
    pub copies: Vec<String>,
    /// Whether it reads the previous part's output.
    pub piped: bool,
}

/// Programs allowed after a pipe: they pass on some or all of their input, and run nothing.
pub const PASS_THROUGH_PROGRAMS: &[&str] = &["tee", "cat", "head", "tail"];

/// Words that some shell doesn't treat as a program, or that parse their arguments as commands: what runs then differs from
/// the text.
const NOT_PROGRAMS: &[&str] = &[
    // Reserved in bash, zsh, fish or dash.
    "if",
    "then",
    "else",
    "elif",
    "fi",
    "for",
    "foreach",
    "while",
    "until",
    "do",
    "done",
    "case",
    "esac",
    "select",
    "function",
    "in",
    "time",
    "coproc",
    "repeat",
    "end",
    "begin",
    "switch",
    "and",
    "or",
    "not",
    "nocorrect",
    "noglob",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "float",
    "integer",
    "let",
    "set",
    "unset",
    "shift",
    "setopt",
    "unsetopt",
    "shopt",
    "enable",
    "disable",
    "emulate",
    "zmodload",
    "autoload",
    // Parse words as commands, or change what later words mean.
    "eval",
    "source",
    ".",
    "exec",
    "command",
    "builtin",
    "alias",
    "unalias",
    "trap",
    "hash",
    "bind",
    "complete",
    "compgen",
    "compdef",
    "fc",
    "history",
    "abbr",
    "sched",
    "zle",
    "-",
];

/// Parses a plain command; `None` for any other text.
///
/// ```
/// use plimsoll_rules::plain;
/// let parts = plain::parse("cd api && cargo test 'one name'").unwrap();
/// assert_eq!(parts[1].words, ["cargo", "test", "one name"]);
/// assert!(plain::parse("make test 2>&1 | tee log").unwrap()[1].piped);
/// assert_eq!(plain::parse("make test | sh"), None);
/// assert_eq!(plain::parse("cargo test $(x)"), None);
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<Vec<Part>> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut parts = Vec::new();
    let mut part = Part::default();
    let mut rest = text.trim_start_matches(' ');
    loop {
        rest = rest.trim_start_matches(' ');
        if rest.is_empty() {
            parts.push(finished(part)?);
            return Some(parts);
        }
        if let Some(after) = rest.strip_prefix("&&") {
            parts.push(finished(std::mem::take(&mut part))?);
            rest = after;
            continue;
        }
        // With a space on both sides: `|&`, `||` and `>|` are different operators.
        if let Some(after) = rest.strip_prefix("| ") {
            parts.push(finished(std::mem::take(&mut part))?);
            part.piped = true;
            rest = after;
            continue;
        }
        let copy = ["2>&1", "1>&2", ">&2"].into_iter().find(|copy| ends_word(rest.strip_prefix(copy)));
        if let Some(copy) = copy {
            part.copies.push(copy.to_owned());
            rest = rest.get(copy.len()..)?;
            continue;
        }
        // After a redirection, only another one parses alike everywhere.
        if !part.copies.is_empty() {
            return None;
        }
        rest = word(rest, &mut part)?;
    }
}

/// Parses one word into `part` and returns the rest.
fn word<'a>(text: &'a str, part: &mut Part) -> Option<&'a str> {
    let bare_len = text.bytes().position(|b| !is_bare(b)).unwrap_or(text.len());
    let (bare, rest) = text.split_at_checked(bare_len)?;
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
    // Quotes start a word, or the value of an option or assignment: `'a b'`, `--name='a b'`, `NAME="a b"`.
    if quote.is_some() && !bare.is_empty() && !bare.ends_with('=') {
        return None;
    }
    let (value, rest) = match quote {
        Some(quote) => {
            let (inner, rest) = rest.get(1..)?.split_once(quote)?;
            (inner, rest)
        }
        None if bare.is_empty() => return None,
        None => ("", rest),
    };
    if !value.chars().all(is_quotable) || !ends_word(Some(rest)) {
        return None;
    }
    if part.words.is_empty() {
        if let Some((name, start)) = bare.split_once('=') {
            if !is_name(name) {
                return None;
            }
            part.assigns.push((name.to_owned(), format!("{start}{value}")));
            return Some(rest);
        }
        // A program is unquoted, and starts like a name or a path.
        if quote.is_some() || !bare.starts_with(|c: char| c.is_ascii_alphanumeric() || "_./".contains(c)) {
            return None;
        }
    } else if bare.starts_with(['=', '%']) {
        // `=name` is a path in zsh, `%1` a job.
        return None;
    }
    part.words.push(format!("{bare}{value}"));
    Some(rest)
}

/// Whether a word ends here: at a space, at `&&`, or with the text.
fn ends_word(rest: Option<&str>) -> bool {
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' ') || rest.starts_with("&&"))
}

fn finished(part: Part) -> Option<Part> {
    let first = part.words.first()?.as_str();
    let known = !part.piped || PASS_THROUGH_PROGRAMS.contains(&first) && part.assigns.is_empty();
    (known && !NOT_PROGRAMS.contains(&first)).then_some(part)
}

fn is_bare(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_-./,:@%+=".contains(&b)
}

/// Characters that are literal in both kinds of quotes in every shell.
fn is_quotable(c: char) -> bool {
    match c {
        '$' | '`' | '\\' | '!' | '\'' | '"' => false,
        ' '..='~' => true,
        _ => !c.is_ascii() && c.is_alphanumeric(),
    }
}

fn is_name(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text.bytes().next().is_some_and(|b| !b.is_ascii_digit())
}
