//! Secrets in file and protocol formats: `.netrc`, `.pgpass`, `.npmrc`, docker's `auth`, Kubernetes' Secrets, pairs of `name` and
//! `value`, SQL, keys as JSON, call arguments. Owns one shape each.

use std::sync::OnceLock;

use super::{Secret, base64, judgement};
use crate::Pattern;

/// The words that trigger this finder.
pub(super) const WORDS: &[&str] = &[
    "login",
    "machine ",
    ":5432:",
    ":5433:",
    ":6432:",
    ":*:",
    "\"auth\"",
    "\"auth\\",
    "_auth",
    "_password",
    "kind",
    "value",
    "identified",
    "auth=(",
    "basicauth(",
    "networkcredential(",
    "pscredential(",
    "passwordcredential",
    "\"d\":",
    "\"k\":",
    "--from-literal",
    "jdbc:oracle:thin:",
    "sqlplus ",
    "expdp ",
    "impdp ",
    "sqlldr ",
    "rman target ",
    "type=\"password\"",
];

/// A pattern that is compiled at its first use.
struct Lazy(&'static str, OnceLock<Option<Pattern>>);

impl Lazy {
    const fn new(pattern: &'static str) -> Self {
        Self(pattern, OnceLock::new())
    }

    fn pattern(&self) -> Option<&Pattern> {
        self.1.get_or_init(|| Pattern::new(self.0).ok()).as_ref()
    }

    /// Adds the last group in `text[from..]`, within the next `reach` bytes.
    fn add(&self, text: &str, from: usize, reach: usize, kind: &'static str, out: &mut Vec<Secret>) {
        let part = &text[from..text.floor_char_boundary(from.saturating_add(reach))];
        if let Some(group) = self.pattern().and_then(|pattern| pattern.last_group(part)) {
            out.push(Secret { range: from + group.start..from + group.end, kind });
        }
    }
}

static NETRC: Lazy = Lazy::new(
    r#"(?i)^(?:machine(?:\s|\\n)+\S+|login(?:\s|\\n)+\S+)(?:(?:\s|\\n)+(?:login|account)(?:\s|\\n)+\S+)*(?:\s|\\n)+passw(?:or)?d(?:\s|\\n)+(?:"([^"\n]+)"|([^\s"\\]+))"#,
);
static DOCKER: Lazy = Lazy::new(r#"^"auth\\*"\s*:\s*\\*"([A-Za-z0-9+/]{6,}={0,2})"#);
static NPMRC: Lazy = Lazy::new(r#"(?i)^_(?:auth(?:token)?|password)["']?\s*[=:]\s*["']?([^\s"'$]{6,})"#);
static SQL: Lazy = Lazy::new(
    r#"(?i)^identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?(?:'([^'\n]+)'|"([^"\n]+)")"#,
);
static CALL: Lazy =
    Lazy::new(r#"(?i)^[a-z=]*\(\s*(?:\w+\s*=\s*)?["'][^"'\n]*["']\s*,\s*(?:\w+\s*=\s*)?["']([^"'\n]+)["']"#);
static JWK: Lazy = Lazy::new(r#"^"[dk]":\s*"([A-Za-z0-9_-]{20,})""#);
static LITERAL: Lazy =
    Lazy::new(r#"^--from-literal[= ]["']?[^=\s"']+=(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'$]+))"#);
static ORACLE: Lazy = Lazy::new(
    r"(?i)^(?:jdbc:oracle:thin:|(?:sqlplus|expdp|impdp|sqlldr|rman\s+target)\s+(?:-\w+\s+)*)[^/\s@]+/([^@\s/]+)@",
);
static VALUE: Lazy = Lazy::new(
    r#"(?i)^value(?:\\?["'])?\s*[=:]\s*(?:\\?"((?:[^"\\\n]|\\[^"])+)|'([^'\n]+)'|([^\s"'<>,{}\[\]()]+))"#,
);
static NAMED: Lazy = Lazy::new(
    r#"(?i)(?:name|key|id|header)\\?["']?\s*[=:]\s*\\?["']?([\w.-]{2,})\\?["']?[\s,]*(?:\\n\s*)?(?:[\w-]+="[^"]*"\s*)?\\?["']?(?:\w*[a-z_-])?$"#,
);
static INPUT: Lazy = Lazy::new(r#"(?i)^type="password"[^<>]*?\bvalue="([^"]+)""#);
static SCALAR: Lazy = Lazy::new(r#"\\?"[^"\\]+\\?"\s*:\s*\\?"([^"\\]+)"#);

/// The record that the word at `start..end` belongs to.
pub(super) fn find(text: &str, start: usize, end: usize, out: &mut Vec<Secret>) -> usize {
    let bytes = text.as_bytes();
    let word = text[start..end].to_ascii_lowercase();
    match word.as_str() {
        "login" | "machine " => NETRC.add(text, start, 1_000, "password", out),
        ":5432:" | ":5433:" | ":6432:" | ":*:" => pgpass(text, start, out),
        "\"auth\"" | "\"auth\\" => docker(text, start, out),
        "_auth" | "_password" => {
            if start == 0 || matches!(bytes[start - 1], b':' | b'\n' | b'/' | b' ' | b'"') {
                NPMRC.add(text, start, 2_000, "npm-token", out);
            }
        }
        "kind" => return kubernetes(text, end, out),
        "value" => return value(text, start, out).max(end),
        "identified" => SQL.add(text, start, 500, "password", out),
        "\"d\":" | "\"k\":" => {
            let around = &text[text.floor_char_boundary(start.saturating_sub(2_000))
                ..text.ceil_char_boundary(start.saturating_add(2_000).min(text.len()))];
            if around.contains("\"kty\"") {
                JWK.add(text, start, 4_000, "private-key", out);
            }
        }
        "--from-literal" => LITERAL.add(text, start, 1_000, "secret", out),
        "jdbc:oracle:thin:" | "sqlplus " | "expdp " | "impdp " | "sqlldr " | "rman target " => {
            ORACLE.add(text, start, 300, "password", out);
        }
        "type=\"password\"" => INPUT.add(text, start, 500, "password", out),
        _ => CALL.add(text, start, 500, "password", out),
    }
    end
}

/// `host:port:database:user:password`, one per line.
fn pgpass(text: &str, at: usize, out: &mut Vec<Secret>) {
    let floor = text.floor_char_boundary(at.saturating_sub(300));
    let ceiling = text.floor_char_boundary(at.saturating_add(600));
    let begin = text[floor..at].rfind(['\n', '"', '\'', ' ']).map_or(floor, |n| floor + n + 1);
    let stop = text[at..ceiling].find(['\n', '\r', '"', '\'', ' ']).map_or(ceiling, |n| at + n);
    let line = &text[begin..stop];
    let mut from = 0;
    let mut fields = 0;
    for (i, byte) in line.bytes().enumerate() {
        if byte == b':' && (i == 0 || line.as_bytes()[i - 1] != b'\\') {
            let field = &line[from..i];
            let is_number = field.bytes().all(|b| b.is_ascii_digit());
            // A number behind the port is a file location in a tool's output. Without a port it's the name of something, such as
            // `arn:aws:ec2:*:*:volume/*` or `cpe:2.3:a:…`.
            if i == from || fields >= 2 && is_number || fields == 1 && !is_number && field != "*" {
                return;
            }
            fields += 1;
            from = i + 1;
            if fields == 4 {
                break;
            }
        }
    }
    if fields == 4 && line.len() - from >= 3 {
        out.push(Secret { range: begin + from..stop, kind: "password" });
    }
}

/// `"auth": "<base64 of user:password>"`, however often it was put into a string.
fn docker(text: &str, start: usize, out: &mut Vec<Secret>) {
    let had = out.len();
    DOCKER.add(text, start, 20_000, "authorization", out);
    let pair = |secret: &Secret| {
        base64::decode(&text[secret.range.clone()]).is_some_and(|plain| plain.contains(&b':'))
    };
    if out.len() > had && !out.last().is_some_and(pair) {
        out.pop();
    }
}

/// The data of a Secret whose `kind` ends at `end`.
fn kubernetes(text: &str, end: usize, out: &mut Vec<Secret>) -> usize {
    let rest = text[end..].trim_start_matches(['"', '\'', '\\', ':', ' ']);
    if !rest.starts_with("Secret") || rest[6..].starts_with(|c: char| c.is_alphanumeric() || c == '-') {
        return end;
    }
    const AROUND: usize = 256 * 1024;
    let floor = text.floor_char_boundary(end.saturating_sub(AROUND));
    let ceiling = text.floor_char_boundary(end.saturating_add(AROUND));
    let begin = text[floor..end].rfind("\n---").map_or(floor, |at| floor + at + 1);
    let stop = text[end..ceiling].find("\n---").map_or(ceiling, |at| end + at + 1);
    let document = &text[begin..stop];
    for name in ["data", "stringData"] {
        for (at, _) in document.match_indices(name) {
            let after = at + name.len();
            let is_name =
                at == 0 || matches!(document.as_bytes()[at - 1], b'\n' | b' ' | b'"' | b'\'' | b'{' | b',');
            if is_name {
                object(text, begin + after, stop, out);
                block(text, begin + at, begin + after, stop, out);
                joined(text, begin + after, stop, out);
            }
        }
    }
    // The whole document was scanned.
    stop
}

/// `": {"name": "value", …}`.
fn object(text: &str, from: usize, stop: usize, out: &mut Vec<Secret>) {
    let rest = &text[from..stop];
    let inside = rest.trim_start_matches(['"', '\'', '\\', ':', ' ', '\n', '\r', '\t']);
    let Some(inside) = inside.strip_prefix('{') else { return };
    let inside = &inside[..inside.find('}').unwrap_or(inside.len())];
    let offset = inside.as_ptr() as usize - text.as_ptr() as usize;
    let Some(pattern) = SCALAR.pattern() else { return };
    for value in pattern.groups_iter(inside) {
        out.push(Secret { range: offset + value.start..offset + value.end, kind: "secret" });
    }
}

/// The lines below `data:` with more indentation.
fn block(text: &str, name: usize, after: usize, stop: usize, out: &mut Vec<Secret>) {
    let line = super::line_start(text, name);
    let indent = name - line;
    if !text[line..name].bytes().all(|b| b == b' ') || !text[after..stop].starts_with(':') {
        return;
    }
    let Some(mut at) = text[after..stop].find('\n').map(|n| after + n + 1) else { return };
    if !text[after + 1..at].trim().is_empty() {
        return;
    }
    let mut names_at = None;
    while at < stop {
        let end = text[at..stop].find('\n').map_or(stop, |n| at + n);
        let shown = &text[at..end];
        let lead = shown.len() - shown.trim_start_matches(' ').len();
        if !shown.trim().is_empty() {
            if lead <= indent {
                return;
            }
            let names = *names_at.get_or_insert(lead);
            let value = if lead == names {
                shown.find(':').map(|colon| colon + 1)
            } else {
                // A value over several lines.
                Some(lead)
            };
            if let Some(from) = value {
                let value = &shown[from..];
                let trimmed = value.trim().trim_matches(['"', '\'']);
                if !matches!(trimmed, "" | "|" | ">" | "|-" | ">-" | "|+" | ">+") {
                    let from = at + from + value.find(trimmed).unwrap_or(0);
                    out.push(Secret { range: from..from + trimmed.len(), kind: "secret" });
                }
            }
        }
        at = end + 1;
    }
}

/// `data: name: value name: value`, with joined lines.
fn joined(text: &str, after: usize, stop: usize, out: &mut Vec<Secret>) {
    let line = &text[after..text.floor_char_boundary(after.saturating_add(20_000)).min(stop)];
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let Some(line) = line.strip_prefix(':').filter(|line| line.starts_with([' ', '\t'])) else { return };
    let mut named = false;
    let mut within = false;
    for word in line.split_whitespace().take(2_000) {
        let bare = word.trim_matches(['"', '\'']);
        if let Some(name) = bare.strip_suffix(':') {
            // The document continues beside the data.
            if matches!(
                name,
                "kind" | "apiVersion" | "metadata" | "type" | "immutable" | "data" | "stringData"
            ) {
                return;
            }
            (named, within) = (true, false);
        } else if named && matches!(bare, "|" | ">" | "|-" | ">-" | "|+" | ">+") {
            within = true;
        } else if named {
            let start = bare.as_ptr() as usize - text.as_ptr() as usize;
            if !bare.is_empty() {
                out.push(Secret { range: start..start + bare.len(), kind: "secret" });
            }
            // Further words belong to the value only if a block was announced.
            named = within;
        } else {
            return;
        }
    }
}

/// `name: DB_PASSWORD` and beside it `value: …`. Returns up to where no other value begins.
fn value(text: &str, start: usize, out: &mut Vec<Secret>) -> usize {
    let mut here = Vec::new();
    VALUE.add(text, start, 4_000, "secret", &mut here);
    let Some(secret) = here.pop() else { return start };
    // In quotes there may be a text that has names and values of its own.
    let quoted = text[..secret.range.start].ends_with(['"', '\'']);
    let end = if quoted { start } else { secret.range.end };
    let before = &text[text.floor_char_boundary(start.saturating_sub(200))..start];
    let named = NAMED.pattern().and_then(|pattern| pattern.last_group(before));
    if let Some(kind) = named.and_then(|name| judgement::kind_of(&before[name], &text[secret.range.clone()]))
    {
        out.push(Secret { kind, ..secret });
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for lazy in
            [&NETRC, &DOCKER, &NPMRC, &SQL, &CALL, &JWK, &LITERAL, &ORACLE, &VALUE, &NAMED, &INPUT, &SCALAR]
        {
            assert!(lazy.pattern().is_some(), "{}", lazy.0);
        }
    }
}
