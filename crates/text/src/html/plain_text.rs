//! The fallback for pages that no parser should build a tree of: their text, with a line per block. Linear, without
//! recursion.

use super::entities::unescape;
use super::guard::next_tag;

/// Elements that stay on their line.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr",
];
/// Elements whose text isn't the page's.
const SKIPPED: &[&str] = &["nav", "header", "footer", "aside", "form", "head"];

/// The text of `html`, one line per block element, with Markdown's special characters escaped.
pub(super) fn text(html: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    let mut skipping: Option<(&str, usize)> = None;
    loop {
        let tag = next_tag(html, at);
        let text_end = tag.as_ref().map_or(html.len(), |t| t.start);
        if skipping.is_none() {
            push_text(&mut out, &html[at.min(text_end)..text_end]);
        }
        let Some(tag) = tag else { break };
        at = tag.end;
        match &mut skipping {
            Some((name, depth)) if tag.is(&[name]) => {
                *depth = if tag.closing { *depth - 1 } else { *depth + 1 };
                if *depth == 0 {
                    skipping = None;
                }
            }
            None if !tag.closing => {
                if let Some(name) = SKIPPED.iter().find(|n| tag.is(&[n])) {
                    skipping = Some((name, 1));
                }
            }
            _ => {}
        }
        if !tag.is(INLINE) && !out.is_empty() && !out.ends_with('\n') {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn push_text(out: &mut String, raw: &str) {
    let text = unescape(raw);
    for (i, word) in text.split_whitespace().enumerate() {
        let space = i > 0 || text.starts_with(char::is_whitespace);
        if space && !out.is_empty() && !out.ends_with([' ', '\n']) {
            out.push(' ');
        }
        for c in word.chars() {
            if matches!(c, '<' | '`' | '[' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    if text.ends_with(char::is_whitespace) && !out.is_empty() && !out.ends_with([' ', '\n']) {
        out.push(' ');
    }
}
