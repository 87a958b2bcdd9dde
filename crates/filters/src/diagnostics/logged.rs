//! Findings as logging commands of Azure Pipelines, one a line:
//! `##vso[task.logissue type=error;sourcepath=/src/a.py;linenumber=3;columnnumber=9;code=F821;]message`. Owns parsing
//! one.

use std::borrow::Cow;

use super::finding::Finding;
use super::messages::says;

/// What such a line begins with, in any case.
const COMMAND: &str = "##vso[task.logissue ";

/// A line that is such a command and names a file.
pub(super) fn logged(line: &str) -> Option<Finding<'_>> {
    let line = line.trim_start();
    line.get(..COMMAND.len()).filter(|head| head.eq_ignore_ascii_case(COMMAND))?;
    let (properties, text) = line[COMMAND.len()..].split_once(']')?;
    let (mut file, mut number, mut column, mut code, mut level) = ("", "", "", "", "");
    for (name, value) in properties.split(';').filter_map(|property| property.split_once('=')) {
        match name.trim() {
            "sourcepath" => file = value,
            "linenumber" => number = value,
            "columnnumber" => column = value,
            "code" => code = value,
            "type" => level = value,
            _ => {}
        }
    }
    let figure = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if file.is_empty() || !figure(number) {
        return None;
    }
    let at = match figure(column) {
        true => Cow::Owned(format!("{number}:{column}")),
        false => Cow::Borrowed(number),
    };
    let worded = says(text);
    let (rule, message) = if code.is_empty() { (worded.rule, worded.message) } else { (code, text.trim()) };
    let severity = if level.is_empty() { worded.severity } else { level };
    (!message.is_empty()).then(|| Finding {
        file,
        at,
        severity,
        rule,
        message,
        times: 1,
        more: Vec::new(),
        beside: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::by_file_and_rule;
    use super::logged;

    #[test]
    fn logging_commands_are_findings() {
        for (line, file, at, severity, rule, message) in [
            (
                "##vso[task.logissue type=error;sourcepath=/srv/shop/fib.py;linenumber=1;columnnumber=8;code=F401;]`os` imported but unused",
                "/srv/shop/fib.py",
                "1:8",
                "error",
                "F401",
                "`os` imported but unused",
            ),
            (
                "##vso[task.LogIssue type=warning;sourcepath=src/a.cpp;linenumber=12;]comparison of integers [-Wsign-compare]",
                "src/a.cpp",
                "12",
                "warning",
                "[-Wsign-compare]",
                "comparison of integers",
            ),
        ] {
            let found = logged(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (found.file, &*found.at, found.severity, found.rule, found.message),
                (file, at, severity, rule, message),
                "{line}"
            );
        }
        for line in [
            "##vso[task.logissue type=error;]Error summary",
            "##vso[task.setvariable variable=file;]a.py",
            "##vso[task.logissue type=error;sourcepath=a.py;linenumber=x;]no such name",
            "##[error]a.py:3:9: no such name",
        ] {
            assert!(logged(line).is_none(), "{line}");
        }
    }

    #[test]
    fn a_list_of_them_is_grouped_with_every_place() {
        let text: String = (1..=80)
            .map(|n| {
                format!(
                    "##vso[task.logissue type=error;sourcepath=/home/ana/shop/part{}.py;linenumber={n};columnnumber=5;code=F82{};]Undefined name `total{n}`\n",
                    n % 7,
                    n % 3
                )
            })
            .collect();
        let short = by_file_and_rule(&text, 24_000).expect("a list");
        assert!(short.len() * 2 < text.len(), "{short}");
        for n in 1..=80 {
            assert!(short.contains(&format!("{n}:5")), "{n}: {short}");
        }
        assert!(short.contains("/home/ana/shop/part6.py") && short.contains("F820"), "{short}");
    }
}
