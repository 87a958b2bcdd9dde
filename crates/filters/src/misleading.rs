//! Finds text in any filter's result that would mislead a reader: a mark that replaces only one or two lines, a time
//! of day that the tool didn't print, a sentence cut inside a word, a line number of the shortened text itself, a
//! mark for a block above that isn't there. Owns comparing a result with its original for these; `laws` checks what
//! must stay.

use std::collections::{HashMap, HashSet};

use crate::guard::carries;
use crate::normal::normalise;

/// A mark may replace fewer lines than this only if they are long.
const LINES: usize = 3;
/// One or two lines that are longer than this together are left out with a mark, in bytes.
const LONG: usize = 240;
/// Beginnings of lines up to this size, in bytes, may be complete words.
const SHORT: usize = 16;

/// Words by which a line is found again, and how many that are missing are worth a mark.
const WORDS: usize = 5;
const MANY: usize = 8;

/// Statements in `shown` that mislead about `input`; empty when there are none.
#[must_use]
pub fn misleading(input: &str, shown: &str) -> Vec<String> {
    let plain = normalise(input);
    let lines: Vec<&str> = plain.lines().collect();
    let mut wrong = Vec::new();
    marks(&lines, shown, &mut wrong);
    clocks(&plain, shown, &mut wrong);
    cuts(&lines, shown, &mut wrong);
    ends(&lines, shown, &mut wrong);
    above(shown, &mut wrong);
    by_folder(&plain, shown, &mut wrong);
    totals(&plain, shown, &mut wrong);
    plurals(&plain, shown, &mut wrong);
    tracebacks(&lines, shown, &mut wrong);
    for line in shown.lines().filter(|line| is_own_place(line)) {
        if !plain.contains(line.trim()) {
            wrong.push(format!("a number of a line of the shortened text: {line:?}"));
        }
    }
    wrong
}

/// `> 17| error: …`.
fn is_own_place(line: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    line.strip_prefix("> ").is_some_and(|rest| digits(rest) > 0 && rest[digits(rest)..].starts_with("| "))
}

/// Marks between two lines that are close to each other in the original.
fn marks(lines: &[&str], shown: &str, wrong: &mut Vec<String>) {
    let mut at: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        at.entry(line.trim_end()).or_default().push(number);
    }
    let all: Vec<&str> = shown.lines().map(str::trim_end).collect();
    for three in all.windows(3) {
        let [before, mark, after] = three else { continue };
        if !mark.trim_start().starts_with('…') || at.contains_key(mark) {
            continue;
        }
        // Lines that were printed once, so that the text between them is unambiguous.
        let (Some([from]), Some([to])) =
            (at.get(before).map(Vec::as_slice), at.get(after).map(Vec::as_slice))
        else {
            continue;
        };
        let Some(hidden) = lines.get(from + 1..*to) else { continue };
        let hidden: Vec<&&str> = hidden.iter().filter(|line| !line.trim().is_empty()).collect();
        let bytes: usize = hidden.iter().map(|line| line.len() + 1).sum();
        if hidden.len() < LINES && bytes <= LONG || bytes < mark.len() {
            wrong.push(format!("{mark:?} stands for {} lines of {bytes} bytes", hidden.len()));
        }
    }
}

/// Times of day in `shown` that were not printed.
fn clocks(plain: &str, shown: &str, wrong: &mut Vec<String>) {
    let printed: HashSet<&str> = clocks_of(plain).collect();
    for clock in clocks_of(shown).filter(|clock| !printed.contains(clock)) {
        wrong.push(format!("a time that nobody printed: {clock}"));
    }
}

/// `HH:MM:SS`, wherever it is.
fn clocks_of(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b':', bytes).filter_map(move |colon| {
        let from = colon.checked_sub(2)?;
        let word = bytes.get(from..from + 8)?;
        let shape = word.iter().enumerate().all(|(at, byte)| match at {
            2 | 5 => *byte == b':',
            _ => byte.is_ascii_digit(),
        });
        let apart = from == 0 || !bytes[from - 1].is_ascii_digit();
        let ends = bytes.get(from + 8).is_none_or(|byte| !byte.is_ascii_digit());
        (shape && apart && ends).then(|| text.get(from..from + 8)).flatten()
    })
}

