//! RSpec's failures: each with the line by which it can be run again, without blank lines, echoes of its source and
//! frames that an earlier failure showed; if even that is too long, a list of them by file.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::guard::must_stay;
use crate::{Left, normal};

/// Fewer failures are easier to read as they are.
const FEW: usize = 3;
const FAILURES: &str = "Failures:";
const EXAMPLES: &str = "Failed examples:";
/// The line above an exception that led to the one above: its name, what it says, and its frames.
const CAUSE: &str = "# --- Caused by: ---";

/// A failed example.
struct Failure<'t> {
    /// `  3) Cart#total adds up the lines`.
    heading: &'t str,
    name: &'t str,
    lines: Vec<&'t str>,
}

/// Whether the failures may begin with `line`.
pub(crate) fn begins(line: &str) -> bool {
    line == FAILURES
}

/// Where each of several runs begins.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    (0..lines.len()).filter(|at| begins(lines[*at])).collect()
}

/// The report `text` with its failures in about `room` bytes.
pub(crate) fn rspec(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let first = lines.iter().position(|line| *line == FAILURES)?;
    let end = lines[first..].iter().position(|line| line.starts_with("Finished in ")).map(|at| first + at)?;
    let failures = failures(&lines[first + 1..end]);
    if failures.is_empty() || failures.len() < FEW && text.len() <= room {
        return None;
    }
    // `rspec ./spec/cart_spec.rb:7 # Cart#total adds up the lines`; of examples with one name the first stands for all.
    let again = lines[end..].iter().position(|line| *line == EXAMPLES).map_or(lines.len(), |at| end + at);
    let places: HashMap<&str, &str> = lines[again..]
        .iter()
        .rev()
        .filter_map(|line| line.strip_prefix("rspec ")?.split_once(" # "))
        .map(|(place, name)| (name.trim(), place.trim()))
        .collect();
    let told = |line: &str| {
        let example = line.strip_prefix("rspec ").and_then(|rest| rest.split_once(" # "));
        example.is_some_and(|(place, name)| {
            places.get(name.trim()) == Some(&place.trim())
                && failures.iter().any(|failure| failure.name == name.trim())
        })
    };
    let all_told = lines[again..].iter().all(|line| !line.starts_with("rspec ") || told(line));
    let mut behind = String::new();
    for line in lines[end..].iter().filter(|line| !told(line) && !line.is_empty()) {
        behind.push_str(line);
        behind.push_str(if *line == EXAMPLES && all_told { " each is listed above\n" } else { "\n" });
    }
    let before: String = lines[..first].iter().map(|line| format!("{line}\n")).collect();
    let short = compact(&failures, &places);
    if before.len() + short.len() + behind.len() <= room {
        return Some((format!("{before}{FAILURES}\n{short}{behind}"), Vec::new()));
    }
    let (before, tree) = without_tree(&lines[..first]);
    let left = tree + failures.iter().map(|failure| failure.lines.len()).sum::<usize>();
    let behind = format!("… {} of failures and of the tree not shown\n{behind}", counted(left, "lines"));
    let (before, behind) = (ends_of(&before, room / 6), ends_of(&behind, room / 6));
    let failed: Vec<Failed<'_>> = failures.iter().map(|failure| failure.in_a_list(&places)).collect();
    let rest = room.checked_sub(before.len() + behind.len())?;
    Some((format!("{before}{}{behind}", list(&failed, rest)?), Vec::new()))
}

/// The output above the failures without the tree of examples, if there is one: the failed ones are repeated below,
/// and the others passed, whatever their names. Also returns how many of the tree's lines are left out.
fn without_tree(lines: &[&str]) -> (String, usize) {
    let is_failed = |line: &str| line.ends_with(')') && line.contains(" (FAILED - ");
    let tree = lines.iter().any(|line| is_failed(line));
    let in_tree = |line: &str| {
        let group = !line.contains(": ") && line.starts_with(|c: char| c.is_uppercase()) && !must_stay(line);
        line.is_empty() || group || line.starts_with("  ") && !line.contains(" (PENDING: ")
    };
    let (left_out, rest): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| tree && in_tree(line));
    (
        rest.iter().map(|line| format!("{line}\n")).collect(),
        left_out.iter().filter(|line| !line.is_empty()).count(),
    )
}

