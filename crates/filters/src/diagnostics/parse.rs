//! The shapes in which tools print a finding: a place first (`path:3:9: error: …`, `path(3,9): …`), a file's name
//! with rows beneath it, a message with its place on a later line (`--> path:3:9`, `╭─[path:3:9]`), or marks under a
//! line of source. Owns which lines belong to a finding; `forms` knows the forms of single lines.

use super::annotation::annotation;
use super::finding::{Finding, Piece};
use super::forms::{arrow, at_place, boxed, heading_of, is_caret, is_scope, row, ruled, wrapped};
use super::headed::{headed, is_built};
use super::issue::issue;
use super::marked::{Above, line_above, marked};
use super::messages::trailing_rule;
use super::numbered::numbered;
use super::phpstan::{file_of, is_ruler, table_line};
use super::pointed::source_above_mark;
use super::project::is_beside_findings;
use super::scala::scala;
use super::worded::{above, behind, documented, frames_table, parted, table_of, table_row};

/// The maximum number of lines of one finding; later lines don't belong to it.
const MOST_LINES: usize = 400;

/// Takes `text` apart.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let lines: Vec<&str> = crate::normal::lines(text).collect();
    let mut reader = Reader::default();
    let mut at = 0;
    while let Some((line, rest)) = lines.get(at..).and_then(|rest| rest.split_first()) {
        at += reader.take(line, rest);
    }
    reader.end();
    reader.pieces
}

/// Whether most findings of `text` have a severity or a rule: a search's matches have places, too.
pub(crate) fn is_styled(text: &str) -> bool {
    let (mut all, mut styled) = (0_usize, 0_usize);
    for piece in pieces(text) {
        if let Piece::Findings(findings, _) = piece {
            all += findings.len();
            styled += findings.iter().filter(|f| !f.severity.is_empty() || !f.rule.is_empty()).count();
        }
    }
    styled * 10 >= all * 8
}

/// Whether more than half of `text` is such findings.
pub(crate) fn is_list(text: &str) -> bool {
    let pieces = pieces(text);
    let all: usize = pieces.iter().map(Piece::findings).sum();
    let bytes: usize = pieces.iter().map(Piece::bytes).sum();
    all >= super::FEW && bytes * 2 > text.len() && is_styled(text)
}

