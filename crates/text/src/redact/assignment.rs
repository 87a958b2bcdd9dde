//! Values given to names that sound secret: `password=…`, `"api_key": "…"`, `--token …`, lines of `.env` files. Owns
//! which names sound secret and which values are worth hiding; leaves code such as `token = parser.next()` alone.

use std::sync::LazyLock;

use regex::Regex;

use super::{MARK, Secret, rules};

/// Name, separator and value. The name must end with a secret word; value in quotes or up to white space.
static ASSIGNMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)(?P<lead>^|[^A-Za-z0-9_-])(?P<dashes>--?)?(?P<name>[A-Za-z0-9_.-]{0,64}?(?P<word>pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|auth[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|app[_-]?key|service[_-]?key|client[_-]?secret|credentials?|auth))(?P<close>\\?["'])?(?P<sep>\s*(?:=>|:=|=|:)\s*|\s+)(?:(?P<dq>\\?"[^"\n]{1,400}")|(?P<sq>'[^'\n]{1,400}')|(?P<bare>[^\s"',;(){}\[\]<>`]{1,400}))"#,
    )
    .ok()
});

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
    let Some(pattern) = ASSIGNMENT.as_ref() else { return };
    let mut at = 0;
    while let Some(found) = pattern.captures_at(text, at) {
        let Some(whole) = found.get(0) else { break };
        let (Some(word), Some(sep)) = (found.name("word"), found.name("sep")) else { break };
        // Values may themselves be names: go on right after this name.
        at = word.end().max(whole.start() + 1);
        let (value, quoted) = match (found.name("dq"), found.name("sq"), found.name("bare")) {
            (Some(v), _, _) => {
                let skip = if v.as_str().starts_with('\\') { 2 } else { 1 };
                let cut = usize::from(v.as_str()[..v.len() - 1].ends_with('\\') && skip == 2) + 1;
                (v.start() + skip..v.end() - cut, true)
            }
            (_, Some(v), _) => (v.start() + 1..v.end() - 1, true),
            (_, _, Some(v)) => (v.range(), false),
            _ => continue,
        };
        if value.start >= value.end {
            continue;
        }
        let context = Context {
            word: word.as_str().to_ascii_lowercase(),
            dashed: found.name("dashes").is_some(),
            tight: sep.as_str() == "=",
            separator: sep.as_str().trim(),
            quoted,
            env_name: found.name("name").is_some_and(|n| n.as_str().bytes().all(|b| !b.is_ascii_lowercase())),
        };
        if is_secret(&text[value.clone()], &context, &text[value.end..]) {
            let kind = if context.is_password() { "password" } else { "secret" };
            at = value.end;
            out.push(Secret { range: value, kind });
        }
    }
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
        // `--password hunter2`; elsewhere two words side by side are prose.
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
