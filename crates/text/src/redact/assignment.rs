//! Values given to names that sound secret: `password=…`, `"api_key": "…"`, `--token …`, lines of `.env` files. Owns
//! which names sound secret and which values are worth hiding; leaves code such as `token = parser.next()` alone.

use std::ops::Range;

use super::words::Words;
use super::{MARK, Secret, rules};

/// The last part of a name that sounds secret. `-` and `_` are left out on both sides of the comparison where a name
/// can be written with either.
const WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "accesskey",
    "access_key",
    "access-key",
    "access_key_id",
    "access-key-id",
    "accesskeyid",
    "secretkey",
    "secret_key",
    "secret-key",
    "privatekey",
    "private_key",
    "private-key",
    "authkey",
    "auth_key",
    "auth-key",
    "accountkey",
    "account_key",
    "account-key",
    "encryptionkey",
    "encryption_key",
    "encryption-key",
    "signingkey",
    "signing_key",
    "signing-key",
    "masterkey",
    "master_key",
    "master-key",
    "appkey",
    "app_key",
    "app-key",
    "servicekey",
    "service_key",
    "service-key",
    "credential",
    "credentials",
    "auth",
];

static FINDER: Words = Words::new(WORDS);

/// Longest value taken for one secret.
const MAX_VALUE: usize = 400;

/// Values that only stand for a value.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    let lower = value.to_ascii_lowercase();
    value.contains(MARK)
        || value.starts_with(['$', '%', '<', '{', '*', '&', '#', '!', '@'])
        || value.contains("${")
        || value.contains("...")
        || value.contains('…')
        || value.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '.' | '-' | '_' | '•'))
        || [
            "your",
            "example",
            "changeme",
            "change-me",
            "placeholder",
            "redacted",
            "dummy",
            "my-secret",
            "process.env",
            "os.environ",
            "env.",
        ]
        .iter()
        .any(|p| lower.contains(p))
        || matches!(
            lower.as_str(),
            "null"
                | "none"
                | "nil"
                | "true"
                | "false"
                | "undefined"
                | "string"
                | "str"
                | "bool"
                | "required"
                | "optional"
                | "required,"
                | "yes"
                | "no"
                | "empty"
                | "unset"
                | "missing"
                | "invalid"
                | "password"
                | "passwd"
                | "secret"
                | "token"
                | "test"
        )
}

/// Adds the values in `text` that are assigned to secret-sounding names.
pub(super) fn find(text: &str, out: &mut Vec<Secret>) {
    let mut done = 0;
    for word in FINDER.longest(text) {
        if word.start < done {
            continue;
        }
        let Some((separator, value, quoted)) = value_after(text, word.end) else { continue };
        let name_start = name_start(text, word.start);
        let name = &text[name_start..word.end];
        let before = &text[..name_start];
        if name.len() > 80 || before.ends_with("://") {
            // Right after `://` stands the user of a URL, whose password has its own rule.
            continue;
        }
        let context = Context {
            word: text[word].to_ascii_lowercase(),
            dashed: name.starts_with('-'),
            tight: separator == "=",
            separator: separator.trim(),
            quoted,
            env_name: name.bytes().all(|b| !b.is_ascii_lowercase()),
        };
        if is_secret(&text[value.clone()], &context, &text[value.end..]) {
            let kind = if context.is_password() { "password" } else { "secret" };
            done = value.end;
            out.push(Secret { range: value, kind });
        }
    }
}

/// Where the name begins whose last word begins at `word`.
fn name_start(text: &str, word: usize) -> usize {
    let bytes = text.as_bytes();
    let mut i = word;
    while i > 0
        && word - i < 96
        && (bytes[i - 1].is_ascii_alphanumeric() || matches!(bytes[i - 1], b'_' | b'-' | b'.'))
    {
        i -= 1;
    }
    i
}

