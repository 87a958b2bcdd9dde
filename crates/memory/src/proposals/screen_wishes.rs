//! Wishes for what a screen shows or a function gives, which have the words of a rule.

use crate::session::extract;

use super::clauses::{after, has};
use super::fact_subjects::CODE_AND_SCREEN;
use super::limits::LASTING;
use super::signs::PARTS_MADE;

/// Verbs of what a screen does.
const SHOWING: &[&str] =
    &["show", "display", "hide", "render", "highlight", "center", "centre", "zeige", "zeig"];
/// The same at the end of a German order.
const SHOWING_AT_END: &[&str] = &[
    "anzeigen",
    "einblenden",
    "ausblenden",
    "darstellen",
    "hervorheben",
    "zentrieren",
    "ausrichten",
    "sortieren",
    "markieren",
];
/// What is before one thing.
pub(super) const ARTICLES: &[&str] = &["the", "a", "an", "der", "die", "das", "den", "ein", "eine", "einen"];
/// Words for what applies for all time.
pub(super) const EVER: &[&str] = &["always", "never", "immer", "nie", "niemals"];

/// What only the users of a program do. In English, some are nouns as well.
const USED_BY: &[&str] = &[
    "click", "clicks", "tap", "taps", "hover", "hovers", "scroll", "scrolls", "drag", "drags", "swipe",
    "swipes",
];
const USED_BY_IN_GERMAN: &[&str] =
    &["klickst", "klickt", "tippst", "tippt", "scrollst", "scrollt", "ziehst", "zieht", "wischst", "wischt"];
/// Words before what somebody does: who does it, and how.
const WHO: &[&str] = &[
    "you",
    "i",
    "we",
    "they",
    "he",
    "she",
    "one",
    "someone",
    "somebody",
    "anyone",
    "people",
    "user",
    "users",
    "visitor",
    "visitors",
    "customer",
    "customers",
    "player",
    "players",
    "double",
    "long",
    "right",
];

/// Whether a sentence begins with what a program's users do: what comes then is a wish for that program, as in `when you click on a
/// row, always open the details`.
pub(super) fn is_on_use(plain: &str) -> bool {
    const BEGINNINGS: [&str; 9] = [
        "when ",
        "whenever ",
        "if ",
        "once ",
        "every time ",
        "each time ",
        "wenn ",
        "immer wenn ",
        "sobald ",
    ];
    let occasion = plain.split(',').next().unwrap_or_default();
    let words: Vec<&str> = occasion.split_whitespace().collect();
    // `when you write a click handler`
    let is_deed = || words.windows(2).any(|pair| WHO.contains(&pair[0]) && USED_BY.contains(&pair[1]));
    BEGINNINGS.iter().any(|words| plain.starts_with(words)) && (has(occasion, USED_BY_IN_GERMAN) || is_deed())
}

/// Whether what is always or never so is what a screen shows or a function gives: `always show the header`, `never return null`,
/// `always sort the rows by date`. What is so of a whole kind is a rule: `never show stack traces`.
pub(super) fn is_wish_for_screen(plain: &str) -> bool {
    const GIVEN: [&str; 7] = ["null", "true", "false", "none", "undefined", "0", "the"];
    EVER.iter().filter(|sign| extract::begins_clause(plain, sign)).any(|sign| {
        let mut words = after(plain, sign).split_whitespace();
        let mut next = || words.next().unwrap_or_default();
        let (verb, what, part) = (next(), next(), next());
        let is_part = CODE_AND_SCREEN.contains(&part) || PARTS_MADE.contains(&part);
        ARTICLES.contains(&what) && (is_part || SHOWING.contains(&verb))
            || verb == "return" && GIVEN.contains(&what)
            // `immer den Titel anzeigen`: German has the verb at the end.
            || ARTICLES.contains(&verb) && ends_showing(plain)
    }) && !has(plain, LASTING)
}

/// Whether a German order by a verb's basic form is what a screen shows of one thing: `Tooltip immer über dem Icon einblenden`, `die
/// Summe immer anzeigen`. What has a plural's ending may be all of a kind.
pub(super) fn is_showing_of_one(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_one = ARTICLES.contains(&first) || !first.ends_with(['e', 'n', 's']);
    is_one && ends_showing(text) && !has(text, LASTING)
}

fn ends_showing(text: &str) -> bool {
    let main = text.split([',', ';']).next().unwrap_or_default();
    let last = main.split_whitespace().next_back().unwrap_or_default();
    SHOWING_AT_END.contains(&last.trim_end_matches(['.', '!']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_screen_shows_of_one_thing_is_a_wish_in_german_too() {
        for text in [
            "immer den titel anzeigen, auch wenn er leer ist",
            "always show the header",
            "nie die id anzeigen.",
        ] {
            assert!(is_wish_for_screen(text), "{text}");
        }
        for text in
            ["immer umlaute verwenden", "never show stack traces", "immer den titel in der doku anpassen"]
        {
            assert!(!is_wish_for_screen(text), "{text}");
        }
        for text in ["tooltip immer über dem icon einblenden", "die summe immer anzeigen"] {
            assert!(is_showing_of_one(text), "{text}");
        }
        for text in ["preise immer mit währung anzeigen", "zeitangaben immer in utc speichern", ""] {
            assert!(!is_showing_of_one(text), "{text}");
        }
    }
}
