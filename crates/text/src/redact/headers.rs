//! Secrets in request and reply headers, and in addresses: `Authorization`, `Cookie`, `X-Api-Key`,
//! `scheme://user:password@host`. Owns where such a value begins and ends.

use std::ops::Range;

use super::harmless::signs_cookies;
use super::random::{begins_word, looks_random};
use super::{Secret, base64};

/// The longest header and address that is scanned, in bytes.
const LONGEST: usize = 16 * 1024;

/// The longest parameters of a scheme, in bytes.
const LONGEST_PROOF: usize = 2_000;

/// What a key is of that isn't a secret: `cache-key`, `Idempotency-Key`, `Sec-WebSocket-Key`.
const PLAIN_KEYS: &[&str] = &[
    "accept",
    "cache",
    "foreign",
    "hash",
    "host",
    "idempotency",
    "index",
    "lookup",
    "object",
    "partition",
    "primary",
    "public",
    "routing",
    "sort",
    "surrogate",
    "websocket",
];

/// The header whose name contains the word at `start..end`.
pub(super) fn find(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    let bytes = text.as_bytes();
    let word = text[start..end].to_ascii_lowercase();
    if word == "bearer " {
        if begins_word(bytes, start) {
            let value = token(text, end + blanks(bytes, end));
            if value.len() >= 16 {
                out.push(Secret { range: value, kind: "authorization" });
            }
        }
        return end;
    }
    let is_plain = word.starts_with("-key") && is_plain_key(text, start);
    let is_hash = || {
        let before = start.checked_sub("hash".len()).and_then(|from| text.as_bytes().get(from..start));
        before.is_some_and(|word| word.eq_ignore_ascii_case(b"hash"))
    };
    if is_plain && !is_hash() {
        return end;
    }
    let Some(from) = after_name(text, if word.ends_with(':') { end - 1 } else { end }) else { return end };
    if is_plain {
        let value = token(text, from);
        if signs_cookies(&text[value.clone()]) {
            out.push(Secret { range: value, kind: "secret" });
        }
        return end;
    }
    if word == "cookie" {
        let line = line(text, from);
        let looked = line.end;
        cookies(text, line, out);
        return looked;
    }
    credentials(text, from, word == "authorization", out).max(end)
}

/// Whether the word before `-key` at `at` says that it isn't a secret.
fn is_plain_key(text: &str, at: usize) -> bool {
    let length =
        text.as_bytes()[..at].iter().rev().take(20).take_while(|b| b.is_ascii_alphanumeric()).count();
    PLAIN_KEYS.iter().any(|plain| plain.eq_ignore_ascii_case(&text[at - length..at]))
}

/// The start of a header's value whose name ends at `end`.
fn after_name(text: &str, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = end + quote(bytes, end);
    at += blanks(bytes, at);
    match bytes.get(at) {
        Some(b'=') if bytes.get(at + 1) == Some(&b'=') => return None,
        Some(b':' | b'=') => at += 1 + usize::from(bytes.get(at + 1) == Some(&b'>')),
        // A tuple or a call's arguments: `("Authorization", "Bearer …")`.
        Some(b',') if at > end => at += 1,
        // A web server's: `proxy_set_header Authorization "Basic …"`.
        Some(b'"' | b'\'') if at > end && blanks(bytes, end) > 0 => {}
        _ => return None,
    }
    at += blanks(bytes, at);
    at += quote(bytes, at);
    // Templates and raw strings have a letter before the quote.
    if matches!(bytes.get(at), Some(b'f' | b'b' | b'r')) && quote(bytes, at + 1) > 0 {
        at += 2;
    }
    Some(at)
}

fn quote(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'"' | b'\'' | b'`'), _) => 1,
        (Some(b'\\'), Some(b'"' | b'\'')) => 2,
        _ => 0,
    }
}

