//! An answer that fits: the shortened text, its closing line and the address of the whole, in at most the given number of
//! bytes. Owns the strict budget; the filters and `cap` decide what matters in a text.

use crate::by_package::is_by_package;
use crate::fit::{LEAST, TRIES, fit};
use crate::set::FilterSet;
use crate::shorten::{CEILING, of_packages, shorten_text_within, shortened_within};
use crate::shortened::{GENERIC, Shortened};

/// What replaces an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text and the filter that made it.
    pub shortened: Shortened,
    /// Whether its lines are data, in which words of failure mean nothing.
    data: bool,
}

impl Answer {
    /// What the filters make of a command's output in at most `most` bytes, with an `address` as long as this one;
    /// `None` if it doesn't fit, or if the output is best left alone.
    #[must_use]
    pub fn of_command(
        set: &FilterSet,
        command: &str,
        exit: Option<i32>,
        output: &str,
        most: usize,
        address: &str,
    ) -> Option<Answer> {
        let mut room = room(output, most, address)?;
        let mut tries = 0;
        loop {
            let (shortened, data) = shortened_within(set, command, exit, output, room)?;
            let answer = Answer { shortened, data };
            let over = answer.with_address(address).len().saturating_sub(most);
            tries += 1;
            // A layout for less room is better than a cut layout for more.
            match room.checked_sub(over + 16).filter(|room| *room >= LEAST) {
                Some(less) if over > 0 && tries < TRIES => room = less.min(most),
                _ => return answer.within_limit(set, most, address),
            }
        }
    }

    /// The same for the output of a runner of several packages, whose lines each begin with their package; `None` for
    /// any other output.
    #[must_use]
    pub fn of_packages(
        set: &FilterSet,
        command: &str,
        output: &str,
        most: usize,
        address: &str,
    ) -> Option<Answer> {
        let room = room(output, most, address)?;
        let within = |room: usize| {
            let shortened = of_packages(set, command, output, room)?;
            Some(Answer { shortened, data: false })
        };
        let answer = within(room)?;
        // The closing line counts what was left out.
        let answer = match answer.with_address(address).len().saturating_sub(most) {
            0 => answer,
            over => within(room.saturating_sub(2 * over)).unwrap_or(answer),
        };
        answer.within_limit(set, most, address)
    }

    /// The same for a text that no known command printed.
    #[must_use]
    pub fn of_text(set: &FilterSet, output: &str, most: usize, address: &str) -> Option<Answer> {
        let room = room(output, most, address)?;
        let shortened = shorten_text_within(set, output, room.min(CEILING))?;
        Answer { shortened, data: false }.within_limit(set, most, address)
    }

    /// A text from another source, such as both ends of a page.
    #[must_use]
    pub fn of(set: &FilterSet, shortened: Shortened, most: usize, address: &str) -> Option<Answer> {
        Answer { shortened, data: false }.within_limit(set, most, address)
    }

    /// The text with its closing line.
    #[must_use]
    pub fn with_address(&self, address: &str) -> String {
        self.shortened.with_address(Some(address))
    }

    fn within_limit(mut self, set: &FilterSet, most: usize, address: &str) -> Option<Answer> {
        let mut whole = self.with_address(address).len();
        if whole <= most {
            return Some(self);
        }
        // A cut would separate headings from the lines below them.
        if is_by_package(&self.shortened.text) {
            self.shortened.left_out.clear();
            return (self.with_address(address).len() <= most).then_some(self);
        }
        // Cutting is the generic filter's work, which may be switched off.
        if set.is_off(GENERIC) {
            return None;
        }
        // A closing line that takes much of the room is worth less than the text it displaces.
        if whole - self.shortened.text.len() > most / 3 {
            self.shortened.left_out.clear();
            whole = self.with_address(address).len();
        }
        let beside = whole - self.shortened.text.trim_end_matches('\n').len();
        let text = most.checked_sub(beside)?;
        if text < LEAST {
            return None;
        }
        self.shortened.text = fit(&self.shortened.text, self.data, text);
        (self.with_address(address).len() <= most).then_some(self)
    }
}

