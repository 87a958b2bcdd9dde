//! Logs: lines that differ only in times, numbers and identities are one message; it is shown once, with how often it
//! came. What states a warning or worse is told apart by its words and figures, not lumped together, and a line that is
//! made of figures alone is a row of values and stays.

use std::collections::HashMap;
use std::sync::LazyLock;

use text::Pattern;
use text::failures::{is_message, kind_key, same_key};

use crate::guard::must_stay;
use crate::normal;
use crate::repeat::Repeat;

static STAMP: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    Pattern::new(
        r#"(?i)^\s*(?:\S+\s+\| )?(?:time=|[\[(<"]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[\[(<"]?\d\d:\d\d:\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s+\d+ \d\d:\d\d:\d\d|[\[(<"]?(?:trace|debug|info|notice|warn|warning|error|fatal)\b|\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}|[IWEF]\d{4} \d\d:\d\d:\d\d|\[\s*\d+\.\d+\])"#,
    )
    .ok()
});
static LOUD: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    Pattern::new(r#"(?i)\b(?:warn|warning|error|err|fatal|critical|alert|emerg|panic)\b|" [45]\d\d |\bstatus(?:_?code)?["']?[=: ]+["']?[45]\d\d\b"#).ok()
});

/// Lines of one message that are shown before they are only counted.
const SHOWN: usize = 2;
/// Messages told apart; beyond, lines are shown.
const MAX_MESSAGES: usize = 20_000;

/// A text most of whose lines begin with a time or a level.
pub(crate) fn log(text: &str) -> Option<String> {
    let (mut stamped, mut lines) = (0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.trim().is_empty()).take(2_000) {
        lines += 1;
        let head = &line[..line.floor_char_boundary(200)];
        stamped += usize::from(STAMP.as_ref().is_some_and(|pattern| pattern.is_match(head)));
    }
    if lines < 5 || stamped * 10 < lines * 6 {
        return None;
    }
    Some(grouped(text))
}

fn is_loud(line: &str) -> bool {
    LOUD.as_ref().is_some_and(|pattern| pattern.is_match(&line[..line.floor_char_boundary(400)]))
        || must_stay(line)
}

struct Message {
    seen: usize,
    /// Index into the lines that are shown.
    last_shown: usize,
    last: String,
    /// Whether it may be counted instead of shown.
    worded: bool,
}

fn grouped(text: &str) -> String {
    let mut shown: Vec<(String, u64, bool)> = Vec::new();
    let mut messages: HashMap<u64, Message> = HashMap::new();
    let mut follows = None;
    for line in text.lines() {
        if line.trim().is_empty() {
            continue;
        }
        let stamped =
            STAMP.as_ref().is_some_and(|pattern| pattern.is_match(&line[..line.floor_char_boundary(200)]));
        // A trace below a message belongs to it and is shown with it.
        if !stamped && let Some(with) = follows {
            if with || must_stay(line) {
                shown.push((line.to_owned(), 0, false));
            }
            continue;
        }
        let loud = is_loud(line);
        let key = if loud { same_key(&without_times(line)) } else { kind_key(line) };
        let full = messages.len() >= MAX_MESSAGES;
        match messages.get_mut(&key) {
            Some(message) if message.worded && message.seen >= if loud { 1 } else { SHOWN } => {
                message.seen += 1;
                message.last.clear();
                message.last.push_str(time_of(line));
                follows = Some(false);
            }
            known => {
                if let Some(message) = known {
                    message.seen += 1;
                    message.last_shown = shown.len();
                } else if !full {
                    let worded = loud || is_message(line);
                    let message = Message { seen: 1, last_shown: shown.len(), last: String::new(), worded };
                    messages.insert(key, message);
                }
                shown.push((line.to_owned(), key, true));
                follows = Some(true);
            }
        }
    }
    let mut out = String::with_capacity(text.len() / 2);
    for (at, (line, key, first)) in shown.iter().enumerate() {
        out.push_str(line);
        if let (true, Some(message)) = (*first, messages.get(key))
            && message.last_shown == at
            && !message.last.is_empty()
        {
            let shown = if is_loud(line) { 1 } else { SHOWN };
            out.push_str(&format!("  [{} more, last {}]", message.seen - shown, message.last));
        } else if let (true, Some(message)) = (*first, messages.get(key))
            && message.last_shown == at
            && message.worded
            && message.seen > if is_loud(line) { 1 } else { SHOWN }
        {
            let shown = if is_loud(line) { 1 } else { SHOWN };
            out.push_str(&format!("  [{} more]", message.seen - shown));
        }
        out.push('\n');
    }
    out
}

