//! A short text with all facts of an output and nothing else: a bound below which no shortening that keeps every fact
//! can be expected to go. It isn't the shortest possible text, because overlapping words aren't merged.

use std::collections::BTreeMap;

use super::corpus::Scenario;
use super::kept::Fact;

/// The text: places by file, then words of which none is within another.
pub(crate) fn least_text(scenario: &Scenario) -> String {
    let printed = String::from_utf8_lossy(&scenario.raw);
    let plain = filters::normalise(&printed);
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut words: Vec<String> = Vec::new();
    for fact in &scenario.facts {
        match fact {
            Fact::Place { file, line } => places.entry(file).or_default().push(line),
            Fact::Words(text) => words.push(text.clone()),
            Fact::Pattern(pattern) => {
                // Beyond its match, a pattern looks only at the rest of the line.
                let lines =
                    pattern.find(&plain).map(|found| lines_around(&plain, found.start(), found.end()));
                words.extend(lines.map(str::to_owned));
            }
        }
    }
    words.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let mut told: Vec<String> =
        places.into_iter().map(|(file, lines)| format!("{file}: {}", lines.join(" "))).collect();
    for text in words {
        if !told.iter().any(|other| other.contains(&text)) {
            told.push(text);
        }
    }
    told.join("\n")
}

/// The whole lines around a part of a text.
fn lines_around(text: &str, start: usize, end: usize) -> &str {
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    &text[from..to]
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::least_text;
    use crate::facts::corpus;
    use crate::facts::kept::Text;

    #[test]
    fn the_least_text_has_every_fact_and_is_no_longer_than_the_output() {
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let loaded =
            corpus::all(&here.join("../.."), Path::new("no-packages")).expect("a corpus without mistakes");
        for scenario in &loaded.scenarios {
            let told = least_text(scenario);
            let text = Text::new(&told);
            let lost = scenario.facts.iter().filter(|fact| !text.has(fact, &scenario.files)).count();
            assert_eq!(lost, 0, "{}", scenario.name);
            assert!(told.len() <= scenario.raw.len(), "{}", scenario.name);
        }
    }
}
