//! Finds the end of a text that later lines may still turn out to be a secret: the body of a private key whose
//! beginning is missing, recognised by its end mark, and the data of a Kubernetes manifest, recognised by a `kind`
//! below it. Owns which lines these are; a writer of a stream waits with them.

use super::keys::is_base64;

/// The fewest characters of a line of a key's body, except the last.
const BODY_LINE: usize = 40;

/// The start of that end, at the start of a line; the length of `text` if there is none. Bytes, because a stream may contain
/// any. `text` ends with a line.
#[must_use]
pub fn undecided(text: &[u8]) -> usize {
    key_body(text).min(manifest_data(text))
}

/// Lines of encoded bytes at the end; the last of them may be short.
fn key_body(text: &[u8]) -> usize {
    let mut at = text.len();
    let mut from = text.len();
    let mut short = false;
    for line in text.split_inclusive(|byte| ends_line(*byte)).rev() {
        at -= line.len();
        let last = line.trim_ascii().rsplit(|byte| is_beside(*byte)).next().unwrap_or_default();
        let encoded = last.iter().all(|byte| is_base64(*byte));
        if encoded && last.len() >= BODY_LINE && is_mixed(last) {
            from = at;
        } else if line.trim_ascii().is_empty() {
            // Between the lines of a key, or after it.
        } else if encoded && last.len() < BODY_LINE && from == text.len() && !short {
            short = true;
        } else {
            break;
        }
    }
    from
}

/// What is below `data:` or `stringData:` while the object's kind isn't known.
fn manifest_data(text: &[u8]) -> usize {
    if memchr::memmem::find(text, b"ata").is_none() {
        return text.len();
    }
    let mut at = text.len();
    let mut from = text.len();
    let mut is_block = false;
    // The columns of the leftmost `kind` below, and of the data.
    let mut kind_column = usize::MAX;
    let mut data_column = usize::MAX;
    for line in text.split_inclusive(|byte| ends_line(*byte)).rev() {
        at -= line.len();
        let bare = line.trim_ascii();
        if bare.is_empty() {
            continue;
        }
        let item = bare.strip_prefix(b"- ").map_or(bare, <[u8]>::trim_ascii_start);
        let key = item.strip_prefix(b"\"").unwrap_or(item);
        let column = line.trim_ascii_end().len() - item.len();
        if key.starts_with(b"kind") && is_key(&key[b"kind".len()..]) {
            if column <= data_column && from < text.len() {
                return text.len();
            }
            kind_column = kind_column.min(column);
            continue;
        }
        if bare.starts_with(b"---") {
            break;
        }
        if key.starts_with(b"apiVersion") {
            // Data of an object that doesn't say its kind yet.
            return from;
        }
        let data = [&b"data"[..], b"stringData"].iter().any(|name| {
            key.strip_prefix(*name)
                .is_some_and(|rest| is_key(rest) && (rest.len() < 3 || rest.ends_with(b"{")))
        });
        if data {
            if kind_column <= column {
                return text.len();
            }
            data_column = column;
            is_block = item == key;
            from = at;
        }
        if item.len() < bare.len() && from < text.len() {
            // The object begins here.
            break;
        }
    }
    // Without its version an object is told from other data only while the block goes on.
    if is_block && block_is_open(&text[from..]) { from } else { text.len() }
}

/// Whether all lines below the first are further to the right.
fn block_is_open(text: &[u8]) -> bool {
    let indent = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
    let mut lines = text.split(|byte| ends_line(*byte)).filter(|line| !line.trim_ascii().is_empty());
    let first = lines.next().map_or(0, indent);
    lines.all(|line| indent(line) > first)
}

/// Whether this is what follows a key's name.
fn is_key(rest: &[u8]) -> bool {
    rest.strip_prefix(b"\"").unwrap_or(rest).trim_ascii_start().starts_with(b":")
}

fn ends_line(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// What may be before a line: its number, a file's name, a quotation mark.
fn is_beside(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b':' | b'|' | b'>' | b'#' | b'*' | b'"' | b'\'')
        || byte >= 0x80
}

fn is_mixed(text: &[u8]) -> bool {
    let any = |of: fn(&u8) -> bool| text.iter().any(of);
    any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase) && any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::undecided;

    const BODY: &str = "TheFirst24LettersOfA4keyAndTheOthers0fThisLine+1";

    #[test]
    fn only_text_that_later_lines_decide_is_held_back() {
        for (text, held) in [
            (format!("one\n{BODY}\n"), format!("{BODY}\n")),
            (format!("one\n{BODY}\n{BODY}\nshort1==\n"), format!("{BODY}\n{BODY}\nshort1==\n")),
            (format!("  1\u{2192}{BODY}\n"), format!("  1\u{2192}{BODY}\n")),
            (format!("{BODY}\nIt goes on.\n"), String::new()),
            (format!("{BODY}\nshort\nand another\n"), String::new()),
            ("server ready at /run/some1/socket\n".into(), String::new()),
            ("short1==\n".into(), String::new()),
            ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n".into(), String::new()),
            ("apiVersion: v1\ndata:\n  p: x\n".into(), "data:\n  p: x\n".into()),
            (
                "apiVersion: v1\ndata:\n  p: x\nimmutable: true\n".into(),
                "data:\n  p: x\nimmutable: true\n".into(),
            ),
            ("data:\n  p: x\n".into(), "data:\n  p: x\n".into()),
            ("data:\n  p: x\nmetadata:\n".into(), String::new()),
            ("apiVersion: v1\ndata:\n  p: x\nkind: ConfigMap\n".into(), String::new()),
            ("apiVersion: v1\nkind: Secret\ndata:\n  p: x\n".into(), String::new()),
            (
                "- apiVersion: v1\n  data:\n    p: x\n  kind: A\n- apiVersion: v1\n  data:\n    p: x\n"
                    .into(),
                "  data:\n    p: x\n".into(),
            ),
            ("data:\n  kind: A\n  p: x\n".into(), "data:\n  kind: A\n  p: x\n".into()),
            ("- kind: A\n- data:\n    p: x\n".into(), "- data:\n    p: x\n".into()),
            ("- kind: A\n- spec: x\n  data:\n    p: x\n".into(), "  data:\n    p: x\n".into()),
            (
                "{\n  \"apiVersion\": \"v1\",\n  \"data\": {\n    \"p\": \"x\"\n".into(),
                "  \"data\": {\n    \"p\": \"x\"\n".into(),
            ),
            ("{\n  \"data\": {\n    \"p\": \"x\"\n".into(), String::new()),
            ("data: {\"event\": 1}\n".into(), String::new()),
            ("apiVersion: v1\ndata:\n  p: x\n---\n".into(), String::new()),
            (String::new(), String::new()),
        ] {
            assert_eq!(&text[undecided(text.as_bytes())..], held, "{text}");
        }
        assert_eq!(undecided(b"\xff\xfe\ndata:\n \xff\n"), 3);
    }
}
