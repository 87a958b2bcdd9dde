//! British and American spellings of English words: `colour` and `color`, `serialise` and `serialize`. A team has both,
//! and the index's stemmer folds none of them.

/// Beginnings of words in both spellings.
const BEGINNINGS: &[(&str, &str)] = &[
    ("artefact", "artifact"),
    ("analogue", "analog"),
    ("armour", "armor"),
    ("behaviour", "behavior"),
    ("catalogue", "catalog"),
    ("centre", "center"),
    ("colour", "color"),
    ("defence", "defense"),
    ("dialogue", "dialog"),
    ("favour", "favor"),
    ("fibre", "fiber"),
    ("flavour", "flavor"),
    ("grey", "gray"),
    ("harbour", "harbor"),
    ("honour", "honor"),
    ("humour", "humor"),
    ("labour", "labor"),
    ("licence", "license"),
    ("litre", "liter"),
    ("metre", "meter"),
    ("neighbour", "neighbor"),
    ("offence", "offense"),
    ("practise", "practice"),
    ("programme", "program"),
    ("rumour", "rumor"),
    ("theatre", "theater"),
];

/// Endings of verbs and of what is made from them, in both spellings, before their own endings.
const ENDINGS: &[(&str, &str)] = &[("is", "iz"), ("ys", "yz")];
/// The endings of such words.
const AFTER: &[&str] = &["e", "ed", "er", "ers", "es", "ing", "able", "ation", "ations"];
/// The number of letters before such an ending: neither `size` nor `rise` has another spelling.
const MIN_STEM: usize = 3;

/// The other spelling of a lower-cased word. What it makes of a word that has none is a word that nobody writes.
pub(super) fn other_english(word: &str) -> Option<String> {
    let beginning = BEGINNINGS.iter().find_map(|(british, american)| {
        let other = |from: &str, to: &str| word.strip_prefix(from).map(|rest| format!("{to}{rest}"));
        other(british, american).or_else(|| other(american, british))
    });
    beginning.or_else(|| {
        let stem = AFTER.iter().filter_map(|end| word.strip_suffix(end)).min_by_key(|stem| stem.len())?;
        let end = &word[stem.len()..];
        let other = |from: &str, to: &str| {
            stem.strip_suffix(from)
                .filter(|before| before.len() >= MIN_STEM)
                .map(|before| format!("{before}{to}{end}"))
        };
        ENDINGS
            .iter()
            .find_map(|(british, american)| other(british, american).or_else(|| other(american, british)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_find_each_other() {
        for (british, american) in [
            ("colour", "color"),
            ("behaviours", "behaviors"),
            ("catalogue", "catalog"),
            ("serialise", "serialize"),
            ("initialised", "initialized"),
            ("normalisation", "normalization"),
            ("analyser", "analyzer"),
            ("optimising", "optimizing"),
            ("grey", "gray"),
        ] {
            assert_eq!(other_english(british).as_deref(), Some(american));
            assert_eq!(other_english(american).as_deref(), Some(british));
        }
        for word in ["size", "rise", "his", "retry", "database", "größe", ""] {
            assert_eq!(other_english(word), None, "{word}");
        }
    }
}
