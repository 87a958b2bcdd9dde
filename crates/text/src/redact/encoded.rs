//! Secrets that are in base64 as a whole: tokens, and addresses with a password. Owns the beginnings by which such a text is found;
//! what is a secret within it, the others know.

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

/// The least length of such a text, and how much of a longer one is decoded, in bytes.
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
    // The last character may be cut.
    let has_secret = base64::decode(&text[start..limit])
        .is_some_and(|plain| super::has_secret_decoded(&String::from_utf8_lossy(&plain)));
    if !has_secret {
        return limit;
    }
    let rest = bytes[limit..].iter().take_while(|byte| is_base64(**byte)).count();
    out.push(Secret { range: start..limit + rest, kind: "secret" });
    limit + rest
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

    #[test]
    fn a_long_text_with_a_secret_is_hidden_to_its_end() {
        // `postgres://shop:Pg-Geheim9@db/sho` and 3,000 times `é`, one of which is at the end of what is decoded.
        let text = format!("cG9zdGdyZXM6Ly9zaG9wOlBnLUdlaGVpbTlAZGIvc2hv{} ends", "w6nDqcOp".repeat(1_000));
        assert_eq!(redact(&text), "[redacted:secret] ends");
    }

    fn in_base64(text: &str) -> String {
        const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let letters = |bytes: &[u8]| {
            let bits = bytes.iter().fold(0, |bits: usize, byte| (bits << 8) | usize::from(*byte));
            let bits = bits << (8 * (3 - bytes.len()));
            (0..=bytes.len()).map(|at| char::from(LETTERS[(bits >> (18 - 6 * at)) & 63])).collect::<String>()
        };
        text.as_bytes().chunks(3).map(letters).collect()
    }

    /// Where each text is decoded in each of the forms in which the one around it is read, this takes minutes.
    #[test]
    fn a_text_in_base64_within_another_is_not_decoded() {
        let mut text = "cG9zdGdyZXM6Ly9zaG9wOlBnLUdlaGVpbTlAZGIvc2hvcA".to_owned();
        assert_eq!(redact(&text), "[redacted:secret]");
        for _ in 0..12 {
            text = in_base64(&format!("http:// \u{1b}[0m\u{ad} {text}"));
        }
        assert!(text.starts_with("aHR0cDovL") && text.len() < 4_000, "{}", text.len());
        assert_eq!(redact(&text), text);
    }
}
