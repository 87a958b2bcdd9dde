//! Takes pytest's failures apart: each one's frames with source, errors and locals, and the captured output. Owns the
//! two forms of a frame, with its place below (`long`) or above it (`short`), and the rules between sections.

use crate::diagnostics::place;
use crate::guard::is_foreign;

use super::pytest_frozen::frozen;

/// A failed test, or an error around one.
#[derive(Debug, Default)]
pub(super) struct Failure<'t> {
    /// The text between the underlines.
    pub(super) name: &'t str,
    pub(super) parts: Vec<Part<'t>>,
    /// The captured outputs, each with its heading.
    pub(super) captured: Vec<(&'t str, Vec<&'t str>)>,
}

#[derive(Debug)]
pub(super) enum Part<'t> {
    Frame(Frame<'t>),
    /// A line of another kind: that one exception caused another, a trace in Python's own form.
    Line(&'t str),
}

/// One frame.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Frame<'t> {
    /// `tests/test_cart.py:12`.
    pub(super) place: &'t str,
    /// `in total`, `KeyError`, or nothing.
    pub(super) what: &'t str,
    /// Whether it is in a library.
    pub(super) foreign: bool,
    /// The statement.
    pub(super) source: Vec<&'t str>,
    /// Lines with `E`.
    pub(super) errors: Vec<&'t str>,
    /// Locals, or without them arguments: `name = value`, with further lines of a value.
    pub(super) locals: Vec<Vec<&'t str>>,
    /// How many of its lines add nothing to its place.
    pub(super) rest: usize,
}

/// The text between underlines.
pub(super) fn heading(line: &str) -> Option<&str> {
    // Around a long name there is one on each side; a line of them separates two frames.
    if line.starts_with("_ _") || line.starts_with("__ _ ") {
        return None;
    }
    let inner = line.strip_prefix('_')?.strip_suffix('_')?.trim_matches('_');
    let name = inner.strip_prefix(' ')?.strip_suffix(' ')?.trim();
    (!name.is_empty()).then_some(name)
}

/// The failures of a section.
pub(super) fn failures<'t>(lines: &[&'t str]) -> Vec<Failure<'t>> {
    let mut all: Vec<Failure<'t>> = Vec::new();
    let mut from = 0;
    for at in 0..=lines.len() {
        let name = lines.get(at).map(|line| heading(line));
        if at < lines.len() && !matches!(name, Some(Some(_))) {
            continue;
        }
        if let Some(open) = all.last_mut() {
            fill(open, &lines[from..at]);
        }
        if let Some(Some(name)) = name {
            all.push(Failure { name, ..Failure::default() });
        }
        from = at + 1;
    }
    all
}

fn is_captured(line: &str) -> bool {
    line.starts_with("--") && line.ends_with("--") && line.contains(" Captured ")
}

/// `[gw0] linux -- Python 3.11.7 /usr/bin/python3`, as pytest-xdist begins a failure.
fn is_worker(line: &str) -> bool {
    line.starts_with("[gw") && line.contains("] ") && line.contains(" -- Python ")
}

fn fill<'t>(failure: &mut Failure<'t>, lines: &[&'t str]) {
    let end = lines.iter().position(|line| is_captured(line)).unwrap_or(lines.len());
    for line in &lines[end..] {
        if is_captured(line) {
            failure.captured.push((line, Vec::new()));
        } else if let Some((_, captured)) = failure.captured.last_mut() {
            captured.push(line);
        }
    }
    let mut reader = Reader { parts: &mut failure.parts, before: Vec::new(), asks: false, short: false };
    // The worker that ran a test doesn't explain its failure, and would count as its first error.
    lines[..end].iter().filter(|line| !is_worker(line)).for_each(|line| reader.take(line));
    reader.end();
}

/// Reads the frames of one failure.
struct Reader<'r, 't> {
    parts: &'r mut Vec<Part<'t>>,
    /// Lines whose place is still to come.
    before: Vec<&'t str>,
    /// One of them names the function that requests a fixture.
    asks: bool,
    /// Lines belong to the last frame.
    short: bool,
}

/// A place at the beginning of a line, and what is after it.
fn at_place(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '>', '\t']) || line.starts_with("E ") {
        return None;
    }
    if let Some(found) = frozen(line) {
        return Some(found);
    }
    let found = place(line).filter(|found| found.sign == ':' && !found.at.contains(':'))?;
    let end = found.file.len() + 1 + found.at.len();
    Some((line.get(..end)?, found.rest.trim()))
}

/// `/srv/shop/tests/test_cart.py:5` alone on a line.
fn lone_place(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let found = place(line).filter(|found| found.sign == '\n' && !found.at.contains(':'));
    (found.is_some() && !line.starts_with([' ', '>', '\t'])).then_some(line)
}

