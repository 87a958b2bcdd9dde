//! Shortens the messages of rustc and clippy: each finding begins with its place, followed by the labels of the
//! underlined code, the notes, and the advice with the suggested code. Owns separating the drawing and the source,
//! which is in the file, from words that are only here.

use std::fmt::Write as _;

use super::finding::is_source;
use super::place::place;
use crate::Left;
use crate::counted::counted;
use crate::guard::is_foreign;
use crate::normal;

/// Fewer findings than this are easier to read with their source.
const FEW: usize = 3;
/// Code that advice would write, up to so many lines and bytes.
const WRITTEN_LINES: usize = 3;
const WRITTEN: usize = 120;

/// `text` with its findings in a few lines each, in about `room` bytes where they are many; `None` where it has few.
pub(crate) fn rust_frames(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut out = String::with_capacity(text.len() / 2);
    let (mut found, mut source) = (0, 0);
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let Some(path) = lines.get(at + 1).and_then(|next| main_place(line, next)) else {
            out.push_str(line);
            out.push('\n');
            at += 1;
            continue;
        };
        let block = &lines[at + 2..];
        let end = block.iter().position(|line| is_end(line)).unwrap_or(block.len());
        let finding = Diagnostic::read(&block[..end]);
        finding.write(path, line, &mut out);
        source += finding.source;
        found += 1;
        at += 2 + end;
        // Findings are on separate lines: nothing has to separate them.
        while lines.get(at).is_some_and(|line| line.is_empty()) {
            at += 1;
        }
    }
    if source > 0 {
        let _ = writeln!(out, "… {} of source and drawing not shown", counted(source, "lines"));
    }
    if found < FEW {
        return None;
    }
    // Many findings of one file name it once.
    let grouped = super::by_file_and_rule(&out, room).filter(|grouped| grouped.len() * 10 <= out.len() * 9);
    Some((grouped.unwrap_or(out), Vec::new()))
}

/// The place below a finding's first line.
fn main_place<'t>(line: &str, next: &'t str) -> Option<&'t str> {
    let level = line.strip_prefix("error").or_else(|| line.strip_prefix("warning"))?;
    if !level.starts_with([':', '[']) {
        return None;
    }
    let path = next.trim_start().strip_prefix("--> ")?.trim_end();
    place(path).filter(|place| place.sign == '\n').map(|_| path)
}

/// Whether a finding ends before `line`.
fn is_end(line: &str) -> bool {
    line.is_empty()
        || line.starts_with("error:")
        || line.starts_with("error[")
        || line.starts_with("warning:")
        || line.starts_with("    Finished ")
}

/// A part of a finding: a note, advice, or the labels at its own place.
#[derive(Default)]
struct Part<'t> {
    /// `note: …`, `help: …`; empty for the finding's own place.
    printed: String,
    /// Places in the user's code that it is about.
    places: Vec<&'t str>,
    /// The labels beside the marks.
    labels: Vec<&'t str>,
    /// Code that it would write.
    written: Vec<&'t str>,
    /// The source above the line that is read.
    above: Option<&'t str>,
}

impl Part<'_> {
    fn is_advice(&self) -> bool {
        self.printed.starts_with("help: ")
    }

    /// Whether it's about a declaration elsewhere in the user's code, where the line matters most.
    fn wants_code(&self) -> bool {
        self.printed.ends_with("defined here") && !self.places.is_empty() && self.written.is_empty()
    }
}

#[derive(Default)]
struct Diagnostic<'t> {
    parts: Vec<Part<'t>>,
    /// The lint's name.
    rule: Option<&'t str>,
    /// Lines that are not shown.
    source: usize,
}

