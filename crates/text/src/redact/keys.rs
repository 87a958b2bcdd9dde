//! Multi-line private keys: PEM, OpenSSH, PGP and PuTTY's format; indented, quoted, numbered, escaped in JSON, and with the
//! beginning or the end cut off. Owns where a key begins and ends.

use std::ops::Range;

use super::Secret;

/// A key without an end after this many bytes has none: one of 16,384 bits takes 13,000.
const LONGEST: usize = 128 * 1024;
const KIND: &str = "private-key";

/// The key announced at `start..end`.
pub(super) fn find(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    if text[start..end].to_ascii_lowercase().starts_with("putty") {
        out.extend(putty(text, start).map(|end| Secret { range: start..end, kind: KIND }));
    } else {
        pem(text, start, end, out);
    }
    end
}

/// `-----BEGIN … PRIVATE KEY-----` or its end.
fn pem(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) {
    let before = &text[text.floor_char_boundary(start.saturating_sub(60))..start];
    let Some(dashes) = ["---- BEGIN", "-----BEGIN", "---- END", "-----END"]
        .iter()
        .filter_map(|mark| before.rfind(mark))
        .max()
    else {
        return;
    };
    let mark = start - before.len() + dashes;
    if !text[mark..start].bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'-' | b'_')) {
        return;
    }
    let head = text[mark..start].contains("BEGIN");
    let closing = text[end..].find("----").filter(|at| *at <= 12).map_or(end, |at| {
        let rest = &text[end + at..];
        end + at + rest.bytes().take_while(|b| *b == b'-').count()
    });
    if head {
        let limit = text.floor_char_boundary(end.saturating_add(LONGEST));
        let rest = &text[closing..limit];
        // The next begin or end mark decides.
        let next = rest.match_indices("----").find_map(|(at, _)| {
            let word = rest[at..].trim_start_matches(['-', ' ']);
            (word.starts_with("END") || word.starts_with("BEGIN")).then(|| (word.starts_with("END"), at))
        });
        if let Some((true, at)) = next {
            let from = closing + at + "----".len();
            let from = from + text[from..].bytes().take_while(|b| matches!(b, b'-' | b' ')).count();
            let line = &text[from..text.floor_char_boundary(from.saturating_add(80))];
            let dashes =
                line.find("----").map_or(0, |at| at + line[at..].bytes().take_while(|b| *b == b'-').count());
            if let Some(line) = line.get(..dashes).filter(|line| dashes > 0 && !line.contains('\n')) {
                out.push(Secret { range: mark..from + line.len(), kind: KIND });
                return;
            }
        }
        let body = body_after(text, closing, limit);
        out.push(Secret { range: mark..body, kind: KIND });
    } else {
        // The end of a key whose beginning is missing.
        let body = body_before(text, mark);
        if body < mark {
            out.push(Secret { range: body..closing, kind: KIND });
        }
    }
}

/// PuTTY's format: the lines that it counts, and its checksum.
fn putty(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..text.floor_char_boundary(start.saturating_add(LONGEST))];
    let private = rest.find("Private-Lines:").or_else(|| rest.find("private-lines:"))?;
    let mac = rest[private..].find("Private-MAC:").map(|at| private + at + "Private-MAC:".len());
    if let Some(mac) = mac {
        let value = &rest[mac..];
        let blanks = value.len() - value.trim_start_matches([' ', '\t']).len();
        let hex = value[blanks..].bytes().take_while(u8::is_ascii_hexdigit).count();
        return Some(start + mac + blanks + hex);
    }
    let from = start + private + "Private-Lines:".len();
    let from = from + text[from..].bytes().take_while(|b| *b == b' ' || b.is_ascii_digit()).count();
    Some(body_after(text, from, text.len()))
}

/// The end of what looks like a key's body from `at` on, with separate or joined lines.
fn body_after(text: &str, at: usize, limit: usize) -> usize {
    let mut from = at;
    let near = text.floor_char_boundary(at.saturating_add(2_000)).min(limit);
    for (number, line) in lines(text, at, near).enumerate() {
        // A key's headers, before it begins.
        if number >= 8 || !matches!(shape(&text[line.clone()]), Shape::Empty | Shape::Header) {
            break;
        }
        from = line.end;
    }
    let mut end = at;
    let mut about = false;
    let mut skipped = 0;
    for piece in pieces(&text[from..limit]) {
        let piece = from + piece.start..from + piece.end;
        match part(&text[piece.clone()], end > at) {
            Part::Whole(body) => {
                end = piece.start + body.end;
                skipped = 0;
            }
            Part::Some(body) => return piece.start + body.end,
            Part::Beside if skipped < 8 => skipped += 1,
            // `DEK-Info: AES-128-CBC,0123` on the key's own line.
            Part::Other if end == at && skipped < 8 && (about || text[..piece.end].ends_with(':')) => {
                about = true;
                skipped += 1;
            }
            _ => break,
        }
    }
    end
}

/// The start of what looks like a key's body before `at`.
fn body_before(text: &str, at: usize) -> usize {
    let mut begin = at;
    let mut end = at;
    let mut skipped = 0;
    while at - end < LONGEST && skipped < 8 {
        let Some(piece) = piece_before(text, end) else { break };
        end = piece.start;
        match part(&text[piece.clone()], begin < at) {
            Part::Whole(body) => {
                begin = piece.start + body.start;
                skipped = 0;
            }
            Part::Some(_) => {
                let run = longest_run(&text[piece.clone()]);
                if run.end == piece.len() {
                    begin = piece.start + run.start;
                }
                break;
            }
            Part::Beside => skipped += 1,
            Part::Other => break,
        }
    }
    begin
}

