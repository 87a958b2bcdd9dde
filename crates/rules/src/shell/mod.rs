//! Analyses a command: every program it would start, every file and host in its text.
//!
//! The crate `shell` parses the grammar; here `expand` expands the words, `wrap` knows the programs that run programs, `files`
//! and `path_words` what simple commands read and write; `walk` combines them.

mod expand;
mod file_programs;
mod files;
mod path_words;
mod walk;
mod wrap;

use ::shell::grammar;

pub(crate) use walk::{Analysis, Part, PathMention, Snippet, analyze};

/// Every simple command in `command`: chains, pipes, substitutions, subshells and bodies split, wrappers (`sudo`, `env`,
/// `xargs`, `bash -c`, …) listed both with and without what they wrap. Quotes are removed, and each command's words are
/// joined by one space. Never fails; takes linear time.
///
/// ```
/// assert_eq!(plimsoll_rules::parts("cd x && sudo 'r'm -rf y"), ["cd x", "sudo rm -rf y", "rm -rf y"]);
/// ```
pub fn parts(command: &str) -> Vec<String> {
    let seen = analyze(Snippet::Shell(command), None, None);
    seen.parts.into_iter().map(|part| part.words.join(" ")).filter(|text| !text.is_empty()).collect()
}

/// [`parts`] without those that weren't written as commands of their own: a launcher such as `npx` is listed together with
/// what it starts, and a word that is only tried as a program isn't listed.
///
/// ```
/// assert_eq!(plimsoll_rules::written_parts("cd x && npx vitest run"), ["cd x", "npx vitest run"]);
/// ```
pub fn written_parts(command: &str) -> Vec<String> {
    let seen = analyze(Snippet::Shell(command), None, None);
    let parts = seen.parts.into_iter().filter(|part| !part.speculative);
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
