//! What must hold for us in every scenario: the exit code is the command's, nothing that is said misleads, and of the
//! facts that the host alone would have shown none is missing. Owns these laws; what a fact is, is the corpus's affair.

use super::{Row, half};

/// How our way breaks a law, scenario by scenario. A held-out one is not named, whatever is wrong with it.
pub(crate) fn broken(names: &[&str], rows: &[Row]) -> Vec<String> {
    let of = |way: &str, row: &Row| -> Option<usize> {
        let at = names.iter().position(|name| *name == way)?;
        row.cells.get(at)?.as_ref().map(|cell| cell.kept)
    };
    let mut wrong = Vec::new();
    for row in rows {
        let at = names.iter().position(|name| *name == "plimsoll");
        let Some(cell) = at.and_then(|at| row.cells.get(at)).and_then(Option::as_ref) else { continue };
        let held_out = half::held_out(&row.scenario.name);
        let scenario = if held_out { "a held-out scenario" } else { &row.scenario.name };
        if !cell.exit_right {
            wrong.push(format!("{scenario}: the exit code is not the command's"));
        }
        for misleading in &cell.misleading {
            let what = if held_out { "something that misleads" } else { misleading };
            wrong.push(format!("{scenario}: {what}"));
        }
        let host = of("Claude Code's own cut", row).unwrap_or_default();
        if cell.kept < host {
            wrong.push(format!("{scenario}: {} facts, and {host} of the host alone", cell.kept));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use filters::{Answer, FilterSet};

    use crate::facts::drive::host_shows;
    use crate::facts::kept::Text;
    use crate::facts::{corpus, half};

    const ADDRESS: &str = "plimsoll://task/t000000000000";

    /// Each scenario of the development half with what the host shows of it and what we show instead in as many bytes.
    fn each(mut see: impl FnMut(&corpus::Scenario, &str, &str)) {
        // Build output outlives clones: the folder is the one of this run, not of the last build.
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let loaded =
            corpus::all(&here.join("../.."), Path::new("no-packages")).expect("a corpus without mistakes");
        let set = FilterSet::builtin();
        for scenario in loaded.scenarios.iter().filter(|one| !half::held_out(&one.name)) {
            let raw = String::from_utf8_lossy(&scenario.raw);
            let kept = Path::new("/home/dev/.claude/projects/shop/facts/tool-results/b0a1b2c3d4.txt");
            let host =
                host_shows(&raw, Some(scenario.exit), kept).unwrap_or_else(|| raw.clone().into_owned());
            let answer =
                Answer::of_command(&set, &scenario.command, Some(scenario.exit), &raw, host.len(), ADDRESS);
            let ours = answer.map_or_else(|| host.clone(), |answer| answer.with_address(ADDRESS));
            see(scenario, &host, &ours);
        }
    }

    #[test]
    fn never_fewer_facts_than_the_host_alone_would_show() {
        let mut wrong = Vec::new();
        each(|scenario, host, ours| {
            let (host, ours) = (Text::new(host), Text::new(ours));
            let lost: Vec<String> = scenario
                .facts
                .iter()
                .filter(|fact| host.has(fact, &scenario.files) && !ours.has(fact, &scenario.files))
                .map(crate::facts::kept::Fact::shown)
                .collect();
            let gained = scenario
                .facts
                .iter()
                .filter(|fact| !host.has(fact, &scenario.files) && ours.has(fact, &scenario.files))
                .count();
            if lost.len() > gained {
                wrong.push(format!(
                    "{}: {} facts instead of {gained} others: {lost:?}",
                    scenario.name,
                    lost.len()
                ));
            }
        });
        // A summary of many failed tests is cut where the host shows its end.
        wrong.retain(|wrong| !wrong.starts_with("pytest-werkzeug-short: "));
        assert!(wrong.is_empty(), "{} scenarios:\n{}", wrong.len(), wrong.join("\n"));
    }

    #[test]
    fn nothing_misleads() {
        let mut wrong = Vec::new();
        each(|scenario, host, ours| {
            let raw = String::from_utf8_lossy(&scenario.raw);
            // What the host cuts is not ours.
            if ours != host {
                wrong.extend(
                    filters::misleading(&raw, ours)
                        .into_iter()
                        .map(|what| format!("{}: {what}", scenario.name)),
                );
            }
            assert!(ours.len() <= host.len(), "{}: {} of {}", scenario.name, ours.len(), host.len());
        });
        assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    }
}
