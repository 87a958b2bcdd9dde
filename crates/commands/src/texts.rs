//! The texts shared by the tray and the window. There is one catalogue per language, and the front end reads the
//! same files.

use std::collections::BTreeMap;

use contract::{Decimal, Param, Sentence};

const ENGLISH: &str = include_str!("../../../ui/src/i18n/en.json");
const GERMAN: &str = include_str!("../../../ui/src/i18n/de.json");

/// One language.
pub struct Texts {
    own: BTreeMap<String, String>,
    english: BTreeMap<String, String>,
    decimal: Decimal,
}

impl Texts {
    /// The texts for a setting (`system`, `en`, `de`) and the system's language (`de-AT`, `de_DE.UTF-8`).
    pub fn for_locale(setting: &str, system: &str) -> Self {
        let wanted = if setting == "system" { system } else { setting };
        let decimal = Decimal::of(wanted);
        let own = if decimal == Decimal::Comma { GERMAN } else { ENGLISH };
        Self { own: read(own), english: read(ENGLISH), decimal }
    }

    /// Returns a text, or the key itself if there is no such text. A test makes sure that every key used has one.
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.own.get(key).or_else(|| self.english.get(key)).map_or(key, String::as_str)
    }

    /// Returns a text with its `{name}` placeholders replaced.
    pub fn fill(&self, key: &str, values: &[(&str, &str)]) -> String {
        values
            .iter()
            .fold(self.get(key).to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    /// Translates one of Plimsoll's own sentences into this language.
    pub fn say(&self, sentence: &Sentence) -> String {
        let Some(pattern) = sentence.key().and_then(|key| self.own.get(key)) else {
            return sentence.text().to_owned();
        };
        let mut printed = String::new();
        let mut rest = pattern.as_str();
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, inner)| Some((before, inner.split_once('}')?)))
        {
            printed.push_str(before);
            match sentence.param(name) {
                Some(Param::Plain(text)) => printed.push_str(text),
                Some(Param::Words(words)) => printed.push_str(&self.say(words)),
                Some(Param::Amount(amount)) => printed.push_str(&amount.written(self.decimal)),
                None => {}
            }
            rest = after;
        }
        printed + rest
    }

    /// Returns the singular or plural text for a number: `key.one` or `key.other`, with `{n}` replaced.
    pub fn count(&self, key: &str, n: usize) -> String {
        let form = if n == 1 { "one" } else { "other" };
        self.fill(&format!("{key}.{form}"), &[("n", &n.to_string())])
    }
}

fn read(catalogue: &str) -> BTreeMap<String, String> {
    serde_json::from_str(catalogue).unwrap_or_else(|error| {
        log::error!("a catalogue of texts does not parse: {error}");
        BTreeMap::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_have_the_same_keys_and_places() {
        let (english, german) = (read(ENGLISH), read(GERMAN));
        assert!(english.len() > 10);
        assert_eq!(english.keys().collect::<Vec<_>>(), german.keys().collect::<Vec<_>>());
        let places = |text: &str| {
            let mut found: Vec<String> = text
                .split('{')
                .skip(1)
                .filter_map(|rest| rest.split_once('}'))
                .map(|(name, _)| name.to_owned())
                .collect();
            found.sort();
            found.dedup();
            found
        };
        for (key, text) in &english {
            assert_eq!(places(text), places(&german[key]), "{key}");
        }
    }

    #[test]
    fn a_sentence_is_translated_and_foreign_text_stays_as_it_is() {
        let german = Texts::for_locale("de", "");
        let sentence = contract::joined::about("{what}", crate::messages::no_web_address("\"a{url}\""));
        assert_eq!(german.say(&sentence).matches("a{url}").count(), 1);
        assert!(german.say(&sentence).starts_with("{what}: "), "{}", german.say(&sentence));
        assert_ne!(german.say(&sentence), sentence.text());
        assert_eq!(Texts::for_locale("en", "").say(&sentence), sentence.text());
        assert_eq!(german.say(&"a system's word".into()), "a system's word");
    }

    #[test]
    fn the_setting_overrides_the_system_language() {
        assert_eq!(Texts::for_locale("en", "de_DE.UTF-8").get("tray.quit"), read(ENGLISH)["tray.quit"]);
        assert_eq!(Texts::for_locale("system", "de_DE.UTF-8").get("tray.quit"), read(GERMAN)["tray.quit"]);
        assert_eq!(Texts::for_locale("system", "").get("no.such"), "no.such");
    }
}
