//! Findings as ShellCheck shows them: the file and the number of a line, the line, and under it a mark with a code, a level
//! and a message for each. Owns reading these two forms of lines.

use std::borrow::Cow;

use super::finding::Finding;
use super::messages::{LEVELS, is_rule};

/// `In a.sh line 3:`.
#[derive(Clone, Copy)]
pub(super) struct Above<'t> {
    pub(super) file: &'t str,
    pub(super) at: &'t str,
}

/// `In a.sh line 3:`.
pub(super) fn line_above(line: &str) -> Option<Above<'_>> {
    let (file, at) = line.strip_prefix("In ")?.strip_suffix(':')?.rsplit_once(" line ")?;
    let number = !at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit());
    (number && !file.is_empty() && file.len() < 400).then_some(Above { file, at })
}

/// `     ^--^ SC2086 (info): message`.
pub(super) fn marked<'t>(line: &'t str, above: Above<'t>) -> Option<Finding<'t>> {
    let marks = line.trim_start().strip_prefix('^')?;
    let printed = marks.trim_start_matches(['-', '^']).trim();
    let (rule, rest) = printed.split_once(' ')?;
    let (severity, message) = rest.strip_prefix('(')?.split_once("): ")?;
    let code = rule.len() > 2 && is_rule(rule) && rule.ends_with(|c: char| c.is_ascii_digit());
    (code && LEVELS.contains(&severity)).then(|| Finding {
        file: above.file,
        at: Cow::Borrowed(above.at),
        severity,
        rule,
        message,
        times: 1,
        more: Vec::new(),
        beside: Vec::new(),
    })
}
