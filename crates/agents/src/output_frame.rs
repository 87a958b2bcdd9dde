//! The frame that an agent puts around a command's output for its model: words before it, and lines after it that report
//! the exit. Parses the frame and writes it back. Knows no verdicts.

use std::path::{Path, PathBuf};

/// An output inside its frame: `head`, `text` and `tail` joined are the complete text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct OutputFrame<'t> {
    /// The words before the output.
    pub(crate) head: &'t str,
    /// What the command printed.
    pub(crate) text: &'t str,
    /// The lines after it, starting with a line end.
    pub(crate) tail: &'t str,
    /// The exit code in the frame.
    pub(crate) exit: Option<i32>,
    /// The file with the full output, if the agent shows only part.
    pub(crate) full_in: Option<PathBuf>,
}

impl OutputFrame<'_> {
    /// Puts the frame around another text.
    pub(crate) fn wrap(&self, text: &str) -> String {
        format!("{}{}{}", self.head, text.trim_end_matches('\n'), self.tail)
    }
}

/// Gemini CLI: `Output: ` in front, and lines such as `Exit Code: 1` at the end, all inside a tag.
pub(crate) fn parse_gemini(whole: &str) -> Option<OutputFrame<'_>> {
    const OPEN: &str = "<untrusted_context>\n";
    const LINES: [&str; 5] =
        ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "];
    let start = if whole.starts_with(OPEN) { OPEN.len() } else { 0 };
    let start = start + whole[start..].strip_prefix("Output: ").map(|_| "Output: ".len())?;
    let mut end =
        whole.strip_suffix("</untrusted_context>").map_or(whole.len(), |rest| rest.trim_end().len());
    let mut exit = None;
    while let Some(at) = whole[start..end].rfind('\n').map(|at| start + at) {
        let line = &whole[at + 1..end];
        if !LINES.iter().any(|begin| line.starts_with(begin)) {
            break;
        }
        if let Some(code) = line.strip_prefix("Exit Code: ") {
            exit = code.trim().parse().ok();
        }
        end = at;
    }
    let (head, rest) = whole.split_at(start);
    let (text, tail) = rest.split_at(end - start);
    Some(OutputFrame { head, text, tail, exit, full_in: None })
}

/// How the lines begin that Copilot CLI's own sandbox adds after the exit of a command that it may have stopped (1.0.102).
const SANDBOX_NOTES: [&str; 3] = [
    "<sandbox is active ",
    "<this failure may be caused by the active sandbox policy.",
    "<This command was retried outside the Copilot sandbox with user approval and still failed.",
];

/// How a text begins in which Copilot CLI has left lines out (1.0.102): `pip install`'s, for one.
const COMPACTED: &str = "Shell output was automatically compacted. ";

/// Copilot CLI: a last line `<shellId: 0 completed with exit code 101>`, after which its sandbox may add notes, and a part if the
/// output went to a file.
pub(crate) fn parse_copilot(whole: &str) -> Option<OutputFrame<'_>> {
    let mut kept = whole.trim_end_matches('\n');
    let (at, code) = loop {
        let at = kept.rfind('\n').unwrap_or(0);
        let last = kept[at..].trim();
        if at == 0 || !SANDBOX_NOTES.iter().any(|note| last.starts_with(note)) {
            break (at, copilot_exit(last)?);
        }
        kept = kept[..at].trim_end_matches('\n');
    };
    let (text, tail) = whole.split_at(at);
    Some(OutputFrame { head: "", text, tail, exit: code.trim().parse().ok(), full_in: copilot_file(text) })
}

/// Whether `text` is what Copilot CLI has chosen of an output, and not its beginning.
pub(crate) fn is_chosen_by_copilot(text: &str) -> bool {
    text.starts_with(COMPACTED)
}

/// The file with the whole of an output that Copilot CLI shows a part of: the beginning of a long one, or the lines that it has
/// chosen, where the file is named as it names them, because a command may print such a line as well.
fn copilot_file(text: &str) -> Option<PathBuf> {
    let first = text.lines().next()?;
    if first.starts_with("Output too large to read at once") {
        return Some(PathBuf::from(first.split_once("Saved to: ")?.1.trim()));
    }
    let named = first.strip_prefix(COMPACTED)?.split_once("Original at ")?.1;
    let path = Path::new(named.rsplit_once("; only use ")?.0);
    let name = path.file_name()?.to_str()?;
    name.starts_with("original-output-").then(|| path.to_owned())
}