/// The separator and the value after a name that ends at `end`, and whether the value is in quotes. The separator is
/// empty when only white space stands between.
fn value_after(text: &str, end: usize) -> Option<(&str, Range<usize>, bool)> {
    let bytes = text.as_bytes();
    let mut i = end;
    // The quote that closes the name, escaped where JSON stands in a string.
    if bytes.get(i) == Some(&b'\\') && matches!(bytes.get(i + 1), Some(b'"' | b'\'')) {
        i += 2;
    } else if matches!(bytes.get(i), Some(b'"' | b'\'')) {
        i += 1;
    }
    let from = i;
    i = skip_blanks(bytes, i);
    let spaced = i > from;
    let sign = match (bytes.get(i), bytes.get(i + 1)) {
        (Some(b'='), Some(b'>')) | (Some(b':'), Some(b'=')) => 2,
        // A comparison or a path is no assignment.
        (Some(b'='), Some(b'=')) | (Some(b':'), Some(b':')) => return None,
        (Some(b'=' | b':'), _) => 1,
        _ => 0,
    };
    if sign == 0 && !spaced {
        return None;
    }
    i = skip_blanks(bytes, i + sign);
    let separator = &text[from..i];
    let escaped = bytes.get(i) == Some(&b'\\');
    let quote_at = i + usize::from(escaped);
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(quote_at).copied() {
        let start = quote_at + 1;
        let limit = bytes.len().min(start + MAX_VALUE);
        let close = start + bytes[start..limit].iter().position(|b| *b == quote || *b == b'\n')?;
        if bytes[close] != quote {
            return None;
        }
        let stop = if escaped && bytes[close - 1] == b'\\' { close - 1 } else { close };
        return (stop > start).then_some((separator, start..stop, true));
    }
    let stops = |b: &u8| {
        b.is_ascii_whitespace()
            || matches!(
                b,
                b'"' | b'\'' | b',' | b';' | b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'`'
            )
    };
    let limit = text.floor_char_boundary(i + MAX_VALUE);
    let stop = bytes[i..limit].iter().position(stops).map_or(limit, |n| i + n);
    (stop > i).then_some((separator, i..stop, false))
}

fn skip_blanks(bytes: &[u8], mut i: usize) -> usize {
    while matches!(bytes.get(i), Some(b' ' | b'\t')) {
        i += 1;
    }
    i
}

/// What surrounds a value.
struct Context<'a> {
    word: String,
    /// The name is a command's option.
    dashed: bool,
    /// `name=value` without spaces, as in shells, URLs and `.env` files.
    tight: bool,
    separator: &'a str,
    quoted: bool,
    /// The name is in capitals, as variables of an environment are.
    env_name: bool,
}

impl Context<'_> {
    fn is_password(&self) -> bool {
        self.word.starts_with("pass") || self.word == "pwd"
    }
}

fn is_secret(value: &str, context: &Context<'_>, after: &str) -> bool {
    let value = value.trim_end_matches(['.', ':', '\\', '&']);
    if is_placeholder(value) || value.contains(' ') {
        return false;
    }
    // `PWD` is the working folder, `pass` a verb, `auth` a plain word unless the environment says otherwise.
    if context.word == "pwd" && value.starts_with(['/', '~', '\\'])
        || value.starts_with("/") && value[1..].contains('/')
    {
        return false;
    }
    let weak_word = matches!(context.word.as_str(), "pass" | "auth" | "credential" | "credentials");
    if weak_word && !context.env_name {
        return context.is_password() && context.tight && mixed(value);
    }
    if context.separator.is_empty() {
        // `--password <value>`; elsewhere two words side by side are prose.
        return context.dashed && value.len() >= 4 && !value.starts_with('-');
    }
    let code = after.starts_with(['(', '[', '{', '<']) || value.contains("::") || value.contains("->");
    if context.quoted {
        return if context.is_password() {
            value.len() >= 3
        } else {
            value.len() >= 8 && (mixed(value) || context.env_name)
        };
    }
    if code {
        return false;
    }
    if context.tight && (context.env_name || context.dashed) {
        return value.len() >= 4;
    }
    if context.is_password() {
        // Types and names stand here in code: `password: String`, `password = form.password`.
        return if context.tight {
            value.len() >= 4 && (mixed(value) || !names_something(value))
        } else {
            mixed(value)
        };
    }
    value.len() >= 12 && rules::looks_random(value)
        || (value.len() >= 8 && mixed(value) && !names_something(value))
}

/// Letters with a digit or a sign among them.
fn mixed(value: &str) -> bool {
    let letter = value.bytes().any(|b| b.is_ascii_alphabetic());
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let sign = value.bytes().any(|b| matches!(b, b'!' | b'@' | b'#' | b'%' | b'^' | b'*' | b'+' | b'='));
    letter && (digit || sign) && value.len() >= 5
}

/// Dotted or plain identifiers, as in code.
fn names_something(value: &str) -> bool {
    value.split(['.', ':']).all(|part| {
        let mut bytes = part.bytes();
        bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && part.bytes().filter(u8::is_ascii_digit).count() <= 2
    })
}