/// The failures of a section, by their numbers.
fn failures<'t>(lines: &[&'t str]) -> Vec<Failure<'t>> {
    let mut all: Vec<Failure<'t>> = Vec::new();
    for line in lines {
        let number = line.trim_start();
        let name = number.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(") ");
        // Several failures in one example are numbered `1.1)`, further in.
        match name
            .filter(|_| line.len() - number.len() < 4 && number.starts_with(|c: char| c.is_ascii_digit()))
        {
            Some(name) => all.push(Failure { heading: line, name: name.trim(), lines: Vec::new() }),
            None => {
                if let Some(failure) = all.last_mut() {
                    failure.lines.push(line);
                }
            }
        }
    }
    all
}

/// `# ./spec/cart_spec.rb:82:in ...` as its place and whether it is a gem's.
fn frame(line: &str) -> Option<&str> {
    let path = line.trim_start().strip_prefix("# ")?;
    path.split(":in ")
        .next()
        .filter(|place| place.rsplit_once(':').is_some_and(|(_, at)| at.parse::<u32>().is_ok()))
}

fn compact(failures: &[Failure<'_>], places: &HashMap<&str, &str>) -> String {
    let mut out = String::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut left = 0;
    for failure in failures {
        match places.get(failure.name) {
            Some(place) => {
                let number = failure.heading.split(") ").next().unwrap_or_default();
                push(&mut out, &format!("{number}) rspec {place} # {}", failure.name));
            }
            None => push(&mut out, failure.heading),
        }
        let mut first = true;
        for (at, line) in failure.lines.iter().enumerate() {
            let printed = line.trim();
            let marks = |line: &str| !line.is_empty() && line.bytes().all(|byte| b"^~ ".contains(&byte));
            let echo = marks(printed)
                || failure.lines.get(at + 1).is_some_and(|next| marks(next.trim()))
                || printed == "(compared using ==)";
            let repeated = frame(line).is_some_and(|_| !std::mem::take(&mut first) && !seen.insert(printed));
            if echo || repeated {
                left += 1;
            } else if !printed.is_empty() {
                push(&mut out, line.strip_prefix("  ").unwrap_or(line));
            }
        }
    }
    if left > 0 {
        let _ = writeln!(out, "… {} of source and of frames not shown", counted(left, "lines"));
    }
    out
}

impl<'t> Failure<'t> {
    fn in_a_list(&self, places: &HashMap<&str, &'t str>) -> Failed<'t> {
        let again = places.get(self.name).copied();
        // Of several examples in one line each is run by its index, `./spec/cart_spec.rb[1:2]`: the line is that of a frame.
        let indexed = again.and_then(|again| again.trim_matches('\'').strip_suffix(']')?.rsplit_once('['));
        let frames = || self.lines.iter().filter_map(|line| frame(line));
        let is_own = |frame: &&str| {
            indexed
                .is_some_and(|(file, _)| frame.strip_prefix(file).is_some_and(|rest| rest.starts_with(':')))
        };
        let raised = || frames().find(is_own).or_else(|| frames().next()).unwrap_or_default();
        let place = again.filter(|_| indexed.is_none()).unwrap_or_else(raised);
        let (file, at) = place.rsplit_once(':').unwrap_or_default();
        let own = |line: &&&str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with("Failure/Error: ") && line != "(compared using ==)"
        };
        // The message ends where its difference, its source or its frames begin.
        let wording: Vec<&str> = self
            .lines
            .iter()
            .filter(own)
            .map(|line| line.trim())
            .take_while(|line| *line != "Diff:" && !line.starts_with("# "))
            .take(2)
            .collect();
        let mut wording = wording.join(" ");
        let cause = self.lines.iter().rposition(|line| line.trim() == CAUSE);
        for line in cause.map_or(&[][..], |at| &self.lines[at..]).iter().take(3) {
            let _ = write!(wording, " {}", line.trim().trim_matches(['#', '-', ' ']));
        }
        if let Some(statement) =
            self.lines.iter().find_map(|line| line.trim().strip_prefix("Failure/Error: "))
        {
            wording += &format!("; {statement}");
        }
        Failed { file, at, name: self.name, wording, ..Failed::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::rspec;

    fn report(count: usize) -> String {
        let mut text = String::from("shop\n\nFailures:\n\n");
        for n in 1..=count {
            text += &format!(
                "  {n}) Cart#total adds up {n}\n     Failure/Error: expect(total).to eq {n}\n\n       expected: {n}\n            got: 0\n\n       (compared using ==)\n     # ./spec/cart_spec.rb:{n}1:in `block (2 levels) in <top (required)>'\n     # ./spec/support/log.rb:9:in `block'\n\n"
            );
        }
        text +=
            &format!("Finished in 0.2 seconds\n{count} examples, {count} failures\n\nFailed examples:\n\n");
        for n in 1..=count {
            text += &format!("rspec ./spec/cart_spec.rb:{n}0 # Cart#total adds up {n}\n");
        }
        text
    }

    #[test]
    fn each_failure_has_its_rerun_command() {
        let (short, _) = rspec(&report(5), 9_000).unwrap();
        assert!(
            short.contains("  2) rspec ./spec/cart_spec.rb:20 # Cart#total adds up 2\n   Failure/Error: expect(total).to eq 2\n     expected: 2\n          got: 0\n   # ./spec/cart_spec.rb:21:in `block (2 levels) in <top (required)>'\n  3)"),
            "{short}"
        );
        assert!(
            short.ends_with("5 examples, 5 failures\nFailed examples: each is listed above\n"),
            "{short}"
        );
    }

    /// As RSpec 3.12 prints it: examples of a loop have one line, and an exception another one behind it.
    #[test]
    fn examples_of_one_line_keep_it() {
        for quote in ["", "'"] {
            let mut text = String::from("Failures:\n\n");
            for n in 1..=60 {
                text += &format!(
                    "  {n}) Cart adds up {n}\n     Failure/Error: raise ArgumentError, \"outer\"\n\n     ArgumentError:\n       outer\n     # ./spec/support/log.rb:9:in `log'\n     # ./spec/cart_spec.rb:3:in `block (3 levels) in <top (required)>'\n     # ------------------\n     # --- Caused by: ---\n     # RuntimeError:\n     #   inner reason\n     #   ./spec/cart_spec.rb:4:in `block'\n\n"
                );
            }
            text += "Finished in 0.2 seconds\n60 examples, 60 failures\n\nFailed examples:\n\n";
            for n in 1..=60 {
                text += &format!("rspec {quote}./spec/cart_spec.rb[1:{n}]{quote} # Cart adds up {n}\n");
            }
            let (short, _) = rspec(&text, 4_000).unwrap();
            assert!(
                short.contains("\n./spec/cart_spec.rb\n 3 a ") && !short.contains("spec.rb[1\n"),
                "{short}"
            );
            assert!(short.contains("ArgumentError: outer Caused by: RuntimeError: inner reason;"), "{short}");
            assert!((1..=60).all(|n| short.contains(&format!("Cart adds up {n}"))), "{short}");
        }
    }

    #[test]
    fn too_many_are_a_list() {
        let (short, _) = rspec(&report(60), 4_000).unwrap();
        assert!(short.contains(" 200 a Cart#total adds up 20") && short.len() <= 4_000, "{short}");
        assert!(short.contains("60 examples, 60 failures"), "{short}");
        assert_eq!(rspec(&report(2), 9_000), None);
    }
}