impl<'t> Reader<'_, 't> {
    fn take(&mut self, line: &'t str) {
        if line.starts_with("_ _")
            || line.starts_with("During handling of the above exception")
            || line.starts_with("The above exception was the direct cause")
        {
            self.end();
            if !line.starts_with('_') {
                self.parts.push(Part::Line(line));
            }
            return;
        }
        match at_place(line) {
            Some((place, what)) if what.starts_with("in ") => {
                self.end();
                self.parts.push(Part::Frame(Frame {
                    place,
                    what,
                    foreign: is_foreign(place),
                    ..Frame::default()
                }));
                self.short = true;
            }
            Some((place, what)) => {
                let lines = if self.short { Vec::new() } else { std::mem::take(&mut self.before) };
                self.end();
                let mut frame = Frame { place, what, foreign: is_foreign(place), ..Frame::default() };
                long(&mut frame, &lines);
                self.parts.push(Part::Frame(frame));
            }
            None => match lone_place(line).filter(|_| self.asks) {
                Some(place) => self.without_fixture(place),
                None => {
                    self.asks |= line.starts_with("file ");
                    self.before.push(line);
                }
            },
        }
    }

    /// The lines of a test that requests a missing fixture: the missing name, and the place at the end. The list of
    /// available fixtures is the same for most tests, so it's put after the frame, where it's shown once. The place
    /// is that of the last request: above it is a test that requests a fixture that requests the missing one.
    fn without_fixture(&mut self, place: &'t str) {
        let lines = std::mem::take(&mut self.before);
        self.asks = false;
        let mut above: Vec<&str> = lines.iter().copied().filter(|line| line.starts_with("file ")).collect();
        above.pop();
        let starting = |start: &'static str| {
            lines.iter().copied().filter(move |line| line.trim_start_matches(['>', ' ']).starts_with(start))
        };
        let mut frame = Frame { place, foreign: is_foreign(place), ..Frame::default() };
        frame.source = starting("def ").next_back().map(str::trim).into_iter().collect();
        frame.errors = lines.iter().copied().filter(|line| line.starts_with("E ")).collect();
        let available = starting("available fixtures: ").next_back();
        let shown = above.len() + frame.source.len() + frame.errors.len() + usize::from(available.is_some());
        frame.rest = lines.iter().filter(|line| !line.trim().is_empty()).count().saturating_sub(shown);
        self.parts.extend(above.into_iter().map(Part::Line));
        self.parts.push(Part::Frame(frame));
        self.parts.extend(available.map(Part::Line));
    }

    /// The lines since the last place: the last frame's own, or of another kind.
    fn end(&mut self) {
        let lines = std::mem::take(&mut self.before);
        self.asks = false;
        let short = std::mem::take(&mut self.short);
        match self.parts.last_mut() {
            Some(Part::Frame(frame)) if short => short_form(frame, &lines),
            _ => self.parts.extend(lines.into_iter().filter(|line| !line.is_empty()).map(Part::Line)),
        }
    }
}

/// `    ^^^^^^`, `      ~~~^^^`.
fn is_marks(line: &str) -> bool {
    line.contains(['^', '~']) && line.bytes().all(|byte| b" ^~".contains(&byte))
}

/// `name = value`, `name      = value`.
fn is_local(line: &str) -> bool {
    let end = line.find(|c: char| !(c.is_alphanumeric() || "_@.".contains(c))).unwrap_or(line.len());
    let rest = line[end..].trim_start();
    end > 0 && (rest.starts_with("= ") || rest == "=")
}

/// The lines above a place: arguments, source up to the statement, errors, locals.
fn long<'t>(frame: &mut Frame<'t>, lines: &[&'t str]) {
    let mut statement = false;
    // Before the source are the arguments, which are among the locals where those are shown.
    let mut arguments: Vec<&'t str> = Vec::new();
    for line in lines {
        if let Some(source) = line.strip_prefix('>') {
            frame.rest += frame.source.len();
            frame.source = vec![source.trim()];
            statement = true;
        } else if line.starts_with("E ") || *line == "E" {
            frame.errors.push(line);
            statement = false;
        } else if line.is_empty() || is_marks(line) {
            statement = false;
        } else if line.starts_with([' ', '\t']) {
            match frame.locals.last_mut() {
                // A value over several lines.
                Some(local) if !frame.source.is_empty() && !statement => local.push(line.trim()),
                _ if statement => frame.source.push(line.trim()),
                _ => frame.rest += 1,
            }
        } else if is_local(line) && frame.source.is_empty() {
            arguments.extend(split_arguments(line));
        } else if is_local(line) {
            frame.locals.push(vec![line]);
            statement = false;
        } else {
            match frame.locals.last_mut() {
                Some(local) => local.push(line.trim()),
                None => frame.errors.push(line),
            }
        }
    }
    if frame.locals.is_empty() {
        frame.locals = arguments.into_iter().map(|argument| vec![argument]).collect();
    } else {
        frame.rest += arguments.len();
    }
}

/// `self = <Store>, names = ['a', 'b']` as one for each argument.
fn split_arguments(line: &str) -> Vec<&str> {
    let (mut found, mut from, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')' | ']' | '}' | '>') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 && line.get(at + 2..).is_some_and(is_local) => {
                found.push(&line[from..at]);
                from = at + 2;
            }
            _ => {}
        }
    }
    found.push(&line[from..]);
    found
}

