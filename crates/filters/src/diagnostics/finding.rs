//! One finding of a tool, with the lines that belong to it, and the parts of an output. Owns which of these lines are
//! source.

use std::borrow::Cow;

use super::messages::trailing_rule;
use super::place::place;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding<'t> {
    pub(super) file: &'t str,
    /// `3:9`, or `3`.
    pub(super) at: Cow<'t, str>,
    /// As the tool wrote it, empty where it doesn't say.
    pub(super) severity: &'t str,
    /// The rule's name or code, empty where the tool has none.
    pub(super) rule: &'t str,
    pub(super) message: &'t str,
    /// How often it was repeated directly.
    pub(super) times: usize,
    /// The lines that belong to it.
    pub(super) more: Vec<&'t str>,
    /// Source and suggested changes that no form tells from other lines.
    pub(super) beside: Vec<&'t str>,
}

/// A part of an output.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    /// Findings, with the lines that they were printed in.
    Findings(Vec<Finding<'t>>, Vec<&'t str>),
    Text(Vec<&'t str>),
}

impl Piece<'_> {
    pub(super) fn findings(&self) -> usize {
        match self {
            Piece::Findings(findings, _) => findings.len(),
            Piece::Text(_) => 0,
        }
    }

    /// Whether each of its findings is one line.
    pub(super) fn has_lines_only(&self) -> bool {
        match self {
            Piece::Findings(findings, _) => {
                findings.iter().all(|one| one.more.is_empty() && one.beside.is_empty())
            }
            Piece::Text(_) => true,
        }
    }

    /// Bytes that its findings were printed in.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Piece::Findings(_, lines) => lines.iter().map(|line| line.len() + 1).sum(),
            Piece::Text(_) => 0,
        }
    }
}

impl<'t> Finding<'t> {
    /// The same without the source and the marks under it that a tool shows around a finding, and with its rule wherever
    /// that was printed.
    pub(super) fn without_source(&self) -> Finding<'t> {
        let more = self.more.iter().copied().filter(|line| !is_source(line)).collect();
        Finding { more, beside: Vec::new(), rule: self.rule_anywhere(), ..self.clone() }
    }

    /// The same with its other places, and no other lines.
    pub(super) fn with_places_only(&self) -> Finding<'t> {
        let wrapped = self.wrapped();
        let places = self.more.iter().skip(wrapped).filter(|line| is_further_place(line));
        let more = self.more.iter().take(wrapped).chain(places).copied().collect();
        Finding { more, beside: Vec::new(), ..self.clone() }
    }

    /// The same without the lines that explain it.
    pub(super) fn without_details(&self) -> Finding<'t> {
        let more = self.more.iter().take(self.wrapped()).copied().collect();
        Finding { more, beside: Vec::new(), ..self.clone() }
    }

    /// How many of the lines that belong to it only go on with its message, as mypy wraps it: what explains a finding is
    /// set in, or says what it is.
    fn wrapped(&self) -> usize {
        let goes_on = |line: &&&str| {
            !line.starts_with([' ', '\t', '=', '|'])
                && line.chars().any(char::is_alphabetic)
                && !line.split(' ').next().is_some_and(|word| word.ends_with(':'))
                && !is_further_place(line)
        };
        self.more.iter().take_while(goes_on).count()
    }

    /// Its rule, which Pyright prints behind the last of the lines that explain it.
    fn rule_anywhere(&self) -> &'t str {
        if !self.rule.is_empty() {
            return self.rule;
        }
        let behind = self.more.last().copied().map_or("", |line| trailing_rule(line).1);
        if behind.starts_with("(report") { behind } else { "" }
    }

    /// How many lines are dropped with the source.
    pub(super) fn source(&self) -> usize {
        self.more.iter().filter(|line| is_source(line)).count() + self.beside.len()
    }

    /// Whether some of these lines are a change that the tool suggests.
    pub(super) fn suggests(&self) -> bool {
        let suggested = |line: &&str| {
            let line = line.trim().trim_start_matches(|c: char| c.is_ascii_digit());
            let line = line.trim_start().trim_start_matches(['|', '│']).trim_start();
            line.starts_with("+ ") || line.starts_with("- ")
        };
        self.more.iter().copied().filter(|line| is_source(line)).any(|line| suggested(&line))
            || self.beside.iter().any(|line| line.starts_with("Did you mean"))
    }
}

