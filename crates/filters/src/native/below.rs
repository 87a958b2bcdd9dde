//! What is below a line of a log: mostly the trace of an error. Of a long one, frames in code of others are counted,
//! except the last, in which it was raised; the frames in the user's own files and the error itself stay.

use std::borrow::Cow;

use crate::counted::counted;
use crate::guard::is_foreign;

/// No trace of fewer lines is shortened.
const SHORT: usize = 12;
/// A mark stands for no fewer lines.
const FEW: usize = 3;

/// The lines of `below` that are shown.
pub(super) fn shortened<'t>(below: Vec<&'t str>) -> Vec<Cow<'t, str>> {
    if below.len() < SHORT {
        return below.into_iter().map(Cow::Borrowed).collect();
    }
    let mut out: Vec<Cow<'t, str>> = Vec::new();
    let mut at = 0;
    while at < below.len() {
        let end = frames(&below, at);
        if end == at {
            out.push(Cow::Borrowed(below[at]));
            at += 1;
            continue;
        }
        without_foreign(&below[at..end], &mut out);
        at = end;
    }
    out
}

/// Where the frames end that begin at `at`; there, if none does.
fn frames(lines: &[&str], at: usize) -> usize {
    if !is_frame(lines[at]) {
        return at;
    }
    let rest = lines[at..].iter().take_while(|line| line.starts_with([' ', '\t']) || is_frame(line));
    at + rest.count()
}

fn is_frame(line: &str) -> bool {
    let trimmed = line.trim_start();
    trimmed.len() < line.len() && (trimmed.starts_with("File \"") || trimmed.starts_with("at "))
}

fn without_foreign<'t>(lines: &[&'t str], out: &mut Vec<Cow<'t, str>>) {
    let last = lines.iter().rposition(|line| is_frame(line)).unwrap_or(0);
    let mut foreign: Vec<&'t str> = Vec::new();
    let mut skips = false;
    for (at, line) in lines.iter().enumerate() {
        if is_frame(line) {
            skips = at < last && is_foreign(line);
        }
        if skips {
            foreign.push(line);
        } else {
            mark(&mut foreign, out);
            out.push(Cow::Borrowed(line));
        }
    }
    mark(&mut foreign, out);
}

fn mark<'t>(foreign: &mut Vec<&'t str>, out: &mut Vec<Cow<'t, str>>) {
    if foreign.len() < FEW {
        out.extend(foreign.drain(..).map(Cow::Borrowed));
    } else {
        out.push(Cow::Owned(format!("  … {} in code of others", counted(foreign.len(), "lines"))));
        foreign.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_frames_are_counted_and_the_last_one_stays() {
        let library = "  File \"/v/lib/python3.11/site-packages/app/routing.py\", line 7, in app\n    await app(scope)\n";
        let own = "  File \"/home/dev/main.py\", line 43, in order\n    return price(line)\n           ^^^^^^^^^^^\n";
        let text = format!(
            "Traceback (most recent call last):\n{}{own}{library}KeyError: 'amont'",
            library.repeat(5)
        );
        let shown = shortened(text.lines().collect()).join("\n");
        let expected = format!(
            "Traceback (most recent call last):\n  … 10 lines in code of others\n{own}{library}KeyError: 'amont'"
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn short_traces_and_other_text_stay() {
        let text: Vec<String> = (0..40).map(|n| format!("    value {n}")).collect();
        let lines: Vec<&str> = text.iter().map(String::as_str).collect();
        assert_eq!(shortened(lines.clone()).join("\n"), lines.join("\n"));
        let java = vec!["\tat java.base/java.lang.Thread.run(Thread.java:1)"; 5];
        assert_eq!(shortened(java.clone()), java);
    }
}