/// The lines below a place: source by four blanks, locals by eight.
fn short_form<'t>(frame: &mut Frame<'t>, lines: &[&'t str]) {
    for line in lines {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if line.starts_with("E ") || *line == "E" {
            frame.errors.push(line);
        } else if trimmed.is_empty() || is_marks(line) {
        } else if indent == 8 && is_local(trimmed) && !frame.source.is_empty() {
            frame.locals.push(vec![trimmed]);
        } else if indent > 8 && !frame.locals.is_empty() {
            if let Some(local) = frame.locals.last_mut() {
                local.push(trimmed);
            }
        } else if indent >= 4 {
            frame.source.push(trimmed);
        } else {
            frame.errors.push(line);
        }
    }
}

pub(super) fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

pub(super) fn is_rule(line: &str) -> bool {
    line.starts_with("===") && line.ends_with("===")
}

/// `tests/test_cart.py ..F.  [ 40%]`, or `tests/test_cart.py::test_total FAILED  [ 40%]`: which tests failed comes again below.
pub(super) fn is_progress(line: &str) -> bool {
    // One of Plimsoll's marks may say how many more of a kind there were.
    let line = line.split_once("  [×").map_or(line, |(line, _)| line).trim_end();
    let Some((tests, _)) = line.rsplit_once('[').filter(|_| line.ends_with("%]")) else { return false };
    let verbose = tests.trim_end().rsplit_once(' ');
    if verbose.is_some_and(|(test, how)| matches!(how, "FAILED" | "ERROR") && test.contains(".py::")) {
        return true;
    }
    let marks = tests
        .trim_end()
        .rsplit_once(' ')
        .map_or(tests.trim_end(), |(file, marks)| if file.ends_with(".py") { marks } else { "" });
    !marks.is_empty() && marks.bytes().all(|byte| b".FEsxX".contains(&byte))
}

pub(super) fn is_section(line: &str) -> bool {
    is_rule(line) && matches!(line.trim_matches(['=', ' ']), "FAILURES" | "ERRORS")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::pytest::pytest;
    use super::{Part, failures};

    /// The place of the test is above that of the fixture.
    #[test]
    fn a_fixture_that_needs_a_missing_one_keeps_both_places() {
        let lines = [
            "______ ERROR at setup of test_total ______",
            "file /srv/shop/tests/test_cart.py, line 7",
            "  def test_total(cart):",
            "file /srv/shop/tests/conftest.py, line 3",
            "  @pytest.fixture",
            "  def cart(mocker):",
            "E       fixture 'mocker' not found",
            ">       available fixtures: cache, capfd",
            ">       use 'pytest --fixtures [testpath]' for help on them.",
            "",
            "/srv/shop/tests/conftest.py:3",
        ];
        let failures = failures(&lines);
        let [Part::Line(test), Part::Frame(frame), Part::Line(available)] = &failures[0].parts[..] else {
            panic!("{failures:?}");
        };
        assert_eq!((*test, frame.place), (lines[1], lines[10]));
        assert_eq!(
            (frame.source.as_slice(), frame.errors.as_slice()),
            (&["def cart(mocker):"][..], &lines[6..7])
        );
        assert_eq!((*available, frame.rest), (lines[7], 4));
        // Places without a request are lines of printed output, however many there are.
        let many: Vec<String> = (0..100_000).map(|n| format!("src/part{n}.py:{n}")).collect();
        let lines: Vec<&str> = [lines[0]].into_iter().chain(many.iter().map(String::as_str)).collect();
        let started = std::time::Instant::now();
        assert_eq!(super::failures(&lines)[0].parts.len(), 100_000);
        assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
    }

    /// As where pytest-mock isn't installed.
    #[test]
    fn a_missing_fixture_keeps_its_reason_and_place() {
        let mut text = format!("{:=^80}\n", " ERRORS ");
        let mut summary = format!("{:=^80}\n", " short test summary info ");
        let others = "monkeypatch, ".repeat(30);
        for n in 10..40 {
            let heading = format!(" ERROR at setup of TestCart.test_{n} ");
            let _ = write!(
                text,
                "{heading:_^80}\nfile /srv/shop/tests/test_cart.py, line {n}\n      def test_{n}(self, mocker):\nE       fixture 'mocker' not found\n>       available fixtures: cache, {others}capfd\n>       use 'pytest --fixtures [testpath]' for help on them.\n\n/srv/shop/tests/test_cart.py:{n}\n"
            );
            let _ = writeln!(summary, "ERROR tests/test_cart.py::TestCart::test_{n}");
        }
        let text = text + &summary + &format!("{:=^80}\n", " 30 errors in 0.15s ");
        for room in [3_000, 6_000, 24_000] {
            let (out, _) = pytest(&text, room).unwrap();
            assert!(out.contains("fixture 'mocker' not found"), "{room}: {out}");
            assert!(out.matches("available fixtures: ").count() <= 1, "{room}: {out}");
            assert!(out.contains("30 errors in 0.15s"), "{room}: {out}");
            for n in 10..40 {
                assert!(out.contains(&format!("test_{n}")), "{room} {n}: {out}");
                assert!(room < 6_000 || out.contains(&format!("test_cart.py:{n}")), "{room} {n}: {out}");
            }
        }
    }
}