/// How a piece between blanks relates to a key.
enum Part {
    /// The whole piece belongs to the key, except decoration.
    Whole(Range<usize>),
    /// A long stretch belongs to it.
    Some(Range<usize>),
    /// A line number, or decoration.
    Beside,
    Other,
}

/// `begun`: a part of the key was adjacent.
fn part(piece: &str, begun: bool) -> Part {
    let trimmed = piece.trim_matches(is_decoration);
    if trimmed.len() <= 6 && trimmed.bytes().all(|b| b.is_ascii_digit()) {
        return Part::Beside;
    }
    // `key.pem:3:` and `3→` before a line.
    let body = trimmed.rsplit([':', '|', '→']).next().unwrap_or_default();
    if body.is_empty() {
        let number = trimmed.trim_end_matches([':', '|', '→']);
        let beside = number.len() <= 6 && number.bytes().all(|b| b.is_ascii_digit());
        return if beside { Part::Beside } else { Part::Other };
    }
    let start = body.as_ptr() as usize - piece.as_ptr() as usize;
    if body.bytes().all(is_base64) && is_encoded(body, begun) {
        return Part::Whole(start..start + body.len());
    }
    let run = longest_run(piece);
    if run.len() >= 40 { Part::Some(run) } else { Part::Other }
}

/// Encoded bytes, even the few of a last line.
fn is_encoded(text: &str, begun: bool) -> bool {
    let digit = text.bytes().any(|b| b.is_ascii_digit());
    let sign = text.bytes().any(|b| matches!(b, b'+' | b'/' | b'='));
    let mixed =
        digit && text.bytes().any(|b| b.is_ascii_uppercase()) && text.bytes().any(|b| b.is_ascii_lowercase());
    text.len() >= 24 || text.len() >= 12 && (sign || digit) || text.len() >= 4 && begun && (sign || mixed)
}

fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b',')
}

/// The pieces between blanks, quotes and line ends, including line ends written as `\n`.
fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            if bytes.get(at).is_some_and(|b| is_between(*b)) {
                at += 1;
            } else if is_escape(bytes, at) {
                at += 2;
            } else {
                break;
            }
        }
        let start = at;
        while at < bytes.len() && !is_between(bytes[at]) && !is_escape(bytes, at) {
            at += 1;
        }
        (at > start).then_some(start..at)
    })
}

/// The last piece before `end`.
fn piece_before(text: &str, end: usize) -> Option<Range<usize>> {
    let bytes = &text.as_bytes()[..end];
    let mut end = end;
    loop {
        if end > 0 && is_between(bytes[end - 1]) {
            end -= 1;
        } else if end > 1 && is_escape(bytes, end - 2) {
            end -= 2;
        } else {
            break;
        }
    }
    let mut start = end;
    while start > 0
        && end - start < 4_000
        && !is_between(bytes[start - 1])
        && !(start > 1 && is_escape(bytes, start - 2))
    {
        start -= 1;
    }
    let start = text.ceil_char_boundary(start);
    (start < end).then_some(start..end)
}

fn is_escape(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'\\') && matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't'))
}

/// The longest stretch of a line that can be encoded bytes.
fn longest_run(line: &str) -> Range<usize> {
    let mut longest = 0..0;
    let mut from = 0;
    for part in line.split(|c: char| !c.is_ascii() || !is_base64(c as u8)) {
        if part.len() > longest.len() {
            longest = from..from + part.len();
        }
        from += part.len();
        from += line[from..].chars().next().map_or(0, char::len_utf8);
    }
    longest
}

enum Shape {
    Empty,
    Header,
    Body,
    Other,
}

fn shape(line: &str) -> Shape {
    let line = line.trim_matches(is_decoration);
    // Line numbers from a viewer.
    let bare =
        line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['\t', '→', '|', ':', ' ']);
    let line =
        if bare.len() < line.len() && line.contains(['\t', '→', '|', ':', ' ']) { bare } else { line };
    if line.is_empty() {
        return Shape::Empty;
    }
    let run = line.bytes().take_while(|b| is_base64(*b)).count();
    let telling = line[..run].bytes().any(|b| b.is_ascii_digit() || matches!(b, b'+' | b'/' | b'='));
    if run == line.len() && (run >= 24 || telling) || run >= 40 {
        return Shape::Body;
    }
    let name = line.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'-').count();
    if name >= 4 && line[name..].starts_with(": ") && line.len() < 100 { Shape::Header } else { Shape::Other }
}

/// Whether a byte may be one of Base64's.
pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn is_decoration(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '>' | '|' | '#' | '*' | '\\' | '-' | '.')
}

/// Lines, including those whose ends are written as `\n`.
fn lines(text: &str, from: usize, to: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = from;
    std::iter::from_fn(move || {
        if at >= to {
            return None;
        }
        let rest = &text.as_bytes()[at..to];
        let ends = |i: usize| match rest[i] {
            b'\n' | b'\r' => Some((i, 1)),
            b'\\' if matches!(rest.get(i + 1), Some(b'n' | b'r')) => Some((i, 2)),
            _ => None,
        };
        let (end, skip) = (0..rest.len()).find_map(ends).unwrap_or((rest.len(), 0));
        let line = at..at + end;
        at += end + skip;
        Some(line)
    })
}
