//! Chunks JSON by key path. Owns where values begin and end in the source and how items are named; a chunk's text is always
//! the exact source.

use serde::de::IgnoredAny;

use super::pack::{LINE, pack, units};
use super::plain::titled;
use super::{Chunk, ChunkKind, headline};

/// How many levels of containers are opened. Deeper ones are chunked as text.
const MAX_DEPTH: usize = 24;
/// Members that name an item, best first.
const NAMES: &[&str] = &["name", "title", "label", "key", "slug", "path", "id", "uri", "url", "type"];
/// The longest displayed name of an item or a key.
const MAX_NAME: usize = 48;
/// The longest displayed path; the middle is cut first.
const MAX_PATH: usize = 300;

/// A member or item: its key if it has one, and the bytes of its value.
struct Child {
    /// Start of the key, or of the value when there is no key.
    start: usize,
    key: Option<(usize, usize)>,
    value: (usize, usize),
}

/// What stays the same while containers are opened.
#[derive(Clone, Copy)]
struct Place<'a> {
    base: &'a str,
    cap: usize,
    depth: usize,
}

/// A run of adjacent children that share a chunk.
struct Part {
    start: usize,
    title: String,
}

pub(super) fn chunk(content: &str, base_title: &str, cap: usize) -> Vec<Chunk> {
    if serde_json::from_str::<IgnoredAny>(content).is_err() {
        // Comments, several documents in a row, or a fragment.
        return super::plain::chunk(content, base_title, cap);
    }
    let start = skip_space(content.as_bytes(), 0);
    let end = content.trim_end().len();
    let mut parts = Vec::new();
    if end - start <= cap {
        parts.push(Part { start, title: base_title.to_owned() });
    } else {
        let place = Place { base: base_title, cap, depth: 0 };
        descend(content, start, (start, end), "", &place, &mut parts);
    }
    // A part begins with its line's indentation, so that whole source lines come out.
    for part in &mut parts {
        let before = content[..part.start].trim_end_matches([' ', '\t']);
        if before.is_empty() || before.ends_with('\n') {
            part.start = before.len();
        }
    }
    cut(content, end, &parts, cap)
}

/// One chunk per part, or several if a part is a single value over the cap.
fn cut(content: &str, end: usize, parts: &[Part], cap: usize) -> Vec<Chunk> {
    let mut out = Vec::new();
    let mut line: u32 = 1;
    let mut counted = 0;
    for (i, part) in parts.iter().enumerate() {
        let part_end = parts.get(i + 1).map_or(end, |next| next.start);
        let text = &content[part.start..part_end];
        line = line.saturating_add(feeds(&content[counted..part.start]));
        counted = part.start;
        let units = units(text, cap);
        for range in pack(&units, cap, cap, LINE + 1) {
            let group = &units[range];
            let (Some(first), Some(last)) =
                (group.iter().find(|u| !u.blank), group.iter().rfind(|u| !u.blank))
            else {
                continue;
            };
            out.push(Chunk {
                title: part.title.clone(),
                text: text[first.start..last.text_end].to_owned(),
                kind: ChunkKind::Code,
                start_line: line.saturating_add(first.line - 1),
                end_line: line.saturating_add(last.line - 1),
            });
        }
    }
    out
}

fn feeds(text: &str) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text.as_bytes()).count()).unwrap_or(u32::MAX)
}

/// Adds the parts of the value at `span`, which exceeds the cap; the first part begins at `from`, which may be before the
/// value so that a key or a bracket stays with what it opens.
fn descend(
    content: &str,
    from: usize,
    span: (usize, usize),
    path: &str,
    place: &Place<'_>,
    parts: &mut Vec<Part>,
) {
    let bytes = content.as_bytes();
    let array = bytes.get(span.0) == Some(&b'[');
    let container = array || bytes.get(span.0) == Some(&b'{');
    if !container || place.depth >= MAX_DEPTH {
        parts.push(Part { start: from, title: titled(place.base, path) });
        return;
    }
    // Closing brackets and their indentation join the last part.
    let room = place.cap - (place.cap / 8).min(128);
    let before = parts.len();
    let mut open_from = from;
    let mut group: Vec<String> = Vec::new();
    let mut index = 0usize;
    let mut at = span.0 + 1;
    while let Some(child) = next_child(bytes, &mut at, span.1) {
        let name = name_of(content, &child);
        if child.value.1 - open_from > room && !group.is_empty() {
            let title = group_title(place.base, path, &group, index - group.len(), array);
            parts.push(Part { start: open_from, title });
            group.clear();
            open_from = child.start;
        }
        if child.value.1 - child.start > room {
            let child_path = join(path, &child_label(&name, index, array));
            let deeper = Place { depth: place.depth + 1, ..*place };
            descend(content, open_from, child.value, &child_path, &deeper, parts);
            open_from = at;
        } else {
            group.push(name);
        }
        index += 1;
    }
    if !group.is_empty() {
        let title = group_title(place.base, path, &group, index - group.len(), array);
        parts.push(Part { start: open_from, title });
    } else if parts.len() == before {
        parts.push(Part { start: from, title: titled(place.base, path) });
    }
}

