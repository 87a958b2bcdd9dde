//! Takes apart the output of nox and tox: each session's lines are below the line with which the runner begins it.
//! Owns where a session's lines end. Where only one failed, its lines stay in their order; where several did, each is
//! a report of another tool, of which one list can't be made.

use std::collections::HashMap;

use crate::normal;

use super::packages::{Apart, MOST, Part};

/// The minimum number of failed sessions.
const FAILED: usize = 2;

const NOX: &str = "nox > ";

/// The lines of `text` by session; `None` if neither printed it, if it hasn't ended, or if fewer than two failed.
pub(super) fn sessions(text: &str) -> Option<Apart<'_>> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let of_nox = end_of_nox(&lines).and_then(|end| split(&lines, end, start_of_nox, verdict_of_nox));
    of_nox.or_else(|| split(&lines, end_of_tox(&lines)?, start_of_tox, verdict_of_tox))
}

/// The name of the session that a line may begin.
type Begun = for<'t> fn(&'t str) -> Option<&'t str>;
/// The name of the session that a line judges, and whether it failed.
type Verdict = for<'t> fn(&'t str) -> Option<(&'t str, bool)>;

/// The lines up to `end` by session, and those from there on.
fn split<'t>(lines: &[&'t str], end: usize, begun: Begun, verdict: Verdict) -> Option<Apart<'t>> {
    let below = lines[end..].to_vec();
    let verdicts: HashMap<&str, bool> = below.iter().copied().filter_map(verdict).collect();
    let mut apart = Apart { above: Vec::new(), parts: Vec::new(), below };
    let mut names: Vec<&str> = Vec::new();
    for line in lines[..end].iter().copied() {
        // A session has several steps; a step without a verdict is part of one.
        let is_next = |name: &&str| verdicts.contains_key(*name) && names.last() != Some(name);
        if let Some(name) = begun(line).filter(is_next) {
            // Of two sessions with one name it would be unclear which failed.
            if names.contains(&name) || names.len() == MOST {
                return None;
            }
            names.push(name);
            let front = line.trim_end().to_owned();
            apart.parts.push(Part::new(front, true));
        } else {
            apart.push(line);
        }
    }
    let failed: Vec<bool> = names.iter().map(|name| verdicts.get(name) == Some(&true)).collect();
    if failed.iter().filter(|has_failed| **has_failed).count() < FAILED {
        return None;
    }
    apart.rank(&failed);
    Some(apart)
}

/// `lint` of `nox > Running session lint`.
fn start_of_nox(line: &str) -> Option<&str> {
    line.strip_prefix(NOX)?.strip_prefix("Running session ").map(str::trim_end)
}

/// `lint` of `nox > * lint: failed`.
fn verdict_of_nox(line: &str) -> Option<(&str, bool)> {
    let (name, verdict) = line.strip_prefix(NOX)?.strip_prefix("* ")?.rsplit_once(": ")?;
    Some((name, verdict.starts_with("failed")))
}

/// Where `nox > Ran 3 sessions in 2 seconds:` is.
fn end_of_nox(lines: &[&str]) -> Option<usize> {
    let ran = |line: &&str| {
        line.strip_prefix(NOX).is_some_and(|told| told.starts_with("Ran ") && told.trim_end().ends_with(':'))
    };
    lines.iter().rposition(ran)
}

/// `lint` of `lint: commands[0]> ruff check src` and of `lint: install_deps> python -I -m pip install ruff`.
fn start_of_tox(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(": ")?;
    let (step, _) = rest.split_once("> ")?;
    let is_step = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_[]".contains(c);
    (!name.is_empty() && !name.contains(' ') && !step.is_empty() && step.chars().all(is_step)).then_some(name)
}

/// `lint` of `  lint: FAIL code 1 (0.20=setup[0.17]+cmd[0.02] seconds)`.
fn verdict_of_tox(line: &str) -> Option<(&str, bool)> {
    let (name, rest) = line.strip_prefix("  ")?.split_once(": ")?;
    let known = ["OK", "FAIL", "SKIP"].iter().any(|word| rest.starts_with(word));
    (known && !name.contains(' ')).then_some((name, rest.starts_with("FAIL")))
}

/// Where the verdicts above `  evaluation failed :( (3.38 seconds)` begin.
fn end_of_tox(lines: &[&str]) -> Option<usize> {
    let last = lines.iter().rposition(|line| line.starts_with("  evaluation failed :("))?;
    let verdicts = lines[..last].iter().rev().take_while(|line| verdict_of_tox(line).is_some()).count();
    Some(last - verdicts)
}

#[cfg(test)]
mod tests {
    use super::sessions;
    use crate::by_package::is_by_package;
    use crate::laws::{Form, laws};
    use crate::{FilterSet, shorten};