fn blanks(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// From `from` to the end of the line or of the quoted text.
fn line(text: &str, from: usize) -> Range<usize> {
    let limit = text.floor_char_boundary(from.saturating_add(LONGEST));
    let stop = text[from..limit].find(['"', '\'', '\n', '\r', '`', '\\', '<']).map_or(limit, |n| from + n);
    from..stop
}

/// The word at `from`.
fn token(text: &str, from: usize) -> Range<usize> {
    let bytes = text.as_bytes().get(from..).unwrap_or_default();
    let length = bytes
        .iter()
        .take(LONGEST)
        .take_while(|b| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'.' | b'_' | b'~' | b'+' | b'/' | b'-' | b'=' | b':' | b'|' | b'%')
        })
        .count();
    let length = length - bytes[..length].iter().rev().take_while(|b| matches!(b, b'.' | b':')).count();
    from..from + length
}

/// `Bearer x`, `Basic x`, or only `x`.
/// Returns the end of what was looked at.
fn credentials(text: &str, from: usize, is_authorization: bool, out: &mut Vec<Secret>) -> usize {
    const SCHEMES: &[&str] = &[
        "bearer",
        "basic",
        "token",
        "digest",
        "apikey",
        "api-key",
        "bot",
        "negotiate",
        "ntlm",
        "key",
        "genie-key",
        "geniekey",
        "splunk",
        "dpop",
        "ssws",
        "hmac",
        "signature",
        "privatetoken",
    ];
    let first = token(text, from);
    let scheme = text[first.clone()].to_ascii_lowercase();
    let space = blanks(text.as_bytes(), first.end);
    // The others are followed by the credentials themselves.
    let has_parameters = scheme == "digest" || !SCHEMES.contains(&scheme.as_str());
    if is_authorization
        && has_parameters
        && space > 0
        && let Some(end) = parameters(text, first.end + space, out)
    {
        return end;
    }
    if SCHEMES.contains(&scheme.as_str()) && text[first.end + space..].starts_with(['\n', '\r']) {
        // Wrapped after the scheme. The next line may as well be another header.
        let line = first.end + space;
        let blank = text[line..].bytes().take(120).take_while(u8::is_ascii_whitespace).count();
        let rest = token(text, line + blank);
        let end = rest.end;
        if rest.len() >= 16 && looks_random(&text[rest.clone()]) {
            out.push(Secret { range: rest, kind: "authorization" });
        }
        return end;
    }
    if SCHEMES.contains(&scheme.as_str()) && space > 0 {
        let rest = token(text, first.end + space);
        let value = &text[rest.clone()];
        let end = rest.end;
        let pair = scheme == "basic"
            && value.len() >= 4
            && base64::decode(value).is_some_and(|plain| plain.contains(&b':'));
        if pair || value.len() >= 16 || telling(value) {
            out.push(Secret { range: rest, kind: "authorization" });
        }
        return end;
    }
    let value = &text[first.clone()];
    let end = first.end;
    let enough = if is_authorization { 12 } else { 8 };
    if value.len() >= enough && telling(value) && !value.contains("://") {
        out.push(Secret { range: first, kind: if is_authorization { "authorization" } else { "secret" } });
    }
    end
}

/// `Digest username="bob", response="…"`, `AWS4-HMAC-SHA256 Credential=…, Signature=…`: what a scheme's named parameters prove.
/// Returns the end of what was looked at if it has such parameters.
fn parameters(text: &str, from: usize, out: &mut Vec<Secret>) -> Option<usize> {
    const PROOFS: &[&str] =
        &["response", "signature", "mac", "token", "oauth_token", "oauth_signature", "cnonce", "api_key"];
    let limit = text.floor_char_boundary(from.saturating_add(LONGEST_PROOF));
    let line = &text[from..from + text[from..limit].find(['\n', '\r']).unwrap_or(limit - from)];
    let mut named = false;
    let mut at = from;
    for part in line.split_inclusive([',', ' ', ';']) {
        let start = at;
        at += part.len();
        let Some((name, value)) = part.split_once('=') else { continue };
        named = true;
        if !PROOFS.contains(&name.trim().to_ascii_lowercase().as_str()) {
            continue;
        }
        let bare = value.trim_start_matches(['"', '\\']);
        let value = token(text, start + name.len() + 1 + value.len() - bare.len());
        if value.len() >= 8 && telling(&text[value.clone()]) {
            out.push(Secret { range: value, kind: "authorization" });
        }
    }
    named.then_some(at)
}

