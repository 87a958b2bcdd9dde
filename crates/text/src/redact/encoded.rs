//! Secrets that are in base64 as a whole: tokens, and addresses with a password. Owns the beginnings by which such a text is found;
//! what is a secret within it, the others know.

use std::borrow::Cow;

use super::keys::is_base64;
use super::{Secret, base64};

/// How tokens and addresses begin in base64. Words are looked for in any case, and only these count.
pub(super) const WORDS: &[&str] = &[
    // `ghp_`, `gho_`, `ghs_`, `ghu_`, `ghr_`, `github_pat_`, `glpat-`.
    "Z2hwX",
    "Z2hvX",
    "Z2hzX",
    "Z2h1X",
    "Z2hyX",
    "Z2l0aHViX3BhdF",
    "Z2xwYXQt",
    // `xoxb-`, `xoxp-`, `sk-ant-`, `sk_live_`.
    "eG94Yi",
    "eG94cC",
    "c2stYW50L",
    "c2tfbGl2ZV",
    // `postgres`, `mysql://`, `mssql://`, `mongodb`, `redis://`, `rediss://`, `amqp://`, `amqps://`, `https://`, `http://`.
    "cG9zdGdyZX",
    "bXlzcWw6Ly",
    "bXNzcWw6Ly",
    "bW9uZ29kY",
    "cmVkaXM6Ly",
    "cmVkaXNzOi8v",
    "YW1xcDovL",
    "YW1xcHM6Ly",
    "aHR0cHM6Ly",
    "aHR0cDovL",
];

/// The least and the greatest length of such a text, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=4_000;

/// The text in base64 that begins with the word at `start..end`, if there's a secret in it.
pub(super) fn find(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    let bytes = text.as_bytes();
    let is_within = start.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric());
    if is_within || !WORDS.contains(&&text[start..end]) {
        return end;
    }
    let length = bytes[start..].iter().take(*LENGTHS.end()).take_while(|byte| is_base64(**byte)).count();
    let limit = start + length;
    if !LENGTHS.contains(&length) {
        return end.max(limit);
    }
    let plain = base64::decode(&text[start..limit]).and_then(|plain| String::from_utf8(plain).ok());
    if plain.is_some_and(|plain| matches!(super::redact(&plain), Cow::Owned(_))) {
        out.push(Secret { range: start..limit, kind: "secret" });
    }
    limit
}

#[cfg(test)]
mod tests {
    use crate::redact;

    #[test]
    fn a_secret_in_base64_is_hidden_and_other_texts_stay() {
        for (text, expected) in [
            // `postgres://shop:Pg-Geheim9@db/shop`
            ("the url is cG9zdGdyZXM6Ly9zaG9wOlBnLUdlaGVpbTlAZGIvc2hvcA==.", "the url is [redacted:secret]."),
            // A token of GitHub's.
            (
                concat!("echo Z2hwX0ExYjJDM2", "Q0RTVmNkc3aDhJOWowSzFsMk0zbjRPNXA2UTdyOA== | base64 -d"),
                "echo [redacted:secret] | base64 -d",
            ),
            // `https://example.com/a/path/of/five`
            ("at aHR0cHM6Ly9leGFtcGxlLmNvbS9hL3BhdGgvb2YvZml2ZQ==", ""),
            // Not a beginning, other letters, and too short.
            ("xcG9zdGdyZXM6Ly9zaG9wOlBnLUdlaGVpbTlAZGIvc2hvcA==", ""),
            ("cg9zdgdyzxm6ly9zag9wolbnluDlaGVpbTlAZGIvc2hvcA==", ""),
            ("cG9zdGdyZXM=", ""),
            ("cG9zdGdyZX ist der Anfang", ""),
        ] {
            assert_eq!(redact(text), if expected.is_empty() { text } else { expected });
        }
    }
}
