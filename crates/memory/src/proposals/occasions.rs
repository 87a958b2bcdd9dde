//! What is to be done on which occasion, whenever it comes, and for which purpose: `whenever you touch the schema, …`, `for new
//! endpoints we always …`.

use super::clauses::{has, is_done};
use super::fact_subjects::{CODE_AND_SCREEN, DETERMINERS};
use super::facts;
use super::practice_signs::POINTING;
use super::screen_wishes;
use super::standing_signs::{ALSO, FOR_ALL_TIME};

/// Maximum number of words of a purpose.
const MAX_PURPOSE: usize = 4;

/// `for new endpoints we always write the spec first`
pub(super) fn is_always_for_purpose(text: &str) -> bool {
    let rest = text.strip_prefix("for ").unwrap_or_default();
    [" we always ", " we never ", " we only "].iter().filter_map(|ever| rest.split_once(ever)).any(
        |(purpose, deed)| {
            let words: Vec<&str> = purpose.split_whitespace().collect();
            let first = words.first().copied().unwrap_or_default();
            let deed = deed.split(" and ").next().unwrap_or_default();
            (1..=MAX_PURPOSE).contains(&words.len())
                && !POINTING.contains(&first)
                && !DETERMINERS.contains(&first)
                && is_done(deed)
                && deed.split_whitespace().count() > 1
                && !facts::is_here(deed)
        },
    )
}

/// `whenever you touch the schema, regenerate the client`, `when you add an endpoint, also update openapi.yaml`.
pub(super) fn names_occasion(text: &str) -> bool {
    let next = text.strip_prefix("next time, ");
    let Some((occasion, order)) = next.unwrap_or(text).split_once(", ") else { return false };
    if screen_wishes::is_on_use(occasion) {
        return false;
    }
    let first = order.split([' ', '\'']).next().unwrap_or_default();
    // `whenever you scroll, the header flickers` is a report.
    let is_order = order.split_whitespace().count() >= 2
        && !DETERMINERS.contains(&first)
        && !POINTING.contains(&first)
        && !["it", "nothing", "everything", "my", "es"].contains(&first);
    let always = FOR_ALL_TIME.iter().find_map(|words| occasion.strip_prefix(words));
    let if_you = ["when you ", "if you ", "wenn du "].iter().find_map(|words| occasion.strip_prefix(words));
    let of_any = if_you.is_some_and(|rest| {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let any = ["a", "an", "any", "new", "eine", "einen", "ein", "neue"];
        let kind = words.get(1).is_some_and(|word| facts::names_kind(&[*word]));
        // German has the verb at the end: `wenn du Tests schreibst`.
        let is_german = occasion.starts_with("wenn du ");
        let plural = |word: &&str| word.len() > 4 && word.ends_with(['s', 'n']) && !POINTING.contains(word);
        let kind = kind || is_german && words.len() == 2 && words.first().is_some_and(plural);
        words.iter().any(|word| any.contains(word)) || kind
    });
    // `whenever you have time`
    let idle = [
        "are ",
        "have ",
        "want ",
        "feel ",
        "like ",
        "can ",
        "get a chance",
        "get a moment",
        "get a minute",
        "find time",
        "find the time",
        "find a moment",
        "find a minute",
    ];
    let of_any = of_any
        && ![" bist", " hast", " kannst", " willst", " magst"].iter().any(|end| occasion.ends_with(end));
    let is_deed = |rest: &str| !idle.iter().any(|verb| rest.starts_with(verb));
    let deed = always.is_some_and(|rest| rest.split_whitespace().count() >= 2 && is_deed(rest));
    let also = of_any && has(order, ALSO) && !has(order, CODE_AND_SCREEN);
    is_order && (next.is_some() && if_you.is_some() || !facts::is_here(occasion) && (deed || also))
}
