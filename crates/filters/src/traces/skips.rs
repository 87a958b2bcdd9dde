//! Tests that unittest skipped: a line for each reason with its tests, rare reasons first.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::{Left, normal};

/// Fewer skipped tests are easier to read as they are.
const FEW: usize = 6;
/// Names of the tests of one reason, in bytes, and their share of the room, in percent.
const NAMES: usize = 600;
const SHARE: usize = 40;

/// Whether `line` says that a test was skipped.
pub(crate) fn begins(line: &str) -> bool {
    skipped(line).is_some()
}

/// `test_a (shop.CartTest.test_a) ... skipped 'no network'`: the test and the reason.
fn skipped(line: &str) -> Option<(&str, &str)> {
    let (test, reason) = line.split_once(" ... skipped ")?;
    let reason = reason.trim();
    let quote = reason.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let reason = reason.strip_prefix(quote)?.strip_suffix(quote)?;
    // Since Python 3.11 the brackets have the whole name, before that the class.
    let name = test.split_once(" (").and_then(|(short, rest)| {
        let path = rest.strip_suffix(')')?;
        Some(if path.ends_with(short) { path } else { short })
    });
    Some((name.unwrap_or(test), reason))
}

/// The report `text` with its skipped tests by reason, in about `room` bytes; `None` where there are few.
pub(crate) fn skips(text: &str, room: usize) -> Option<Left> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut at: HashMap<&str, usize> = HashMap::new();
    let (mut before, mut after) = (String::new(), String::new());
    for line in normal::lines(text) {
        let Some((name, reason)) = skipped(line) else {
            let side = if reasons.is_empty() { &mut before } else { &mut after };
            let _ = writeln!(side, "{line}");
            continue;
        };
        let found = *at.entry(reason).or_insert_with(|| {
            reasons.push((reason, Vec::new()));
            reasons.len() - 1
        });
        reasons[found].1.push(name);
    }
    if reasons.iter().map(|(_, names)| names.len()).sum::<usize>() < FEW {
        return None;
    }
    reasons.sort_by_key(|(_, names)| names.len());
    let mut out = String::new();
    let mut left = room * SHARE / 100;
    for (reason, names) in &reasons {
        let count = if names.len() > 1 { format!(" ×{}", names.len()) } else { String::new() };
        let start = out.len();
        let _ = write!(out, "skipped '{reason}'{count}:");
        let most = NAMES.min(left);
        let mut used = 0;
        for (nth, name) in names.iter().enumerate() {
            used += name.len() + 2;
            // The first one represents the others if there is no room.
            if nth > 0 && used > most {
                let _ = write!(out, " … {} more not shown", names.len() - nth);
                break;
            }
            let _ = write!(out, "{} {name}", if nth > 0 { "," } else { "" });
        }
        out.push('\n');
        left = left.saturating_sub(out.len() - start);
    }
    Some((before + &out + &after, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::skips;

    #[test]
    fn rare_reasons_come_first_and_the_rest_is_counted() {
        let mut text = String::from("Ran\n");
        for n in 0..60 {
            text += &format!("test_{n} (shop.test_bank.BankTest.test_{n}) ... skipped 'no bank'\n");
        }
        text += "test_root (shop.TillTest) ... skipped \"it's root\"\nOK (skipped=61)\n";
        let (short, _) = skips(&text, 4_000).unwrap();
        assert!(
            short.starts_with("Ran\nskipped 'it's root': test_root\nskipped 'no bank' ×60: shop.test_bank.BankTest.test_0, shop.test_bank.BankTest.test_1,"),
            "{short}"
        );
        assert!(short.contains(" more not shown\nOK (skipped=61)\n") && short.len() < 900, "{short}");
        assert_eq!(skips("test_a (A) ... skipped 'x'\n", 4_000), None);
    }
}
