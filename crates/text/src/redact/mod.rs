//! Secrets in text and their removal. Owns where a secret begins and ends and what replaces it; what secrets look like
//! is `rules`'.

mod assignment;
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

/// `text` with each secret replaced by `[redacted:<kind>]`. Borrows when there is none.
///
/// Known token formats, private keys, passwords in URLs and values assigned to secret-looking names count as secrets;
/// hashes, identifiers and encoded data without such a name do not. Redacting twice changes nothing.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut secrets = rules::find(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    secrets.sort_by_key(|s| (s.range.start, std::cmp::Reverse(s.range.end)));
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for secret in secrets {
        if secret.range.start < copied {
            // Overlaps one already taken out; what sticks out of it is secret too.
            copied = copied.max(secret.range.end);
            continue;
        }
        out.push_str(&text[copied..secret.range.start]);
        out.push_str(MARK);
        out.push_str(secret.kind);
        out.push(']');
        copied = secret.range.end;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}
