//! Which lines of a prompt a program printed: a log's line or an error message, pasted without quotes. Their "always" and
//! "never" aren't the user's words.

/// What a program's message begins with, before a colon.
const SEVERITIES: &[&str] =
    &["error", "fatal", "panic", "exception", "traceback", "warn", "debug", "trace", "fehler", "erreur"];
/// How the names of what is thrown end: `ValueError`, `java.lang.IllegalStateException`.
const THROWN: &[&str] = &["Error", "Exception"];
/// The levels of a log's lines.
const LEVELS: &[&str] =
    &["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL"];
/// What a compiler adds to a message, before a colon; alone it may be the user's own.
const ADDED: &[&str] = &["note:", "warning:", "help:", "hint:", "info:"];
/// Words of a compiler's warnings, which nobody types.
const WARNED_OF: &[&str] = &["unused", "never used", "never read", "if this is intentional"];
/// Programs that review code, before a colon.
const REVIEWERS: &[&str] = &[
    "eslint:",
    "clippy:",
    "tslint:",
    "ruff:",
    "flake8:",
    "pylint:",
    "mypy:",
    "pyright:",
    "sonarqube:",
    "sonar:",
    "coderabbit:",
    "dependabot:",
    "shellcheck:",
    "rubocop:",
    "stylelint:",
    "gcc:",
    "clang:",
    "rustc:",
    "tsc:",
    "javac:",
    "swiftlint:",
    "ktlint:",
    "detekt:",
    "golangci-lint:",
];
/// How the names of hosts end, which have a port behind the colon.
const OF_HOSTS: &[&str] = &["com", "org", "net", "io", "dev", "local", "internal"];
/// The second words of npm's lines.
const OF_NPM: &[&str] = &["warn", "WARN", "ERR!", "error", "notice"];

/// Whether a line was printed by a program. `WARNING: never …` may be the user's own.
pub(super) fn is_printed(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_message = first.strip_suffix(':').is_some_and(|name| {
        // `error[E0308]:`
        let (kind, code) = name.split_once('[').map_or((name, ""), |(kind, code)| (kind, code));
        let kind = kind.to_lowercase();
        SEVERITIES.contains(&kind.as_str())
            || kind == "warning" && !code.is_empty()
            || THROWN.iter().any(|end| name.ends_with(end))
            || name.strip_suffix("Warning").is_some_and(|of| of.ends_with(char::is_alphabetic))
    });
    let is_added = first == "=" && ADDED.contains(&second);
    let in_brackets = first.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_log = in_brackets.is_some_and(|level| LEVELS.contains(&level.to_uppercase().as_str()))
        || LEVELS.contains(&first) && second.starts_with(|c: char| c.is_ascii_digit() || c == '[');
    let is_timed = [first, second].iter().any(|word| begins_with_clock(after_date(word)));
    // A transcript's line: `00:05 Ben: from now on …`
    let is_spoken = second.ends_with(':') && is_clock(first);
    let is_npm = first == "npm" && OF_NPM.contains(&second);
    let is_review = first.ends_with(':') && REVIEWERS.contains(&first.to_lowercase().as_str());
    is_message
        || is_log
        || is_timed
        || is_npm
        || is_review
        || is_spoken
        || is_added
        || is_minute(first)
        || first.ends_with(':') && is_place(first)
}

/// `src/cart.go:77:9:`, as programs name the place of what they report, and reviews that of what they're about.
fn is_place(word: &str) -> bool {
    let named = word.trim_end_matches(':');
    let Some(before) = before_number(named) else { return false };
    let before_line = before_number(before);
    let path = before_line.unwrap_or(before);
    let is_file = path.rsplit_once('.').is_some_and(|(name, ending)| {
        let is_ending = !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
        !name.is_empty() && is_ending && (path.contains('/') || !OF_HOSTS.contains(&ending))
    });
    // `db.example.com:5432` is a host.
    let is_named = before_line.is_some() || named.len() < word.len() || path.contains('/');
    is_file && is_named && !path.contains("://") && path.contains(char::is_alphabetic)
}

/// What is before a number that a text ends with, behind a colon.
fn before_number(text: &str) -> Option<&str> {
    let (before, number) = text.rsplit_once(':')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(before)
}

/// The short or long name of a commit, as a log's lines begin with it.
fn is_hash(word: &str) -> bool {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (7..=40).contains(&word.len())
        && word.bytes().all(is_hex)
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains(char::is_alphabetic)
}

/// Which of a prompt's lines its user didn't write, as the lines beside them tell: a change with lines that go and come, a
/// compiler's notes beside its message, a comment above code, and a list of commits or places.
pub(super) fn are_pasted(lines: &[&str]) -> Vec<bool> {
    let changes = |mark: char| {
        lines.iter().any(|line| {
            let rest = line.trim().strip_prefix(mark).unwrap_or_default();
            rest.starts_with(|c: char| !c.is_ascii_digit())
        })
    };
    let is_change = changes('+') && changes('-');
    let line_at = |at: Option<usize>| at.and_then(|at| lines.get(at)).map_or("", |line| line.trim());
    let pasted = lines.iter().enumerate().map(|(at, line)| {
        let line = line.trim();
        let first = line.split_whitespace().next().unwrap_or_default();
        let next = line_at(at.checked_add(1));
        let is_added = ADDED.contains(&first.to_lowercase().as_str())
            && (is_printed(line_at(at.checked_sub(1))) || is_printed(next));
        let is_warning = line.starts_with("warning: ") && WARNED_OF.iter().any(|words| line.contains(words));
        let is_comment = line.starts_with("# ") && calls(next);
        // What a prompt begins with may be what its user speaks of: `3f2a9b1 broke the login; from now on …`.
        let is_listed = is_item(line) && (at > 0 || is_item(next));
        is_change && line.starts_with(['+', '-']) || is_added || is_warning || is_comment || is_listed
    });
    pasted.collect()
}

