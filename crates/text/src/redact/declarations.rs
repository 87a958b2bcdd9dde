//! What may be between a name and its value besides a sign: a type, a tag, a line's end or the mark of a block, a block's other
//! settings, an address's escapes, other arguments. Knows no name and judges no value.

use std::ops::Range;

use super::MARK;
use super::value::{How, MAX_VALUE, Value, skip_blanks};

/// The longest type that is looked through, in bytes.
const LONGEST_TYPE: usize = 80;

/// The longest block that is looked through for a default, in bytes.
const LONGEST_BLOCK: usize = 1_000;

/// The start of a declaration's value, if the name that ends at `at` has a type and is given a string: `: &'static str = "…"`,
/// `?: string = '…'`, ` string = "…"`; and of `SET PASSWORD FOR user = '…'`.
pub(super) fn value_start(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let colon = skip_blanks(bytes, at + usize::from(matches!(bytes.get(at), Some(b'?' | b'!'))));
    let from = match bytes.get(colon) {
        Some(b':') if !matches!(bytes.get(colon + 1), Some(b':' | b'=')) => skip_blanks(bytes, colon + 1),
        // `var password string = "…"`
        Some(b'a'..=b'z' | b'*' | b'F' | b'f') if colon > at => colon,
        _ => return None,
    };
    let limit = text.floor_char_boundary(from.saturating_add(LONGEST_TYPE));
    let sign = from + text.get(from..limit)?.find('=')?;
    let is_assigned = !matches!(bytes.get(sign + 1), Some(b'=' | b'>' | b'~'))
        && !matches!(bytes[sign - 1], b'!' | b'<' | b'>' | b'=' | b'+' | b':')
        || bytes[sign - 1] == b'>' && bytes.get(sign + 1) == Some(&b' ');
    let between = text[from..sign].trim_end();
    let account = between.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("for ")) && colon > at;
    let fits = account && !between.contains(['\n', ';']) || is_type(between, bytes.get(colon) == Some(&b':'));
    let value = skip_blanks(bytes, sign + 1);
    // `PASSWORD('…')` of older servers.
    let call = account && text[value..].get(..9).is_some_and(|call| call.eq_ignore_ascii_case("password("));
    let value = if call { value + 9 } else { value };
    (is_assigned && fits && matches!(bytes.get(value), Some(b'"' | b'\'' | b'`'))).then_some(value)
}

/// Whether what is between a quoted name and the next quote says that the value begins there: a colon and a type, or the
/// attribute that has it. The one in `class="token" href="…"` doesn't.
pub(super) fn tells_value(between: &str) -> bool {
    let word = between.trim().trim_end_matches('=').trim_end().to_ascii_lowercase();
    word.starts_with(':')
        || word.ends_with("value")
        || ["val", "content", "data", "default", "string"].contains(&word.as_str())
}

/// Whether a text names a type. Without a colon it must be one word.
fn is_type(text: &str, after_colon: bool) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'&' | b'*' | b'[' | b'_'))
        && bytes.all(|b| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'_' | b'.' | b'*' | b'[' | b']')
                || after_colon
                    && matches!(b, b'&' | b'\'' | b'<' | b'>' | b'|' | b'?' | b'!' | b':' | b' ' | b',')
        })
        && has_commas_in_brackets_only(text)
        && text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .all(|word| word.bytes().filter(u8::is_ascii_digit).count() <= 2 && word.len() <= 32)
}

