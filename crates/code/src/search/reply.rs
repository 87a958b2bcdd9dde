//! Renders answers as text within a token limit: whole parts first, then fewer lines of each, then signatures, then locations
//! only, then fewer locations. The caller provides the texts. Pure.

use std::collections::HashSet;

use text::tokens_estimate;

use super::{Answer, Evidence, Query};
use crate::words;

/// How much is shown of each answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Place, definition and signature.
    #[default]
    Compact,
    /// With lines of code.
    Full,
}

/// How sure an answer is.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Quality {
    /// `ok` or `low_confidence`.
    pub status: &'static str,
    /// From 0 to 1.
    pub confidence: f64,
    /// How to improve the query.
    pub hint: Option<String>,
}

impl Quality {
    /// Adds names that may be meant instead of words that no file has.
    pub fn add_similar(&mut self, names: &[String]) {
        let Some(hint) = self.hint.as_mut().filter(|_| !names.is_empty()) else { return };
        let names: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
        hint.push_str(&format!("; similar names: {}", names.join(", ")));
    }
}

/// The most unknown words, or names instead of them, that are listed.
const LISTED: usize = 5;
/// The confidence from which an answer is `ok`; one that isn't never has as much.
const SURE: f64 = 0.4;
/// The least share of the question that a file must have.
const LEAST: f64 = 0.45;
/// It must have more than this of the words that any file has: one with one of two words answers neither.
const HALF: f64 = 0.5;

const SAYS_NOTHING: &str =
    "none of these words says anything about code; say what it does or what it is called";

/// Says how far these answers can be trusted: from how much of the question's weight the first has, whether the name that is asked
/// for exists, and whether any word says something about code. What no file has is named in any case.
pub fn quality(query: &Query, evidence: &Evidence, answers: &[Answer]) -> Quality {
    let unknown = unknown_words(&evidence.unknown);
    let Some(first) = answers.first() else {
        let nothing = unknown.unwrap_or_else(|| "no file has any of these words".to_owned());
        let hint = match query.says_nothing {
            true => SAYS_NOTHING.to_owned(),
            false => format!("{nothing}; try what the code itself would call it"),
        };
        return Quality { status: "low_confidence", confidence: 0.0, hint: Some(hint) };
    };
    let gap = answers.get(1).map_or(1.0, |second| (first.score - second.score).max(0.0));
    let confidence = (0.65 * first.cover + 0.2 * first.score + 0.15 * (gap * 4.0).min(1.0)).clamp(0.0, 1.0);
    let is_missing = query.names_only && query.spelt.iter().any(|name| evidence.unknown.contains(name));
    let says_nothing = query.says_nothing && !defines(query, first);
    // Sums of weights differ in the last digits.
    let has_most = first.cover >= LEAST && first.cover_of_known > HALF + 1e-9;
    let low = is_missing || says_nothing || !has_most || confidence < SURE;
    let advice = low.then(|| match query.spelt.first() {
        _ if says_nothing => SAYS_NOTHING.to_owned(),
        None => "name a type, function or file that you expect to take part".to_owned(),
        // It was asked for alone.
        Some(name) if query.spelt.len() == 1 && query.plain.is_empty() => match unknown {
            Some(_) => "ask for a part of the name, or for what it does".to_owned(),
            None => {
                format!("no file has most words of `{name}`; ask for a part of the name, or for what it does")
            }
        },
        Some(_) if unknown.is_some() => "ask in words that the code has".to_owned(),
        Some(name) => format!("nothing has most of these words; ask for `{name}` alone"),
    });
    let cut = query.is_cut.then(|| "the question is long; only its first words are looked for".to_owned());
    let hints: Vec<String> = unknown.into_iter().chain(advice).chain(cut).collect();
    let confidence = if low { confidence.min(SURE - 0.01) } else { confidence };
    Quality {
        status: if low { "low_confidence" } else { "ok" },
        confidence: (confidence * 100.0).round() / 100.0,
        hint: (!hints.is_empty()).then(|| hints.join("; ")),
    }
}

/// "no indexed file has `a` or `b`"
fn unknown_words(unknown: &[String]) -> Option<String> {
    let quoted: Vec<String> = unknown.iter().take(LISTED).map(|word| format!("`{word}`")).collect();
    let (last, before) = quoted.split_last()?;
    let rest = unknown.len() - quoted.len();
    let list = match before {
        _ if rest > 0 => format!("{} or {rest} more", quoted.join(", ")),
        [] => last.clone(),
        _ => format!("{} or {last}", before.join(", ")),
    };
    Some(format!("no indexed file has {list}"))
}

/// Whether the answer defines what the question names.
pub fn defines(query: &Query, answer: &Answer) -> bool {
    let own = answer.symbol.as_deref().map(|symbol| symbol.rsplit('.').next().unwrap_or(symbol));
    let mut folded = String::new();
    own.is_some_and(|own| {
        words::whole(own, &mut folded);
        query.names.contains(&folded) || query.plain.contains(&folded)
    })
}

/// Steps of shortening; each shows less than the one before.
const STEPS: &[Step] = &[
    Step { lines: 60, signature: true },
    Step { lines: 20, signature: true },
    Step { lines: 8, signature: true },
    Step { lines: 0, signature: true },
    Step { lines: 0, signature: false },
];

#[derive(Clone, Copy)]
struct Step {
    lines: usize,
    signature: bool,
}

