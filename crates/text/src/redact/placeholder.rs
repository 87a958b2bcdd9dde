//! Recognises placeholders instead of values: `$TOKEN`, `<your key>`, `xxxx`, `process.env.KEY`. All of a value must match: a
//! real token may contain the letters of `your` or `example`.

use super::MARK;
use super::placeholder_words::{COMPANION_WORDS, PLACEHOLDER_WORDS, PLAIN_WORDS, REFERENCE_PREFIXES};

/// Whether `value` is a placeholder.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim().trim_end_matches([',', ';']);
    value.is_empty()
        || value.contains(MARK)
        || is_reference(value)
        || is_filler(value)
        || is_elided(value)
        || is_plain_word(value)
        || is_made_of_words(value)
        // The keys in Amazon's own documentation end like this.
        || value.ends_with("EXAMPLE")
        || value.ends_with("EXAMPLEKEY")
}

/// A variable, a template's placeholder, or a name in code.
fn is_reference(value: &str) -> bool {
    let identifier = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'-'))
    };
    let word = |text: &str| {
        text.bytes().next().is_none_or(|b| b.is_ascii_alphabetic() || matches!(b, b' ' | b'_'))
            && text.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b' ' | b'.' | b'/' | b'-'))
    };
    if let Some(rest) = value.strip_prefix('$') {
        let closed = [('{', '}'), ('(', ')'), ('[', ']')]
            .iter()
            .any(|(open, close)| rest.starts_with(*open) && rest.contains(*close));
        let name = rest.strip_prefix("env:").unwrap_or(rest);
        let plain = identifier(name)
            && !name.contains('-')
            && name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        return closed || plain || rest.is_empty() || continues_template(rest);
    }
    let wrapped = [("<", ">"), ("{", "}"), ("[", "]"), ("%", "%"), ("__", "__"), ("@", "@")].iter().any(
        |(open, close)| {
            value.len() > open.len() + close.len() && value.starts_with(open) && value.ends_with(close)
        },
    );
    let opened =
        value.strip_prefix('{').is_some_and(continues_brace) || value.strip_prefix('<').is_some_and(word);
    let printed = matches!(value, "%s" | "%v" | "%q" | "%d" | "%@" | "?" | "%w") || value.starts_with("%(");
    let marked = value.strip_prefix(['*', '&', '#', '!', '@', ':', '~']).is_some_and(word);
    wrapped
        || opened
        || printed
        || marked
        || value.contains("${{")
        || (value.contains("${") && value.contains('}'))
        || REFERENCE_PREFIXES.iter().any(|from| value.starts_with(from))
}

/// Whether `rest` makes the `$` before it a template's or a command's whose end was cut off: by a name in the brace, or a
/// command's in the parenthesis.
fn continues_template(rest: &str) -> bool {
    let is_name = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_./~:=@,-".contains(&b));
    match (rest.strip_prefix('{'), rest.strip_prefix('(')) {
        (Some(name), _) => continues_brace(name) || is_name(name),
        (_, Some(command)) => {
            let word = command.trim_start_matches(['(', '<', ' ']);
            is_name(word.split([' ', '\t', '\n', '"', '\'', '$', '\\', '|']).next().unwrap_or_default())
        }
        _ => false,
    }
}

/// Whether `rest` makes the brace before it a template's or an object's: by another sign of theirs, or by a name up to the other
/// brace. A password that a program made may begin with a brace, too.
fn continues_brace(rest: &str) -> bool {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b" _.:-,?()[]'\"".contains(&b);
    rest.is_empty()
        || rest.starts_with(['{', '"', '\'', '\\', '%', '#', '$', '&', ' ', '\r', '\n'])
        || rest.bytes().take_while(|b| *b != b'}').all(is_name)
}

/// One or two repeated letters: `xxxx`, `****`, `00000000`, `sk-xxxxxxxx`.
fn is_filler(value: &str) -> bool {
    let body = match value.rfind(['_', '-', '.', ':']) {
        Some(at) if at + 1 < value.len() && at <= 24 => &value[at + 1..],
        _ => value,
    };
    let few = |text: &str| {
        let mut seen = [0_u8; 2];
        let mut count = 0;
        text.bytes().filter(|b| !matches!(b, b'-' | b'_' | b'.' | b'/' | b' ')).all(|b| {
            let b = b.to_ascii_lowercase();
            if seen[..count].contains(&b) {
                return true;
            }
            if count == seen.len() {
                return false;
            }
            seen[count] = b;
            count += 1;
            true
        }) && (count <= 1 || text.bytes().filter(|b| b.eq_ignore_ascii_case(&b'x')).count() * 2 > text.len())
    };
    few(value)
        || (body.len() >= 4 && few(body))
        || value.chars().all(|c| matches!(c, '*' | '•' | '.' | '…' | '-' | '_' | '#' | '?'))
}

