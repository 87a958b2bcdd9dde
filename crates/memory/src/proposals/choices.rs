//! Choices: what several people agreed on, and orders and statements that say what to use and what not.

use crate::session::extract;

use super::clauses::{after, has, is_done, points_here};
use super::task_bounds;

/// `we just decided to …`, `Priya and I agreed that …`, `wir haben uns gestern darauf geeinigt, dass …`.
pub(super) fn agreed(plain: &str) -> bool {
    const ENGLISH: [&str; 8] = [
        "decided to",
        "decided on",
        "decided against",
        "decided that",
        "agreed to",
        "agreed on",
        "agreed that",
        "settled on",
    ];
    const GERMAN: [&str; 3] = ["entschieden", "beschlossen", "geeinigt"];
    let before = |end: usize| -> Vec<&str> {
        let words = plain.get(..end).unwrap_or_default().split([' ', ',']).filter(|word| !word.is_empty());
        words.rev().take(3).collect()
    };
    let english = ENGLISH.iter().any(|words| {
        plain.find(words).is_some_and(|at| before(at).iter().any(|word| ["we", "we've"].contains(word)))
            && !task_bounds::is_decided_at_hand(after(plain, words))
    });
    let german = || {
        extract::begins_clause(plain, "wir haben")
            && GERMAN.iter().any(|word| {
                extract::contains_words(plain, word) && !task_bounds::is_decided_at_hand(after(plain, word))
            })
    };
    let is_bound = || task_bounds::is_order_about(plain) || task_bounds::is_for_now(plain);
    (english || german()) && !is_bound()
}

/// `we don't use ORMs here`: what a project doesn't use at all, where `we don't use a regex here` is about one place.
pub(super) fn uses_none(words: &str, rest: &str) -> bool {
    let denies = ["we don't", "we do not", "we never", "on n'utilise"].contains(&words);
    let rest = rest.trim_start();
    let used = rest
        .strip_prefix("use ")
        .or_else(|| rest.strip_prefix("jamais "))
        .or_else(|| rest.strip_prefix("pas "));
    let first = used.and_then(|used| used.split_whitespace().next());
    let is_place = |word: &str| {
        ["a", "an", "the", "that", "this", "it", "them", "any", "ce", "cette", "le", "la", "les", "un", "une"]
            .contains(&word)
    };
    denies && first.is_some_and(|word| !is_place(word))
}

/// Whether an order says what to do and what not: `don't use pandas for large files, use polars`.
pub(super) fn gives_both(plain: &str, words: &str) -> bool {
    match words {
        "don't" | "do not" if keeps_off(plain) => true,
        "don't" | "do not" => {
            [", use ", "; use ", " but use ", ", prefer ", " - use "].iter().any(|use_| plain.contains(use_))
                || [", we ", "; we "]
                    .iter()
                    .any(|we| plain.split_once(we).is_some_and(|(_, rest)| is_done(rest)))
        }
        // `no, use the other` answers instead.
        "no" | "kein" | "keine" if !after(plain, words).starts_with(',') => {
            [", use ", "; use ", ", open ", " without ", " ohne ", ", nimm ", ", sondern ", ", lieber "]
                .iter()
                .any(|other| plain.contains(other))
        }
        "use" | "prefer" | "verwende" | "benutze" | "nimm" | "utilise" | "usa" | "we use" => {
            let rest = after(plain, words).trim_start();
            let rest = rest.strip_prefix("lieber ").unwrap_or(rest);
            // `use a map instead of a list` is about one place.
            let rest = rest.strip_prefix("bitte ").unwrap_or(rest);
            // In German, what has its article is at hand: `nimm die Zahlen vom Vorjahr, nicht die aktuellen`.
            let is_one = [
                "a ", "an ", "ein ", "eine ", "einen ", "die ", "den ", "das ", "statt ", "un ", "une ",
                "una ",
            ]
            .iter()
            .any(|article| rest.starts_with(article));
            // `use polars, not pandas, in this cell` is about one place as well.
            let contrasts = || has(plain, &[", not", ", never", ", nicht", ", pas"]) && !points_here(plain);
            let others = ["instead of", "rather than", "statt", "anstatt", "au lieu de", "en vez de"];
            !is_one && (has(plain, &others) || contrasts())
        }
        _ => false,
    }
}

/// `don't touch anything under vendor/, it is synced every night`: which files nobody changes, and why.
fn keeps_off(plain: &str) -> bool {
    let changes = ["touch", "edit", "change", "modify"];
    let files = ["anything in", "anything under", "files in", "files under"];
    let names_folder =
        || plain.split_whitespace().any(|word| word.trim_end_matches([',', '.', ';', '`']).ends_with('/'));
    let why = [", it is ", ", it's ", ", it gets ", ", they are ", ", they're ", " because "];
    has(plain, &changes)
        && (has(plain, &files) || names_folder())
        && why.iter().any(|words| plain.contains(words))
}

/// `you keep using axios; we use the fetch wrapper`: a reproach and the right way.
pub(super) fn repeats_deed(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("you keep ").or_else(|| text.strip_prefix("you always ")) else {
        return false;
    };
    let way = rest.split_once([',', ';', '.', '—', '–']).map(|(_, way)| way.trim_start());
    way.and_then(|way| way.strip_prefix("we ").or_else(|| way.strip_prefix("here we "))).is_some_and(|way| {
        is_done(way) || ["use ", "don't ", "never ", "always "].iter().any(|verb| way.starts_with(verb))
    })
}
