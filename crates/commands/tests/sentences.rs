//! Every sentence that the rooms declare stands in the window's catalogues: in English just as Rust prints it, in German
//! with the same placeholders, and none stands there that nobody says any more.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use contract::Template;

fn declared() -> impl Iterator<Item = &'static Template> {
    [
        contract::joined::ALL,
        contract::standing::ALL,
        home::messages::ALL,
        sessions::messages::ALL,
        knowledge::messages::ALL,
        memory::store::messages::ALL,
        edits::messages::ALL,
        agents::messages::ALL,
        service::messages::ALL,
        service::doctor::messages::ALL,
        service::upgrade::messages::ALL,
        plimsoll_commands::messages::ALL,
    ]
    .into_iter()
    .flatten()
}

fn catalogue(text: &str) -> BTreeMap<String, String> {
    serde_json::from_str(text).unwrap()
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

#[test]
fn the_window_says_what_the_program_says() {
    let english = catalogue(include_str!("../../../ui/src/i18n/en.json"));
    let german = catalogue(include_str!("../../../ui/src/i18n/de.json"));
    let mut missing = String::new();
    let mut known = BTreeSet::new();
    for template in declared() {
        assert!(known.insert(template.key), "{} is declared twice", template.key);
        let params: BTreeSet<&str> = template.params.iter().copied().collect();
        assert_eq!(placeholders(template.english), params, "{}", template.key);
        if english.get(template.key).is_none_or(|text| text != template.english) {
            missing.push_str(&format!("  {:?}: {:?},\n", template.key, template.english));
        }
        match german.get(template.key) {
            Some(text) => assert_eq!(placeholders(text), params, "{} in German: {text}", template.key),
            None => panic!("{} ({}) is missing in de.json", template.key, template.english),
        }
    }
    assert!(missing.is_empty(), "en.json is to hold:\n{missing}");
    let stale: Vec<_> =
        english.keys().filter(|key| key.starts_with("messages.") && !known.contains(key.as_str())).collect();
    assert!(stale.is_empty(), "nobody says {stale:?} any more");
}
