//! Words that are written shorter: contractions as they are typed in haste, and abbreviations whose dot ends no sentence.

use super::whole_words::find_words;

/// Only contractions that no language here has as a word: `im` is German, `lets` and `its` are English.
const TYPED: [(&str, &str); 11] = [
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
];

/// A lower-cased text with its apostrophes.
pub(super) fn with_apostrophes(mut text: String) -> String {
    for (typed, meant) in TYPED {
        while let Some(at) = find_words(&text, typed) {
            text.replace_range(at..at + typed.len(), meant);
        }
    }
    text
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
            ("cantilever lets im its", "cantilever lets im its"),
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
