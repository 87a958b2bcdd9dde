//! Passwords that a program reads from a pipe or from a text after `<<<`. `commands` knows which programs do.

use super::Secret;
use super::arguments::{unquoted, words};

/// `chpasswd <<< "user:secret"`.
pub(super) fn here_string(text: &str, end: usize, out: &mut Vec<Secret>) {
    let rest = &text[end..text.floor_char_boundary(end.saturating_add(500))];
    let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let Some(at) = rest.find("<<<") else { return };
    let Some(word) = words(text, end, end + at + 3).into_iter().next() else { return };
    let word = unquoted(text, word);
    if let Some(colon) = text[word.clone()].find(':').filter(|colon| word.len() - colon > 3) {
        out.push(Secret { range: word.start + colon + 1..word.end, kind: "password" });
    }
}

/// `echo secret | sudo -S …`.
pub(super) fn piped_into(text: &str, start: usize, name: &str, out: &mut Vec<Secret>) {
    let line = super::line_start(text, start);
    let Some(pipe) = text[line..start].rfind('|') else { return };
    let command = &text[line..line + pipe];
    let Some(at) =
        command.rfind("echo ").map(|at| at + 5).or_else(|| command.rfind("printf ").map(|at| at + 7))
    else {
        return;
    };
    for word in words(text, line, line + at).into_iter().filter(|word| word.end <= line + pipe) {
        let shown = &text[word.clone()];
        if shown.starts_with('-') || shown.starts_with('%') || shown.len() < 3 {
            continue;
        }
        let from = if name == "chpasswd" {
            shown.find(':').map_or(word.start, |at| word.start + at + 1)
        } else {
            word.start
        };
        out.push(Secret { range: from..word.end, kind: "password" });
        return;
    }
}
