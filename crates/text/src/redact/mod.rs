//! Removes secrets from text. Owns a secret's replacement, and that colours and other terminal sequences hide none; the finders
//! own where a secret begins and ends: [`formats`] by issuers' marks, [`assignment`] by name, [`headers`], [`commands`],
//! [`records`], [`columns`], [`queries`] and [`keys`] by context, [`encoded`] in base64.

mod arguments;
mod assignment;
mod base64;
mod columns;
mod commands;
mod declarations;
mod disguise;
mod encoded;
mod formats;
mod harmless;
mod headers;
mod in_words;
mod judgement;
mod keys;
mod name_words;
mod names;
mod piped;
mod placeholder;
mod placeholder_words;
mod prose;
mod queries;
mod random;
mod records;
mod scan;
mod spoken;
mod sql_rows;
mod typed;
mod typed_words;
mod undecided;
mod value;

use std::borrow::Cow;
use std::ops::Range;

pub use columns::open_table;
pub use typed::{TYPED_PASSWORD, redact_typed};
pub use undecided::undecided;

/// The start of every replacement.
const MARK: &str = "[redacted:";

/// A secret's range and kind.
struct Secret {
    range: Range<usize>,
    kind: &'static str,
}

/// The start of the line that contains `at`, or of its scanned stretch: lines can be as long as texts.
fn line_start(text: &str, at: usize) -> usize {
    let floor = text.floor_char_boundary(at.saturating_sub(4_000));
    text[floor..at].rfind('\n').map_or(floor, |n| floor + n + 1)
}

/// `text` with each secret replaced by `[redacted:<kind>]`. Borrowed without secrets.
///
/// Known token formats, private keys, passwords in URLs and values assigned to secret-looking names are secrets; hashes,
/// identifiers and encoded data without such a name aren't. Redacting twice changes nothing. Redact before shortening: half a
/// secret isn't recognised.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut clean = redact_after(text, 0);
    // Removing a secret may expose another that was joined to it; a text without any is scanned once.
    for _ in 0..MAX_PASSES {
        let Cow::Owned(once) = &clean else { break };
        let again = redact_after(once, 0);
        if again == *once {
            break;
        }
        clean = Cow::Owned(again.into_owned());
    }
    clean
}

/// Whether there's a secret in a text that was decoded.
fn has_secret_decoded(text: &str) -> bool {
    !scan::find_in_decoded(text).is_empty()
}

/// How often a text with secrets is scanned again.
const MAX_PASSES: usize = 4;

/// The same for a text whose first `from` bytes were already returned: they are context, and aren't part of the result. A value
/// on the next line is recognised by the name on the previous one.
#[must_use]
pub fn redact_after(text: &str, from: usize) -> Cow<'_, str> {
    let from = text.floor_char_boundary(from);
    let mut secrets = scan::find(text);
    // A colour between a name and its value, or inside a token, is shown but must not hide them; nor must the zeros of two-byte
    // characters.
    if memchr::memchr3(0x1b, 0x08, 0, text.as_bytes()).is_some()
        && let Some((plain, places)) = crate::ansi::strip_with_positions(text)
    {
        secrets.extend(scan::find(&plain).into_iter().map(|Secret { range, kind }| {
            let range = places.of(range.start)..places.of(range.end - 1) + 1;
            Secret { range, kind }
        }));
    }
    // The same for signs that only look like others, and for texts that are written in pieces.
    if let Some(read) = disguise::read(text) {
        secrets.extend(scan::find(&read.text).into_iter().map(|Secret { range, kind }| {
            let range = read.place(range.start)..read.end(range.end - 1);
            Secret { range, kind }
        }));
    }
    secrets.retain(|secret| secret.range.end > from);
    if secrets.is_empty() {
        return Cow::Borrowed(&text[from..]);
    }
    // The more specific of two names for the same secret.
    let plain = |kind| matches!(kind, "password" | "secret");
    secrets.sort_by_key(|s| (s.range.start, std::cmp::Reverse(s.range.end), plain(s.kind)));
    let mut out = String::with_capacity(text.len() - from);
    let mut copied = from;
    for secret in secrets {
        let start = secret.range.start.max(from);
        if start < copied {
            // Overlaps one already removed; its rest is secret too.
            copied = copied.max(secret.range.end);
            continue;
        }
        out.push_str(&text[copied..start]);
        out.push_str(MARK);
        out.push_str(secret.kind);
        out.push(']');
        copied = secret.range.end;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}
