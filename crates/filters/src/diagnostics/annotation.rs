//! Findings as annotations of a continuous integration's page, one a line:
//! `::error title=ruff (F821),file=/src/a.py,line=3,col=9::a.py:3:9: F821 message%0Awhat explains it`. Linters and
//! test runners print them when they are asked for that form. Owns parsing one.

use std::borrow::Cow;

use super::finding::Finding;
use super::logged::logged;
use super::messages::{is_rule, is_scoped_rule, says};
use super::place::place;

/// A line that is such an annotation, or a logging command of Azure Pipelines, and names a file.
pub(super) fn annotation(line: &str) -> Option<Finding<'_>> {
    if let Some(found) = logged(line) {
        return Some(found);
    }
    // Dots and letters of a progress bar may be before the first one.
    let start = line.find("::")?;
    let progress = line[..start].bytes().all(|byte| b".FEsxX ".contains(&byte));
    let (head, text) = line[start + 2..].split_once("::").filter(|_| progress)?;
    let (level, properties) = head.split_once(' ')?;
    if !matches!(level, "error" | "warning" | "notice") {
        return None;
    }
    let (mut file, mut number, mut column, mut title) = ("", "", "", "");
    for (name, value) in properties.split(',').filter_map(|property| property.split_once('=')) {
        match name.trim_start() {
            "file" => file = value,
            "line" => number = value,
            // Vitest's name for it is the second.
            "col" | "column" => column = value,
            "title" => title = value,
            _ => {}
        }
    }
    let figure = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if file.is_empty() || !figure(number) {
        return None;
    }
    let mut lines = text.split("%0A").map(|line| line.trim_end_matches("%0D"));
    let first = lines.next()?;
    let at = match figure(column) {
        true => Cow::Owned(format!("{number}:{column}")),
        false => Cow::Borrowed(number),
    };
    // Some repeat the place in front of the message, with a shorter path.
    let again = place(first).filter(|found| found.sign != '\n' && file.ends_with(found.file));
    let (file, at, words) = match again {
        Some(found) => (found.file, found.at, found.rest),
        None => (file, at, first),
    };
    let worded = says(words);
    let severity = if worded.severity.is_empty() { level } else { worded.severity };
    let rule = match worded.rule {
        "" if is_scoped_rule(title) || is_rule_in_group(title) => title,
        "" => in_brackets(title),
        rule => rule,
    };
    let more: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
    // Some repeat the title in the text, where its signs are as they were printed.
    let plain = unescaped(title);
    let repeated = words.find(&*plain).filter(|_| plain != title).map(|at| &words[at..at + plain.len()]);
    let (message, more) = match (worded.message, title) {
        ("", "") => return None,
        ("", title) => (title, more),
        (message, _) if repeated.is_some() => (repeated.unwrap_or(message), more),
        // A title that isn't just the tool and its rule is the message's subject: a test's name.
        (message, title) if !title.is_empty() && rule.is_empty() && !words.contains(title) => {
            (title, std::iter::once(message).chain(more).collect())
        }
        (message, _) => (message, more),
    };
    Some(Finding { file, at, severity, rule, message, times: 1, more, beside: Vec::new() })
}

/// A value with the escaped separators decoded.
fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains('%') {
        return Cow::Borrowed(value);
    }
    Cow::Owned(value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%"))
}

/// `lint/style/useConst`: a rule within its groups. A file's name has a dot.
fn is_rule_in_group(title: &str) -> bool {
    title.contains('/') && !title.contains('.') && is_rule(title)
}

/// The rule of a title such as `ruff (F821)`.
fn in_brackets(title: &str) -> &str {
    let inside = title.strip_suffix(')').and_then(|title| title.rsplit_once(" ("));
    inside.map(|(_, rule)| rule).filter(|rule| is_rule(rule)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::annotation;

    #[test]
    fn annotations_are_findings() {
        for (line, file, at, severity, rule, message, more) in [
            (
                "::error title=ruff (PLR0913),file=/home/ana/shop/a/_api.py,line=39,col=5,endLine=39,endColumn=12::a/_api.py:39:5: PLR0913 Too many arguments%0A  help: Use fewer",
                "a/_api.py",
                "39:5",
                "error",
                "PLR0913",
                "Too many arguments",
                &["  help: Use fewer"][..],
            ),
            (
                "::warning file=src/a.js,line=3,col=9::Unexpected var.",
                "src/a.js",
                "3:9",
                "warning",
                "",
                "Unexpected var.",
                &[],
            ),
            (
                "::warning file=src/a.ts,line=4,endLine=4,col=50,endColumn=57,title=eslint(no-unused-vars)::src/a.ts:4:50: Parameter 'b' is never used.",
                "src/a.ts",
                "4:50",
                "warning",
                "eslint(no-unused-vars)",
                "Parameter 'b' is never used.",
                &[],
            ),
            (
                "::notice title=lint/style/useNodejsImportProtocol,file=/srv/src/check.js,line=7,endLine=7,col=44,endColumn=50::Use the node: protocol.",
                "/srv/src/check.js",
                "7:44",
                "notice",
                "lint/style/useNodejsImportProtocol",
                "Use the node: protocol.",
                &[],
            ),
            (
                "::error file=tests/a.spec.ts,title=[chromium] › tests/a.spec.ts%3A13%3A3 › a › step 3,line=14,col=23::  1) [chromium] › tests/a.spec.ts:13:3 › a › step 3 ─────%0A    Error: no%0A%0A    Expected: 3",
                "tests/a.spec.ts",
                "14:23",
                "error",
                "",
                "[chromium] › tests/a.spec.ts:13:3 › a › step 3",
                &["    Error: no", "    Expected: 3"],
            ),
            (
                "::error file=tests/cart.ts,line=3,title=tests/cart.ts::expected 2 to be 4",
                "tests/cart.ts",
                "3",
                "error",
                "",
                "tests/cart.ts",
                &["expected 2 to be 4"],
            ),
            (
                "..F::error file=tests/test_a.py,line=12::test_sum%0A%0AAssertionError: assert 3 == 4",
                "tests/test_a.py",
                "12",
                "error",
                "",
                "test_sum",
                &["AssertionError: assert 3 == 4"],
            ),
            (
                "::error file=cart.test.ts,title=cart.test.ts > Cart > counts,line=6,column=4::expected 2 to be 4",
                "cart.test.ts",
                "6:4",
                "error",
                "",
                "cart.test.ts > Cart > counts",
                &["expected 2 to be 4"],
            ),
        ] {
            let found = annotation(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (found.file, &*found.at, found.severity, found.rule, found.message),
                (file, at, severity, rule, message)
            );
            assert_eq!(found.more, more, "{line}");
        }
        for line in [
            "::group::Install",
            "::error::Process completed with exit code 1.",
            "::set-output name=file::a.py",
            "std::error file=a.rs,line=3::x",
            "src/a.rs:3::error",
            "::error file=a.py,line=x::y",
        ] {
            assert!(annotation(line).is_none(), "{line}");
        }
    }
}
