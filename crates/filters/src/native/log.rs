//! Logs: lines that differ only in times, numbers, identities and names are one kind of message, told in one line with how
//! often it came and what its values were. Rare kinds are shown line by line, and so are lines whose values differ from
//! those of their kind, whatever they say; warnings and worse up to a number, with what stands below them.

use std::collections::HashSet;
use std::sync::LazyLock;

use text::Pattern;
use text::failures::{is_message, kind_key, same_key};

use crate::cap::cap;
use crate::data::template;
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

/// Kinds that have no more lines are shown line by line.
const FEW: usize = 3;
/// Lines of a loud kind that are shown one by one; of more, the first ones, those that differ and the last one.
const LOUD_FEW: usize = 12;
/// Lines that differ from the others of their kind and are shown, of one kind and of all.
const ODD: usize = 5;
const ODD_ALL: usize = 60;
/// Kinds beyond which a text is no log of messages.
const MAX_KINDS: usize = 20_000;
/// Lines of a trace that are shown.
const TRACE: usize = 60;

/// A text most of whose lines begin with a time or a level.
pub(crate) fn log(text: &str, room: usize) -> Option<String> {
    is_log(text).then(|| told(text, room)).flatten()
}

/// Whether most lines of a text begin with a time or a level.
pub(crate) fn is_log(text: &str) -> bool {
    let (mut stamped, mut lines) = (0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.trim().is_empty()).take(2_000) {
        lines += 1;
        let head = &line[..line.floor_char_boundary(200)];
        stamped += usize::from(STAMP.as_ref().is_some_and(|pattern| pattern.is_match(head)));
    }
    lines >= 5 && stamped * 10 >= lines * 6
}

fn is_loud(line: &str) -> bool {
    LOUD.as_ref().is_some_and(|pattern| pattern.is_match(&line[..line.floor_char_boundary(400)]))
        || must_stay(line)
}

/// A line with what stands below it.
struct Entry<'t> {
    line: &'t str,
    below: Vec<&'t str>,
    loud: bool,
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let head = &line[..line.floor_char_boundary(200)];
        let stamped = STAMP.as_ref().is_some_and(|pattern| pattern.is_match(head));
        match entries.last_mut() {
            // A trace below a message belongs to it.
            Some(entry) if !stamped => entry.below.push(line),
            _ => entries.push(Entry { line, below: Vec::new(), loud: is_loud(line) }),
        }
    }
    entries
}

fn told(text: &str, room: usize) -> Option<String> {
    let entries = entries(text);
    let lines: Vec<(usize, &str, bool)> =
        entries.iter().enumerate().map(|(at, entry)| (at, entry.line, entry.loud)).collect();
    let kinds = template::kinds(&lines);
    if kinds.len() > MAX_KINDS {
        return None;
    }
    let mut shown = vec![false; entries.len()];
    let mut frequent = Vec::new();
    let mut odd_left = ODD_ALL;
    for (loud, kind) in &kinds {
        // Where there are hardly words beside the values, the values are what was asked for.
        let message = kind.lines.first().is_some_and(|at| is_message(entries[*at].line));
        if kind.lines.len() <= FEW || !message {
            kind.lines.iter().for_each(|at| shown[*at] = true);
            continue;
        }
        let different: HashSet<u64> = kind.lines.iter().map(|at| same_key(entries[*at].line)).collect();
        if *loud && different.len() <= LOUD_FEW {
            let mut seen = HashSet::new();
            for at in kind.lines.iter().filter(|at| seen.insert(same_key(entries[**at].line))) {
                shown[*at] = true;
            }
        }
        let judged = kind.judged();
        let mut odd: Vec<(usize, f32)> = kind
            .lines
            .iter()
            .copied()
            .zip(judged.odd.iter().copied())
            .filter(|(_, odd)| *odd > 0.0)
            .collect();
        odd.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let most = if *loud { ODD * 2 } else { ODD };
        for (at, _) in odd.into_iter().take(most.min(odd_left)) {
            odd_left -= 1;
            shown[at] = true;
        }
        if *loud {
            kind.lines.iter().take(FEW).chain(kind.lines.last()).for_each(|at| shown[*at] = true);
        }
        // What stands below a message is shown once for each that says something else.
        let mut seen = HashSet::new();
        for at in &kind.lines {
            let below = &entries[*at].below;
            if !below.is_empty() && (*loud || below.iter().any(|line| must_stay(line))) {
                let key: Vec<u64> = below.iter().map(|line| kind_key(line)).collect();
                shown[*at] |= seen.insert(key) && seen.len() <= LOUD_FEW;
            }
        }
        if kind.lines.iter().any(|at| !shown[*at]) {
            frequent.push((*loud, kind.lines.len(), span(&entries, &kind.lines), kind.written(&judged)));
        }
    }
    if frequent.is_empty() {
        return None;
    }
    let one_by_one = shown.iter().filter(|shown| **shown).count();
    let mut out = format!("{} messages, {} kinds", entries.len(), kinds.len());
    if let (Some(first), Some(last)) = (entries.first(), entries.last())
        && let (Some(first), Some(last)) = (stamp(first.line), stamp(last.line))
    {
        out.push_str(&format!(", {first} to {last}"));
    }
    out.push('\n');
    frequent.sort_by_key(|(loud, count, ..)| (!loud, std::cmp::Reverse(*count)));
    for (_, count, span, written) in &frequent {
        out.push_str(&format!("×{count} {written}{span}\n"));
    }
    if one_by_one > 0 {
        out.push_str("rare ones, and those that differ from their kind:\n");
    }
    let mut rest = String::new();
    for (entry, _) in entries.iter().zip(&shown).filter(|(_, shown)| **shown) {
        rest.push_str(entry.line);
        rest.push('\n');
        for line in entry.below.iter().take(TRACE) {
            rest.push_str(line);
            rest.push('\n');
        }
        if entry.below.len() > TRACE {
            rest.push_str(&format!("… {} more lines below\n", entry.below.len() - TRACE));
        }
    }
    let left = room.saturating_sub(out.len());
    if rest.len() > left {
        rest = cap(&rest, usize::MAX, left.max(400));
    }
    out.push_str(&rest);
    Some(out)
}