/// Lines of `shown` that end within a word of a line of the original and do not say so.
fn cuts(lines: &[&str], shown: &str, wrong: &mut Vec<String>) {
    let mut sorted: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    sorted.sort_unstable();
    for line in shown.lines().map(str::trim).filter(|line| line.len() > SHORT) {
        let from = sorted.partition_point(|printed| *printed < line);
        let same = |printed: &&&str| printed.starts_with(line);
        let mut begins = sorted[from..].iter().take_while(same).peekable();
        let inside = |printed: &&str| {
            let next = printed[line.len()..].chars().next();
            next.is_some_and(char::is_alphanumeric) && line.ends_with(char::is_alphanumeric)
        };
        if begins.peek().is_some() && begins.all(inside) {
            wrong.push(format!("cut without a mark: {line:?}"));
        }
    }
}

/// Lines of `shown` that have the first words of a much longer line of the original and do not say that more follow.
fn ends(lines: &[&str], shown: &str, wrong: &mut Vec<String>) {
    let mut by_first: HashMap<Vec<&str>, Vec<Vec<&str>>> = HashMap::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(first) = words.get(..WORDS) {
            by_first.entry(first.to_vec()).or_default().push(words);
        }
    }
    for line in shown.lines().filter(|line| !line.contains('…')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(longer) = words.get(..WORDS).and_then(|first| by_first.get(first)) else { continue };
        let follows =
            |printed: &Vec<&str>| printed.starts_with(&words) && printed.len() >= words.len() + MANY;
        if longer.iter().all(follows) {
            wrong.push(format!("the rest of a line is missing without a mark: {line:?}"));
        }
    }
}

/// `… 9 lines as above, those with "a"` where fewer lines are above, or where it isn't clear which are meant.
fn above(shown: &str, wrong: &mut Vec<String>) {
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    for (at, mark) in lines.iter().enumerate() {
        let Some((count, name)) =
            mark.strip_prefix("… ").and_then(|rest| rest.split_once(" lines as above, those with \""))
        else {
            continue;
        };
        let name = name.strip_suffix('"').unwrap_or(name);
        let named = |line: &&&str| **line == name;
        let long = count.parse::<usize>().is_ok_and(|count| count <= at);
        if !long || lines[..at].iter().filter(named).count() != 1 {
            wrong.push(format!("a mark points to lines that are not above: {mark:?}"));
        }
    }
}

/// Names below `words …  [×9]` that were not printed in the folder before them.
fn by_folder(plain: &str, shown: &str, wrong: &mut Vec<String>) {
    let mut below = false;
    for line in shown.lines() {
        let list = line.strip_prefix("  ").and_then(|rest| rest.trim_start().split_once("/: "));
        match list.filter(|_| below) {
            Some((folder, names)) => {
                let unknown = names.split(' ').find(|name| !plain.contains(&format!("{folder}/{name}")));
                wrong.extend(unknown.map(|name| format!("no such path was printed: {folder}/{name}")));
            }
            None => below = line.contains('…') && line.contains("  [×"),
        }
    }
}

/// The totals at the end of tools' reports.
const COUNTED: &[&str] = &[
    "error",
    "errors",
    "warning",
    "warnings",
    "problem",
    "problems",
    "failure",
    "failures",
    "findings",
    "failed",
    "passed",
    "issues",
    "vulnerabilities",
];

/// Plimsoll's own totals where the tool has stated another number of the same.
fn totals(plain: &str, shown: &str, wrong: &mut Vec<String>) {
    let stated: HashSet<(&str, &str)> = plain.lines().flat_map(counts).collect();
    let printed: HashSet<&str> = plain.lines().map(str::trim).collect();
    for line in shown.lines().map(str::trim).filter(|line| !printed.contains(line)) {
        // A number at the beginning of a line is a total.
        let Some((number, noun)) = counts(line).next().filter(|(number, _)| line.starts_with(number)) else {
            continue;
        };
        if stated.iter().any(|(_, known)| *known == noun) && !stated.contains(&(number, noun)) {
            wrong.push(format!("a total that the tool did not state: {line:?}"));
        }
    }
}

/// `12 errors`
fn counts(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != ',').filter(|word| !word.is_empty());
    words.clone().zip(words.skip(1)).filter_map(|(number, noun)| {
        let noun = noun.trim_matches(',');
        let figures = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        (figures && COUNTED.contains(&noun)).then_some((number.trim_matches(','), noun))
    })
}

/// The counts in Plimsoll's own lines.
const NOUNS: &[&str] = &[
    "lines", "files", "rows", "columns", "matches", "entries", "paths", "folders", "findings", "tests",
    "frames", "packages", "messages", "kinds", "rules", "sections", "times",
];

