//! Taking a command apart: every program it would start, every file and host its text names.
//!
//! The room `shell` reads the grammar; here `expand` reads the words, `wrap` the programs that run programs, `files` and `named` what
//! plain commands touch; `walk` puts them together.

mod expand;
mod files;
mod named;
mod walk;
mod wrap;

use ::shell::grammar;

pub(crate) use walk::{Part, Place, Seen, Start, see};

/// Every simple command in `command`: chains, pipes, substitutions, subshells and bodies split, wrappers
/// (`sudo`, `env`, `xargs`, `bash -c`, …) given both with and without what they wrap. Quotes are removed and
/// the words of each command are joined by one space. Never fails; time grows with the length of the text.
///
/// ```
/// assert_eq!(plimsoll_rules::parts("cd x && sudo 'r'm -rf y"), ["cd x", "sudo rm -rf y", "rm -rf y"]);
/// ```
pub fn parts(command: &str) -> Vec<String> {
    let seen = see(Start::Shell(command), None, None);
    seen.parts.into_iter().map(|part| part.words.join(" ")).filter(|text| !text.is_empty()).collect()
}

/// [`parts`] without those that nobody wrote as commands of their own: what a launcher such as `npx` starts is named
/// together with it, and a word that is only tried as a program is none.
///
/// ```
/// assert_eq!(plimsoll_rules::written("cd x && npx vitest run"), ["cd x", "npx vitest run"]);
/// ```
pub fn written(command: &str) -> Vec<String> {
    let seen = see(Start::Shell(command), None, None);
    let parts = seen.parts.into_iter().filter(|part| !part.tried);
    parts.map(|part| part.words.join(" ")).filter(|text| !text.is_empty()).collect()
}

/// `text` as words without their quotes.
pub(crate) fn plain_words(text: &str) -> Vec<String> {
    let script = grammar::parse(text);
    let vars = expand::Vars::default();
    let mut budget = 0;
    let first = script.steps.iter().find_map(|step| match step {
        grammar::Step::Run(simple) => Some(simple),
        _ => None,
    });
    let Some(simple) = first else {
        return text.split_whitespace().map(str::to_owned).collect();
    };
    let assigns = simple.assigns.iter().map(|(name, value)| format!("{name}={}", value.raw));
    let words = simple.words.iter().flat_map(|w| expand::fields(w, &vars, &mut budget)).map(|f| f.text);
    assigns.chain(words).collect()
}