    fn found_by_ruff() -> String {
        (100..260).map(|n| format!("src/cart.py:{n}:5: F821 Undefined name `total{n}`\n")).collect()
    }

    fn found_by_mypy() -> String {
        let one = |n| format!("src/order.py:{n}: error: Name \"tax{n}\" is not defined  [name-defined]\n");
        (300..460).map(one).collect::<String>() + "Found 160 errors in 1 file (checked 9 source files)\n"
    }

    fn of_nox(types: &str) -> String {
        format!(
            "nox > Running session lint\nnox > ruff check --output-format concise src\n{}Found 160 errors.\nnox > Command ruff check --output-format concise src failed with exit code 1\nnox > Session lint failed.\nnox > Running session types\nnox > mypy src\n{}nox > Session types {types}.\nnox > Ran 2 sessions in 3 seconds:\nnox > * lint: failed\nnox > * types: {types}\n",
            found_by_ruff(),
            found_by_mypy()
        )
    }

    fn of_tox() -> String {
        format!(
            "lint: commands[0]> ruff check --output-format concise src\n{}Found 160 errors.\nlint: exit 1 (0.02 seconds) /srv/shop> ruff check --output-format concise src pid=312\nlint: FAIL ✖ in 0.2 seconds\ntypes: commands[0]> mypy src\n{}types: exit 1 (2.11 seconds) /srv/shop> mypy src pid=318\n  lint: FAIL code 1 (0.20=setup[0.17]+cmd[0.02] seconds)\n  types: FAIL code 1 (2.20=setup[0.09]+cmd[2.11] seconds)\n  evaluation failed :( (2.51 seconds)\n",
            found_by_ruff(),
            found_by_mypy()
        )
    }

    #[test]
    fn each_failed_session_is_shortened_by_its_own_tool() {
        let set = FilterSet::builtin();
        for (command, text, fronts, end) in [
            (
                "nox",
                of_nox("failed"),
                ["nox > Running session lint", "nox > Running session types"],
                "nox > * types: failed",
            ),
            (
                "tox",
                of_tox(),
                ["lint: commands[0]> ruff check --output-format concise src", "types: commands[0]> mypy src"],
                "  evaluation failed :( (2.51 seconds)",
            ),
        ] {
            let done = shorten(&set, command, Some(1), &text).unwrap();
            assert!(is_by_package(&done.text) && done.text.len() * 2 < text.len(), "{}", done.text);
            let below = |front: &str| {
                let (_, below) = done.text.split_once(&format!("lines with \"{front}\" above:\n")).unwrap();
                below.split("lines with \"").next().unwrap_or_default().to_owned()
            };
            let (lint, types) = (below(fronts[0]), below(fronts[1]));
            assert!((100..260).all(|n| lint.contains(&format!("{n}:5"))), "{lint}");
            assert!(lint.contains("src/cart.py") && !lint.contains("src/order.py"), "{lint}");
            assert!((300..460).all(|n| types.contains(&n.to_string())), "{types}");
            assert!(
                done.text.contains("Found 160 errors in 1 file") && done.text.contains(end),
                "{}",
                done.text
            );
            let wrong = laws(Form::Report, &text, Some(&done));
            assert!(wrong.is_empty(), "{command}: {wrong:?}\n{}", done.text);
        }
    }

    /// Setup, and its failures, come before a session's first command.
    #[test]
    fn a_session_begins_with_its_first_step() {
        let text = of_tox()
            .replace("lint: commands[0]>", "lint: install_deps> python -I -m pip install ruff\nlint: commands[0]>")
            .replace("types: commands[0]>", ".pkg: build_wheel> python build.py\ntypes: commands_pre[0]> ./make-types\nno such type\ntypes: commands[0]>");
        let apart = sessions(&text).unwrap();
        let fronts: Vec<&str> = apart.parts.iter().map(|part| part.front.as_str()).collect();
        assert_eq!(
            fronts,
            ["lint: install_deps> python -I -m pip install ruff", "types: commands_pre[0]> ./make-types"]
        );
        assert_eq!(apart.parts[0].lines.last(), Some(&".pkg: build_wheel> python build.py"));
        assert_eq!(apart.parts[1].lines[..2], ["no such type", "types: commands[0]> mypy src"]);
    }

    #[test]
    fn a_failure_or_a_missing_end_keeps_the_order() {
        assert!(sessions(&of_nox("was successful in 2 seconds")).is_none());
        let cut = of_nox("failed").replace("nox > Ran 2 sessions in 3 seconds:\n", "");
        assert!(sessions(&cut).is_none());
        let twice = of_nox("failed").replace("session types", "session lint");
        assert!(sessions(&twice).is_none());
        assert!(sessions(&of_tox().replace("  types: FAIL", "  types: OK")).is_none());
        assert!(sessions("lint: commands[0]> ruff check\n").is_none() && sessions("").is_none());
    }
}
