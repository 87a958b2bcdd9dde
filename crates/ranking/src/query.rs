//! Turns a user's or a model's query into an FTS5 expression that is never a syntax error.
//!
//! A query is split into *parts*: quoted phrases, words, identifiers, runs of CJK characters. Each part becomes an expression
//! of quoted strings only, so no character of the input is ever read as FTS5 syntax.

use crate::words::{is_cjk, pairs, split_words};

/// The rest of a longer query is ignored: a pasted page isn't a question.
const MAX_QUERY_BYTES: usize = 2_000;
/// Further parts are ignored.
const MAX_PARTS: usize = 24;

/// Words without a subject, left out if the query has other words. Words that mean something in code ("for", "if", "not",
/// "new", "test", "update" …) are deliberately absent.
pub const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "could", "did", "do", "does", "had",
    "has", "have", "how", "i", "in", "is", "it", "its", "me", "my", "of", "on", "or", "our", "should", "so",
    "that", "the", "their", "there", "these", "they", "this", "those", "to", "was", "we", "were", "what",
    "which", "who", "why", "will", "with", "would", "you", "your",
];

/// One search term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// As typed, without the quotes.
    pub text: String,
    /// Whether it was quoted: then the word order counts.
    pub quoted: bool,
    /// Lower-cased words that a match contains, for ranking and snippets.
    pub words: Vec<String>,
}

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The terms, in the order typed.
    pub parts: Vec<Part>,
}

impl Query {
    /// Parses `input`; any input is valid, and one without a letter or digit has no parts.
    pub fn parse(input: &str) -> Query {
        let input = &input[..input.floor_char_boundary(MAX_QUERY_BYTES)];
        let mut parts: Vec<Part> = Vec::new();
        // Quotes count only in pairs; an odd last one is an ordinary character.
        let pieces: Vec<&str> = input.split(['"', '“', '”']).collect();
        let odd_tail = pieces.len().is_multiple_of(2);
        for (i, piece) in pieces.iter().enumerate() {
            let quoted = i % 2 == 1 && !(odd_tail && i + 1 == pieces.len());
            if quoted {
                push_part(&mut parts, piece.trim(), true);
            } else {
                for word in piece.split(|c: char| c.is_whitespace() || c.is_control()) {
                    for run in script_runs(word) {
                        push_part(&mut parts, run, false);
                    }
                }
            }
        }
        let meaningful = |p: &Part| p.quoted || !STOP_WORDS.contains(&p.text.to_lowercase().as_str());
        if parts.iter().any(meaningful) {
            parts.retain(meaningful);
        }
        parts.truncate(MAX_PARTS);
        Query { parts }
    }

    /// An expression that matches if every part does. `None` for an empty query.
    pub fn all(&self) -> Option<String> {
        join(self.parts.iter().map(Part::expression), " AND ")
    }

    /// An expression that matches if all words follow each other; `None` for a single word or a phrase.
    pub fn row(&self) -> Option<String> {
        let plain = self.parts.len() > 1 && !self.parts.iter().any(|p| p.quoted || is_cjk_run(&p.text));
        let texts: Vec<&str> = self.parts.iter().map(|p| p.text.as_str()).collect();
        plain.then(|| quote(&texts.join(" ")))
    }

    /// Alternative expressions: each part, and each word of an unquoted part.
    pub fn any(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for part in &self.parts {
            let mut add = |e: String| {
                if !out.contains(&e) {
                    out.push(e);
                }
            };
            add(part.expression());
            if !part.quoted && part.words.len() > 1 && !is_cjk_run(&part.text) {
                for word in part.words.iter().filter(|w| w.chars().count() > 1) {
                    if !STOP_WORDS.contains(&word.as_str()) {
                        add(quote(word));
                    }
                }
            }
        }
        out
    }

    /// Every word that a good match contains, lower-cased and unique.
    pub fn words(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for word in self.parts.iter().flat_map(|p| &p.words) {
            if !out.contains(word) {
                out.push(word.clone());
            }
        }
        out
    }

