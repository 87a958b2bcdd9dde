//! Finds texts that the window's catalogues have under several keys: docs/style.md wants the same thing to have the same text and
//! the same key. Every sentence that Rust declares is in the catalogues, so it's compared as well. Owns what counts as the same
//! text and what may be twice (`words.json`); knows nothing of words.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::texts::{Kind, Text};

/// Texts of fewer words are labels: "Code" is a screen and a setting. They are counted.
const SENTENCE_WORDS: usize = 3;

/// What may be twice.
pub(super) struct Allowed {
    /// How many labels are left under a second key. The number may only fall.
    labels: usize,
    /// English texts, each with a reason in the data.
    texts: Vec<String>,
}

impl Allowed {
    pub(super) fn read(data: &str) -> Result<Self> {
        let data: Value = serde_json::from_str(data).context("words.json")?;
        let data = &data["repeated"];
        let labels = data["labels"].as_u64().context("words.json: repeated.labels")?;
        let mut texts = Vec::new();
        for one in data["exceptions"].as_array().into_iter().flatten() {
            let text = one["text"].as_str().unwrap_or_default();
            if one["why"].as_str().unwrap_or_default().is_empty() {
                bail!("words.json: {text:?} may be twice without a reason");
            }
            texts.push(text.to_owned());
        }
        Ok(Self { labels: usize::try_from(labels)?, texts })
    }

    /// A line for each text that may not be twice, for too many labels, and for exceptions that nothing needs.
    pub(super) fn complaints(&self, texts: &[Text]) -> Vec<String> {
        let mut lines = Vec::new();
        let (mut labels, mut used) = (Vec::new(), BTreeSet::new());
        for (english, keys) in repeated(texts) {
            if english.split_whitespace().count() < SENTENCE_WORDS {
                labels.push((english, keys));
            } else if self.texts.contains(&english) {
                used.insert(english);
            } else {
                lines.push(format!("{english:?} is under {}: use one key", keys.join(", ")));
            }
        }
        let count: usize = labels.iter().map(|(_, keys)| keys.len() - 1).sum();
        if count > self.labels {
            lines.push(format!(
                "{count} labels are under a second key, {} are left from before:",
                self.labels
            ));
            lines.extend(labels.iter().map(|(english, keys)| format!("   {english:?}: {}", keys.join(", "))));
        }
        let unused = self.texts.iter().filter(|text| !used.contains(*text));
        lines
            .extend(unused.map(|text| format!("{text:?} isn't twice any longer: remove it from words.json")));
        lines
    }
}

/// English texts with several keys that are the same in German as well, whatever their placeholders are called. The two
/// forms of a count are one key.
fn repeated(texts: &[Text]) -> Vec<(String, Vec<String>)> {
    let key = |text: &Text| text.place.split_once(' ').map(|(_, key)| key.to_owned()).unwrap_or_default();
    let of = |kind: Kind| texts.iter().filter(move |text| text.kind == kind);
    let german: BTreeMap<String, &str> =
        of(Kind::German).map(|text| (key(text), text.words.as_str())).collect();
    let mut keys: BTreeMap<(String, String), (String, BTreeSet<String>)> = BTreeMap::new();
    for text in of(Kind::Window) {
        let key = key(text);
        let same = with_numbered_placeholders(&text.words, german.get(&key).copied().unwrap_or_default());
        let stem = key.strip_suffix(".one").or_else(|| key.strip_suffix(".other")).unwrap_or(&key).to_owned();
        keys.entry(same).or_insert_with(|| (text.words.clone(), BTreeSet::new())).1.insert(stem);
    }
    keys.into_values()
        .filter(|(_, keys)| keys.len() > 1)
        .map(|(english, keys)| (english, keys.into_iter().collect()))
        .collect()
}

/// Both texts with their placeholders as `{0}`, `{1}` in the order of the English one.
fn with_numbered_placeholders(english: &str, german: &str) -> (String, String) {
    let mut names: Vec<&str> = Vec::new();
    for piece in english.split('{').skip(1) {
        let name = piece.split('}').next().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let numbered = |text: &str| {
        names.iter().enumerate().fold(text.to_owned(), |text, (number, name)| {
            text.replace(&format!("{{{name}}}"), &format!("{{{number}}}"))
        })
    };
    (numbered(english), numbered(german))
}

#[cfg(test)]
mod tests {
    use super::Allowed;
    use crate::words::texts::{Kind, Text};

    #[test]
    fn a_text_under_two_keys_is_found_and_a_label_is_counted() {
        let mut texts = Vec::new();
        for (key, english, german) in [
            ("one.gone", "{path} is gone for good", "{path} ist fort"),
            ("two.gone", "{file} is gone for good", "{file} ist fort"),
            ("three.gone", "{file} is gone for good", "{file} ist verschwunden"),
            ("empty.one", "There is nothing here.", "Hier ist nichts."),
            ("empty.other", "There is nothing here.", "Hier ist nichts."),
            ("nav.code", "Code", "Code"),
            ("settings.code", "Code", "Code"),
            ("error.a.safe", "Nothing was written.", "Nichts wurde geschrieben."),
            ("error.b.safe", "Nothing was written.", "Nichts wurde geschrieben."),
        ] {
            texts.push(Text { kind: Kind::Window, place: format!("en.json {key}"), words: english.into() });
            texts.push(Text { kind: Kind::German, place: format!("de.json {key}"), words: german.into() });
        }
        let rules = r#"{"repeated": {"labels": 1, "exceptions": [
            {"text": "Nothing was written.", "why": "made of codes"}, {"text": "It was twice once.", "why": "gone"}]}}"#;
        let lines = Allowed::read(rules).expect("rules").complaints(&texts);
        let expected = [
            r#""{path} is gone for good" is under one.gone, two.gone: use one key"#,
            r#""It was twice once." isn't twice any longer: remove it from words.json"#,
        ];
        assert_eq!(lines, expected);
        let fewer = Allowed::read(&rules.replace("\"labels\": 1", "\"labels\": 0")).expect("rules");
        assert!(fewer.complaints(&texts)[1].starts_with("1 labels are under a second key"), "counted");
        assert!(Allowed::read(&rules.replace("gone\"}]", "\"}]")).is_err(), "an exception needs a reason");
    }
}