/// Letters and digits mixed, unlike in words.
fn telling(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    value.len() >= 8 && digits >= 1 && letters >= 1 && !value.contains('(')
}

/// The values of `name=value; name=value`; a cookie's attributes stay.
pub(super) fn cookies(text: &str, range: Range<usize>, out: &mut Vec<Secret>) {
    const ABOUT: &[&str] = &[
        "path",
        "domain",
        "expires",
        "max-age",
        "samesite",
        "secure",
        "httponly",
        "priority",
        "partitioned",
        "version",
    ];
    let mut at = range.start;
    for pair in text[range].split(';') {
        let start = at;
        at += pair.len() + 1;
        let Some((name, value)) = pair.split_once('=') else { continue };
        if ABOUT.contains(&name.trim().to_ascii_lowercase().as_str()) || name.trim().contains([' ', '(', ':'])
        {
            continue;
        }
        let from = start + name.len() + 1;
        let value = value.trim_end();
        let word = value.split([' ', ',']).next().unwrap_or_default();
        if word.len() >= 8 && (telling(word) || word.len() >= 20) && !word.contains(['(', '{', '$']) {
            out.push(Secret { range: from..from + word.len(), kind: "cookie" });
        }
    }
}

/// The password of the address whose `://` is at `start..end`.
pub(super) fn address(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    login(text, start, end, out);
    end
}

/// The password of an address inside an address, whose `%3A%2F%2F` is at `start..end`.
pub(super) fn encoded_address(text: &str, _: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    let limit = text.floor_char_boundary(end.saturating_add(1_000));
    let whole = &text[end..limit];
    let stop = whole
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | '&' | '/'))
        .unwrap_or(whole.len());
    let whole = whole[..stop].to_ascii_uppercase();
    let authority =
        &whole[..["%2F", "%3F", "%23"].iter().filter_map(|s| whole.find(s)).min().unwrap_or(stop)];
    if let Some(at) = authority.rfind("%40")
        && let Some(colon) = authority[..at].find("%3A").filter(|colon| at - colon > 4)
    {
        out.push(Secret { range: end + colon + 3..end + at, kind: "password" });
    }
    end
}

fn login(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) {
    let bytes = text.as_bytes();
    if start == 0 || !bytes[start - 1].is_ascii_alphanumeric() {
        return;
    }
    let limit = text.floor_char_boundary(end.saturating_add(1_000));
    let whole = &text[end..limit];
    let stop = whole
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | '\\'))
        .unwrap_or(whole.len());
    let whole = &whole[..stop];
    let authority = &whole[..whole.find(['/', '?', '#']).unwrap_or(whole.len())];
    let is_host = |at: usize| {
        whole[at + 1..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '[' | '$' | '{' | '%' | '_'))
    };
    if let Some(at) = authority.rfind('@').filter(|at| is_host(*at)) {
        match authority[..at].find(':') {
            Some(colon) if at - colon > 2 => {
                out.push(Secret { range: end + colon + 1..end + at, kind: "password" });
            }
            // A token alone, or before an empty password.
            colon => {
                let user = &authority[..colon.unwrap_or(at)];
                if user.len() >= 20 && looks_random(user) {
                    out.push(Secret { range: end..end + user.len(), kind: "password" });
                }
            }
        }
        return;
    }
    // A password that contains an address's signs unescaped.
    let Some(colon) = authority.find(':') else { return };
    let Some(at) = whole.rfind('@').filter(|at| *at > colon + 2 && is_host(*at)) else { return };
    let password = &whole[colon + 1..at];
    let port = password.bytes().take_while(u8::is_ascii_digit).count();
    let is_port = (1..=5).contains(&port) && password[port..].starts_with(['/', '?', '#']);
    if !is_port && !password.starts_with('/') && !password.contains("://") {
        out.push(Secret { range: end + colon + 1..end + at, kind: "password" });
    }
}