/// A line without its times, whose other figures (durations among them) tell a warning from another.
fn without_times(line: &str) -> std::borrow::Cow<'_, str> {
    static TIMES: LazyLock<Option<Pattern>> = LazyLock::new(|| {
        Pattern::new(r"\d{4}[-/]\d\d[-/]\d\d[T ]?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?").ok()
    });
    // Durations would be taken for times by the key; their units are joined to something that is none.
    TIMES.as_ref().map_or(line.into(), |times| times.replace_all(line, "")).replace("ms", "m_s").into()
}

/// The time of day in a line, if it has one near its beginning.
fn time_of(line: &str) -> &str {
    static TIME: LazyLock<Option<Pattern>> = LazyLock::new(|| Pattern::new(r"\d\d:\d\d:\d\d").ok());
    let head = &line[..line.floor_char_boundary(120)];
    TIME.as_ref().and_then(|pattern| pattern.find(head)).map_or("", |found| &line[found])
}

/// For any text: lines that come again right away, apart from times, are counted.
pub(crate) fn repeats(text: &str) -> String {
    if let Some(log) = log(text) {
        return log;
    }
    let mut out = String::with_capacity(text.len());
    let mut repeat = Repeat::default();
    let mut blank = false;
    for line in normal::lines(text) {
        if line.trim().is_empty() {
            blank = true;
            continue;
        }
        if repeat.takes(line) {
            continue;
        }
        repeat.end(&mut out);
        if std::mem::take(&mut blank) && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        repeat.start(line);
    }
    repeat.end(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_counted_and_warnings_told_apart() {
        let mut text = String::new();
        for n in 0..500 {
            text.push_str(&format!(
                "2026-11-20T10:{:02}:{:02}Z INFO request {n} served in {n} ms\n",
                n / 60,
                n % 60
            ));
        }
        text.push_str("2026-11-20T10:09:00Z WARN disk 91% full\n2026-11-20T10:09:01Z WARN disk 92% full\n");
        text.push_str("2026-11-20T10:09:02Z ERROR payment 17 refused\n  at pay (src/pay.ts:3:1)\n");
        let short = log(&text).unwrap();
        assert!(short.lines().count() < 10, "{short}");
        for fact in
            ["[498 more, last 10:08:19]", "disk 91%", "disk 92%", "payment 17 refused", "src/pay.ts:3:1"]
        {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }

    #[test]
    fn other_texts_are_no_log() {
        assert_eq!(log("fn main() {\n    println!();\n}\nmod a;\nmod b;\nmod c;\n"), None);
        assert_eq!(repeats("a\na\na\n\n\nb\n"), "a  [×3]\n\nb\n");
    }

    #[test]
    fn values_are_no_repeats() {
        let lists: [fn(usize) -> String; 6] = [
            |n| format!("0190b5a0-0000-7000-8000-{n:012x}\n"),
            |n| format!("order 0190b5a0-0000-7000-8000-{n:012x} has been sent\n"),
            |n| format!("{}\n", 10_000_000_000 + n),
            |n| format!("0x{n:08x}\n"),
            |n| format!("took {} ms\n", n + 1),
            |n| format!("2026-11-20T10:{:02}:{:02}Z\n", n / 60, n % 60),
        ];
        for list in lists {
            let text: String = (0..300).map(list).collect();
            assert_eq!(repeats(&text), text);
        }
    }

    #[test]
    fn the_mark_says_what_differed() {
        let text: String = (1..=300).map(|n| format!("the request took {n} ms altogether\n")).collect();
        assert_eq!(repeats(&text), "the request took 1 ms altogether  [×300, times differ]\n");
        assert_eq!(repeats(&"the request took 1 ms\n".repeat(9)), "the request took 1 ms  [×9]\n");
    }
}
