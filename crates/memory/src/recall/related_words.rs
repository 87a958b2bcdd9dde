//! Words that often mean the same though they aren't surely forms of one word: a verb and its noun, what children are also
//! called, and the past of a word that is oftener another one. They help somebody who asks. What nobody asked does without,
//! because an `extension` is seldom what somebody `extended`, a `kid` may be the id of a key, and `what does it mean` isn't
//! about what was `meant`.

use crate::domain::line_with;

/// Words for the same per line.
const RELATED: &str = "describe description
fail failure
resolve resolution
convert conversion
extend extension
permit permission
submit submission
subscribe subscription
reduce reduction
revoke revocation
expire expiry
respond response
collide collision
succeed success
medium media
mean meant
feed fed
child children kid kids";

/// The other words for a lower-cased word; usually none.
pub(super) fn other_words(word: &str) -> Vec<String> {
    let line = line_with(RELATED, b' ', word);
    line.map_or_else(Vec::new, |line| line.split(' ').filter(|one| *one != word).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn related_words_lead_to_each_other_and_none_is_in_two_lines() {
        assert_eq!(other_words("kid"), ["child", "children", "kids"]);
        assert_eq!(other_words("revocation"), ["revoke"]);
        assert!(other_words("walrus").is_empty());
        let mut seen = std::collections::HashSet::new();
        for word in RELATED.split_whitespace() {
            assert!(seen.insert(word), "{word}");
        }
    }
}
