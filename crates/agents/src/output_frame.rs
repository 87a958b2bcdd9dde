//! The frame that an agent puts around a command's output for its model: words before it, and lines after it that report
//! the exit. Parses the frame and writes it back. Knows no verdicts.

use std::path::PathBuf;

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

/// Copilot CLI: a last line `<shellId: 0 completed with exit code 101>`, and a preview if the output went to a file.
pub(crate) fn parse_copilot(whole: &str) -> Option<OutputFrame<'_>> {
    let end = whole.trim_end_matches('\n').rfind('\n').map_or(0, |at| at);
    let (text, tail) = whole.split_at(end);
    let last = tail.trim();
    let code = last
        .strip_prefix("<shellId: ")
        .or_else(|| last.strip_prefix("<exited"))?
        .strip_suffix('>')?
        .rsplit_once("exit code ")?
        .1;
    let full_in = text.strip_prefix("Output too large to read at once").and_then(|rest| {
        let first = rest.lines().next()?;
        Some(PathBuf::from(first.split_once("Saved to: ")?.1.trim()))
    });
    Some(OutputFrame { head: "", text, tail, exit: code.trim().parse().ok(), full_in })
}

#[cfg(test)]
mod tests {
    use super::{parse_copilot, parse_gemini};

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
}
