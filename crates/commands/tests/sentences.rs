//! Every declared sentence is in the window's catalogues: in English exactly as Rust prints it, in German with the
//! same placeholders. The catalogues contain no unused ones.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod declared;

use std::collections::{BTreeMap, BTreeSet};

use declared::{PREFIX, declared, with_declared};

const ENGLISH: &str = include_str!("../../../ui/src/i18n/en.json");

fn catalogue(text: &str) -> BTreeMap<String, String> {
    serde_json::from_str(text).unwrap()
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

#[test]
fn the_window_and_the_terminal_use_the_same_messages() {
    let english = catalogue(ENGLISH);
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
    assert!(missing.is_empty(), "en.json is older than the crates: run `cargo xtask types`\n{missing}");
    let stale: Vec<_> =
        english.keys().filter(|key| key.starts_with(PREFIX) && !known.contains(key.as_str())).collect();
    assert!(stale.is_empty(), "nobody says {stale:?} any more");
}

/// What `cargo xtask types` writes, whatever was there before: no sentence has to be typed a second time.
#[test]
fn the_english_catalogue_is_what_the_crates_declare() {
    assert_eq!(with_declared(ENGLISH).unwrap(), ENGLISH, "run `cargo xtask types`");
    let mut old: serde_json::Map<String, serde_json::Value> = serde_json::from_str(ENGLISH).unwrap();
    let (last, reworded) = (contract::joined::ALL.last().unwrap().key, declared().nth(9).unwrap().key);
    assert!(old.shift_remove(last).is_some());
    old[reworded] = "an earlier wording".into();
    old.insert("messages.upgrade.nobody_declares_this".into(), "gone".into());
    let old = serde_json::to_string(&old).unwrap();
    assert_eq!(with_declared(&old).unwrap(), ENGLISH);
    // A catalogue without any gets them all, and keeps what only the window says.
    let bare = with_declared(r#"{"nav.home": "Home"}"#).unwrap();
    assert!(bare.starts_with("{\n  \"nav.home\": \"Home\",\n  \"messages.joined."), "{bare}");
    assert_eq!(catalogue(&bare).len(), declared().count() + 1);
}

/// A crate that declares sentences but isn't listed here would show English in every language.
#[test]
fn every_crate_that_declares_messages_is_compared_with_the_catalogues() {
    let known: BTreeSet<&str> = declared().filter_map(|one| one.key.split('.').nth(1)).collect();
    let mut found = BTreeSet::new();
    let mut folders = vec![std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
                let names = lines.filter_map(|line| line.split_once("sentences! { \"")?.1.split_once('"'));
                found.extend(names.map(|(name, _)| name.to_owned()));
            }
        }
    }
    let missing: Vec<&String> = found.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(found.len() > 9 && missing.is_empty(), "{missing:?} of {found:?}");
}
