//! Words that developers use for the same thing: a question says *remove*, the code `delete`; a question *directory*, the code
//! `dir`. The families are in `related.txt`. Pure.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::words::stem;

/// By stem: the stems of its families.
static RELATED: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut out: HashMap<&str, Vec<&str>> = HashMap::new();
    for family in include_str!("related.txt").lines().filter(|line| !line.starts_with('#')) {
        let stems: Vec<&str> = family.split_whitespace().map(stem).collect();
        for word in &stems {
            let others = out.entry(word).or_default();
            for other in stems.iter().filter(|other| *other != word) {
                if !others.contains(other) {
                    others.push(other);
                }
            }
        }
    }
    out
});

/// The stems related to a stem, without itself.
pub(super) fn related(word: &str) -> &'static [&'static str] {
    RELATED.get(word).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_match_in_both_directions() {
        assert!(related("delet").contains(&"remov") && related("remov").contains(&"delet"));
        assert!(related("directory").is_empty() && related(stem("directory")).contains(&"dir"));
        assert!(related("zebra").is_empty());
        assert_eq!(related("ci"), [stem("workflows")]);
        // What code shortens, and what a field has two words for.
        for (asked, code) in [("acknowledgements", "ack"), ("repositories", "repo"), ("heartbeat", "ping")] {
            assert!(related(stem(asked)).contains(&stem(code)), "{asked}");
            assert!(related(stem(code)).iter().any(|word| *word == stem(asked)), "{code}");
        }
        // `defer` ends like `def`, and a helper isn't a help: neither is written down.
        assert!(!related(stem("lazy")).contains(&"def") && !related("util").contains(&"help"));
        assert!(related("k8s").contains(&stem("kubernetes")) && related("i18n").len() == 1);
        // Words of one stem are one word already.
        assert!(RELATED.iter().all(|(word, others)| !others.contains(word)));
    }
}
