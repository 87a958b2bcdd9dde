//! What users tell about themselves that every agent should know: how they want to be answered and called, what they work
//! with. Moods, places and what they do at the moment aren't part of it.

use crate::domain::Namespace;
use crate::session::extract;

use super::clauses::{after, has};
use super::fact_limits::{MOMENTS, TODAY};
use super::facts;
use super::fault_signs::FAULTS;
use super::practice_signs::POINTING;

/// Maximum number of words of what is preferred, before what it's without or for.
const MAX_OF_KIND: usize = 3;
/// Maximum number of words of a whole statement about the speaker.
const MAX_WORDS: usize = 20;
/// How a preference begins.
const PREFERRING: &[&str] = &["i prefer", "ich bevorzuge", "je préfère", "prefiero"];
/// The article of a kind in French, which English and German don't have.
const PARTITIVE: &[&str] = &["des ", "les "];
/// What follows the kind of things that is preferred.
const FOLLOWING: &[&str] = &[
    "without", "with", "over", "in", "for", "to", "when", "ohne", "mit", "statt", "auf", "sans", "en", "sin",
    "and", "und", "et", "y", "that",
];
/// What the speaker always wants.
const WANTING: &[&str] = &[
    "i always want ",
    "i want you to always ",
    "generally i want ",
    "in general i want ",
    "as a rule i want ",
    "ich möchte immer ",
    "ich will immer ",
    "ich möchte grundsätzlich ",
    "je veux toujours ",
    "quiero siempre ",
    "i'd like you to always ",
    "ich möchte, dass du immer ",
    "ich will, dass du immer ",
    "ich möchte, dass du grundsätzlich ",
    "ich möchte, dass du künftig ",
    "ich möchte, dass du in zukunft ",
    "ich will, dass du künftig ",
];
/// How the speaker wants to be addressed, as a whole sentence.
const ADDRESS: &[&str] = &[
    "bitte duze mich",
    "duze mich bitte",
    "duze mich",
    "du kannst mich duzen",
    "bitte sieze mich",
    "sieze mich bitte",
    "tutoie-moi",
    "vouvoie-moi",
];
/// How a name for the speaker is told.
const NAMING: &[&str] =
    &["call me ", "my name is ", "nenn mich ", "ich heiße ", "je m'appelle ", "me llamo "];
/// What follows `call me` where it isn't a name.
const NO_NAME: &[&str] = &[
    "when", "back", "if", "later", "maybe", "crazy", "a", "an", "the", "in", "on", "at", "once", "again",
    "not", "wrong", "nicht", "stupid",
];
/// What the speaker works with.
const OWN_TOOLS: &[&str] = &[
    "my editor is ",
    "my shell is ",
    "my terminal is ",
    "my browser is ",
    "my keyboard is ",
    "my keyboard layout is ",
    "my operating system is ",
    "my os is ",
    "my time zone is ",
    "my timezone is ",
    "mein editor ist ",
    "meine shell ist ",
    "mein betriebssystem ist ",
    "meine zeitzone ist ",
];
/// How something the speaker works with is at the moment, behind `is`.
const STATES: &[&str] = &[
    "not",
    "open",
    "too",
    "very",
    "so",
    "down",
    "full",
    "old",
    "the",
    "a",
    "an",
    "in",
    "on",
    "off",
    "out",
    "still",
    "set",
    "showing",
    "running",
    "stuck",
    "gone",
    "new",
    "different",
    "nicht",
    "offen",
    "zu",
    "sehr",
];
/// Operating systems, machines and what is worked with on them.
const SYSTEMS: &[&str] = &[
    "mac",
    "macbook",
    "macos",
    "m1",
    "m2",
    "m3",
    "m4",
    "windows",
    "wsl",
    "linux",
    "fedora",
    "ubuntu",
    "debian",
    "arch",
    "nixos",
    "freebsd",
    "opensuse",
    "chromebook",
    "raspberry",
    "vim",
    "neovim",
    "emacs",
    "vscode",
    "helix",
    "intellij",
    "fish",
    "zsh",
    "powershell",
];
/// What comes before them.
const WORKING_ON: &[&str] = &[
    "i'm on ",
    "i am on ",
    "i work on ",
    "i work under ",
    "i work in ",
    "i use ",
    "i'm using ",
    "ich arbeite unter ",
    "ich arbeite auf ",
    "ich arbeite mit ",
    "ich nutze ",
    "ich benutze ",
    "ich verwende ",
];
/// What must be heeded in what the speaker is shown, or proposed.
const SENSES: &[&str] = &[
    "i'm colour-blind",
    "i'm color-blind",
    "i'm colourblind",
    "i'm colorblind",
    "i'm colour blind",
    "i'm color blind",
    "i am colour-blind",
    "i am color-blind",
    "i'm dyslexic",
    "i'm blind",
    "i'm the only developer",
    "i am the only developer",
    "i'm the only dev",
    "ich bin der einzige entwickler",
    "ich bin die einzige entwicklerin",
    "i use a screen reader",
    "ich bin farbenblind",
    "ich bin blind",
    "ich nutze einen screenreader",
];