/// The exit code in Copilot CLI's line about it; a command that it has detached is named as such.
fn copilot_exit(line: &str) -> Option<&str> {
    let begins = ["<shellId: ", "<detached command with shellId: ", "<exited"];
    let rest = begins.iter().find_map(|begin| line.strip_prefix(begin))?;
    Some(rest.strip_suffix('>')?.rsplit_once("exit code ")?.1)
}

#[cfg(test)]
mod tests {
    use super::{is_chosen_by_copilot, parse_copilot, parse_gemini};

    #[test]
    fn a_frame_comes_off_and_on_again() {
        let whole = "<untrusted_context>\nOutput: one\ntwo\nExit Code: 101\nProcess Group PGID: 29514\n</untrusted_context>";
        let frame = parse_gemini(whole).unwrap();
        assert_eq!((frame.text, frame.exit), ("one\ntwo", Some(101)));
        assert_eq!(frame.wrap("one\ntwo\n"), whole);
        let whole = "one\ntwo\n<shellId: 0 completed with exit code 101>";
        let frame = parse_copilot(whole).unwrap();
        assert_eq!((frame.text, frame.exit), ("one\ntwo", Some(101)));
        assert_eq!(frame.wrap("one\ntwo\n"), whole);
    }

    #[test]
    fn notes_of_copilots_sandbox_belong_to_the_frame() {
        let notes = "<sandbox is active and blocked this command. Ask the user.>\n\
            <This command was retried outside the Copilot sandbox with user approval and still failed. Diagnose it.>\n";
        for (exit, code) in [
            ("<shellId: 0 completed with exit code 101>", 101),
            ("<detached command with shellId: 2 completed with exit code 0>", 0),
        ] {
            for between in ["\n", "\n\n"] {
                let whole = format!("one\ntwo\n{exit}{between}{notes}");
                let frame = parse_copilot(&whole).unwrap();
                assert_eq!((frame.text, frame.exit), ("one\ntwo", Some(code)), "{whole}");
                assert_eq!(frame.wrap("short"), format!("short\n{exit}{between}{notes}"));
            }
        }
        // Without the exit they are what the command printed.
        assert_eq!(parse_copilot(notes), None);
        assert_eq!(parse_copilot(&format!("one\n{notes}")), None);
    }

    #[test]
    fn what_has_no_frame_is_left_alone() {
        assert_eq!(parse_gemini("one\nExit Code: 1"), None);
        assert_eq!(parse_copilot("one\ntwo"), None);
        assert_eq!(parse_copilot(""), None);
        assert_eq!(
            parse_gemini("Output: "),
            Some(super::OutputFrame { head: "Output: ", ..super::OutputFrame::default() })
        );
    }

    #[test]
    fn a_preview_names_its_file() {
        let whole = "Output too large to read at once (25.4 KB). Saved to: /tmp/out.txt\nConsider\n<shellId: 2 completed with exit code 1>";
        assert_eq!(parse_copilot(whole).unwrap().full_in.unwrap().to_str(), Some("/tmp/out.txt"));
    }

    #[test]
    fn lines_that_copilot_has_chosen_name_the_file_with_all() {
        for (path, file) in [
            ("/tmp/a b/original-output-17-b1cd.txt", Some("/tmp/a b/original-output-17-b1cd.txt")),
            ("/home/ana/shop/.env", None),
            ("", None),
        ] {
            let whole = format!(
                "Shell output was automatically compacted. Compacted output below. Original at {path}; only use if exact omitted lines are needed.\n\nOriginal at /x\n\n<shellId: 16 completed with exit code 0>"
            );
            let frame = parse_copilot(&whole).unwrap();
            assert_eq!(frame.full_in.as_deref().and_then(std::path::Path::to_str), file);
            assert!(is_chosen_by_copilot(frame.text), "{whole}");
        }
        assert_eq!(
            parse_copilot("Original at /original-output-1.txt; only use\n<exited with exit code 0>")
                .unwrap()
                .full_in,
            None
        );
    }
}