/// `sk-...`, `ghp_…`, `AKIA...WXYZ`: the rest is too short to be a secret.
fn is_elided(value: &str) -> bool {
    let Some((before, after)) = value.split_once("...").or_else(|| value.split_once('…')) else {
        return false;
    };
    let prefix = before.rfind(['_', '-']).map_or(0, |at| at + 1);
    let left = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).count();
    left(&before[prefix..]) <= 8 && left(after) <= 8
}

/// Words in a value's place.
fn is_plain_word(value: &str) -> bool {
    let lower = value.to_lowercase();
    PLAIN_WORDS.contains(&lower.trim_end_matches([':', '?', '!', '*', '.']))
}

/// Words that say "put yours here", with their usual companions.
fn is_made_of_words(value: &str) -> bool {
    if value.len() > 80
        || value
            .chars()
            .any(|c| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.' | ' ' | '/' | ':'))
    {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    let mut says = false;
    let all = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).all(|part| {
        let part = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let alone = PLACEHOLDER_WORDS.contains(&part) || part.bytes().all(|b| b == b'x');
        // `yourpassword`, `mysecretkey`: two or three of the words joined.
        let joined = PLACEHOLDER_WORDS
            .iter()
            .find_map(|word| part.strip_prefix(word))
            .is_some_and(|rest| is_joined_from(rest, COMPANION_WORDS));
        says |= alone || joined;
        part.is_empty() || alone || joined || COMPANION_WORDS.contains(&part)
    });
    let digits = lower.bytes().filter(u8::is_ascii_digit).count();
    says && all && digits <= 4
}

fn is_joined_from(text: &str, words: &[&str]) -> bool {
    text.is_empty()
        || words
            .iter()
            .filter(|word| word.len() > 1)
            .any(|word| text.strip_prefix(word).is_some_and(|rest| is_joined_from(rest, words)))
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn a_placeholder_is_distinguished_from_a_value() {
        for stands in [
            "$TOKEN",
            "${TOKEN}",
            "$(pass show x)",
            "$env:TOKEN",
            "${TOKEN:-",
            "${var.names[",
            "${{ secrets.",
            "$(cat ~/.pw | tr",
            "$(<pw.txt",
            "%TOKEN%",
            "<your-token>",
            "{{ token }}",
            "{user.name}/{user.token}/x",
            "{token:?} and",
            "{\"a\": \"b\", \"c",
            "xxxxxxxx",
            "XXXX-XXXX-XXXX",
            "sk-xxxxxxxxxxxxxxxx",
            "****",
            "your-api-key-here",
            "YOUR_API_KEY",
            "changeme",
            "changeme123",
            "yourpassword",
            "mysecretpassword",
            "example-token",
            "sk-...",
            "ghp_…",
            "process.env.TOKEN",
            "null",
            "Password",
            "AKIAIOSFODNN7EXAMPLE",
            "[redacted:token]",
            "op://vault/item/field",
            "replace-me",
            "00000000",
            "&str",
            "*alias",
        ] {
            assert!(is_placeholder(stands), "{stands}");
        }
        for real in [
            "aByourZ9k2Lq8Wm3Xv7Tn",
            "k9exampleQ8w7E6r5T4y3",
            "hunter22",
            "$ecr3t!x",
            "${Xy7#kQ!w2",
            "$(K9!xQ2#z",
            "correct-horse",
            "p@ss<w0rd>",
            "Example123!",
            "yourMother4Ever",
            "x9xx7xaxb3xxq",
            "dummyAb3dE9f",
            "#Secret123!",
            "@dm1n123",
            "!QAZ2wsx",
            "abcdefgh12345678...",
            "*Pa55word*1",
            "{gWvn:#5S!b6>3(knl<",
            "{CB&xj3Gt8g5.~*xjS#G",
        ] {
            assert!(!is_placeholder(real), "{real}");
        }
    }
}