/// The namespace of a sentence about how the speaker works and wants to be answered; `None` for any other.
pub(super) fn namespace(plain: &str) -> Option<Namespace> {
    let text = facts::without_leads(plain).trim_end_matches(['.', '!', ' ']);
    if SENSES.iter().any(|own| text.starts_with(own)) && !has(text, TODAY) {
        return Some(Namespace::Context);
    }
    if has(text, MOMENTS) || has(text, TODAY) || has(text, FAULTS) || facts::asks_to_look(text) {
        return None;
    }
    if prefers(text) || likes_better(text) || wants_always(text) {
        return Some(Namespace::Patterns);
    }
    let is_whole = text.split_whitespace().count() <= MAX_WORDS;
    let tells = ADDRESS.contains(&text) || names_speaker(text) || names_equipment(text);
    (is_whole && tells).then_some(Namespace::Context)
}

/// `I prefer short answers without a summary`, `ich bevorzuge kurze Antworten`.
fn prefers(text: &str) -> bool {
    PREFERRING.iter().any(|words| {
        let Some(rest) = text.strip_prefix(words).map(str::trim_start) else { return false };
        let rest = PARTITIVE.iter().find_map(|article| rest.strip_prefix(article)).unwrap_or(rest);
        let words_are_french = *words == "je préfère";
        let words: Vec<&str> = rest.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        let end = words.iter().position(|word| FOLLOWING.contains(word)).unwrap_or(words.len());
        let kind = words.get(..end).unwrap_or_default();
        // In French the kind comes first: `les messages de commit`.
        let is_plural =
            |word: Option<&&str>| word.is_some_and(|word| word.ends_with('s') || word.ends_with("en"));
        let ends = is_plural(kind.last()) || words_are_french && is_plural(kind.first());
        (1..=MAX_OF_KIND).contains(&kind.len())
            && (kind.len() > 1 || end < words.len())
            && ends
            && !POINTING.contains(&first)
            && !facts::is_here(rest)
    })
}

/// `I like early returns better than nested ifs`: a kind of things, and which it's preferred to.
fn likes_better(text: &str) -> bool {
    let rest = text.strip_prefix("i like ").unwrap_or_default();
    let (kind, other) = rest.split_once(" better than ").unwrap_or_default();
    let is_kind = |words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        (1..=MAX_OF_KIND).contains(&words.len())
            && words.first().is_some_and(|first| !POINTING.contains(first))
            && words.last().is_some_and(|last| last.ends_with('s') && !last.ends_with("ss"))
    };
    is_kind(kind) && is_kind(other) && !facts::is_here(rest)
}

/// `I always want tests written before the implementation`.
fn wants_always(text: &str) -> bool {
    WANTING.iter().any(|words| {
        let rest = text.strip_prefix(words).unwrap_or_default();
        rest.split_whitespace().count() >= MAX_OF_KIND && !facts::is_here(facts::main_clause(rest))
    })
}

/// `call me Jo, not Joanna`, `my name is Henrik and …`.
fn names_speaker(text: &str) -> bool {
    NAMING.iter().any(|words| {
        let rest = text.strip_prefix(words).unwrap_or_default();
        let mut parts = rest.split([' ', ',']);
        let name = parts.next().unwrap_or_default();
        let ends = rest.get(name.len()..).unwrap_or_default();
        let is_name = name.chars().count() > 1 && name.chars().all(|c| c.is_alphabetic() || c == '-');
        is_name
            && !NO_NAME.contains(&name)
            && !POINTING.contains(&name)
            && (ends.is_empty()
                || ends.starts_with(',')
                || ends.starts_with(" and ")
                || ends.starts_with(" und "))
    })
}

/// `my editor is Helix`, `I'm on an M2 Mac`, `I use fish as my shell`, `I'm colour-blind, so …`.
fn names_equipment(text: &str) -> bool {
    let first = |rest: &str| rest.split([' ', ',']).next().unwrap_or_default().to_owned();
    let of_tool = OWN_TOOLS.iter().filter_map(|words| text.strip_prefix(words)).any(|rest| {
        let value = first(rest);
        !value.is_empty()
            && !STATES.contains(&value.as_str())
            && rest.split_whitespace().count() <= MAX_OF_KIND
    });
    let of_system = WORKING_ON.iter().filter_map(|words| text.strip_prefix(words)).any(|rest| {
        let rest =
            ["a ", "an ", "einem ", "einen "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
        // `I use Windows line ends here`
        let named: Vec<&str> = rest.split([' ', ',']).take(2).collect();
        let is_system = named.first().is_some_and(|word| SYSTEMS.contains(word));
        let is_joined = named.get(1).is_none_or(|next| {
            ["", "and", "with", "so", "und", "also", "mit"].contains(next) || SYSTEMS.contains(next)
        });
        is_system && (is_joined || rest.contains(", ")) && !facts::is_here(facts::main_clause(rest))
    });
    let uses_as = || {
        let rest = if extract::begins_clause(text, "i use") { after(text, "i use ") } else { "" };
        let as_my =
            ["as my shell", "as my editor", "as my terminal", "as my browser", "as my keyboard layout"];
        rest.split_whitespace().next().is_some_and(|name| !POINTING.contains(&name)) && has(rest, &as_my)
    };
    of_tool || of_system || uses_as()
}
