//! Generates commands from a grammar: a payload that rules may forbid, wrapped in shell constructs and launchers, joined to
//! everyday commands, and disturbed. Pure: the same seed gives the same commands.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use toml_edit::{DocumentMut, Item};

use super::random::Random;
use super::{Case, Route, data};

/// The placeholder for a case's mark in the grammar's texts.
const MARK: char = '@';

/// The grammar in `tests/differential/grammar.toml`.
#[derive(Debug, Clone)]
pub struct Grammar {
    /// Commands that rules are about, by kind.
    payloads: BTreeMap<String, Vec<String>>,
    /// Constructs that wrap a command.
    wrappers: Vec<String>,
    /// Everyday commands beside it.
    neighbours: Vec<String>,
    /// Operators that join two commands.
    joints: Vec<String>,
    /// Texts inserted between two words.
    noise: Vec<String>,
    /// Paths of files that rules may forbid reading.
    paths: Vec<String>,
    /// Whole commands that once got through, or similar ones.
    known: Vec<String>,
}

/// The strings of an array in a table of TOML.
pub(super) fn strings(item: Option<&Item>) -> Vec<String> {
    let list = item.and_then(Item::as_array).into_iter().flatten();
    list.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

impl Grammar {
    /// Reads the grammar.
    ///
    /// # Errors
    /// If the file is missing or isn't TOML.
    pub fn read() -> Result<Self> {
        let path = data().join("grammar.toml");
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let document: DocumentMut = text.parse()?;
        let payloads = document.get("payloads").and_then(Item::as_table).context("payloads are missing")?;
        let payloads = payloads.iter().map(|(name, list)| (name.to_owned(), strings(Some(list)))).collect();
        let lists = document.get("lists").and_then(Item::as_table).context("lists are missing")?;
        let list = |key: &str| strings(lists.get(key));
        Ok(Self {
            payloads,
            wrappers: list("wrappers"),
            neighbours: list("neighbours"),
            joints: list("joints"),
            noise: list("noise"),
            paths: list("paths"),
            known: list("known"),
        })
    }

    /// This many different cases, each with a payload of these kinds and one of these histories.
    pub fn cases(
        &self,
        random: &mut Random,
        kinds: &[String],
        histories: &[Vec<String>],
        count: usize,
    ) -> Vec<Case> {
        let mut seen = BTreeSet::new();
        let mut cases = Vec::new();
        // An exhausted grammar must not loop forever.
        for _ in 0..count * 20 {
            if cases.len() == count {
                break;
            }
            let history = random.pick(histories).cloned().unwrap_or_default();
            let (route, command) = self.command(random, kinds);
            if !seen.insert((history.clone(), route, command.clone())) {
                continue;
            }
            let mark = format!("c{:05}", 10_000 + random.below(90_000));
            if cases.iter().any(|case: &Case| case.mark == mark) {
                continue;
            }
            let command = command.replace(MARK, &mark);
            cases.push(Case { mark, history, command, route });
        }
        cases
    }

    fn command(&self, random: &mut Random, kinds: &[String]) -> (Route, String) {
        if kinds.iter().any(|kind| kind == "file")
            && random.percent(20)
            && let Some(path) = random.pick(&self.paths)
        {
            return (if random.percent(60) { Route::File } else { Route::Index }, path.clone());
        }
        let payload = self.payload(random, kinds);
        let route = match random.below(100) {
            0..60 => Route::Shell,
            60..80 => Route::Execute,
            80..88 => Route::Batch,
            88..94 => Route::Task,
            _ => Route::Run,
        };
        // Words after `plimsoll run --` are one program and its arguments.
        if route == Route::Run {
            return (route, payload);
        }
        if random.percent(20)
            && let Some(known) = random.pick(&self.known)
        {
            return (route, wrapped(known, &payload));
        }
        let mut command = payload;
        for _ in 0..[0, 0, 0, 1, 1, 2][random.below(6)] {
            if let Some(wrapper) = random.pick(&self.wrappers) {
                command = wrapped(wrapper, &command);
            }
        }
        if random.percent(40)
            && let (Some(neighbour), Some(joint)) = (random.pick(&self.neighbours), random.pick(&self.joints))
        {
            command = if random.percent(75) {
                format!("{neighbour}{joint}{command}")
            } else {
                format!("{command}{joint}{neighbour}")
            };
        }
        for _ in 0..[0, 0, 0, 0, 1, 1][random.below(6)] {
            command = self.with_noise(random, &command);
        }
        (route, command)
    }

    fn payload(&self, random: &mut Random, kinds: &[String]) -> String {
        let forms = random.pick(kinds).and_then(|kind| self.payloads.get(kind));
        forms.and_then(|forms| random.pick(forms)).cloned().unwrap_or_else(|| "true".into())
    }

    /// The command with noise between two words, or inside its first.
    fn with_noise(&self, random: &mut Random, command: &str) -> String {
        let mut places: Vec<usize> = command.match_indices(' ').map(|(at, _)| at).collect();
        places.extend([0, command.len()]);
        let (Some(&at), Some(noise)) = (random.pick(&places), random.pick(&self.noise)) else {
            return command.to_owned();
        };
        let mut out = command.to_owned();
        out.insert_str(at, noise);
        out
    }
}

/// A construct with the command in it: `%c` unchanged, `%q` in single quotes, `%d` in double quotes.
fn wrapped(wrapper: &str, command: &str) -> String {
    let mut out = String::new();
    let mut rest = wrapper;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let form = rest[at + 1..].chars().next();
        match form {
            Some('c') => out.push_str(command),
            Some('q') => out.push_str(&format!("'{}'", command.replace('\'', r"'\''"))),
            Some('d') => {
                out.push('"');
                for letter in command.chars() {
                    if "\\\"$`".contains(letter) {
                        out.push('\\');
                    }
                    out.push(letter);
                }
                out.push('"');
            }
            _ => {
                out.push('%');
                rest = &rest[at + 1..];
                continue;
            }
        }
        rest = &rest[at + 2..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{Grammar, Random, wrapped};

    #[test]
    fn a_construct_holds_the_command_in_the_quotes_it_asks_for() {
        assert_eq!(wrapped("bash -c %q", "echo 'a'"), r"bash -c 'echo '\''a'\'''");
        assert_eq!(wrapped("bash -c %d", r#"echo "$a""#), r#"bash -c "echo \"\$a\"""#);
        assert_eq!(wrapped("if true; then %c; fi", "a"), "if true; then a; fi");
        assert_eq!(wrapped("date +%s; %c", "a"), "date +%s; a");
    }

    #[test]
    fn the_same_seed_gives_the_same_cases_each_with_its_own_mark() {
        let grammar = Grammar::read().unwrap();
        let kinds = ["program".to_owned(), "file".to_owned()];
        let histories = [vec![], vec!["cd sub".to_owned()]];
        let cases = |seed| grammar.cases(&mut Random::new(seed), &kinds, &histories, 500);
        let first = cases(1);
        assert_eq!(first, cases(1));
        assert_ne!(first, cases(2));
        assert_eq!(first.len(), 500);
        let mut marks: Vec<_> = first.iter().map(|case| &case.mark).collect();
        marks.sort();
        marks.dedup();
        assert_eq!(marks.len(), 500);
        assert!(first.iter().any(|case| case.command.contains("boom") && case.command.contains(&case.mark)));
    }

    #[test]
    fn every_list_of_the_grammar_is_used() {
        let grammar = Grammar::read().unwrap();
        assert!(grammar.payloads.values().all(|forms| !forms.is_empty()) && grammar.payloads.len() >= 4);
        assert!(grammar.wrappers.len() >= 60 && grammar.wrappers.iter().all(|text| text.contains('%')));
        assert!(!grammar.neighbours.is_empty() && !grammar.joints.is_empty());
        assert!(!grammar.noise.is_empty() && !grammar.known.is_empty());
        assert!(grammar.paths.len() >= 10);
    }
}