/// Whether each comma is between a type's arguments. Another is before the next parameter, whose value isn't this one's.
fn has_commas_in_brackets_only(text: &str) -> bool {
    let mut depth = 0_usize;
    text.bytes().all(|byte| {
        match byte {
            b'<' | b'[' => depth += 1,
            b'>' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        byte != b',' || depth > 0
    })
}

/// The start of what a block gives its quoted name, which ends at `at`: Terraform's `variable "db_password" { default = "…" }`.
pub(super) fn default_in_block(text: &str, at: usize) -> Option<usize> {
    const DEFAULT: &str = "default";
    let bytes = text.as_bytes();
    let open = skip_blanks(bytes, at);
    if bytes.get(open) != Some(&b'{') {
        return None;
    }
    let limit = text.floor_char_boundary(open.saturating_add(LONGEST_BLOCK));
    let block = in_braces(&text[open..limit]);
    block.match_indices(DEFAULT).find_map(|(found, _)| {
        let before = &block[..found];
        let begins = before.ends_with(['{', ' ', '\t', '\n', '\r']) || before.ends_with("\\n");
        // Not past the block: many names may have the same one behind them.
        let bytes = &bytes[..limit];
        let sign = skip_blanks(bytes, open + found + DEFAULT.len());
        (begins && bytes.get(sign) == Some(&b'=')).then(|| skip_blanks(bytes, sign + 1))
    })
}

/// The text, which begins with a brace, up to the brace that closes it: a block may have others inside, such as `validation { … }`.
fn in_braces(text: &str) -> &str {
    let mut depth = 0_usize;
    let end = text.bytes().position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// The value after `%3D` or `%3A`: an address inside an address.
pub(super) fn percent_encoded(text: &str, at: usize) -> Option<Value> {
    let sign = text.get(at..at + 3)?;
    if !matches!(sign, "%3D" | "%3d" | "%3A" | "%3a") {
        return None;
    }
    let from = at + 3;
    let limit = text.floor_char_boundary(from.saturating_add(MAX_VALUE));
    let rest = &text[from..limit];
    let stop = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '&' | '<' | '>' | '`' | ')' | ','))
        .unwrap_or(rest.len());
    let rest = &rest[..stop];
    let stop = ["%26", "%23", "%20", "%22"].iter().filter_map(|end| rest.find(end)).min().unwrap_or(stop);
    (stop > 0).then(|| Value { how: How::Sign('=', true), range: from..from + stop, quoted: false })
}

/// The quote on the next line, if nothing but the sign is on this one. A name in an object below isn't a value.
pub(super) fn on_next_line(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let line = match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\n'), _) => at + 1,
        (Some(b'\r'), Some(b'\n')) => at + 2,
        _ => return None,
    };
    let mut from = skip_blanks(bytes, line);
    if bytes[from..].starts_with(b"string(") {
        // What PHP's `var_dump` prints.
        let digits = bytes[from + 7..].iter().take_while(|b| b.is_ascii_digit()).count();
        from = skip_blanks(bytes, from + 8 + digits);
    }
    let quote = *bytes.get(from).filter(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    let limit = bytes.len().min(from.saturating_add(MAX_VALUE));
    let close = bytes[from + 1..limit].iter().position(|b| *b == quote || *b == b'\n')?;
    let after = skip_blanks(bytes, from + 1 + close + 1);
    (bytes[from + 1 + close] == quote && bytes.get(after) != Some(&b':')).then_some(from)
}

/// The start of what a sentence or a table says of a name: `is …`, `| …`, `→ …`.
pub(super) fn value_in_words(text: &str, at: usize) -> Option<usize> {
    const VERBS: &[&str] = &["is ", "was ", "are ", "ist ", "lautet ", "est ", "es ", "→ ", "-> ", "| "];
    let rest = text.get(at..)?;
    let verb =
        VERBS.iter().find(|verb| rest.get(..verb.len()).is_some_and(|r| r.eq_ignore_ascii_case(verb)))?;
    let mut from = skip_blanks(text.as_bytes(), at + verb.len());
    for word in ["now ", "still ", "set to ", "currently ", "jetzt "] {
        if text.get(from..from + word.len()).is_some_and(|next| next.eq_ignore_ascii_case(word)) {
            from = skip_blanks(text.as_bytes(), from + word.len());
        }
    }
    Some(from)
}

/// What follows YAML's tags and anchors: `!secret "…"`, `!!str …`, `&name …`, `&name !!str …`. A tag of one sign before a word
/// makes that a name.
pub(super) fn after_tags(text: &str, at: usize, how: How) -> usize {
    let first = after_tag(text, at, how);
    let second = after_tag(text, first, how);
    let is_tag = second == first && matches!(text.as_bytes().get(first), Some(b'!' | b'&'));
    if is_tag { at } else { second }
}

/// What follows one of them: a value, or another one.
fn after_tag(text: &str, at: usize, how: How) -> usize {
    let bytes = text.as_bytes();
    let Some(sign @ (b'!' | b'&')) = bytes.get(at) else { return at };
    let word = bytes[at..].iter().take(64);
    let word = word
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'!' | b'&' | b'_' | b'-' | b'/' | b':'))
        .count();
    let value = skip_blanks(bytes, at + word);
    let name = &text[at + 1..at + word];
    let is_anchor = *sign == b'&';
    let is_tag = if is_anchor {
        how == How::Sign(':', false) && is_anchors_name(name)
            // A password may begin with this sign, and a sentence go on behind it.
            && (!name.ends_with(|c: char| c.is_ascii_digit()) || is_last_word(text, value))
    } else {
        name.strip_prefix('!').is_some_and(|kind| kind.bytes().all(|b| b.is_ascii_lowercase()))
    };
    let is_value = match bytes.get(value) {
        Some(b'"' | b'\'') => is_tag || !is_anchor,
        Some(b'!' | b'&') => is_tag,
        Some(next) => is_tag && (next.is_ascii_alphanumeric() || text[value..].starts_with(MARK)),
        None => false,
    };
    if value > at + word && is_value { value } else { at }
}