    /// The same query with one part's text replaced, for a correction.
    pub fn with_replaced(&self, index: usize, text: &str) -> Query {
        let mut parts = self.parts.clone();
        let mut fresh = Vec::new();
        push_part(&mut fresh, text, parts[index].quoted);
        if let Some(part) = fresh.pop() {
            parts[index] = part;
        }
        Query { parts }
    }

    /// The query as text again.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self
            .parts
            .iter()
            .map(|p| if p.quoted { format!("\"{}\"", p.text) } else { p.text.clone() })
            .collect();
        texts.join(" ")
    }
}

impl Part {
    /// The FTS5 expression of this part: always parenthesised or one quoted string.
    pub fn expression(&self) -> String {
        if is_cjk_run(&self.text) {
            return cjk_expression(&self.text);
        }
        let whole = quote(&self.text);
        if self.quoted || self.words.len() < 2 {
            return whole;
        }
        // An identifier: as one word (`useEffect` → useeffect), as a phrase of its parts (use effect), and as written. The
        // parts column contains what camelCase hides, so the phrase finds every spelling.
        let mut alternatives = vec![whole];
        // Where FTS5 itself splits (`snake_case`), the phrase of parts would repeat.
        if self.text.split(|c: char| !c.is_alphanumeric()).filter(|r| !r.is_empty()).count()
            != self.words.len()
        {
            alternatives.push(quote(&self.words.join(" ")));
        }
        alternatives.push(quote(&self.words.concat()));
        format!("({})", alternatives.join(" OR "))
    }
}

fn push_part(parts: &mut Vec<Part>, raw: &str, quoted: bool) {
    let text = if quoted { raw } else { raw.trim_matches(|c: char| !c.is_alphanumeric()) };
    if !text.chars().any(char::is_alphanumeric) {
        return;
    }
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = if is_cjk_run(&text) { vec![text.clone()] } else { split_words(&text) };
    let part = Part { text, quoted, words };
    if !parts.contains(&part) {
        parts.push(part);
    }
}

/// Splits where CJK text meets other text, because the index separates the two as well.
fn script_runs(word: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut before: Option<bool> = None;
    for (i, c) in word.char_indices() {
        let now = is_cjk(c);
        if before.is_some_and(|b| b != now) {
            runs.push(&word[start..i]);
            start = i;
        }
        before = Some(now);
    }
    runs.push(&word[start..]);
    runs
}

fn is_cjk_run(text: &str) -> bool {
    text.chars().all(is_cjk)
}

/// A phrase of pairs, or a prefix search for a single character.
fn cjk_expression(run: &str) -> String {
    if run.chars().nth(1).is_none() {
        return format!("{}*", quote(run));
    }
    let row: Vec<&str> = pairs(run).collect();
    quote(&row.join(" "))
}

/// One FTS5 string: its content is text, never syntax.
pub fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\"").replace('\0', " "))
}

fn join(expressions: impl Iterator<Item = String>, with: &str) -> Option<String> {
    let all: Vec<String> = expressions.collect();
    if all.is_empty() { None } else { Some(all.join(with)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_become_expressions() {
        for (input, expected) in [
            ("retry policy", Some("\"retry\" AND \"policy\"")),
            ("how to use the cache", Some("\"use\" AND \"cache\"")),
            ("the", Some("\"the\"")),
            ("useEffect", Some("(\"useEffect\" OR \"use effect\" OR \"useeffect\")")),
            ("max_file_bytes", Some("(\"max_file_bytes\" OR \"maxfilebytes\")")),
            ("\"exact phrase\" word", Some("\"exact phrase\" AND \"word\"")),
            ("say \"oops", Some("\"say\" AND \"oops\"")),
            ("データベース", Some("\"デー ータ タベ ベー ース\"")),
            ("字", Some("\"字\"*")),
            ("React入門", Some("\"React\" AND \"入門\"")),
            ("a AND (b OR NEAR(*:^", Some("\"b\" AND \"NEAR\"")),
            ("*** --- ()", None),
            ("", None),
            ("\0\0", None),
        ] {
            let parsed = Query::parse(input);
            assert_eq!(parsed.all().as_deref(), expected, "{input:?}");
        }
    }
}