fn child_label(name: &str, index: usize, array: bool) -> String {
    if !array {
        return name.to_owned();
    }
    if name.is_empty() { format!("[{index}]") } else { format!("[{index}] {name}") }
}

/// `path > key`, `path > first, second, third`, or for items `path > [3–7] alice, bob, carol`.
fn group_title(base: &str, path: &str, names: &[String], from: usize, array: bool) -> String {
    let mut listed = String::new();
    for name in names.iter().filter(|n| !n.is_empty()) {
        if listed.len() + name.len() > 120 {
            listed.push_str(", …");
            break;
        }
        if !listed.is_empty() {
            listed.push_str(", ");
        }
        listed.push_str(name);
    }
    let range = match (array, names.len()) {
        (false, _) => String::new(),
        (true, 1) => format!("[{from}]"),
        (true, n) => format!("[{from}–{}]", from + n - 1),
    };
    let label = [range, listed].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" ");
    titled(base, &join(path, &label))
}

fn join(path: &str, label: &str) -> String {
    if path.is_empty() {
        return label.to_owned();
    }
    if path.len() > MAX_PATH {
        let head = path.split(" > ").next().unwrap_or("");
        return format!("{head} > … > {label}");
    }
    format!("{path} > {label}")
}

/// The key, or the item's own name.
fn name_of(content: &str, child: &Child) -> String {
    let bytes = content.as_bytes();
    if let Some((from, to)) = child.key {
        return headline(&string_value(&content[from..to]), MAX_NAME);
    }
    if bytes[child.value.0] != b'{' {
        return String::new();
    }
    let mut best: Option<(usize, String)> = None;
    let mut at = child.value.0 + 1;
    // An item's name is near its start; a huge item isn't searched for it.
    for _ in 0..32 {
        let Some(member) = next_child(bytes, &mut at, child.value.1) else { break };
        let Some((from, to)) = member.key else { break };
        let key = content[from..to].trim_matches('"');
        let Some(rank) = NAMES.iter().position(|n| key.eq_ignore_ascii_case(n)) else { continue };
        let raw = &content[member.value.0..member.value.1];
        if raw.starts_with(['{', '[']) || matches!(raw, "null" | "true" | "false") {
            continue;
        }
        if best.as_ref().is_none_or(|(r, _)| rank < *r) {
            best = Some((rank, headline(&string_value(raw), MAX_NAME)));
        }
    }
    best.map(|(_, name)| name).unwrap_or_default()
}

/// A JSON string's value, or the literal itself. Long ones are cut before decoding.
fn string_value(raw: &str) -> String {
    if raw.len() > 512 {
        return raw[1..raw.floor_char_boundary(200)].to_owned();
    }
    serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned())
}

/// The next child in the container whose end is `end`; moves `at` to just after it (and its comma).
fn next_child(bytes: &[u8], at: &mut usize, end: usize) -> Option<Child> {
    let mut i = skip_space(bytes, *at);
    if i + 1 >= end || matches!(bytes[i], b']' | b'}') {
        return None;
    }
    let start = i;
    let mut key = None;
    if bytes[i] == b'"' {
        let string_end = skip_value(bytes, i);
        let after = skip_space(bytes, string_end);
        if bytes.get(after) == Some(&b':') {
            key = Some((i, string_end));
            i = skip_space(bytes, after + 1);
        }
    }
    let value_end = skip_value(bytes, i);
    let after = skip_space(bytes, value_end);
    *at = if bytes.get(after) == Some(&b',') { skip_space(bytes, after + 1) } else { after };
    Some(Child { start, key, value: (i, value_end) })
}

fn skip_space(bytes: &[u8], mut i: usize) -> usize {
    while i < bytes.len() && bytes[i].is_ascii_whitespace() {
        i += 1;
    }
    i
}

/// End of the value that starts at `i` in a document known to be valid JSON.
fn skip_value(bytes: &[u8], i: usize) -> usize {
    match bytes.get(i) {
        Some(b'"') => skip_string(bytes, i),
        Some(b'{' | b'[') => {
            let mut depth = 0usize;
            let mut j = i;
            while j < bytes.len() {
                match bytes[j] {
                    b'"' => {
                        j = skip_string(bytes, j);
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return j + 1;
                        }
                    }
                    _ => {}
                }
                j += 1;
            }
            j
        }
        _ => {
            let mut j = i;
            while j < bytes.len()
                && !matches!(bytes[j], b',' | b']' | b'}')
                && !bytes[j].is_ascii_whitespace()
            {
                j += 1;
            }
            j
        }
    }
}

fn skip_string(bytes: &[u8], i: usize) -> usize {
    let mut j = i + 1;
    while j < bytes.len() {
        match bytes[j] {
            b'\\' => j += 2,
            b'"' => return j + 1,
            _ => j += 1,
        }
    }
    bytes.len()
}
