//! Tells an agent once when a new file or an edit contains nearly all words of an existing function. Reads the function
//! from its file, so that no hint names removed code.

use std::collections::{HashMap, HashSet};

use code::Span;
use system::ModelContext;

use super::edits::FileEdit;
use super::{Near, plain};

/// Words in a row that are compared.
const ROW: usize = 6;
/// A function of fewer words is too small to mention.
const FEW_WORDS: usize = 40;
/// The share of a function that the written text must contain.
const SHARE: f64 = 0.8;
/// Fewer new lines can't contain a function.
const FEW_LINES: usize = 5;
/// The number of candidates that are compared.
const CANDIDATES: usize = 24;
/// The number of written bytes that are compared.
const MAX_TEXT: usize = 200_000;

pub(super) fn tell(near: &Near<'_>, edits: &[FileEdit]) -> Option<ModelContext> {
    edits.iter().find_map(|edited| of(near, edited))
}

fn of(near: &Near<'_>, edited: &FileEdit) -> Option<ModelContext> {
    let path = near.relative(&edited.path)?;
    if !near.store.is_complete().ok()? {
        return None;
    }
    let role = code::role::of(&path, None, "");
    if [
        code::role::Role::TEST,
        code::role::Role::VENDORED,
        code::role::Role::GENERATED,
        code::role::Role::DOCS,
    ]
    .iter()
    .any(|other| role.is(*other))
    {
        return None;
    }
    let (old, new) = match &edited.whole {
        // The earlier contents of an overwritten file are unknown.
        Some(_) if near.store.indexed_file(&path).ok()?.is_some() => return None,
        Some(whole) => (String::new(), whole.clone()),
        None => {
            let join = |side: fn(&(String, String)) -> &str| {
                edited.pieces.iter().map(side).collect::<Vec<_>>().join("\n")
            };
            (join(|piece| &piece.0), join(|piece| &piece.1))
        }
    };
    if new.len() > MAX_TEXT || new.lines().count() < old.lines().count() + FEW_LINES {
        return None;
    }
    let (before, written) = (rows(&old), rows(&new));
    let mut texts: HashMap<String, Option<String>> = HashMap::new();
    for (glance, span) in near.store.functions_like(&new).ok()?.into_iter().take(CANDIDATES) {
        if glance.path == path || !near.shows(&glance.path) {
            continue;
        }
        if !near.in_time() {
            return None;
        }
        let text = texts.entry(glance.path.clone()).or_insert_with(|| {
            let meta = std::fs::symlink_metadata(near.root.join(&glance.path)).ok()?;
            glance.is_unchanged(&meta).then(|| near.text(&glance.path)).flatten()
        });
        let Some(text) = text else { continue };
        let body = lines_of(text, &span);
        if share(&body, &written) >= SHARE && share(&body, &before) < SHARE / 2.0 {
            let place = format!("{}:{}", glance.path, span.line);
            let text = format!(
                "What was just written in {path} repeats {} `{}` in {place} nearly word for word. Using that one, or moving it to \
                 where both can use it, keeps one copy.",
                span.kind.name(),
                plain(&span.name, 60),
            );
            let short = text.len() <= super::MAX_BYTES;
            return (short && near.first_time(&format!("repeats {path} {place} {}", span.name))).then_some(
                ModelContext { text, reason: "repeats an existing function", ledger_name: "repeats" },
            );
        }
    }
    None
}

fn lines_of(text: &str, span: &Span) -> String {
    let first = span.start_line.saturating_sub(1) as usize;
    let count = span.end_line.saturating_sub(span.start_line) as usize + 1;
    text.lines().skip(first).take(count).collect::<Vec<_>>().join("\n")
}

/// The words of code, without comments on lines of their own.
fn code_words(text: &str) -> Vec<&str> {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !["//", "#", "*", "/*", "--"].iter().any(|mark| line.starts_with(mark)) || line.starts_with("#[")
    };
    let mut out = Vec::new();
    for line in text.lines().filter(is_code) {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let end =
                if is_word(c) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
            if !c.is_whitespace() {
                out.push(&rest[..end]);
            }
            rest = &rest[end..];
        }
    }
    out
}

/// Every row of words, as a number.
fn rows(text: &str) -> HashSet<u64> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let words = code_words(text);
    let number = |row: &[&str]| {
        let mut hasher = DefaultHasher::new();
        row.hash(&mut hasher);
        hasher.finish()
    };
    words.windows(ROW).map(number).collect()
}

/// The share of a function's rows in the written text; 0 for one that is too small.
fn share(function: &str, written: &HashSet<u64>) -> f64 {
    if code_words(function).len() < FEW_WORDS {
        return 0.0;
    }
    let own = rows(function);
    own.iter().filter(|row| written.contains(row)).count() as f64 / own.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTION: &str = "pub fn normalised(path: &str) -> String {\n    // Kept.\n    let mut parts = Vec::new();\n    for part in path.split('/') {\n        match part {\n            \"..\" => drop(parts.pop()),\n            \".\" | \"\" => {}\n            other => parts.push(other),\n        }\n    }\n    parts.join(\"/\")\n}\n";

    #[test]
    fn a_copy_is_one_whatever_it_is_called_and_however_it_is_set() {
        let copy = FUNCTION.replace("normalised", "clean").replace("    ", "\t").replace("// Kept.", "");
        assert!(share(FUNCTION, &rows(&copy)) >= SHARE);
        let other = "pub fn folded(path: &str) -> String {\n    let mut out = String::new();\n    for c in path.chars() {\n        out.push(c);\n    }\n    out\n}\n";
        assert!(share(FUNCTION, &rows(other)) < 0.3);
        assert_eq!(share("fn a() { b() }", &rows("fn a() { b() }")), 0.0);
    }
}