/// `,-[path:3:9]`, `╭─[path:3:9]`, `::: path:3:9`, `--> path:3:9`.
fn is_further_place(line: &str) -> bool {
    let line = line.trim();
    let boxed = [",-[", "╭─[", "┌─["].iter().find_map(|open| line.strip_prefix(open)?.strip_suffix(']'));
    let arrow = || ["::: ", "--> ", "┌─ "].iter().find_map(|sign| line.strip_prefix(sign));
    boxed.or_else(arrow).and_then(place).is_some_and(|found| found.sign == '\n')
}

/// `12 | code`, `   |   ^^^`, `- old`, `~~~`.
pub(super) fn is_source(line: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let gutter = rest.trim_start().starts_with(['|', '│', '╷', '╵']) || is_frame(rest.trim_start());
    let numbered = rest.len() < line.len() && (rest.is_empty() || rest.starts_with([' ', '\t']));
    gutter
        || numbered
        || line.chars().all(|c| "^~-+.| │╷╵".contains(c))
        || line.starts_with("- ")
        || line.starts_with("+ ")
}

/// A line of a box around source: `    : ^^|^^`, `    ·   ─┬─`, `    ╰────`.
fn is_frame(line: &str) -> bool {
    let marked = [": ", "· "].iter().any(|gutter| {
        line.strip_prefix(gutter).is_some_and(|marks| {
            marks.trim_start().starts_with(['^', '`', '─', '╰', '┬', '▲', ',', '|', '╭'])
        })
    });
    marked || line.starts_with("`--") || line.starts_with("╰─")
}

#[cfg(test)]
mod tests {
    use super::super::by_file_and_rule;

    /// As mypy prints it with `--pretty`: a message is cut at the width of the terminal.
    #[test]
    fn a_wrapped_message_stays_whole_where_what_explains_it_goes() {
        let finding = |n: usize| match n % 3 {
            0 => format!(
                "src/part{}.py:{n}: error: Function is missing a type annotation for\none or more parameters  [no-untyped-def]\n    def total{n}(\n    ^\n",
                n % 7
            ),
            1 => format!(
                "src/part{}.py:{n}: error: Function is missing a return annotation\n [no-untyped-def]\n    def tax{n}(\n    ^\n",
                n % 7
            ),
            _ => format!(
                "src/part{}.py:{n}: error: Incompatible return value  [return-value]\n    return {n}\n           ^\n    It was {n} in the line above\n",
                n % 7
            ),
        };
        let text: String = (100..340).map(finding).collect();
        let text = format!("{text}Found 240 errors in 7 files (checked 7 source files)\n");
        let short = by_file_and_rule(&text, 3_500).unwrap();
        assert!(short.len() <= 3_500, "{}", short.len());
        for fact in ["missing a type annotation for", "one or more parameters", "Found 240 errors in 7 files"]
        {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        // Each finding has its rule.
        assert!(!short.contains("#1 ×") && !short.contains("error ×"), "{short}");
        assert!(
            short.contains("missing a return annotation") && short.contains("[no-untyped-def]"),
            "{short}"
        );
    }

    #[test]
    fn the_rule_stays_where_the_lines_that_explain_a_finding_go() {
        let finding = |n: usize| {
            format!(
                "  /srv/shop/a{}.py:{n}:9 - error: Cannot access attribute \"field{n}\" for class \"Cart{n}\"\n    Attribute \"field{n}\" is unknown (reportAttributeAccessIssue)\n",
                n % 3
            )
        };
        let text: String = (10..90).map(finding).collect();
        let text = format!("{text}80 errors, 0 warnings, 0 informations\n");
        for room in [1_000, 1_500, 2_500, 4_000] {
            let short = by_file_and_rule(&text, room).unwrap();
            assert!(short.len() <= room, "{room}: {short}");
            for fact in ["(reportAttributeAccessIssue)", "/srv/shop/a2.py", "80 errors"] {
                assert!(short.contains(fact), "{room} {fact}: {short}");
            }
        }
    }
}
