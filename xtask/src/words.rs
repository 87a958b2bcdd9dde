//! Whether every text that a user reads keeps to docs/style.md. Owns which words and patterns are banned (`words.json`
//! beside this file's module), where they are fine all the same, and how many are left from before; knows nothing of how
//! the texts are found, which is `words/texts.rs`.

mod texts;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use regex::Regex;
use serde_json::Value;

use crate::place::Place;
use crate::steps::say;
use texts::{Kind, Text};

/// The rules, the exceptions and what is left, as data.
const DATA: &str = include_str!("words/words.json");

/// Fails when a text breaks a rule of docs/style.md, unless it is an exception or among the leftovers of its kind.
pub(crate) fn check(place: &Place) -> Result<()> {
    let style = Style::read(DATA)?;
    let (bad, unused) = style.find_violations(&texts::all(&place.repo)?);
    let mut lines = String::new();
    for (kind, found) in &bad {
        let left = style.left.get(kind.name()).copied().unwrap_or_default();
        if found.len() > left {
            let _ = writeln!(lines, "   {}: {} found, {left} are left from before", kind.name(), found.len());
            found.iter().for_each(|line| lines.push_str(&format!("      {line}\n")));
        }
    }
    for exception in unused {
        let _ = writeln!(
            lines,
            "   the exception for {exception} fits nothing any longer: remove it from words.json"
        );
    }
    if lines.is_empty() {
        return Ok(());
    }
    say(lines.trim_end());
    bail!("texts that docs/style.md rules out: reword them, or give a reason in xtask/src/words/words.json")
}

/// A banned word or turn of phrase.
struct Rule {
    pattern: Regex,
    /// Phrases in which the word is fine.
    but: Option<Regex>,
    instead: String,
    kinds: Vec<Kind>,
}

/// A text that may say what others may not.
struct Exception {
    /// A part of the place.
    at: String,
    /// The phrase; everything there when empty.
    text: String,
}

/// docs/style.md as far as a program can check it.
struct Style {
    rules: Vec<Rule>,
    exceptions: Vec<Exception>,
    /// `{name}`, `{size:?}`.
    placeholder: Regex,
    left: BTreeMap<String, usize>,
}

impl Style {
    fn read(data: &str) -> Result<Self> {
        let data: Value = serde_json::from_str(data).context("words.json")?;
        let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let list = |key: &str| data[key].as_array().cloned().unwrap_or_default();
        let mut rules = Vec::new();
        for rule in list("rules") {
            let pattern = text(&rule, "find");
            let kinds = if rule["german"] == true { vec![Kind::German] } else { Kind::ENGLISH.to_vec() };
            let but = rule["but"].as_str().map(compiled).transpose()?;
            rules.push(Rule { pattern: compiled(&pattern)?, but, instead: text(&rule, "instead"), kinds });
        }
        let mut exceptions = Vec::new();
        for exception in list("exceptions") {
            let (at, text, why) = (text(&exception, "at"), text(&exception, "text"), text(&exception, "why"));
            if why.is_empty() {
                bail!("words.json: the exception for {at} gives no reason");
            }
            exceptions.push(Exception { at, text });
        }
        let left = serde_json::from_value(data["left"].clone()).context("words.json: left")?;
        Ok(Self { rules, exceptions, placeholder: compiled(r"\{\w*(:[^{}]*)?\}")?, left })
    }

    /// What breaks a rule, by kind, and the exceptions that nothing needs.
    fn find_violations(&self, texts: &[Text]) -> (BTreeMap<Kind, Vec<String>>, Vec<String>) {
        let mut bad: BTreeMap<Kind, Vec<String>> = BTreeMap::new();
        let mut used = vec![false; self.exceptions.len()];
        for text in texts {
            // A placeholder's name is not read.
            let plain = self.placeholder.replace_all(&text.words, "{}");
            for rule in self.rules.iter().filter(|rule| rule.kinds.contains(&text.kind)) {
                let words = match &rule.but {
                    Some(fine) => fine.replace_all(&plain, "…").into_owned(),
                    None => plain.clone().into_owned(),
                };
                let Some(found) = rule.pattern.find(&words) else { continue };
                let excepted = self
                    .exceptions
                    .iter()
                    .position(|one| text.place.contains(&one.at) && text.words.contains(&one.text));
                match excepted {
                    Some(index) => used[index] = true,
                    None => {
                        bad.entry(text.kind).or_default().push(violation_line(text, &words, &found, rule));
                    }
                }
            }
        }
        let unused = self.exceptions.iter().zip(used).filter(|(_, used)| !used);
        (bad, unused.map(|(one, _)| format!("{} ({:?})", one.at, one.text)).collect())
    }
}

fn compiled(pattern: &str) -> Result<Regex> {
    Regex::new(&format!("(?i){pattern}")).with_context(|| format!("words.json: {pattern}"))
}

/// One finding as a line: where, the words around it, and what to write.
fn violation_line(text: &Text, words: &str, found: &regex::Match<'_>, rule: &Rule) -> String {
    let from = words[..found.start()].char_indices().rev().nth(30).map_or(0, |(at, _)| at);
    let to = words[found.end()..].char_indices().nth(30).map_or(words.len(), |(at, _)| found.end() + at);
    let around = words[from..to].replace('\n', " ");
    format!("{}: “…{around}…”: {:?}: {}", text.place, found.as_str(), rule.instead)
}

#[cfg(test)]
mod tests {
    use super::Style;
    use super::texts::{self, Kind, Text};

    /// A small tree of texts with what is wrong in them, in `xtask/fixtures/words`.
    fn fixtures() -> Vec<Text> {
        texts::all(
            &std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("run by cargo"))
                .join("fixtures/words"),
        )
        .expect("readable")
    }

    #[test]
    fn each_banned_word_is_found_where_it_is_read_and_nowhere_else() {
        let style = Style::read(super::DATA).expect("the rules");
        let bare = Style { exceptions: Vec::new(), ..style };
        let (bad, _) = bare.find_violations(&fixtures());
        let found = |kind| bad.get(&kind).map(|lines| lines.join("\n") + "\n").unwrap_or_default();
        let all: String =
            [Kind::Window, Kind::German, Kind::Document, Kind::Program].into_iter().map(found).collect();
        assert_eq!(all, include_str!("../fixtures/words/expected.txt"));
    }

    #[test]
    fn an_exception_frees_one_phrase_at_one_place_and_must_be_needed() {
        let rules = r#"{"rules": [{"find": "\\banew\\b", "instead": "again"}], "left": {}, "exceptions": [
            {"at": "README.md", "text": "born anew", "why": "a title"}, {"at": "README.md", "text": "x", "why": "gone"}]}"#;
        let style = Style::read(rules).expect("rules");
        let text =
            |words: &str| Text { kind: Kind::Document, place: "README.md:1".into(), words: words.into() };
        let (bad, unused) = style.find_violations(&[text("born anew"), text("started anew")]);
        assert_eq!(bad[&Kind::Document].len(), 1);
        assert_eq!(unused, ["README.md (\"x\")"]);
        let lazy = rules.replace("a title", "");
        assert!(Style::read(&lazy).is_err(), "an exception without a reason is refused");
    }
}