/// Whether an anchor may have this name. Rust writes some words behind this sign, too.
fn is_anchors_name(name: &str) -> bool {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    name.len() - letters.len() <= 2
        && letters.starts_with(|c: char| c.is_ascii_alphabetic())
        && letters.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'))
        && !["mut", "dyn", "raw"].contains(&letters)
}

/// Whether the word at `at` is the last of its line, but for a comment.
fn is_last_word(text: &str, at: usize) -> bool {
    let rest = text[at..].trim_start_matches(|c: char| !c.is_whitespace());
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with(['\n', '\r', '#'])
}

/// The start of a text in three quotes, which may begin on the next line.
pub(super) fn in_triple_quotes(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let line = skip_blanks(bytes, at);
    match bytes.get(line) {
        Some(b'\n') => skip_blanks(bytes, line + 1),
        Some(b'\\') if bytes.get(line + 1) == Some(&b'\n') => skip_blanks(bytes, line + 2),
        _ => at,
    }
}

/// The only word in three quotes, where lines were joined: `""" secret """`.
pub(super) fn joined_in_triple_quotes(text: &str, at: usize, quote: u8) -> Option<Range<usize>> {
    let from = skip_blanks(text.as_bytes(), at);
    let rest = &text[from..text.floor_char_boundary(from.saturating_add(MAX_VALUE))];
    let end = rest.find(|c: char| c.is_whitespace() || c == char::from(quote)).filter(|end| *end > 0)?;
    let closes = rest[end..].strip_prefix(' ')?.starts_with(char::from(quote));
    (from > at && closes).then_some(from..from + end)
}

/// The quote of a call's last argument.
pub(super) fn last_argument(text: &str, at: usize) -> Option<usize> {
    let limit = text.floor_char_boundary(at.saturating_add(300));
    let arguments = &text[at..limit];
    let arguments = &arguments[..arguments.find([')', '\n'])?];
    let comma = arguments.rfind(',')?;
    let value = skip_blanks(text.as_bytes(), at + comma + 1);
    matches!(text.as_bytes().get(value), Some(b'"' | b'\'')).then_some(value)
}

/// YAML's `name: |` and the indented lines below.
pub(super) fn block_scalar(text: &str, name: usize, at: usize, how: How) -> Option<Value> {
    if !matches!(text.as_bytes().get(at), Some(b'|' | b'>')) {
        return None;
    }
    let limit = text.floor_char_boundary(at.saturating_add(MAX_VALUE));
    let line_end = text[at..limit].find('\n').map_or(limit, |n| at + n);
    let joined =
        at + text[at..line_end].bytes().take_while(|b| matches!(b, b'|' | b'>' | b'-' | b'+')).count();
    if joined - at > 2 {
        return None;
    }
    if !text[joined..line_end].trim().is_empty() {
        // Joined lines: the value is the next word, unless `|` continues as in a type.
        let from = skip_blanks(text.as_bytes(), joined);
        let stop = text[from..line_end.max(from)]
            .find([' ', '\t', '"', '\''])
            .map_or(line_end.max(from), |n| from + n);
        let goes_on = text[stop..line_end].trim_start().starts_with(['|', '&', '"', '\'']);
        let code = text[from..stop].contains(['(', '{', '<', ';', ',']);
        return (from > joined && stop > from && !goes_on && !code).then_some(Value {
            how,
            range: from..stop,
            quoted: true,
        });
    }
    let line = super::line_start(text, name);
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let outer = indent(&text[line..name]);
    let mut end = line_end;
    let mut from = None;
    let mut next = line_end + 1;
    while next < text.len() && end - at < MAX_VALUE * 4 {
        let stop = text[next..].find('\n').map_or(text.len(), |n| next + n);
        let shown = &text[next..stop];
        if shown.trim().is_empty() || indent(shown) <= outer {
            break;
        }
        from.get_or_insert(next + indent(shown));
        end = stop;
        next = stop + 1;
    }
    from.map(|from| Value { how, range: from..end, quoted: true })
}