/// Whether a line begins as those of a log of commits or of a review do.
fn is_item(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|first| is_hash(first) || is_place(first))
}

/// Whether a line has a bracket directly behind a word, as calls have.
fn calls(line: &str) -> bool {
    line.match_indices('(').any(|(at, _)| {
        line.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    })
}

/// `[10:14]`, as chats have it before each message.
fn is_minute(word: &str) -> bool {
    word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(is_clock)
}

/// `10:14`
fn is_clock(word: &str) -> bool {
    let parts = word.split_once(':').unwrap_or_default();
    [parts.0, parts.1].iter().all(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What follows a date in one word: `2026-11-01T10:00:00Z`.
fn after_date(word: &str) -> &str {
    let word = word.trim_start_matches('[');
    word.split_once('T').filter(|(date, _)| is_date(date)).map_or(word, |(_, time)| time)
}

fn is_date(word: &str) -> bool {
    word.len() == 10 && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Whether a word begins with a time to the second, as only programs write it.
fn begins_with_clock(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    [0, 1, 3, 4, 6, 7].into_iter().all(is_digit) && bytes[2] == b':' && bytes[5] == b':'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_line_is_distinguished_from_a_written_one() {
        for line in [
            "Error: cannot open the file because it is always locked",
            "fatal: not a git repository",
            "ValueError: never call run() twice",
            "java.lang.IllegalStateException: must always be called on the main thread",
            "WARN: this package was replaced, use another instead",
            "INFO 12:01:33 decided to retry because upstream is unavailable",
            "[warn] never received the heartbeat",
            "2026-11-01 10:00:00 WARN never received the heartbeat",
            "2026-11-01T10:00:00Z decided to retry",
            "[2026-11-01 10:00:00] always the same",
            "10:00:00.123 always the same",
            "npm warn deprecated: use foo instead of bar",
            "ESLint: Expected '===' and instead saw '=='. Always use strict equality.",
            "[10:14] Tom: from now on tag me in reviews",
            "00:05 Ben: from now on blue it is",
            "error[E0133]: from now on `unsafe` is required here",
            "warning[B001]: always name the port",
            "DeprecationWarning: always pass the loop",
            "= help: always add `unsafe`",
            "internal/bucket/bucket.go:77:9: always check the error (errcheck)",
            "cart.py:12: never compare to None with ==",
        ] {
            assert!(is_printed(line), "{line}");
        }
        for line in [
            "WARNING: never restart the database by day",
            "Warning: the queue must be empty first",
            "INFO logs are off in production",
            "Error handling: always wrap with context",
            "Errors: always wrap them with context",
            "2026-11-01: we decided to use SQLite",
            "At 10:00 we always deploy",
            "npm is forbidden here, use pnpm",
            "12:0",
            "[10] always comes first",
            "Biome: always with --write",
            "db.example.com:5432 is always the primary",
            "db.example.com:5432: always the primary",
            "127.0.0.1:80: never bind it",
            "https://example.com:443: always the same",
            "8443 is the gateway's port",
            "defaced pages are always restored",
            "= always align the signs",
            "ÄÖ:ÜÄ:ÖÜ",
            "",
        ] {
            assert!(!is_printed(line), "{line}");
        }
    }

    #[test]
    fn lines_beside_each_other_tell_what_is_pasted() {
        for (text, expected) in [
            ("- We use npm.\n+ We use pnpm.\nis that right?", "xx."),
            ("-We use npm.\n+We use pnpm.", "xx"),
            ("- We use npm.\n- We use tabs.", ".."),
            ("-1 for that\n+1 for this", ".."),
            ("note: always use `--locked`\nerror: exit code 101", "x."),
            ("note: always use `--locked`\n\nso it is", "..."),
            ("warning: unused variable `x`, always prefix it", "x"),
            ("warning: the queue must be empty", "."),
            ("# From now on rows are sorted\nprint(row)", "x."),
            ("# From now on rows are sorted\n(as always)", ".."),
            ("src/a.ts:12 Always validate.\nsrc/b.ts:40 Never use any.\nso?", "xx."),
            ("git log\n77aa012 We decided to trust all hosts\nsince when?", ".x."),
            ("3f2a9b1 broke the login\nfrom now on test it", ".."),
            ("src/cart.go:77 panics, from now on check it", "."),
            ("", ""),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let marks: String =
                are_pasted(&lines).into_iter().map(|is_pasted| if is_pasted { 'x' } else { '.' }).collect();
            assert_eq!(marks, expected, "{text}");
        }
    }
}
