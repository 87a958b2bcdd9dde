//! Playwright's failures, each error told once: a retry mostly fails as the first try did, and where a browser is
//! missing, all tests do. Owns which tries are equal: only their own files (screenshots, contexts) may differ.

use std::collections::{HashMap, HashSet};

use crate::Left;
use crate::counted::counted;

/// A mark stands for no fewer lines.
const LEAST: usize = 3;
/// How the lines about another try of a test begin.
const RETRY: &str = "    Retry #";

/// Whether a line may be the heading of a failure.
pub(crate) fn begins(line: &str) -> bool {
    number(line).is_some()
}

/// The report with a mark for each try that ended as one before.
pub(crate) fn playwright(text: &str) -> Option<Left> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    // Which failure is the first with an error.
    let mut first: HashMap<Vec<&str>, &str> = HashMap::new();
    let (mut at, mut repeats) = (0, false);
    while let Some(line) = lines.get(at) {
        push(&mut out, line);
        at += 1;
        let Some(number) = number(line) else { continue };
        // Another run counts from one again.
        if number == "1" {
            first.clear();
        }
        let below = |line: &&&str| line.is_empty() || line.starts_with("    ");
        let end = at + lines[at..].iter().take_while(below).count();
        let tries = tries(&lines[at..end]);
        let told = tries.first().map(|one| error(one)).unwrap_or_default();
        let all_same = tries.iter().all(|one| error(one) == told);
        let same = first.get(&told).filter(|_| all_same).map(|other| format!("the same as in {other})"));
        if same.is_some_and(|same| mark(&lines[at..end], &same, &mut out)) {
            repeats = true;
        } else {
            repeats |= without_repeats(&tries, &mut out);
            first.entry(told).or_insert(number);
        }
        at = end;
    }
    repeats.then(|| (out, Vec::new()))
}

/// Writes the tries of one test, each error once, and whether one repeated.
fn without_repeats(tries: &[&[&str]], out: &mut String) -> bool {
    let mut seen: HashSet<Vec<&str>> = HashSet::new();
    let mut repeats = false;
    for one in tries {
        let told = error(one);
        let mut rest = *one;
        if seen.contains(&told)
            && let Some((retry, lines)) = one.split_first()
        {
            push(out, retry);
            rest = lines;
            if mark(lines, "the same as before", out) {
                repeats = true;
                continue;
            }
        }
        rest.iter().for_each(|line| push(out, line));
        seen.insert(told);
    }
    repeats
}

/// The lines of each try; all but the first begin with their number.
fn tries<'l, 't>(lines: &'l [&'t str]) -> Vec<&'l [&'t str]> {
    let mut starts = vec![0];
    starts.extend((1..lines.len()).filter(|at| lines[*at].starts_with(RETRY)));
    starts.push(lines.len());
    starts.windows(2).map(|ends| &lines[ends[0]..ends[1]]).collect()
}

/// What a try tells beside its number and its own files. A file within the error's own words is part of the error.
fn error<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    const OWN: [&str; 5] =
        ["Error Context: ", "attachment #", "test-results/", "test-results\\", "npx playwright show-trace "];
    let is_own = |line: &str| OWN.iter().any(|own| line.starts_with(own));
    let told = lines.iter().filter(|line| !line.starts_with(RETRY)).map(|line| line.trim());
    told.filter(|line| !line.is_empty() && !is_own(line)).collect()
}

/// Writes a mark in place of `lines`, if it's worth one.
fn mark(lines: &[&str], why: &str, out: &mut String) -> bool {
    let count = lines.iter().filter(|line| !line.is_empty()).count();
    let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    let mark = format!("    … {} not shown: {why}", counted(count, "lines"));
    if count < LEAST || bytes <= mark.len() {
        return false;
    }
    push(out, &mark);
    if lines.last().is_some_and(|line| line.is_empty()) {
        out.push('\n');
    }
    true
}

/// The number in the heading of a failure: `  12) a.spec.ts:3:1 › adds`.
fn number(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("  ")?.split_once(") ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && rest.contains(" › ")).then_some(number)
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::playwright;

    /// A try that fails with `error`, and its file.
    fn one(error: &str, file: &str) -> String {
        format!(
            "\n    Error: {error}\n    ║ please install browsers ║\n        at /srv/shop/a.spec.ts:3:54\n\n    Error Context: test-results/{file}/error-context.md\n\n"
        )
    }

    #[test]
    fn an_error_is_told_once_for_all_tries_and_tests() {
        let missing = "browserType.launch: Executable doesn't exist at /srv/shop/chrome";
        let text = format!(
            "Running 4 tests using 1 worker\n  1) a.spec.ts:2:4 › card 0\n{}    Retry #1\n{}  2) a.spec.ts:2:4 › card 1\n{}    Retry #1\n{}  3) a.spec.ts:5:1 › sum\n{}    Retry #1\n{}  3 failed\n    a.spec.ts:2:4 › card 0\n",
            one(missing, "card-0"),
            one(missing, "card-0-retry1"),
            one(missing, "card-1"),
            one(missing, "card-1-retry1"),
            one("0.30 is not 0.31", "sum"),
            one("timed out", "sum-retry1"),
        );
        let (out, left_out) = playwright(&text).unwrap();
        assert_eq!(
            out,
            format!(
                "Running 4 tests using 1 worker\n  1) a.spec.ts:2:4 › card 0\n{}    Retry #1\n    … 4 lines not shown: the same as before\n\n  2) a.spec.ts:2:4 › card 1\n    … 9 lines not shown: the same as in 1)\n\n  3) a.spec.ts:5:1 › sum\n{}    Retry #1\n{}  3 failed\n    a.spec.ts:2:4 › card 0\n",
                one(missing, "card-0"),
                one("0.30 is not 0.31", "sum"),
                one("timed out", "sum-retry1"),
            )
        );
        assert!(left_out.is_empty());
        assert_eq!(crate::misleading(&text, &out), Vec::<String>::new());
    }

    #[test]
    fn another_run_has_its_own_numbers() {
        let missing = "browserType.launch: Executable doesn't exist at /srv/shop/chrome";
        let run = |spec: &str| {
            format!(
                "Running 2 tests using 1 worker\n  1) {spec}:2:4 › pays\n{}  2) {spec}:9:4 › ships\n{}  2 failed\n",
                one(missing, "pays"),
                one(missing, "ships")
            )
        };
        let (out, _) = playwright(&(run("a.spec.ts") + &run("b.spec.ts"))).unwrap();
        assert_eq!(out.matches(missing).count(), 2, "{out}");
        assert_eq!(out.matches("lines not shown: the same as in 1)").count(), 2, "{out}");
    }

    #[test]
    fn other_lists_and_different_errors_stay_as_they_are() {
        let different = format!(
            "  1) a.spec.ts:2:4 › card 0\n{}  2) a.spec.ts:2:4 › card 1\n{}",
            one("card 0 is refused", "card-0"),
            one("card 1 is refused", "card-1")
        );
        // The file that an error is about isn't one that the try wrote.
        let files = format!(
            "  1) a.spec.ts:2:4 › saves\n{}  2) a.spec.ts:2:4 › prints\n{}",
            one("ENOENT: no such file, open 'test-results/saved.json'", "saves"),
            one("ENOENT: no such file, open 'test-results/printed.pdf'", "prints")
        );
        for text in [
            different.as_str(),
            files.as_str(),
            "  1) cart\n       renders:\n     Error: x\n",
            "  1) a › b\n\n  2) c › d\n",
        ] {
            assert!(playwright(text).is_none(), "{text}");
        }
    }
}