/// A count of one with a plural noun that the tool didn't print.
fn plurals(plain: &str, shown: &str, wrong: &mut Vec<String>) {
    let printed: HashSet<&str> = plain.lines().flat_map(behind_one).map(|(next, _)| next).collect();
    for line in shown.lines() {
        let mut ours = behind_one(line).filter(|(next, _)| !printed.contains(next));
        let plural = |(next, second): &(&str, Option<&str>)| {
            let noun = if *next == "more" { second.unwrap_or_default() } else { *next };
            NOUNS.contains(&noun)
        };
        if ours.any(|words| plural(&words)) {
            wrong.push(format!("one thing in the plural: {line:?}"));
        }
    }
}

/// The two words after each separate `1`.
fn behind_one(line: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let words = line
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']' | '(' | ')'))
        .filter(|word| !word.is_empty());
    let next = words.clone().skip(1);
    let second = next.clone().skip(1).map(Some).chain(std::iter::once(None));
    words.zip(next.zip(second)).filter(|(word, _)| *word == "1").map(|(_, words)| words)
}

/// Tracebacks whose last frame is shown and whose error is not.
fn tracebacks(lines: &[&str], shown: &str, wrong: &mut Vec<String>) {
    let mut from = 0;
    while let Some(start) = lines[from..].iter().position(|line| line.trim() == TRACEBACK) {
        let start = from + start;
        let outer = indent(lines[start]);
        let Some(length) =
            lines[start + 1..].iter().position(|line| !line.trim().is_empty() && indent(line) <= outer)
        else {
            return;
        };
        let end = start + 1 + length;
        let last = lines[start..end].iter().rev().find(|line| line.trim_start().starts_with("File \""));
        let once = |frame: &&&str| lines.iter().filter(|line| *line == *frame).count() == 1;
        if let Some(frame) = last.filter(once)
            && shown.lines().any(|line| line.trim() == frame.trim())
            && !carries(shown, lines[end])
        {
            wrong.push(format!("a traceback without its error: {frame:?}"));
        }
        from = end;
    }
}

const TRACEBACK: &str = "Traceback (most recent call last):";

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::misleading;

    #[test]
    fn misleading_text_is_found() {
        let input = "compiling the first of all parts\nb\nc\npart d\npart e\npart f\npart g\nh\nat 2026:02:35 it ended\nroot   17 0.0 0.1 python3 serve --a b --c d --e f --g h --i j\n\
            Traceback (most recent call last):\n  File \"a.py\", line 3, in b\n    c()\nKeyError: 'd'\n9 errors\n";
        for (shown, what) in [
            ("compiling the first of all parts\n… 1 lines left out …\nc\n", "stands for 1 lines"),
            ("compiling the first of all pa\n", "cut without a mark"),
            ("ended at 20:26:02\n", "a time that nobody printed"),
            ("root 17 0.0 0.1 python3\n", "the rest of a line"),
            ("> 3| h\n", "a number of a line"),
            (
                "part d\npart e\nh\n… 3 lines as above, those with \"part f\"\n",
                "points to lines that are not above",
            ),
            (
                "part d\npart d\nh\n… 3 lines as above, those with \"part d\"\n",
                "points to lines that are not above",
            ),
            ("7 errors in 3 files\n", "a total that the tool did not state"),
            ("1 matches in 1 file\n", "one thing in the plural"),
            ("h\n… 1 more lines\n", "one thing in the plural"),
            ("h\n[left out: 12 tests passed, 1 progress line, 1 files]\n", "one thing in the plural"),
            ("  File \"a.py\", line 3, in b\n… 4 lines left out …\n", "a traceback without its error"),
            ("would remove …  [×9]\n  src/: a.rs b.rs\n", "no such path"),
        ] {
            let wrong = misleading(input, shown);
            assert!(wrong.iter().any(|wrong| wrong.contains(what)), "{shown}: {wrong:?}");
        }
        for shown in [
            input,
            "compiling the first of all parts\n… 6 lines left out …\nh\nat 2026:02:35 it ended\nroot 17 0.0 0.1 python3 serve …\n",
            "compiling the first of all pa… 4 bytes more\n",
            "compiling the first\n",
            "1 match in 1 file, 21 lines\n… 1 more line\n",
        ] {
            assert_eq!(misleading(input, shown), Vec::<String>::new(), "{shown}");
        }
    }
}
