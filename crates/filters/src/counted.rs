//! A count with what it counts in the right number: `1 line`, `12 lines`. Owns the singular of the words that Plimsoll
//! counts in; whose words these are is the callers' affair.

use std::borrow::Cow;
use std::fmt::Display;

/// `words` behind their number. They name several things (`lines of source`, `more matches`), and the first plural in them is
/// what is counted.
pub(crate) fn counted<N: Display + From<u8> + PartialEq + Copy>(count: N, words: &str) -> String {
    if count == N::from(1_u8) { format!("{count} {}", singular(words)) } else { format!("{count} {words}") }
}

/// `lines of source` as `line of source`.
fn singular(words: &str) -> String {
    let mut words: Vec<Cow<'_, str>> = words.split(' ').map(Cow::Borrowed).collect();
    let plural = words.iter_mut().find_map(|word| of_plural(word).map(|one| (word, one)));
    if let Some((word, one)) = plural {
        *word = Cow::Owned(one);
    }
    words.join(" ")
}

/// The singular of a regular plural.
fn of_plural(word: &str) -> Option<String> {
    if let Some(stem) = word.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    if ["ches", "shes", "sses", "xes"].iter().any(|ending| word.ends_with(ending)) {
        return word.strip_suffix("es").map(str::to_owned);
    }
    // `progress`, `status` and `basis` name one thing.
    let stem = word.strip_suffix('s')?;
    (stem.len() > 1 && !stem.ends_with(['s', 'u', 'i'])).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_thing_is_counted_in_the_singular() {
        for (words, one) in [
            ("lines", "1 line"),
            ("matches", "1 match"),
            ("entries", "1 entry"),
            ("progress lines", "1 progress line"),
            ("lines of source around failures", "1 line of source around failures"),
            ("tests failed as expected", "1 test failed as expected"),
            ("more library frames", "1 more library frame"),
            ("more times", "1 more time"),
            ("empty, unlimited or unset properties", "1 empty, unlimited or unset property"),
            ("ok", "1 ok"),
            ("skipped", "1 skipped"),
        ] {
            assert_eq!(counted(1_usize, words), one);
            assert_eq!(counted(0_usize, words), format!("0 {words}"));
            assert_eq!(counted(12_u64, words), format!("12 {words}"));
        }
    }
}
