//! Whether a command succeeded, and the line that says why not. Knows no agent: recognises what hosts add to an
//! output by its wording, and replaces an exit code that a pipe hides by the tool's own summary.

use agents::Output;

/// The result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed,
    /// Its exit code was hidden and its output doesn't tell.
    Unknown,
}

/// How much of each end of an output is searched, in bytes.
const END: usize = 32 * 1024;
/// How much of each end is searched for an exit code, in bytes.
const EXIT: usize = 400;

/// Hosts' words before the exit code, in lower case.
const EXIT_MARKS: [&str; 5] =
    ["exit code ", "exit code: ", "exited with code ", "exited with exit code ", "exit status "];

/// Beginnings of lines by which tools report failure.
const FAILURES: [&str; 22] = [
    "test result: FAILED",
    "error: could not compile",
    "error: aborting due to",
    "error: test failed",
    "npm ERR! code",
    "npm error code",
    "FAILED (",
    "BUILD FAILED",
    "Build FAILED",
    "BUILD FAILURE",
    "FAIL\t",
    "make: ***",
    "ninja: build stopped",
    "error Command failed",
    "ERR_PNPM",
    "ELIFECYCLE",
    "fatal: ",
    "Traceback (most recent call last)",
    "ERROR: ",
    "[ERROR]",
    "Error: ",
    "thread 'main' panicked",
];

/// Beginnings of lines by which tools report success.
const SUCCESSES: [&str; 9] = [
    "test result: ok",
    "Finished `",
    "    Finished",
    "BUILD SUCCESSFUL",
    "BUILD SUCCESS",
    "Build succeeded",
    "ok  \t",
    "All checks passed",
    "Success: no issues found",
];

/// A command's result according to its output. `failed` is the host's verdict; `hidden` tells that the exit code
/// belongs to a later command in a pipe.
pub(super) fn outcome(output: Option<&Output>, failed: bool, hidden: bool) -> Outcome {
    let text = output.map_or("", |output| output.text.as_str());
    let told = output.and_then(|output| output.exit).map(i64::from);
    let printed = told.or_else(|| exit_code(text));
    if failed || printed.is_some_and(|code| code != 0) {
        return Outcome::Failed;
    }
    match summary(text) {
        Some(false) => Outcome::Failed,
        Some(true) => Outcome::Passed,
        None if hidden => Outcome::Unknown,
        None => Outcome::Passed,
    }
}

/// The exit code that a host added to an output.
fn exit_code(text: &str) -> Option<i64> {
    [head(text, EXIT), tail(text, EXIT)].into_iter().flat_map(str::lines).find_map(|line| {
        let line = line.trim_start_matches(['<', '[', '(', ' ']).to_ascii_lowercase();
        let line = ["process ", "command ", "error failed: ", "error: "]
            .iter()
            .find_map(|before| line.strip_prefix(before))
            .unwrap_or(&line);
        let rest = EXIT_MARKS.iter().find_map(|mark| line.strip_prefix(mark))?;
        let number: String =
            rest.trim_start().chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
        number.parse().ok()
    })
}

/// Whether the end of an output reports success: by the tool's own summary, the last one counts.
fn summary(text: &str) -> Option<bool> {
    let plain = text::strip_ansi(tail(text, 4 * 1024));
    let mut passed = None;
    // A host's frame names its fields even where they're empty.
    for line in plain.lines().filter(|line| *line != "Error: (none)") {
        let counted = count_passed(line);
        if FAILURES.iter().any(|mark| line.starts_with(mark)) || counted == Some(false) {
            return Some(false);
        }
        if SUCCESSES.iter().any(|mark| line.starts_with(mark)) || counted == Some(true) {
            passed = Some(true);
        }
    }
    passed
}