/// When the first and the last of these lines came.
fn span(entries: &[Entry<'_>], lines: &[usize]) -> String {
    let at =
        |at: Option<&usize>| at.and_then(|at| entries.get(*at)).and_then(|entry| template::clock(entry.line));
    match (at(lines.first()), at(lines.last())) {
        (Some(first), Some(last)) => format!(" ({first} to {last})"),
        _ => String::new(),
    }
}

/// What a line begins with up to the end of its time.
fn stamp(line: &str) -> Option<&str> {
    let time = template::clock(line)?;
    let end = line.find(time)? + time.len();
    (end < 60).then(|| line[..end].trim_start_matches(['[', '(', '<', '"', ' ']))
}

/// For any text: lines that come again right away, apart from times, are counted.
pub(crate) fn repeats(text: &str, room: usize) -> String {
    if let Some(log) = log(text, room) {
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
        let short = log(&text, 9_000).unwrap();
        assert!(short.lines().count() < 10, "{short}");
        for fact in [
            "×500 INFO request {0 to 499, all different} served in {0 to 499, all different} ms (10:00:00 to 10:08:19)",
            "disk 91%",
            "disk 92%",
            "payment 17 refused",
            "src/pay.ts:3:1",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }

    #[test]
    fn the_one_odd_line_is_shown_though_it_states_no_error() {
        let line = |n: usize, status: &str, size: &str| {
            format!(
                "2026-11-20T10:{:02}:{:02}Z INFO GET /orders/{n} status={status} in {} ms cache={size}\n",
                n / 60 % 60,
                n % 60,
                10 + n % 30
            )
        };
        for (status, size, odd) in
            [("299", "warm", "status=299"), ("200", "cold", "cache=cold"), ("200", "", "cache=\n")]
        {
            let text: String = (0..900)
                .map(|n| if n == 517 { line(n, status, size) } else { line(n, "200", "warm") })
                .collect();
            let short = log(&text, 9_000).unwrap();
            assert!(short.contains("/orders/517") && short.contains(odd) && short.len() < 700, "{short}");
        }
        let mut slow: String = (0..900).map(|n| line(n, "200", "warm")).collect();
        slow = slow.replace("/orders/333 status=200 in 13 ms", "/orders/333 status=200 in 48211 ms");
        assert!(log(&slow, 9_000).unwrap().contains("/orders/333 status=200 in 48211 ms"));
    }

    #[test]
    fn other_texts_are_no_log() {
        assert_eq!(log("fn main() {\n    println!();\n}\nmod a;\nmod b;\nmod c;\n", 9_000), None);
        assert_eq!(repeats("a\na\na\n\n\nb\n", 9_000), "a  [×3]\n\nb\n");
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
            assert_eq!(repeats(&text, 9_000), text);
        }
    }

    #[test]
    fn the_mark_says_what_differed() {
        let text: String = (1..=300).map(|n| format!("the request took {n} ms altogether\n")).collect();
        assert_eq!(repeats(&text, 9_000), "the request took 1 ms altogether  [×300, times differ]\n");
        assert_eq!(repeats(&"the request took 1 ms\n".repeat(9), 9_000), "the request took 1 ms  [×9]\n");
    }
}