/// The bytes for the text above the closing line; `None` if that's too few to say anything.
fn room(output: &str, most: usize, address: &str) -> Option<usize> {
    let room = most.checked_sub("[full: ]\n".len() + 1 + address.len()).filter(|room| *room >= LEAST)?;
    // An output that the agent shows whole needs no shortening. The filters' text ends with a line end, which agents remove
    // from the output: there's room for that, too.
    Some(if output.len() <= most { room.max(output.len() + 1) } else { room })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "plimsoll://task/t0123456789";

    #[test]
    fn an_answer_is_never_longer_than_it_may_be() {
        let set = FilterSet::builtin();
        let noise: String = (0..3_000).map(|n| format!("step {n} of something that goes on\n")).collect();
        let errors: String =
            (0..900).map(|n| format!("src/a{n}.rs:{n}:7: error: no such thing {n}\n")).collect();
        let one = "x".repeat(90_000);
        let wide = "漢字かな ".repeat(9_000);
        for text in [noise.clone(), errors.clone(), format!("{noise}{errors}"), one, wide] {
            for command in
                ["./unknown", "cat file", "make", "cargo test", "grep -rn x .", "for a in b; do c; done"]
            {
                for most in [200, 700, 867, 2_115, 9_600, 40_000] {
                    let answer = Answer::of_command(&set, command, Some(0), &text, most, ADDRESS);
                    if let Some(answer) = answer {
                        let shown = answer.with_address(ADDRESS);
                        assert!(shown.len() <= most, "{command} {most}: {}", shown.len());
                        assert!(shown.ends_with(&format!("full: {ADDRESS}]\n")), "{shown}");
                    }
                }
            }
        }
    }

    /// Agents remove the line ends around an output; what no rule shortens then stays as it is, to the last line.
    #[test]
    fn what_fits_without_its_line_end_is_not_cut() {
        let set = FilterSet::builtin();
        let npm = "added 304 packages in 12s\n\
            npm warn install-scripts 2 packages have install scripts not yet covered by allowScripts:\n\
            npm warn install-scripts   esbuild@0.28.2 (postinstall: node install.js)\n\
            npm warn install-scripts   esbuild@0.21.5 (postinstall: node install.js)\n\
            npm warn install-scripts\n\
            npm warn install-scripts Run `npm install-scripts ls` to review, or `npm install-scripts approve <pkg>` to allow.";
        let bun = "bun test v1.4.5 (a7733435c)\nThe following filters did not match any test files:\n nothing-here\n\
            35 files were searched [16.00ms]\n\n\
            note: Tests need \".test\", \"_test_\", \".spec\" or \"_spec_\" in the filename (ex: \"MyApp.test.ts\")\n\n\
            Learn more about bun test: https://bun.com/docs/cli/test";
        for (command, text) in [("npm install", npm), ("bun test nothing-here", bun)] {
            for most in [text.len(), text.len() + 1, 2 * text.len(), 30_000] {
                let answer = Answer::of_command(&set, command, Some(0), text, most, ADDRESS);
                assert_eq!(answer, None, "{command}, {most}");
            }
        }
    }

    #[test]
    fn a_preview_shows_the_failure_first() {
        let mut text: String = (0..3_000).map(|n| format!("step {n} of something that goes on\n")).collect();
        text.insert_str(50_000, "\nERROR the disk is full\n");
        let set = FilterSet::builtin();
        let answer = Answer::of_command(&set, "./deploy", Some(0), &text, 2_115, ADDRESS).unwrap();
        let shown = answer.with_address(ADDRESS);
        assert!(shown.contains("ERROR the disk is full") && shown.len() <= 2_115, "{shown}");
    }

    /// Lines that differ in one word may be merged; where that isn't enough, the lines counted are the output's own.
    #[test]
    fn lines_of_the_output_are_counted() {
        let set = FilterSet::builtin();
        let texts: [String; 3] = [
            (0..3_000).map(|n| format!("PASS test_{n} ok\n")).collect(),
            (0..3_000).map(|n| format!("M\tsrc/part_{}/file_{n}.rs\n", n / 9)).collect(),
            (0..3_000).map(|n| format!("copied asset-{n} to out\n")).collect(),
        ];
        for text in &texts {
            for most in [700, 2_048, 5_000, 10_000, 20_000] {
                let Some(answer) = Answer::of_command(&set, "./unknown", Some(0), text, most, ADDRESS) else {
                    continue;
                };
                let shown = answer.with_address(ADDRESS);
                assert!(!shown.contains("all different such as test_1001} {"), "{most}: {shown}");
                for line in shown.lines() {
                    let counted = line.split_once(" lines, ").and_then(|(count, _)| count.parse().ok());
                    assert!(counted.is_none_or(|count: usize| count == 3_000), "{most}: {line}");
                    let left = line.strip_prefix("… ").and_then(|rest| rest.split_once(" lines left out"));
                    let left = left.and_then(|(count, _)| count.replace(',', "").parse::<usize>().ok());
                    let others = shown.lines().count() - 2;
                    assert!(left.is_none_or(|left| left + others >= 3_000), "{most}: {shown}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_cut_with_the_generic_filter_off() {
        let set = FilterSet::load(None, None, &[GENERIC.to_owned()]);
        let text = "a line of some output\n".repeat(4_000);
        assert_eq!(Answer::of_command(&set, "./deploy", Some(0), &text, 2_000, ADDRESS), None);
    }
}
