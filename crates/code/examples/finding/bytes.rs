//! Measures how many bytes an agent must read until an answering file is in view. Ranked search: the list of ten
//! answers, then the parts it names, best first; if none is right, all of that plus grep and read. Grep and read: the
//! files with any of the question's words and their counts, then those files whole, most words first.

use std::path::Path;

use plimsoll_code::search::{Answer, Reader};
use serde_json::{Value, json};

/// Words too common to grep for.
const COMMON: &[&str] = &[
    "the", "and", "how", "what", "where", "does", "for", "with", "are", "from", "into", "that", "this",
    "when", "which", "why", "is", "to", "of", "in", "on", "by", "an", "or", "as", "it", "its", "be",
];

/// Bytes of each method, by question.
#[derive(Default)]
pub(crate) struct Bytes {
    ranked: Vec<f64>,
    grep: Vec<f64>,
    found: u64,
}

impl Bytes {
    /// Counts one question; `relevant` are paths below `root`.
    pub(crate) fn count(
        &mut self,
        reader: &Reader,
        root: &Path,
        query: &str,
        answers: &[Answer],
        relevant: &[String],
    ) {
        let grep = grep_and_read(reader, root, query, relevant);
        let line = |a: &Answer| {
            let signature = a.signature.as_deref().unwrap_or_default();
            format!("{}:{}-{} {signature}\n", a.path, a.start_line, a.end_line).len()
        };
        let mut ranked: usize = answers.iter().map(line).sum();
        let mut right = false;
        for answer in answers {
            ranked += part(root, answer);
            right = relevant.contains(&answer.path);
            if right {
                break;
            }
        }
        self.found += u64::from(right);
        self.ranked.push(ranked as f64 + if right { 0.0 } else { grep });
        self.grep.push(grep);
    }

    pub(crate) fn report(mut self) -> Value {
        let sum = |list: &[f64]| list.iter().sum::<f64>();
        let share = sum(&self.ranked) / sum(&self.grep).max(1.0);
        let mut ratios: Vec<f64> = self.ranked.iter().zip(&self.grep).map(|(a, b)| a / b.max(1.0)).collect();
        let questions = self.ranked.len();
        let middle = |list: &mut Vec<f64>| {
            list.sort_by(f64::total_cmp);
            list.get(list.len() / 2).copied().unwrap_or(0.0)
        };
        json!({
            "questions": questions, "found_in_ten": self.found,
            "ranked_median": middle(&mut self.ranked), "grep_median": middle(&mut self.grep),
            "share_of_all_bytes": round(share), "share_median": round(middle(&mut ratios)),
        })
    }
}

fn round(x: f64) -> f64 {
    (x * 1e3).round() / 1e3
}

/// The part of a file that an answer names.
fn part(root: &Path, answer: &Answer) -> usize {
    let text = std::fs::read(root.join(&answer.path)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let (from, to) = (answer.start_line.saturating_sub(1) as usize, answer.end_line as usize);
    text.lines().skip(from).take(to.saturating_sub(from)).map(|line| line.len() + 1).sum()
}

fn grep_and_read(reader: &Reader, root: &Path, query: &str, relevant: &[String]) -> f64 {
    let query = query.to_lowercase();
    let words: Vec<&str> = query
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.len() > 1 && !COMMON.contains(word))
        .collect();
    let mut found: Vec<(usize, usize, usize, &str)> = Vec::new();
    for file in reader.files() {
        let text = std::fs::read(root.join(&file.path)).unwrap_or_default();
        let size = text.len();
        let text = String::from_utf8_lossy(&text).to_lowercase();
        let distinct = words.iter().filter(|word| text.contains(**word)).count();
        let lines = text.lines().filter(|line| words.iter().any(|word| line.contains(word))).count();
        if distinct > 0 {
            found.push((distinct, lines, size, &file.path));
        }
    }
    found.sort_by(|a, b| (b.0, b.1, a.3).cmp(&(a.0, a.1, b.3)));
    let mut bytes: usize = found.iter().map(|(_, lines, _, path)| format!("{path}:{lines}\n").len()).sum();
    for (_, _, size, path) in found {
        bytes += size;
        if relevant.iter().any(|right| right == path) {
            break;
        }
    }
    bytes as f64
}