#[derive(Default)]
struct Reader<'t> {
    pieces: Vec<Piece<'t>>,
    findings: Vec<Finding<'t>>,
    /// Lines of the open piece of findings.
    lines: Vec<&'t str>,
    text: Vec<&'t str>,
    /// The file's name above rows, and whether a finding used it.
    heading: Option<(&'t str, bool)>,
    /// Whether that name heads one of PHPStan's tables, whose rows have no other mark.
    in_table: bool,
    /// Lines that wait until it's known whether they belong to a list: names of files, blanks.
    held: Vec<&'t str>,
    /// The line of source that the marks below it refer to.
    above: Option<Above<'t>>,
    /// How the last finding was printed.
    shape: Shape,
    after_blank: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Shape {
    #[default]
    None,
    Line,
    /// With a frame of source under it, set apart by blank lines.
    Framed,
    Row,
    Arrow,
    /// `^--^ SC2086 (info): …` under `In a.sh line 3:`.
    Marked,
}

impl<'t> Reader<'t> {
    /// Takes a line that `rest` follow; returns how many of them all were used.
    fn take(&mut self, line: &'t str, rest: &[&'t str]) -> usize {
        let next = rest.first().copied();
        if line.trim().is_empty() {
            self.held.push(line);
            self.after_blank = true;
            return 1;
        }
        // It doesn't end a list, and a note after it isn't about the finding above.
        if is_scope(line) {
            self.held.push(line);
            self.shape = Shape::None;
            return 1;
        }
        if self.take_marked(line) {
            self.after_blank = false;
            return 1;
        }
        if let Some((finding, next)) = next.and_then(|next| Some((arrow(line, next)?, next))) {
            if self.explains_last(line, &finding) && self.belongs(line) {
                return 1 + usize::from(self.belongs(next));
            }
            self.add_finding(finding, Shape::Arrow, &[line, next]);
            return 2;
        }
        let below = boxed(line, rest).map(|found| (found, Shape::Arrow));
        let framed = || ruled(line, rest).or_else(|| headed(line, rest)).map(|found| (found, Shape::Framed));
        if let Some(((finding, used), shape)) = below.or_else(framed) {
            self.add_finding(finding, shape, &[line]);
            self.lines.extend_from_slice(&rest[..used]);
            return 1 + used;
        }
        if self.heading.is_some() && (frames_table(line) || self.in_table && is_ruler(line)) {
            self.held.push(line);
            return 1;
        }
        let plain_row = |file| if self.in_table { table_line(line, rest, file) } else { None };
        let in_table =
            self.heading.and_then(|(file, _)| table_row(line, rest, file).or_else(|| plain_row(file)));
        if let Some((finding, used)) = in_table {
            self.heading = Some((finding.file, true));
            self.add_finding(finding, Shape::Row, &[line]);
            self.lines.extend_from_slice(&rest[..used]);
            return 1 + used;
        }
        if let Some((finding, used)) = above(line, rest)
            .or_else(|| issue(line, rest))
            .or_else(|| numbered(line, rest))
            .or_else(|| scala(line, rest))
        {
            self.add_finding(finding, Shape::Line, &[line]);
            self.lines.extend_from_slice(&rest[..used]);
            return 1 + used;
        }
        let worded = behind(line).or_else(|| documented(line)).or_else(|| parted(line));
        if let Some(finding) = worded.or_else(|| annotation(line)) {
            self.add_finding(finding, Shape::Line, &[line]);
            return 1;
        }
        if let Some(finding) = self.heading.and_then(|(file, _)| row(line, file)) {
            if let Some((_, used)) = &mut self.heading {
                *used = true;
            }
            self.add_finding(finding, Shape::Row, &[line]);
        } else if let Some((finding, framed)) = at_place(line) {
            // Notes are about the finding above them.
            let about_last = finding.severity.eq_ignore_ascii_case("note")
                && matches!(self.shape, Shape::Line | Shape::Framed)
                && self.held.is_empty();
            if about_last && self.belongs(line) {
                return 1;
            }
            let used = if framed || !finding.rule.is_empty() { None } else { wrapped(rest) };
            let source = if framed { None } else { source_above_mark(&finding, rest) };
            self.add_finding(finding, if framed { Shape::Framed } else { Shape::Line }, &[line]);
            if let Some((shown, last)) =
                source.and_then(|used| rest.get(..used)).zip(self.findings.last_mut())
            {
                self.lines.extend_from_slice(shown);
                last.beside.extend(shown.iter().map(|line| line.trim_end()));
                return 1 + shown.len();
            }
            if let Some((rule, used)) = used {
                self.wrapped(rule, &rest[..used]);
                return 1 + used;
            }
        } else if next.is_some_and(is_caret) && self.is_above_caret() {
            // Source that a mark on the next line points into, as javac and older compilers show it.
            let source = [line, next.unwrap_or_default()].map(str::trim_end);
            self.lines.append(&mut self.held);
            self.lines.extend(source);
            if let Some(last) = self.findings.last_mut() {
                last.beside.extend(source);
            }
            return 2;
        } else if let Some(file) = table_of(line).or_else(|| file_of(line)).or_else(|| heading_of(line)) {
            self.leave_heading();
            self.held.push(line);
            self.heading = Some((file, false));
            self.in_table = file_of(line).is_some();
            self.shape = Shape::None;
        } else if !(self.may_belong(line) && self.belongs(line)) {
            self.other(line);
        }
        self.after_blank = false;
        1
    }

    /// Takes a line of a block that begins with `In a.sh line 3:`; whether it is one.
    fn take_marked(&mut self, line: &'t str) -> bool {
        if let Some(above) = line_above(line) {
            self.leave_heading();
            self.held.push(line);
            self.above = Some(above);
            return true;
        }
        let Some(above) = self.above else { return false };
        if let Some(finding) = marked(line, above) {
            let source: Vec<&str> =
                self.held.iter().copied().filter(|held| line_above(held).is_none()).collect();
            self.add_finding(finding, Shape::Marked, &[line]);
            if let Some(last) = self.findings.last_mut() {
                last.beside.extend(source.into_iter().filter(|line| !line.trim().is_empty()));
            }
            return true;
        }
        match self.findings.last_mut() {
            // The source is above the first mark, a suggestion below the last.
            Some(last) if self.shape == Shape::Marked && last.beside.len() < MOST_LINES => {
                if line.starts_with("For more information") {
                    self.above = None;
                    return false;
                }
                let begun = self.held.iter().any(|held| line_above(held).is_some());
                if begun {
                    self.held.push(line);
                } else {
                    self.lines.append(&mut self.held);
                    self.lines.push(line);
                    last.beside.push(line.trim_end());
                }
                true
            }
            _ if self.held.len() < 3 => {
                self.held.push(line);
                true
            }
            _ => {
                self.above = None;
                false
            }
        }
    }

    fn add_finding(&mut self, finding: Finding<'t>, shape: Shape, lines: &[&'t str]) {
        let names_itself = matches!(self.heading, Some((file, false)) if file == finding.file);
        if shape != Shape::Row && !names_itself {
            self.leave_heading();
        }
        self.end_text();
        self.lines.append(&mut self.held);
        self.lines.extend_from_slice(lines);
        self.findings.push(finding);
        self.shape = shape;
        self.after_blank = false;
    }

    /// Takes the lines on which the last finding's message continues, up to its `rule`.
    fn wrapped(&mut self, rule: &'t str, lines: &[&'t str]) {
        self.lines.extend_from_slice(lines);
        if let Some(last) = self.findings.last_mut() {
            last.rule = rule;
            let lines = lines.iter().map(|line| line.trim_end()).filter(|line| line.trim_start() != rule);
            last.more.extend(lines.map(|line| trailing_rule(line).0));
        }
    }

    /// Whether `line`, which has its own place below it, explains the finding right above: `note: …`, `info: …`. With
    /// a rule in brackets behind its level it's a finding itself.
    fn explains_last(&self, line: &str, finding: &Finding<'_>) -> bool {
        let about = ["note", "info", "information", "help", "hint"];
        self.shape == Shape::Arrow
            && !self.after_blank
            && about.iter().any(|level| finding.severity.eq_ignore_ascii_case(level))
            && line.get(finding.severity.len()..).is_some_and(|rest| rest.starts_with(": "))
    }

    /// Whether `line` can be part of the last finding.
    fn may_belong(&self, line: &str) -> bool {
        let indented = line.starts_with([' ', '\t']);
        match self.shape {
            Shape::None | Shape::Marked => false,
            // Further in, Zig names the users of the rejected item.
            Shape::Line if line.trim_end() == "referenced by:" => !self.after_blank,
            Shape::Row | Shape::Line => indented && !self.after_blank && !is_beside_findings(line),
            // `3 | code`, `= help: …`, `help: …` up to a blank line.
            Shape::Arrow => !self.after_blank,
            // A tool's own total begins with a figure, too.
            Shape::Framed => {
                let total = || matches!(text::failures::mention(line), text::failures::Mention::Total { .. });
                (indented || line.starts_with(|c: char| c.is_ascii_digit()) && !total()) && !is_built(line)
            }
        }
    }

    /// Whether a line of source may be here.
    fn is_above_caret(&self) -> bool {
        self.shape == Shape::Line
            && !self.after_blank
            && self.findings.last().is_some_and(|last| last.beside.is_empty())
    }

    fn belongs(&mut self, line: &'t str) -> bool {
        let Some(last) = self.findings.last_mut().filter(|last| last.more.len() < MOST_LINES) else {
            return false;
        };
        self.lines.append(&mut self.held);
        self.lines.push(line);
        last.more.push(line.trim_end());
        // Clippy names its rule in the address of its documentation.
        if last.rule.is_empty()
            && let Some((_, rule)) = line.rsplit_once('#')
            && (line.contains("/rust-clippy/") || line.contains("= help: clippy #"))
        {
            last.rule = rule.trim_end();
        }
        true
    }

    /// A name of a file under which nothing was found is a line like any other.
    fn leave_heading(&mut self) {
        if let Some((_, false)) = self.heading.take() {
            self.end_findings();
            self.text.append(&mut self.held);
        }
    }

    fn other(&mut self, line: &'t str) {
        self.leave_heading();
        self.end_findings();
        self.text.append(&mut self.held);
        self.text.push(line);
        self.shape = Shape::None;
    }

    fn end_findings(&mut self) {
        if !self.findings.is_empty() {
            let (findings, lines) = (std::mem::take(&mut self.findings), std::mem::take(&mut self.lines));
            self.pieces.push(Piece::Findings(findings, lines));
        }
    }

    fn end_text(&mut self) {
        // Nothing but the banner of the module whose findings come next.
        self.text.retain(|line| !(line.starts_with("*****") && line.contains("* Module ")));
        if !self.text.is_empty() {
            self.end_findings();
            self.pieces.push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }

    fn end(&mut self) {
        self.end_findings();
        self.text.append(&mut self.held);
        self.end_text();
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_file_and_rule;
    use super::{Piece, pieces};

    /// What mypy prints with `show_error_context`, where most findings have such a line above them.
    #[test]
    fn a_line_that_names_the_function_of_the_findings_below_ends_no_list() {
        let mut text = String::new();
        for n in 1..=60 {
            text.push_str(&format!(
                "src/cart.py: note: In member \"error{n}\" of class \"Cart\":\nsrc/cart.py:{n}: error: Missing return statement  [return]\n"
            ));
        }
        text.push_str("src/cart.py: note: At top level:\nsrc/cart.py:90: note: Revealed type is \"int\"\n");
        text.push_str("Found 60 errors in 1 file (checked 1 source file)\n");
        let parts = pieces(&text);
        let [Piece::Findings(findings, lines), Piece::Text(total)] = &parts[..] else {
            panic!("{parts:?}");
        };
        assert_eq!((findings.len(), lines.len(), total.len()), (61, 122, 1));
        // The last note is a separate finding: another function is named above it.
        assert!(findings.iter().all(|finding| finding.more.is_empty()), "{findings:?}");
        let short = by_file_and_rule(&text, 24_000).unwrap();
        assert!(!short.contains("In member") && !short.contains("At top level"), "{short}");
        for fact in
            ["src/cart.py", "1, 2, 3", "60", "90", "Revealed type is \"int\"", "Found 60 errors in 1 file"]
        {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }

    #[test]
    fn a_line_that_names_a_function_stays_where_nothing_is_found_below() {
        for text in [
            "src/cart.py: note: In function \"total\":\nnothing more\n",
            "src/cart.py: note: In member \"total\" of \"Cart\"\n",
            "a sentence: note: At top level:\n",
        ] {
            let parts = pieces(text);
            let lines: Vec<&str> = text.lines().collect();
            assert!(matches!(&parts[..], [Piece::Text(shown)] if *shown == lines), "{parts:?}");
        }
    }
}