impl<'t> Diagnostic<'t> {
    fn read(lines: &[&'t str]) -> Self {
        let mut diagnostic = Diagnostic { parts: vec![Part::default()], ..Diagnostic::default() };
        for line in lines {
            diagnostic.take(line);
        }
        diagnostic
    }

    fn take(&mut self, line: &'t str) {
        let trimmed = line.trim();
        let printed = trimmed.strip_prefix("= ").unwrap_or(trimmed);
        // A sentence that is the same for every lint.
        if printed.starts_with("help: to override `-D warnings` add ") {
            self.source += 1;
            return;
        }
        if printed.starts_with("note: ") || printed.starts_with("help: ") {
            if let Some(rule) = rule(printed) {
                // Clippy's own page is named after the lint, the note before it after the group.
                if self.rule.is_none() || printed.starts_with("help: ") {
                    self.rule = Some(rule);
                }
                return;
            }
            self.parts.push(Part { printed: printed.to_owned(), ..Part::default() });
            return;
        }
        let Some(part) = self.parts.last_mut() else { return };
        if let Some(path) = trimmed.strip_prefix("--> ").or_else(|| trimmed.strip_prefix("::: ")) {
            if is_foreign(path) {
                self.source += 1;
            } else {
                part.places.push(path);
            }
        } else if let Some(code) = written(line) {
            part.written.push(code);
        } else if let Some(code) = source(line).filter(|_| part.wants_code()) {
            part.written.push(code);
        } else if let Some(code) = part.above.take().filter(|_| is_inserted(line) && part.is_advice()) {
            part.written.push(code);
        } else if is_source(line) {
            self.source += 1;
            part.above = source(line);
            let label = label(line);
            if !label.is_empty() {
                part.labels.push(label);
            }
        } else if trimmed.is_empty() || trimmed == "..." {
            self.source += 1;
        } else {
            // A note's further line.
            part.printed.push_str(if part.printed.is_empty() { "" } else { "\n    " });
            part.printed.push_str(trimmed);
        }
    }

    fn write(&self, path: &str, head: &str, out: &mut String) {
        let _ = write!(out, "{path}: {head}");
        if let Some(rule) = self.rule {
            let _ = write!(out, " [{rule}]");
        }
        out.push('\n');
        for part in &self.parts {
            let mut line = part.printed.clone();
            let mut add = |joint: &str, text: &str| {
                // Text that is already in the message isn't repeated.
                if !head.contains(text) && !line.contains(text) {
                    line.push_str(if line.is_empty() { "" } else { joint });
                    line.push_str(text);
                }
            };
            part.labels.iter().for_each(|label| add("; ", label));
            let bytes: usize = part.written.iter().map(|code| code.len() + 1).sum();
            if part.written.len() <= WRITTEN_LINES && bytes <= WRITTEN {
                part.written.iter().for_each(|code| add(" → ", code));
            } else if !part.written.is_empty() {
                add(" → ", &format!("{} of code", counted(part.written.len(), "lines")));
            }
            part.places.iter().for_each(|place| add(" at ", place));
            if !line.is_empty() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
}

/// The name of a lint in a note that contains nothing else: `#[warn(unused_mut)]` on by default, the lint's page in
/// clippy's list.
fn rule(printed: &str) -> Option<&str> {
    if let Some(address) = printed.strip_prefix("help: for further information visit ") {
        return address.rsplit_once('#').map(|(_, rule)| rule).filter(|rule| is_name(rule));
    }
    if let Some(address) = printed.strip_prefix("help: clippy #") {
        return Some(address).filter(|rule| is_name(rule));
    }
    let note = printed.strip_prefix("note: `")?;
    let by_default = note.strip_prefix("#[").filter(|_| note.ends_with("on by default"));
    let inside = match by_default {
        Some(attribute) => attribute.split_once('(')?.1.split_once(')')?.0,
        None => {
            // `-D unused-imports` implied by `-D warnings`.
            let (flag, rest) = note.split_once('`')?;
            flag.get(3..).filter(|_| rest.starts_with(" implied by `-"))?
        }
    };
    let name = inside.rsplit("::").next().unwrap_or(inside);
    (is_name(name) && name != "warnings").then_some(name)
}

fn is_name(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

/// The code of a line that advice would write: `12 + code`, `12 ~ code`.
fn written(line: &str) -> Option<&str> {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == line.trim_start().len() {
        return None;
    }
    let code = rest.trim_start();
    code.strip_prefix("+ ").or_else(|| code.strip_prefix("~ ")).map(str::trim)
}

/// The code of a line of source: `12 | code`.
fn source(line: &str) -> Option<&str> {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < line.trim_start().len()).then(|| rest.trim_start().strip_prefix("| ").map(str::trim))?
}

/// `   |      ++++`: marks the new text in the line above.
fn is_inserted(line: &str) -> bool {
    let marks = line.trim_start().strip_prefix('|').map(str::trim).unwrap_or_default();
    marks.contains(['+', '~']) && marks.bytes().all(|byte| b"+~ ".contains(&byte))
}

/// The text beside the marks of a drawn line: empty for source.
fn label(line: &str) -> &str {
    let Some(drawn) = line.trim_start().strip_prefix('|') else { return "" };
    drawn.trim_matches(|c: char| " |^-_~+/\\".contains(c))
}

#[cfg(test)]
mod tests {
    use super::rust_frames;

    const THREE: &str = "error[E0425]: cannot find value `febuary` in this scope
  --> src/report.rs:28:14
28 |         2 => febuary,
   |              ^^^^^^^ not found in this scope

warning: unneeded `return` statement
  --> src/report.rs:28:5
28 |     return best;
   |     ^^^^^^^^^^^
   = help: for further information visit https://rust-lang.github.io/rust-clippy/rust-1.95.0/index.html#needless_return
   = note: `#[warn(clippy::needless_return)]` on by default
help: remove `return`
28 -     return best;
28 +     best

error[E0277]: a value of type `i64` cannot be made by summing
 --> src/report.rs:7:58
7 |         cents: lines.iter().sum(),
  |                             ^^^ value of type `i64` cannot be made
  = help: the trait `Sum<String>` is not implemented for `i64`
help: the following other types implement trait `Sum<A>`
 --> /rustc/abc/library/core/src/iter/traits/accum.rs:48:8
note: the chain might not have had the expected types
 --> src/lib.rs:9:29
9 |         cents: lines.iter(),
  |                -----^^^^^^ `Iterator::Item` changed to `String` here

error: could not compile `ledger` (lib) due to 2 previous errors; 1 warning emitted
";

    #[test]
    fn places_labels_and_advice_stay_without_the_drawing() {
        let (short, _) = rust_frames(THREE, 9_000).unwrap();
        assert_eq!(
            short,
            "src/report.rs:28:14: error[E0425]: cannot find value `febuary` in this scope
  not found in this scope
src/report.rs:28:5: warning: unneeded `return` statement [needless_return]
  help: remove `return` → best
src/report.rs:7:58: error[E0277]: a value of type `i64` cannot be made by summing
  help: the trait `Sum<String>` is not implemented for `i64`
  help: the following other types implement trait `Sum<A>`
  note: the chain might not have had the expected types; `Iterator::Item` changed to `String` here at src/lib.rs:9:29
error: could not compile `ledger` (lib) due to 2 previous errors; 1 warning emitted
… 10 lines of source and drawing not shown
"
        );
    }

    #[test]
    fn the_line_that_advice_would_write_stays() {
        let advice = "help: you can convert a `u64` to a `u32`\n   |\n38 |     let n: u32 = timeout.try_into().unwrap();\n   |                          ++++++++++++++++++++\n";
        let text = THREE.replacen("help: remove `return`", &format!("{advice}help: remove `return`"), 1);
        let (short, _) = rust_frames(&text, 9_000).unwrap();
        let line = "  help: you can convert a `u64` to a `u32` → let n: u32 = timeout.try_into().unwrap();\n";
        assert!(short.contains(line), "{short}");
    }

    #[test]
    fn few_findings_keep_their_source() {
        let one = THREE.split("\n\nwarning").next().unwrap();
        assert_eq!(rust_frames(one, 9_000), None);
        assert_eq!(rust_frames("error: linking with `cc` failed: exit status: 1\n", 9_000), None);
    }
}
