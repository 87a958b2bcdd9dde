//! The final check of a converted page: reads the Markdown as a renderer would, and escapes whatever is still HTML or an address
//! that runs.

use pulldown_cmark::{Event, Options, Parser};

/// Rounds of reading and escaping. Escaping can expose more; after these, every `<` is escaped.
const ROUNDS: usize = 4;

/// `markdown` with a backslash before each `<` that a renderer would take for HTML. Code keeps its text.
pub(super) fn without_raw_html(mut markdown: String) -> String {
    for _ in 0..ROUNDS {
        let found = raw_html(&markdown);
        if found.is_empty() {
            return markdown;
        }
        markdown = escape(&markdown, &found);
    }
    if raw_html(&markdown).is_empty() { markdown } else { markdown.replace('<', "&lt;") }
}

/// The offsets of every `<` in HTML.
fn raw_html(markdown: &str) -> Vec<usize> {
    if !markdown.contains('<') {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        if matches!(event, Event::Html(_) | Event::InlineHtml(_)) {
            let slice = &markdown.as_bytes()[range.clone()];
            found.extend(memchr::memchr_iter(b'<', slice).map(|i| range.start + i));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn escape(markdown: &str, at: &[usize]) -> String {
    let mut out = String::with_capacity(markdown.len() + at.len());
    let mut copied = 0;
    for &i in at {
        out.push_str(&markdown[copied..i]);
        out.push_str("&lt;");
        copied = i + 1;
    }
    out.push_str(&markdown[copied..]);
    out
}