/// The answers as text of at most `max_tokens` tokens, by the estimate that is used everywhere. `texts` are the lines
/// of each answer; where one is missing, its file has changed, and the reply says so.
pub fn reply(answers: &[Answer], texts: &[Option<String>], detail: Detail, max_tokens: usize) -> String {
    let first = usize::from(detail == Detail::Compact) * 3;
    let mut out = String::new();
    for step in &STEPS[first..] {
        out = all(answers, texts, detail, *step);
        if tokens_estimate(out.len()) <= max_tokens {
            return out;
        }
    }
    // Fewer places, and how many more there are.
    let lines: Vec<&str> = out.lines().collect();
    for kept in (0..lines.len()).rev() {
        let rest = lines.len() - kept;
        let short = format!("{}\n… {rest} more", lines[..kept].join("\n"));
        if tokens_estimate(short.len()) <= max_tokens {
            return short;
        }
    }
    String::new()
}

fn all(answers: &[Answer], texts: &[Option<String>], detail: Detail, step: Step) -> String {
    let (mut out, mut packages) = (String::new(), HashSet::new());
    for (i, answer) in answers.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(&line(answer, &mut packages));
        let text = texts.get(i).and_then(Option::as_deref);
        if let Some(signature) =
            answer.signature.as_deref().filter(|_| step.signature && (step.lines == 0 || text.is_none()))
        {
            out.push_str("\n    ");
            out.push_str(signature);
        }
        match text {
            Some(text) if step.lines > 0 => show(text, step.lines, &mut out),
            None if detail == Detail::Full && texts.len() == answers.len() => {
                out.push_str("\n    (changed since it was indexed: read the file)");
            }
            _ => {}
        }
    }
    out
}

/// `src/a.rs:10-40  method Router.route  (test, imported by 4)`. Each file of a package of Go is imported with all others, which is
/// told once; `packages` are those of which it was.
fn line<'a>(answer: &'a Answer, packages: &mut HashSet<&'a str>) -> String {
    let mut out = format!("{}:{}-{}", answer.path, answer.start_line, answer.end_line);
    if let (Some(kind), Some(symbol)) = (answer.kind, &answer.symbol) {
        out.push_str(&format!("  {} {symbol}", kind.name()));
    }
    let mut notes: Vec<String> = answer.role.names().into_iter().map(str::to_owned).collect();
    let package = answer.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    if answer.importers > 0 && answer.language != "go" {
        notes.push(format!("imported by {}", answer.importers));
    } else if answer.importers > 0 && packages.insert(package) {
        notes.push(format!("package imported by {}", answer.importers));
    }
    if !notes.is_empty() {
        out.push_str(&format!("  ({})", notes.join(", ")));
    }
    out
}

fn show(text: &str, lines: usize, out: &mut String) {
    let count = text.lines().count();
    for line in text.lines().take(lines) {
        out.push('\n');
        out.push_str(line);
    }
    if count > lines {
        out.push_str(&format!("\n… {} more lines", count - lines));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::role::Role;

    fn answer(n: u32, signature: &str) -> Answer {
        Answer {
            path: format!("src/file{n}.rs"),
            language: "rust".to_owned(),
            role: Role::default(),
            start_line: n,
            end_line: n + 9,
            key: String::new(),
            symbol: Some("A.b".to_owned()),
            kind: crate::Kind::from_name("method"),
            signature: Some(signature.to_owned()),
            score: 0.5,
            cover: 0.5,
            cover_of_known: 0.5,
            importers: n,
        }
    }

    proptest! {
        #[test]
        fn nothing_exceeds_the_cap(count in 0u32..30, words in "\\PC{0,200}", lines in 0usize..200, cap in 0usize..3_000, full: bool) {
            let answers: Vec<Answer> = (0..count).map(|n| answer(n, &words)).collect();
            let texts: Vec<_> = answers.iter().map(|a| (a.importers % 3 > 0).then(|| format!("{words}\n").repeat(lines))).collect();
            let detail = if full { Detail::Full } else { Detail::Compact };
            let out = reply(&answers, &texts, detail, cap);
            prop_assert!(tokens_estimate(out.len()) <= cap);
        }
    }

    #[test]
    fn an_importer_of_a_package_is_listed_once() {
        let file = |path: &str, language: &str, importers: u32| Answer {
            path: path.to_owned(),
            language: language.to_owned(),
            ..answer(importers, "")
        };
        let answers = [
            file("http/server.go", "go", 45),
            file("http/client.go", "go", 45),
            file("main.go", "go", 0),
            file("log/log.go", "go", 7),
            file("web/a.ts", "typescript", 45),
            file("web/b.ts", "typescript", 45),
        ];
        let out = reply(&answers, &[], Detail::Compact, 2_000);
        let told: Vec<&str> =
            out.lines().filter_map(|line| line.split_once("  (").map(|(_, notes)| notes)).collect();
        let package = ["package imported by 45)", "package imported by 7)"];
        assert_eq!(told, [package[0], package[1], "imported by 45)", "imported by 45)"], "{out}");
    }

    #[test]
    fn what_does_not_fit_is_shortened_step_by_step() {
        let answers = [answer(1, "fn b(&self)"), answer(2, "fn b(&self)")];
        let texts = [Some("line of code\n".repeat(40)), None];
        let at = |cap| reply(&answers, &texts, Detail::Full, cap);
        assert!(at(2_000).matches("line of code").count() == 40);
        assert!(at(2_000).contains("changed since it was indexed"));
        assert!(at(120).contains("… 20 more lines"));
        assert!(at(60).contains("fn b(&self)") && !at(60).contains("line of code"));
        assert!(at(16).contains("… 1 more") || at(16).contains("… 2 more"), "{}", at(16));
    }
}