/// Whether a count of results is free of failures: `Tests: 2 failed, 40 passed`, `== 3 passed in 0.1s ==`, `Found 3
/// errors`.
fn count_passed(line: &str) -> Option<bool> {
    let line = line.trim_matches(['=', ' ', '\t']);
    let results = line.len() < 200
        && (["Tests:", "Tests ", "Test Files", "Test Suites:", "Found "]
            .iter()
            .any(|mark| line.starts_with(mark))
            || line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(" in "));
    if !results {
        return None;
    }
    let words: Vec<&str> = line.split([' ', ',', '|', '(', ')']).filter(|word| !word.is_empty()).collect();
    let mut verdict = None;
    for pair in words.windows(2) {
        let [number, what] = pair else { continue };
        let Ok(number) = number.parse::<u64>() else { continue };
        if ["failed", "failure", "failures", "error", "errors"].contains(what) {
            if number > 0 {
                return Some(false);
            }
            verdict = Some(true);
        } else if *what == "passed" && number > 0 {
            verdict = Some(true);
        }
    }
    verdict
}

/// The line that says what went wrong, with its place if the next lines name it; the last line if none does.
pub(super) fn first_failure(text: &str) -> String {
    let joined = if text.len() <= 2 * END {
        text.to_owned()
    } else {
        format!("{}\n{}", head(text, END), tail(text, END))
    };
    let plain = text::strip_ansi(&joined);
    let lines: Vec<&str> = plain.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !is_frame(line)).collect();
    let Some(at) = lines.iter().position(|line| is_failure(line)) else {
        return lines.last().map(|line| line.chars().take(300).collect()).unwrap_or_default();
    };
    let line: String = lines.get(at).copied().unwrap_or_default().chars().take(240).collect();
    if names_place(&line) {
        return line;
    }
    let place = lines.iter().skip(at + 1).take(4).find(|next| names_place(next));
    match place {
        Some(place) => {
            let place: String = place.trim_start_matches(['-', '>', ' ', '|']).chars().take(160).collect();
            format!("{line} at {place}")
        }
        None => line,
    }
}

/// A line of a host or runner that only says that something failed.
fn is_frame(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    EXIT_MARKS.iter().any(|mark| lower.contains(mark)) && line.len() < 80 || line == "Error: (none)"
}

fn is_failure(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let harmless = ["0 error", "0 failed", "0 failures", "no error", "error handling", "... ok"];
    if harmless.iter().any(|words| lower.contains(words)) {
        return false;
    }
    ["error", "fatal", "failed", "fail ", "e  ", "traceback", "panicked"]
        .iter()
        .any(|mark| lower.starts_with(mark))
        || [
            "error:",
            "error[",
            "error ts",
            ": error",
            "exception",
            "panicked at",
            "assert",
            "not found",
            "no such file",
            "denied",
            "cannot ",
            "undefined",
            "unresolved",
            "... failed",
            "failed:",
            "fail: ",
            "expected",
            "✗",
            "✕",
            "×",
        ]
        .iter()
        .any(|mark| lower.contains(mark))
}

/// Whether a line names a file and a line number: `src/a.rs:12`, `a.ts(3,4)`, `File "x.py", line 3`.
fn names_place(line: &str) -> bool {
    let bytes = line.as_bytes();
    let followed = |at: usize| bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let of_name = |at: usize| {
        let name: &str = line.get(..at).unwrap_or_default();
        let word = name.rsplit([' ', '(', '"', '\'']).next().unwrap_or_default();
        word.len() > 2
            && word.rsplit_once('.').is_some_and(|(_, end)| {
                !end.is_empty() && end.len() <= 6 && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
    };
    line.contains("\", line ") || line.match_indices([':', '(']).any(|(at, _)| followed(at) && of_name(at))
}

/// The first bytes of a text, up to a character boundary.
fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// The last bytes of a text, from a character boundary.
fn tail(text: &str, bytes: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(bytes))..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_field_of_a_hosts_frame_is_not_a_failure() {
        assert_eq!(summary("Output: 3 files changed\nError: (none)\nExit Code: 0\nSignal: 0"), None);
        assert_eq!(summary("Output: x\nError: no space left\nExit Code: 0"), Some(false));
        assert_eq!(first_failure("Output: FAIL src/a.test.ts\nError: (none)"), "Output: FAIL src/a.test.ts");
    }
}
