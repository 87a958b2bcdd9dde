//! Removes HTML comments from Markdown, which its readers never see. Owns where a comment is one: not in a code block or a code
//! span. Knows nothing else of HTML.

use std::borrow::Cow;

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";
/// No code span is longer, in bytes.
const MAX_SPAN: usize = 4_096;

/// `markdown` without its HTML comments. One that never ends stays: too much would go with it.
#[must_use]
pub fn without_comments(markdown: &str) -> Cow<'_, str> {
    if !markdown.contains(OPEN) {
        return Cow::Borrowed(markdown);
    }
    let mut out = String::with_capacity(markdown.len());
    let mut fence: Option<(char, usize)> = None;
    let (mut at, mut end) = (0, 0);
    while at < markdown.len() {
        // What follows a comment is still the same line, which is looked through once.
        if at >= end {
            end = markdown[at..].find('\n').map_or(markdown.len(), |feed| at + feed + 1);
        }
        let line = &markdown[at..end];
        let text = line.trim_start_matches([' ', '\t']);
        let begins = at == 0 || markdown.as_bytes()[at - 1] == b'\n';
        // A deeper line is code, or belongs to a list; a tab counts as four blanks.
        let indented = begins && (line.starts_with('\t') || line.len() - text.len() >= 4);
        let marks = if begins { fence_marks(text) } else { None };
        if let Some((mark, count)) = fence {
            if marks.is_some_and(|(own, n)| own == mark && n >= count) && is_only(text, mark) {
                fence = None;
            }
        } else if marks.is_some() && !indented {
            fence = marks;
        } else if let Some(start) = comment_start(line).filter(|_| !indented) {
            let Some(close) = markdown[at + start..].find(CLOSE) else {
                out.push_str(&markdown[at..]);
                break;
            };
            out.push_str(&line[..start]);
            at += start + close + CLOSE.len();
            continue;
        }
        out.push_str(line);
        at = end;
    }
    Cow::Owned(out)
}

/// The kind and number of marks that begin or end a code block.
fn fence_marks(text: &str) -> Option<(char, usize)> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let count = text.chars().take_while(|c| *c == mark).count();
    (count >= 3 && (mark == '~' || !text[count..].contains('`'))).then_some((mark, count))
}

fn is_only(text: &str, mark: char) -> bool {
    text.trim_end().chars().all(|c| c == mark)
}

/// Where a comment begins in the line, outside of its code spans.
fn comment_start(line: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let open = rest.find(OPEN)?;
        let Some(tick) = rest[..open].find('`') else { return Some(at + open) };
        let ticks = rest[tick..].bytes().take_while(|byte| *byte == b'`').count();
        let inside = at + tick + ticks;
        let near = &line[inside..line.floor_char_boundary(inside + MAX_SPAN)];
        at = span_end(near, ticks).map_or(inside, |end| inside + end);
    }
}

/// The end of a code span of `ticks` marks.
fn span_end(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(tick) = text[at..].find('`') {
        let start = at + tick;
        let count = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        at = start + count;
        if count == ticks {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::without_comments;

    #[test]
    fn comments_go_and_code_stays() {
        for (given, left) in [
            ("a <!-- gone --> b", "a  b"),
            ("# T\n\n<!-- one\ntwo\n-->\nafter\n", "# T\n\n\nafter\n"),
            ("<!-- a --><!-- b -->c", "c"),
            ("<!-- a -->     <!-- b -->c", "     c"),
            ("```html\n<!-- kept -->\n```\n<!-- gone -->", "```html\n<!-- kept -->\n```\n"),
            ("~~~\n```\n<!-- kept -->\n~~~\n<!-- gone -->x", "~~~\n```\n<!-- kept -->\n~~~\nx"),
            ("write `<!-- kept -->` or <!-- gone -->so", "write `<!-- kept -->` or so"),
            ("``a ` <!-- kept -->`` x", "``a ` <!-- kept -->`` x"),
            ("a ` b <!-- gone --> c", "a ` b  c"),
            ("    <!-- kept: code -->\n", "    <!-- kept: code -->\n"),
            ("a <!-- never closed\nmore", "a <!-- never closed\nmore"),
            ("no comment -->", "no comment -->"),
            ("<!-->x", "x"),
        ] {
            assert_eq!(without_comments(given), left, "{given:?}");
        }
    }

    proptest! {
        #[test]
        fn the_remainder_is_part_of_the_text_and_is_stable(text in "(<!--|-->|`{1,4}|~~~|\n|    |[a-zü ]){0,40}") {
            let once = without_comments(&text).into_owned();
            prop_assert!(once.len() <= text.len());
            let mut letters = text.chars();
            prop_assert!(once.chars().all(|c| letters.any(|own| own == c)));
        }
    }
}
