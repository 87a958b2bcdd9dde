//! Secrets in an address's query: `?code=…`, `&token=…`. Owns which parameters' values are secrets there; any other assignment is
//! [`assignment`](super::assignment)'s, which can't be as sure of short values.

use super::Secret;
use super::harmless::is_measure;
use super::placeholder::is_placeholder;
use super::prose::names_something;
use super::random::{has_random_letters, looks_random};

/// The words that trigger this finder.
pub(super) const WORDS: &[&str] =
    &["code=", "token=", "secret=", "api_key=", "apikey=", "auth=", "signature=", "ticket=", "pw="];

/// The name of a password that is too short to be one in any other text, and the ends of longer ones.
const PASSWORD: &str = "pw";
const PASSWORDS: [&str; 2] = ["_pw", "-pw"];

/// The longest parameter's name, the longest value, and how far back an address may begin, in bytes.
const LONGEST_NAME: usize = 40;
const LONGEST_VALUE: usize = 4_000;
const LONGEST_ADDRESS: usize = 600;

/// The parameter whose name ends with the word at `start..end`.
pub(super) fn find(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    let bytes = text.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let mut from = start;
    while from > 0 && start - from < LONGEST_NAME && is_name(bytes[from - 1]) {
        from -= 1;
    }
    let (before, name) = (&text[..from], &text[from..end - 1]);
    // JSON and HTML write the sign in their own way.
    let (name, escaped) = match name.strip_prefix("u0026").filter(|_| before.ends_with('\\')) {
        Some(name) => (name, true),
        None => (name, before.ends_with("&amp;")),
    };
    if !(escaped || before.ends_with(['?', '&', '#'])) || !in_address(text, from) {
        return end;
    }
    let limit = text.floor_char_boundary(end.saturating_add(LONGEST_VALUE));
    let rest = &text[end..limit];
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '&' | '#' | '"' | '\'' | '<' | '>' | '`' | ')' | ']' | '}' | ',' | ';' | '\\')
    };
    let value = rest[..rest.find(ends).unwrap_or(rest.len())].trim_end_matches(['.', ':', '!', '?']);
    let name = name.to_ascii_lowercase();
    if !is_placeholder(value) && is_secret(&name, value) {
        let kind = if is_password(&name) { "password" } else { "secret" };
        out.push(Secret { range: end..end + value.len(), kind });
    }
    end + value.len()
}

/// Whether what precedes `at` without a blank is an address or a path.
fn in_address(text: &str, at: usize) -> bool {
    let floor = text.floor_char_boundary(at.saturating_sub(LONGEST_ADDRESS));
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | '(' | '[' | '|');
    let address = text[floor..at].rsplit(ends).next().unwrap_or_default();
    address.starts_with('/') || address.contains("://") || address.contains(":\\/\\/")
}

fn is_password(name: &str) -> bool {
    name == PASSWORD || PASSWORDS.iter().any(|end| name.ends_with(end))
}

fn is_secret(name: &str, value: &str) -> bool {
    let count = |of: fn(&u8) -> bool| value.bytes().filter(of).count();
    let (digits, upper, lower) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    match name {
        // What a login is exchanged for. Numbers of errors, countries and vouchers are codes, too.
        "code" | "auth_code" | "authorization_code" | "device_code" => {
            value.len() >= 10 && digits >= 2 && lower > 0
                || value.len() >= 16 && upper > 1 && lower > 1 && !names_something(value)
        }
        // The width of a picture or a page, too.
        _ if is_password(name) => value.len() >= 6 && digits > 0 && upper + lower > 0 && !is_measure(value),
        _ if name.ends_with("code") || name.ends_with(PASSWORD) => false,
        _ if name.ends_with("ticket") || name.ends_with("signature") => {
            value.len() >= 16 && looks_random(value)
        }
        _ => {
            let shortest = if name.ends_with("auth") { 8 } else { 6 };
            let in_one = value.len() >= 16 && !value.contains(['_', '-', '.']);
            let mixed = value.len() >= shortest
                && digits > 0
                && upper + lower > 0
                && (in_one || !names_something(value));
            let letters =
                value.len() >= 16 && (lower == value.len() || has_random_letters(value) && upper > 2);
            mixed || letters
        }
    }
}
