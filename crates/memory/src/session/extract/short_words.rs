//! Words that are written shorter: contractions as they are typed in haste, and abbreviations whose dot ends no sentence.

use super::whole_words::find_words;

/// Only what no language here has as a word: `im` is German, `lets` and `its` are English. French has [`DONT`].
const TYPED: [(&str, &str); 15] = [
    ("dont", "don't"),
    ("doesnt", "doesn't"),
    ("didnt", "didn't"),
    ("isnt", "isn't"),
    ("arent", "aren't"),
    ("cant", "can't"),
    ("wont", "won't"),
    ("shouldnt", "shouldn't"),
    ("havent", "haven't"),
    ("thats", "that's"),
    ("youre", "you're"),
    ("pls", "please"),
    ("plz", "please"),
    ("bc", "because"),
    ("cuz", "because"),
];

/// A French word as well: `la table, dont le nom est unique`.
const DONT: &str = "dont";
/// What follows it in French, and never in English. An apostrophe may end the word.
const BEHIND_DONT: &[&str] = &[
    "le", "la", "les", "l", "un", "une", "on", "il", "elle", "ils", "elles", "je", "j", "tu", "nous", "vous",
    "ce", "cette", "ces", "son", "sa", "ses", "notre", "nos", "votre", "vos", "leur", "leurs", "chaque",
    "tous", "toutes",
];

/// A lower-cased text with its apostrophes.
pub(super) fn with_apostrophes(mut text: String) -> String {
    for (typed, meant) in TYPED {
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| find_words(rest, typed)).map(|at| from + at) {
            let end = at + typed.len();
            from = if typed == DONT && is_french(&text[end..]) {
                end
            } else {
                text.replace_range(at..end, meant);
                at + meant.len()
            };
        }
    }
    text
}

/// Whether a text goes on as in French.
fn is_french(rest: &str) -> bool {
    let next = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    rest.starts_with(' ') && BEHIND_DONT.contains(&next)
}

/// Whether a text ends with an abbreviation's dot, which ends no sentence: `e.g.`, `Mr.`, but not `50 ms.`
pub(super) fn is_shortened(text: &str) -> bool {
    const SHORT: [&str; 9] = ["Mr", "Mrs", "Ms", "Dr", "Prof", "e.g", "i.e", "z.B", "vs"];
    let word = text.trim_end_matches('.').rsplit([' ', '(']).next();
    word.is_some_and(|word| SHORT.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_get_their_apostrophe() {
        for (typed, meant) in [
            ("we dont use it, thats why", "we don't use it, that's why"),
            ("dont dont", "don't don't"),
            ("pls dont", "please don't"),
            ("cantilever lets im its", "cantilever lets im its"),
            ("la table, dont le nom est unique", "la table, dont le nom est unique"),
            ("ce dont j'ai besoin: dont touch it", "ce dont j'ai besoin: don't touch it"),
            ("", ""),
        ] {
            assert_eq!(with_apostrophes(typed.to_owned()), meant);
        }
    }

    #[test]
    fn an_abbreviation_ends_no_sentence() {
        for text in ["ask Mr.", "tags (e.g.", "z.B."] {
            assert!(is_shortened(text), "{text}");
        }
        for text in ["50 ms.", "plan B.", ".", ""] {
            assert!(!is_shortened(text), "{text}");
        }
    }
}
