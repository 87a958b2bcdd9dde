//! A count with its noun in the singular or plural: `1 line of source`, `12 lines of source`. Owns which word of a
//! filter's label is the one that's counted; how English makes its singular is in `contract`.

use std::borrow::Cow;
use std::fmt::Display;

/// `words` after their number. They are in the plural (`lines of source`, `more matches`), and the first plural in
/// them is the counted noun.
pub(crate) fn counted<N: Display + From<u8> + PartialEq + Copy>(count: N, words: &str) -> String {
    if count == N::from(1_u8) { format!("{count} {}", singular(words)) } else { format!("{count} {words}") }
}

/// `lines of source` as `line of source`.
fn singular(words: &str) -> String {
    let mut words: Vec<Cow<'_, str>> = words.split(' ').map(Cow::Borrowed).collect();
    let plural = words.iter_mut().find_map(|word| contract::singular(word).map(|one| (word, one)));
    if let Some((word, one)) = plural {
        *word = Cow::Owned(one);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::counted;
    use crate::builtin;
    use crate::definition::Filter;

    #[test]
    fn one_item_is_counted_in_the_singular() {
        for (words, one) in [
            ("lines", "1 line"),
            ("matches", "1 match"),
            ("entries", "1 entry"),
            ("entries of caches", "1 entry of caches"),
            ("caches", "1 cache"),
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

    /// Each label of the built-in filters is read back from its own singular, so that no count has a malformed word.
    /// Labels without a noun are listed here.
    #[test]
    fn the_singular_of_each_label_is_the_noun_that_it_counts() {
        let mut labels = 0;
        let mut without_noun = BTreeSet::new();
        for builtin in builtin::all() {
            let filter = Filter::parse(builtin.rules, builtin.file).unwrap();
            for label in filter.rules().all.iter().filter_map(|rule| rule.label.as_deref()) {
                let one = counted(1_usize, label);
                let noun = label.split(' ').zip(one.split(' ').skip(1)).find(|(many, one)| many != one);
                match noun {
                    Some((many, one)) => assert_eq!(contract::plural(one), many, "{}: {label}", builtin.file),
                    None => _ = without_noun.insert(label.to_owned()),
                }
                labels += 1;
            }
        }
        assert_eq!(without_noun.iter().map(String::as_str).collect::<Vec<_>>(), ["ok", "skipped"]);
        assert!(labels > 100, "{labels} labels");
    }
}
