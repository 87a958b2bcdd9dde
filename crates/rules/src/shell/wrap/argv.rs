//! Parses an argument list: where its options end, and the rest.

use super::{Field, Inner};

/// Whether `env` and `sudo` take the word for a variable: for them, unlike a shell, any text before `=` is a name.
fn is_assignment(text: &str) -> bool {
    text.find('=').is_some_and(|at| at > 0) && !text.starts_with('-')
}

/// Index of the first word that isn't an option.
pub(super) fn skip_options(argv: &[Field], from: usize, value_options: &[&str], assigns: bool) -> usize {
    let mut i = from;
    while let Some(field) = argv.get(i) {
        let text = field.text.as_str();
        if text == "--" {
            i += 1;
            // Assignments may still follow.
            while assigns && argv.get(i).is_some_and(|f| is_assignment(&f.text)) {
                i += 1;
            }
            return i;
        }
        if text.starts_with("--") {
            i += if value_options.contains(&text) { 2 } else { 1 };
        } else if text.len() > 1 && text.starts_with('-') {
            // In `-nu root` the last letter takes the next word; in `-uroot` the value is attached.
            let takes =
                text.char_indices().skip(1).find(|(_, c)| value_options.contains(&format!("-{c}").as_str()));
            i += match takes {
                _ if value_options.contains(&text) => 2,
                Some((at, c)) if at + c.len_utf8() == text.len() => 2,
                _ => 1,
            };
        } else if assigns && is_assignment(text) {
            i += 1;
        } else {
            return i;
        }
    }
    i
}

pub(super) fn join(fields: &[Field]) -> String {
    fields.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ")
}

pub(super) fn tail(argv: &[Field], from: usize) -> Vec<Inner> {
    match argv.get(from..) {
        Some(rest) if !rest.is_empty() => vec![Inner::Argv(rest.to_vec())],
        _ => Vec::new(),
    }
}
