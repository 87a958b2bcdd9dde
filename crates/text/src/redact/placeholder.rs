//! Values that only stand for a value: `$TOKEN`, `<your key>`, `xxxx`, `process.env.KEY`. A value counts as one only when
//! all of it does: a real token may hold the letters of `your` or `example`.

use super::MARK;

/// Whether `value` stands for a value and is none.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim().trim_end_matches([',', ';']);
    value.is_empty()
        || value.contains(MARK)
        || is_reference(value)
        || is_filler(value)
        || is_elided(value)
        || is_plain_word(value)
        || is_made_of_words(value)
        // The pair of keys that Amazon prints in its own documentation ends like this.
        || value.ends_with("EXAMPLE")
        || value.ends_with("EXAMPLEKEY")
}

/// A variable, a template's hole, a name in code that the value comes from.
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
        return closed || plain || rest.is_empty() || rest.starts_with(['{', '(']);
    }
    let wrapped = [("<", ">"), ("{", "}"), ("[", "]"), ("%", "%"), ("__", "__"), ("@", "@")].iter().any(
        |(open, close)| {
            value.len() > open.len() + close.len() && value.starts_with(open) && value.ends_with(close)
        },
    );
    let opened = value.starts_with('{') || (value.starts_with('<') && word(&value[1..]));
    let printed = matches!(value, "%s" | "%v" | "%q" | "%d" | "%@" | "?" | "%w") || value.starts_with("%(");
    let marked = value.strip_prefix(['*', '&', '#', '!', '@', ':', '~']).is_some_and(word);
    wrapped
        || opened
        || printed
        || marked
        || value.contains("${{")
        || (value.contains("${") && value.contains('}'))
        || FROM.iter().any(|from| value.starts_with(from))
}

/// Where code and configurations say that a value comes from somewhere else.
const FROM: &[&str] = &[
    "process.env",
    "import.meta.env",
    "Deno.env",
    "os.environ",
    "os.getenv",
    "os.Getenv",
    "System.getenv",
    "ENV[",
    "env.",
    "env(",
    "getenv(",
    "secrets.",
    "vault:",
    "op://",
    "arn:aws:",
    "ref+",
    "ENC[",
    "sops:",
    "secretKeyRef",
    "valueFrom",
    "keyring:",
    "/run/secrets/",
    "std::env",
    "config.",
    "settings.",
    "data.",
    "var.",
    "local.",
    "self.",
    "this.",
    "args.",
    "options.",
    "opts.",
    "props.",
    "params.",
    "req.",
    "request.",
    "form.",
    "user.",
    "input.",
];

/// One or two letters over and over: `xxxx`, `****`, `00000000`, `sk-xxxxxxxx`.
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

/// `sk-...`, `ghp_…`, `AKIA...WXYZ`: so much is left out that what is left is no secret.
fn is_elided(value: &str) -> bool {
    let Some((before, after)) = value.split_once("...").or_else(|| value.split_once('…')) else {
        return false;
    };
    let prefix = before.rfind(['_', '-']).map_or(0, |at| at + 1);
    let left = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).count();
    left(&before[prefix..]) <= 8 && left(after) <= 8
}

/// Words that stand where a value could.
fn is_plain_word(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "null",
        "none",
        "nil",
        "true",
        "false",
        "undefined",
        "string",
        "str",
        "bool",
        "boolean",
        "number",
        "int",
        "bytes",
        "object",
        "any",
        "unknown",
        "varchar",
        "text",
        "char",
        "required",
        "optional",
        "yes",
        "no",
        "on",
        "off",
        "empty",
        "unset",
        "missing",
        "invalid",
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "pass",
        "secret",
        "token",
        "test",
        "hidden",
        "basic",
        "bearer",
        "default",
        "value",
        "auto",
        "disabled",
        "enabled",
        "always",
        "never",
        "identifier",
        "passwort",
        "kennwort",
        "contraseña",
        "wachtwoord",
        "senha",
        "mot de passe",
        "пароль",
        "密码",
        "パスワード",
        "current-password",
        "new-password",
        "tbd",
        "n/a",
        "na",
        "keychain",
        "env",
        "file",
        "prompt",
        "stdin",
        "inherit",
    ];
    let lower = value.to_lowercase();
    WORDS.contains(&lower.trim_end_matches([':', '?', '!', '*', '.']))
}

/// Words that say "put yours here", and the words that are said beside them.
fn is_made_of_words(value: &str) -> bool {
    const SAYS: &[&str] = &[
        "your",
        "yours",
        "example",
        "changeme",
        "change",
        "placeholder",
        "redacted",
        "dummy",
        "sample",
        "fake",
        "replace",
        "replaceme",
        "insert",
        "here",
        "todo",
        "fixme",
        "xxx",
        "xxxx",
        "my",
        "some",
        "enter",
        "put",
        "mock",
        "foo",
        "bar",
        "removed",
        "masked",
        "hidden",
        "censored",
        "omitted",
        "goes",
        "fill",
        "notreal",
        "invalid",
    ];
    const BESIDE: &[&str] = &[
        "api",
        "key",
        "keys",
        "token",
        "tokens",
        "secret",
        "secrets",
        "password",
        "passwd",
        "passphrase",
        "pass",
        "access",
        "auth",
        "client",
        "app",
        "application",
        "id",
        "user",
        "username",
        "name",
        "db",
        "database",
        "account",
        "admin",
        "root",
        "value",
        "in",
        "it",
        "me",
        "this",
        "the",
        "a",
        "an",
        "with",
        "for",
        "real",
        "actual",
        "own",
        "personal",
        "private",
        "public",
        "service",
        "bot",
        "webhook",
        "url",
        "host",
        "domain",
        "com",
        "org",
        "net",
        "test",
        "testing",
        "dev",
        "demo",
        "prod",
        "local",
        "default",
        "super",
        "very",
        "long",
        "random",
        "string",
        "strong",
        "secure",
        "please",
        "not",
        "a",
        "org",
        "team",
        "project",
        "github",
        "gitlab",
        "openai",
        "anthropic",
        "slack",
        "stripe",
        "aws",
        "azure",
        "gcp",
        "google",
        "npm",
        "pypi",
        "docker",
        "sk",
        "pk",
        "pat",
        "ghp",
        "live",
        "v1",
        "jwt",
        "bearer",
        "oauth",
        "refresh",
        "signing",
        "encryption",
        "session",
        "generated",
        "value",
        "of",
        "and",
        "to",
        "be",
        "set",
    ];
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
        let alone = SAYS.contains(&part) || part.bytes().all(|b| b == b'x');
        // `yourpassword`, `mysecretkey`: two or three of the words in one.
        let joined =
            SAYS.iter().find_map(|word| part.strip_prefix(word)).is_some_and(|rest| joined(rest, BESIDE));
        says |= alone || joined;
        part.is_empty() || alone || joined || BESIDE.contains(&part)
    });
    let digits = lower.bytes().filter(u8::is_ascii_digit).count();
    says && all && digits <= 4
}

fn joined(text: &str, words: &[&str]) -> bool {
    text.is_empty()
        || words
            .iter()
            .filter(|word| word.len() > 1)
            .any(|word| text.strip_prefix(word).is_some_and(|rest| joined(rest, words)))
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn what_stands_for_a_value_is_told_from_one() {
        for stands in [
            "$TOKEN",
            "${TOKEN}",
            "$(pass show x)",
            "$env:TOKEN",
            "%TOKEN%",
            "<your-token>",
            "{{ token }}",
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
        ] {
            assert!(!is_placeholder(real), "{real}");
        }
    }
}
