//! Whether every text that a user reads, and every comment and name in the code, keeps to docs/style.md. Owns which words and patterns are
//! banned (`words.json` beside this file's module), where they are fine all the same, and how many are left from before;
//! knows nothing of how the texts are found, which is `words/texts.rs`.

mod formatters;
mod names;
mod repeated;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use regex::Regex;
use serde_json::Value;

use crate::place::Place;
use crate::steps::say;
use texts::{Kind, Text};

/// The rules, the exceptions and what is left, as data.
const DATA: &str = include_str!("words/words.json");

/// Findings by the name that they are counted under.
type Found = BTreeMap<String, Vec<String>>;

/// Fails when a text breaks a rule of docs/style.md, unless it is an exception or among the leftovers of its kind; when the
/// window's catalogues have a text twice; and when there is a second formatter of sizes or counts.
pub(crate) fn check(place: &Place) -> Result<()> {
    let style = Style::read(DATA)?;
    let texts = texts::all(&place.repo)?;
    let (bad, unused) = style.find_violations(&texts);
    let mut lines = style.miscounts(&bad);
    for line in repeated::Allowed::read(DATA)?.complaints(&texts) {
        let _ = writeln!(lines, "   {line}");
    }
    for line in formatters::find(&texts::sources(&place.repo, &["crates", "src-tauri"])?)? {
        let _ = writeln!(lines, "   {line}");
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

/// A place where a banned phrase is allowed.
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
            let mut kinds = match rule["in"].as_str() {
                _ if rule["german"] == true => vec![Kind::German],
                Some("window") => vec![Kind::Window],
                Some("names") => vec![Kind::Name],
                Some(other) => bail!("words.json: no kind of text is called {other}"),
                None => Kind::ENGLISH.to_vec(),
            };
            if rule["names"] == true {
                kinds.push(Kind::Name);
            }
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

    /// The kinds with more findings than recorded, or with fewer: a recorded number may only fall.
    fn miscounts(&self, bad: &Found) -> String {
        let mut lines = String::new();
        let nothing = Vec::new();
        for name in bad.keys().chain(self.left.keys()).collect::<BTreeSet<_>>() {
            let found = bad.get(name).unwrap_or(&nothing);
            let left = self.left.get(name).copied().unwrap_or_default();
            if found.len() > left {
                let _ = writeln!(lines, "   {name}: {} found, {left} are left from before", found.len());
                found.iter().for_each(|line| lines.push_str(&format!("      {line}\n")));
            } else if found.len() < left {
                let _ =
                    writeln!(lines, "   {name}: {} found, so lower the {left} in words.json", found.len());
            }
        }
        lines
    }

    /// The findings, and the exceptions that nothing needs.
    fn find_violations(&self, texts: &[Text]) -> (Found, Vec<String>) {
        let mut bad = Found::new();
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
                        let line = violation_line(text, &words, &found, rule);
                        bad.entry(text.counted_as()).or_default().push(line);
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
        let found = |name: &str| bad.get(name).map(|lines| lines.join("\n") + "\n").unwrap_or_default();
        let names =
            ["window", "german", "documents", "program", "comments in crates/one", "comments in ui", "names"];
        assert_eq!(bad.len(), names.len(), "{:?}", bad.keys());
        let all: String = names.into_iter().map(found).collect();
        assert_eq!(all, include_str!("../fixtures/words/expected.txt"));
    }

    #[test]
    fn an_areas_remaining_count_may_only_fall() {
        let rules = r#"{"rules": [{"find": "\\banew\\b", "instead": "again"}], "exceptions": [],
            "left": {"comments in crates/one": 2, "comments in crates/two": 2, "comments in ui": 2}}"#;
        let style = Style::read(rules).expect("rules");
        let text =
            |place: &str| Text { kind: Kind::Comment, place: place.into(), words: "begins anew".into() };
        let places = ["crates/one/src/lib.rs:1", "crates/one/src/lib.rs:5", "crates/two/build.rs:1"];
        let texts: Vec<Text> = places.iter().chain(&["ui/src/a.ts:1"; 3]).map(|place| text(place)).collect();
        let (bad, _) = style.find_violations(&texts);
        let line = "      ui/src/a.ts:1: “…begins anew…”: \"anew\": again\n".repeat(3);
        let wanted = "   comments in crates/two: 1 found, so lower the 2 in words.json\n   \
            comments in ui: 3 found, 2 are left from before\n";
        assert_eq!(style.miscounts(&bad), wanted.to_owned() + &line);
    }

    #[test]
    fn an_exception_frees_one_phrase_at_one_place_and_must_be_needed() {
        let rules = r#"{"rules": [{"find": "\\banew\\b", "instead": "again"}], "left": {}, "exceptions": [
            {"at": "README.md", "text": "born anew", "why": "a title"}, {"at": "README.md", "text": "x", "why": "gone"}]}"#;
        let style = Style::read(rules).expect("rules");
        let text =
            |words: &str| Text { kind: Kind::Document, place: "README.md:1".into(), words: words.into() };
        let (bad, unused) = style.find_violations(&[text("born anew"), text("started anew")]);
        assert_eq!(bad["documents"].len(), 1);
        assert_eq!(unused, ["README.md (\"x\")"]);
        let lazy = rules.replace("a title", "");
        assert!(Style::read(&lazy).is_err(), "an exception without a reason is refused");
    }
}
