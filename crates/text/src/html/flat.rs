//! The way out for pages that no parser should build a tree of: their text, with a line per block. Linear, and
//! without recursion.

use super::guard::next_tag;

/// Elements that stay on the line they are in.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr",
];
/// Elements whose text is not the page's.
const SKIPPED: &[&str] = &["nav", "header", "footer", "aside", "form", "head"];

/// The text of `html`, one line per block element, Markdown's own marks escaped where they would mean something.
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

/// `raw` with the common character references resolved; unknown ones stay as they are.
pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(amp) = memchr::memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..amp]);
        rest = &rest[amp..];
        let window = &rest[..rest.floor_char_boundary(12)];
        let resolved = window.find(';').and_then(|end| Some((reference(&window[1..end])?, end + 1)));
        match resolved {
            Some((c, len)) => {
                out.push(c);
                rest = &rest[len..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    let number = name.strip_prefix('#');
    if let Some(number) = number {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).filter(|c| *c != '\0');
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "mdash" => '—',
        "ndash" => '–',
        "hellip" => '…',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "laquo" => '«',
        "raquo" => '»',
        "middot" => '·',
        "bull" => '•',
        "copy" => '©',
        "times" => '×',
        _ => return None,
    })
}
