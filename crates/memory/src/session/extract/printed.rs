//! Which lines of a prompt a program printed: a log's line or an error message, pasted without quotes. Their "always" and
//! "never" aren't the user's words.

/// What a program's message begins with, before a colon.
const SEVERITIES: &[&str] =
    &["error", "fatal", "panic", "exception", "traceback", "warn", "debug", "trace", "fehler", "erreur"];
/// The levels of a log's lines.
const LEVELS: &[&str] =
    &["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL"];
/// The second words of npm's lines.
const OF_NPM: &[&str] = &["warn", "WARN", "ERR!", "error", "notice"];

/// Whether a line was printed by a program. `WARNING: never …` may be the user's own.
pub(super) fn is_printed(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_message =
        first.strip_suffix(':').is_some_and(|name| SEVERITIES.contains(&name.to_lowercase().as_str()));
    let in_brackets = first.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_log = in_brackets.is_some_and(|level| LEVELS.contains(&level.to_uppercase().as_str()))
        || LEVELS.contains(&first) && second.starts_with(|c: char| c.is_ascii_digit() || c == '[');
    let is_timed = [first, second].iter().any(|word| begins_with_clock(after_date(word)));
    let is_npm = first == "npm" && OF_NPM.contains(&second);
    is_message || is_log || is_timed || is_npm
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
            "WARN: this package was replaced, use another instead",
            "INFO 12:01:33 decided to retry because upstream is unavailable",
            "[warn] never received the heartbeat",
            "2026-11-01 10:00:00 WARN never received the heartbeat",
            "2026-11-01T10:00:00Z decided to retry",
            "[2026-11-01 10:00:00] always the same",
            "10:00:00.123 always the same",
            "npm warn deprecated: use foo instead of bar",
        ] {
            assert!(is_printed(line), "{line}");
        }
        for line in [
            "WARNING: never restart the database by day",
            "Warning: the queue must be empty first",
            "INFO logs are off in production",
            "Error handling: always wrap with context",
            "2026-11-01: we decided to use SQLite",
            "At 10:00 we always deploy",
            "npm is forbidden here, use pnpm",
            "12:0",
            "ÄÖ:ÜÄ:ÖÜ",
            "",
        ] {
            assert!(!is_printed(line), "{line}");
        }
    }
}
