//! Blocks of lines that repeat directly below themselves: the frames of a deep recursion. Owns finding the shortest
//! block and the mark in place of its repeats, which loses nothing: equal means equal, byte for byte.

use std::fmt::Write as _;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use crate::counted::counted;
use crate::normal;

/// The longest block, in lines.
const LONGEST: usize = 24;
/// The minimum number of repeats, and of lines, that are folded.
const REPEATS: usize = 3;
const LINES: usize = 12;

const SEED: FixedState = FixedState::with_seed(0);

/// `text` with a mark in place of each block's repeats, and how many lines the marks replace; `None` without any.
#[must_use]
pub fn fold_repeats(text: &str) -> Option<(String, usize)> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let of: Vec<u64> = lines.iter().map(|line| SEED.hash_one(line)).collect();
    let (mut out, mut left_out, mut at) = (String::new(), 0, 0);
    while at < lines.len() {
        let Some((length, repeats)) = repeats_at(&lines, &of, at) else {
            let _ = writeln!(out, "{}", lines[at]);
            at += 1;
            continue;
        };
        for line in &lines[at..at + length] {
            let _ = writeln!(out, "{line}");
        }
        let what = if length == 1 { "line".to_owned() } else { format!("{length} lines") };
        let _ = writeln!(out, "… the {what} above {}", counted(repeats, "more times"));
        left_out += length * repeats;
        at += length * (repeats + 1);
    }
    (left_out > 0).then_some((out, left_out))
}

/// The shortest block at `at` that is worth a mark: its length, and how often it repeats.
fn repeats_at(lines: &[&str], of: &[u64], at: usize) -> Option<(usize, usize)> {
    let most = LONGEST.min((lines.len() - at) / 2);
    (1..=most).find_map(|length| {
        // Blank lines and rules aren't followed: there may be any number of them at each place.
        if of[at] != of[at + length] || !lines[at..at + length].iter().any(|line| says(line)) {
            return None;
        }
        let same = |next: &usize| of[*next] == of[*next - length] && lines[*next] == lines[*next - length];
        let repeats = (at + length..lines.len()).take_while(same).count() / length;
        (repeats >= REPEATS && repeats * length >= LINES).then_some((length, repeats))
    })
}

fn says(line: &str) -> bool {
    line.chars().take(200).any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::fold_repeats;

    #[test]
    fn frames_of_a_recursion_are_shown_once() {
        let python = "  File \"deep.py\", line 3, in f\n    return g(n + 1)\n  File \"deep.py\", line 5, in g\n    return f(n + 1)\n";
        let java = "\tat Deep.f(Deep.java:5)\n";
        for (block, mark) in
            [(python, "… the 4 lines above 239 more times\n"), (java, "… the line above 239 more times\n")]
        {
            let text = format!("Trace\n{}Error: too deep\n", block.repeat(240));
            let (shown, left_out) = fold_repeats(&text).unwrap();
            assert_eq!(shown, format!("Trace\n{block}{mark}Error: too deep\n"));
            assert_eq!(left_out, 239 * block.lines().count());
        }
        // A part of the block at its end stays.
        let text = format!("{}{}", python.repeat(9), "  File \"deep.py\", line 3, in f\n    raise\n");
        assert!(
            fold_repeats(&text)
                .unwrap()
                .0
                .ends_with("8 more times\n  File \"deep.py\", line 3, in f\n    raise\n")
        );
        for few in [java.repeat(12), python.repeat(3), "\n".repeat(99), "a\nb\nc\n".repeat(3)] {
            assert_eq!(fold_repeats(&few), None, "{few}");
        }
    }

    /// The lines of a shortened text with each mark expanded.
    fn unfolded(shown: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for line in shown.lines() {
            let mark = line.strip_prefix("… the ").and_then(|rest| rest.strip_suffix(" more times"));
            match mark.and_then(|mark| mark.split_once(" above ")) {
                Some((what, times)) => {
                    let length = what.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(1);
                    let block = lines[lines.len() - length..].to_vec();
                    (0..times.parse().unwrap()).for_each(|_: usize| lines.extend(block.clone()));
                }
                None => lines.push(line.to_owned()),
            }
        }
        lines
    }

    proptest! {
        #[test]
        fn a_mark_replaces_its_lines(parts in prop::collection::vec(("[ab]{1,2}|x", 1..5_usize, 1..9_usize), 0..9)) {
            let text: String = parts
                .iter()
                .map(|(line, length, times)| {
                    let block: String = (0..*length).map(|n| format!("{line}{}\n", n % 2)).collect();
                    block.repeat(*times)
                })
                .collect();
            let Some((shown, left_out)) = fold_repeats(&text) else { return Ok(()) };
            prop_assert_eq!(unfolded(&shown), text.lines().collect::<Vec<_>>());
            let marks = shown.lines().filter(|line| line.ends_with(" more times")).count();
            prop_assert_eq!(text.lines().count() - left_out + marks, shown.lines().count());
        }
    }
}
