//! Requested text (`cat`, `sed -n`, `head`, `awk`): whole if it fits, and otherwise by its kind: rows, records, a
//! diff, source with its outline. Owns distinguishing these kinds, also for unknown commands.

use super::{compiler_messages, details, diff, json, junit, listing, log, rows, search, trace, xml_findings};
use crate::data::outline;
use shell::base;

/// Rows and records that are longer are shown by their columns, in bytes.
const ROWS: usize = 3_000;

/// The output of a command that shows what it was given.
pub(crate) fn render(text: &str, argv: &[String], whole: usize, room: usize) -> Option<String> {
    let program = argv.first().map(|program| base(program)).unwrap_or_default();
    if matches!(program, "jq" | "yq" | "json.tool") {
        return json(text, room).or_else(|| rows_of(text, room)).or_else(|| rest(text, argv, whole, room));
    }
    // Where files of any kind are shown, source is source: only what is plainly rows is shown by its columns.
    let rows = if is_source(argv) { None } else { rows_of(text, room) };
    rows.or_else(|| rest(text, argv, whole, room))
}

fn rows_of(text: &str, room: usize) -> Option<String> {
    (text.len() > ROWS).then(|| rows::separate(text, room)).flatten()
}

/// A text that is longer than the room.
fn rest(text: &str, argv: &[String], whole: usize, room: usize) -> Option<String> {
    if text.len() <= whole {
        return None;
    }
    // Logs of a form that the filter for them doesn't know, such as one with times of day alone.
    let short = shape(text, room).or_else(|| log::log(text, room)).filter(|short| short.len() <= room);
    short.or_else(|| Some(outline::outline(text, argv, room)))
}

/// The shape of an unknown output: a compiler's messages, other JSON, reports of tests and findings in XML, a trace of calls,
/// matches with file and line, a diff, rows. Of rows none is left out as long as there is room for all of them.
pub(crate) fn shape(text: &str, room: usize) -> Option<String> {
    compiler_messages::summary(text, room)
        .or_else(|| json(text, room))
        .or_else(|| xml_findings::checkstyle(text, room))
        .or_else(|| junit::summary(text, room))
        .or_else(|| trace::summary(text, room))
        .or_else(|| search::summary(text, room))
        .or_else(|| is_diff(text).then(|| diff::diff(text, room)).flatten())
        .or_else(|| details::summary(text, room))
        .or_else(|| if text.len() <= room || log::is_log(text) { None } else { rows::summary(text, room) })
        .or_else(|| is_paths(text).then(|| listing::paths(text, room)).flatten())
}

fn is_diff(text: &str) -> bool {
    let mut before = "";
    text.lines().take(60).any(|line| {
        // A hunk alone may be a quote in any text.
        let hunk = line.starts_with("@@ -") && before.starts_with("+++ ");
        before = line;
        hunk || line.starts_with("diff --git ") || line.starts_with("Index: ")
    })
}

/// Whether every line is a path and nothing else.
fn is_paths(text: &str) -> bool {
    let path = |line: &str| line.len() < 300 && !line.contains([' ', '\t', ':', '=', '(', '"', '<']);
    text.lines().all(path)
        && text.lines().filter(|line| line.contains('/')).count() * 10 >= text.lines().count() * 8
}

/// Whether a file with the name of a program's source or a text for people is among the arguments of `argv`. Where such
/// files are shown, an agent that has room gets them whole.
#[must_use]
pub fn is_source(argv: &[String]) -> bool {
    argv.iter().skip(1).any(|word| {
        let extension = word.rsplit_once('.').map_or("", |(_, extension)| extension);
        !extension.is_empty()
            && !["csv", "tsv", "psv", "txt", "out", "log", "dat", "ndjson", "jsonl"].contains(&extension)
            && !extension.contains(['/', ' ', '"', '\''])
            && extension.len() <= 10
            && word.len() > extension.len() + 1
    })
}

#[cfg(test)]
mod tests {
    use crate::{FilterSet, shorten_within};

    #[test]
    fn a_file_of_another_commit_is_outlined_as_one_that_cat_shows() {
        let part = |n: usize| format!("function part{n} (cart) {{\n  return cart.total + {n}\n}}\n\n");
        let text: String = (0..200).map(part).collect();
        let set = FilterSet::builtin();
        let by = |command: &str| shorten_within(&set, command, Some(0), &text, 2_050).unwrap();
        let shown = by("git show HEAD~4:lib/cart.js");
        assert_eq!(shown.filter, "git-text");
        assert_eq!(shown.text, by("cat lib/cart.js").text);
        assert!(shown.text.contains("; beginning, outline with line numbers, end\n"), "{}", shown.text);
        // A patch is still read as one.
        let hunks: String = (0..90).map(|n| format!("@@ -{n},1 +{n},1 @@\n-old {n}\n+new {n}\n")).collect();
        let patch = format!("diff --git a/x.js b/x.js\n--- a/x.js\n+++ b/x.js\n{hunks}");
        assert_eq!(shorten_within(&set, "git show HEAD", Some(0), &patch, 1_000).unwrap().filter, "git-show");
    }

    #[test]
    fn a_log_with_times_of_day_alone_is_read_as_a_log() {
        let line = |n: usize| match n {
            613 => "09:10:13 cache rebuilt from replica 2, 18% of keys were stale\n".to_owned(),
            _ => format!(
                "09:{:02}:{:02} order {} has been answered in {} ms\n",
                n / 60,
                n % 60,
                n * 7919 % 9973,
                n * 31 % 80
            ),
        };
        let text: String = (0..900).map(line).collect();
        let shown = shorten_within(&FilterSet::builtin(), "cat api.log", Some(0), &text, 2_050).unwrap();
        assert_eq!(shown.filter, "show");
        assert!(shown.text.starts_with("900 messages, 2 kinds"), "{}", shown.text);
        assert!(shown.text.contains("\n09:10:13 cache rebuilt from replica 2, 18% of keys were stale\n"));
    }
}
