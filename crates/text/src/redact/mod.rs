//! Secrets in text and their removal. Owns what replaces a secret, and that colours and other signs to a terminal hide
//! none; where a secret begins and ends is the finders': [`formats`] by what issuers mark, [`assignment`] by name,
//! [`headers`], [`commands`], [`records`] and [`keys`] by what is around.

mod assignment;
mod base64;
mod commands;
mod formats;
mod headers;
mod keys;
mod names;
mod placeholder;
mod prose;
mod random;
mod records;
mod rules;
mod words;

use std::borrow::Cow;
use std::ops::Range;

/// What stands where a secret was begins with this.
const MARK: &str = "[redacted:";

/// A secret's place and kind.
struct Secret {
    range: Range<usize>,
    kind: &'static str,
}

/// Where the line begins that `at` is in, or the stretch of it that is looked at: lines can be as long as texts.
fn line_start(text: &str, at: usize) -> usize {
    let floor = text.floor_char_boundary(at.saturating_sub(4_000));
    text[floor..at].rfind('\n').map_or(floor, |n| floor + n + 1)
}

/// `text` with each secret replaced by `[redacted:<kind>]`. Borrows when there is none.
///
/// Known token formats, private keys, passwords in URLs and values assigned to secret-looking names count as secrets;
/// hashes, identifiers and encoded data without such a name do not. Redacting twice changes nothing. What is to be
/// shortened is redacted first: half a secret is not recognised.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut clean = redact_after(text, 0);
    // What a secret was glued to may show as another once it is gone; a text without any is looked at once.
    for _ in 0..MORE_LOOKS {
        let Cow::Owned(once) = &clean else { break };
        let again = redact_after(once, 0);
        if again == *once {
            break;
        }
        clean = Cow::Owned(again.into_owned());
    }
    clean
}

/// How often a text that had secrets is looked at again.
const MORE_LOOKS: usize = 4;

/// The same for a text whose first `from` bytes were given out before: they tell what the rest is, and are not in what
/// comes back. A value on the next line is recognised by the name on the one before.
#[must_use]
pub fn redact_after(text: &str, from: usize) -> Cow<'_, str> {
    let from = text.floor_char_boundary(from);
    let mut secrets = rules::find(text);
    // A colour between a name and its value, or in the middle of a token, is on the screen but not in the way.
    if memchr::memchr2(0x1b, 0x08, text.as_bytes()).is_some()
        && let Some((plain, places)) = crate::ansi::stripped_with_places(text)
    {
        secrets.extend(rules::find(&plain).into_iter().map(|Secret { range, kind }| {
            let range = places.of(range.start)..places.of(range.end - 1) + 1;
            Secret { range, kind }
        }));
    }
    secrets.retain(|secret| secret.range.end > from);
    if secrets.is_empty() {
        return Cow::Borrowed(&text[from..]);
    }
    // Of two names for the same the one that says more.
    let plain = |kind| matches!(kind, "password" | "secret");
    secrets.sort_by_key(|s| (s.range.start, std::cmp::Reverse(s.range.end), plain(s.kind)));
    let mut out = String::with_capacity(text.len() - from);
    let mut copied = from;
    for secret in secrets {
        let start = secret.range.start.max(from);
        if start < copied {
            // Overlaps one already taken out; what sticks out of it is secret too.
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
