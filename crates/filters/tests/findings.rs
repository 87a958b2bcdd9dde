//! Lists of hundreds of findings, captured from the real tools: which of their files, places, rules and totals
//! remain, under every budget. The expected ones are read from the captures here, by each tool's own form.

use std::collections::{BTreeMap, BTreeSet};

use plimsoll_filters::{FilterSet, check, shorten, shorten_within};

/// File, place and rule of a finding.
type Fact = (String, String, String);

struct Capture {
    command: &'static str,
    text: &'static str,
    /// Lines in which the tool states its own total.
    totals: &'static [&'static str],
    facts: Vec<Fact>,
}

fn captures() -> Vec<Capture> {
    let eslint = include_str!("fixtures/findings/eslint.txt");
    let tsc = include_str!("fixtures/findings/tsc.txt");
    let ruff = include_str!("fixtures/findings/ruff-concise.txt");
    let mypy = include_str!("fixtures/findings/mypy.txt");
    let mut file = String::new();
    let eslint_facts = eslint.lines().filter_map(|line| {
        if line.starts_with('/') {
            line.clone_into(&mut file);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let row = words.len() > 3 && ["error", "warning"].contains(&words[1]) && line.starts_with(' ');
        row.then(|| (file.clone(), words[0].to_owned(), words[words.len() - 1].to_owned()))
    });
    let eslint_facts: Vec<Fact> = eslint_facts.collect();
    let tsc_facts = tsc.lines().filter_map(|line| {
        let (place, rest) = line.split_once("): error ")?;
        let (file, place) = place.split_once('(')?;
        Some((file.to_owned(), place.replace(',', ":"), rest.split(':').next()?.to_owned()))
    });
    let ruff_facts = ruff.lines().filter_map(|line| {
        let mut parts = line.splitn(4, ':');
        let (file, row, column, rest) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some((file.to_owned(), format!("{row}:{column}"), rest.split_whitespace().next()?.to_owned()))
    });
    let mypy_facts = mypy.lines().filter_map(|line| {
        let (place, rest) = line.split_once(": error: ")?;
        let (file, row) = place.split_once(':')?;
        Some((file.to_owned(), row.to_owned(), rest.rsplit_once('[')?.1.trim_end_matches(']').to_owned()))
    });
    vec![
        Capture { command: "npx tsc --noEmit", text: tsc, totals: &[], facts: tsc_facts.collect() },
        Capture {
            command: "ruff check src --output-format concise",
            text: ruff,
            totals: &["Found 401 errors."],
            facts: ruff_facts.collect(),
        },
        Capture {
            command: "mypy --strict src",
            text: mypy,
            totals: &["Found 178 errors in 24 files (checked 24 source files)"],
            facts: mypy_facts.collect(),
        },
        Capture {
            command: "npx eslint .",
            text: eslint,
            totals: &["✖ 667 problems (614 errors, 53 warnings)"],
            facts: eslint_facts,
        },
    ]
}

/// The part of a result that is about each file, by its name.
fn parts<'s>(shown: &'s str, files: &BTreeSet<&str>) -> BTreeMap<String, &'s str> {
    let mut starts: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for line in shown.split_inclusive('\n') {
        let name = files
            .iter()
            .find(|file| line.strip_prefix(**file).is_some_and(|rest| rest.starts_with(['\n', ':', ' '])));
        match name {
            Some(name) => starts.push((at, (*name).to_owned())),
            // Lines that aren't indented belong to no file.
            None if !line.starts_with(' ') => starts.push((at, String::new())),
            None => {}
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([shown.len()]);
    let parts = starts.iter().zip(ends).map(|((start, name), end)| (name.clone(), &shown[*start..end]));
    parts.filter(|(name, _)| !name.is_empty()).collect()
}

fn says(part: &str, place: &str) -> bool {
    part.split([' ', ',', ';', '\n']).any(|word| word.trim_end_matches(':') == place)
}

#[test]
fn hundreds_of_findings_keep_every_file_place_rule_and_total() {
    let set = FilterSet::builtin();
    for Capture { command, text, totals, facts } in captures() {
        assert!(facts.len() > 170, "{command}: {} facts", facts.len());
        let files: BTreeSet<&str> = facts.iter().map(|(file, _, _)| file.as_str()).collect();
        // By the tool's own filter, and by a command that no filter knows.
        for command in [command, "./check everything"] {
            let done = shorten(&set, command, Some(1), text).unwrap();
            let shown = done.with_address(Some(check::ADDRESS));
            let parts = parts(&shown, &files);
            let lost: Vec<&Fact> = facts
                .iter()
                .filter(|(file, place, rule)| {
                    !parts.get(file).is_some_and(|part| says(part, place) && part.contains(rule.as_str()))
                })
                .collect();
            assert!(lost.is_empty(), "{command}: {} of {}: {lost:?}\n{shown}", lost.len(), facts.len());
            assert!(totals.iter().all(|total| shown.contains(total)), "{command}: {shown}");
            assert!(shown.len() * 100 <= text.len() * 30, "{command}: {} of {}", shown.len(), text.len());
            let wrong = check::laws(check::form(&done.filter, command), text, Some(&done));
            assert!(wrong.is_empty(), "{command}: {wrong:?}");
        }
    }
}

#[test]
fn what_does_not_fit_is_counted_per_file() {
    let set = FilterSet::builtin();
    for Capture { command, text, totals, facts } in captures() {
        let files: BTreeSet<&str> = facts.iter().map(|(file, _, _)| file.as_str()).collect();
        for room in [2_000, 4_000, 9_000] {
            let done = shorten_within(&set, command, Some(1), text, room).unwrap();
            let shown = done.with_address(Some(check::ADDRESS));
            assert!(done.text.len() <= room + room / 10, "{command} in {room}: {}", done.text.len());
            for file in &files {
                let name = file.rsplit('/').next().unwrap();
                assert!(shown.contains(name), "{command} in {room}: {file} is not named\n{shown}");
            }
            assert!(totals.iter().all(|total| shown.contains(total)), "{command} in {room}: {shown}");
            let wrong = check::laws(check::form(&done.filter, command), text, Some(&done));
            assert!(wrong.is_empty(), "{command} in {room}: {wrong:?}\n{shown}");
        }
    }
}

#[test]
fn a_place_that_is_lost_breaks_the_law() {
    let set = FilterSet::builtin();
    for Capture { command, text, facts, .. } in captures() {
        let done = shorten(&set, command, Some(1), text).unwrap();
        let form = check::form(&done.filter, command);
        assert_eq!(check::laws(form, text, Some(&done)), Vec::<String>::new(), "{command}");
        let file = format!("\n{}", facts[0].0);
        let place = done.text.find(&file).unwrap() + file.len();
        let wanted = format!(" {}", facts[0].1);
        let at = place + done.text[place..].find(&wanted).unwrap();
        let mut lossy = done.clone();
        lossy.text.replace_range(at..at + wanted.len(), " 7777");
        assert!(!check::laws(form, text, Some(&lossy)).is_empty(), "{command}: {wanted}");
        let unnamed = plimsoll_filters::Shortened { text: done.text.replace(&file, "\nx"), ..done };
        assert!(!check::laws(form, text, Some(&unnamed)).is_empty(), "{command}");
    }
}

#[test]
fn a_filters_own_output_is_left_alone() {
    let set = FilterSet::builtin();
    for Capture { command, text, .. } in captures() {
        let done = shorten(&set, command, Some(1), text).unwrap();
        let shown = done.with_address(Some(check::ADDRESS));
        // As it is, through a pipe, and quoted by a subagent.
        let tail: Vec<&str> = shown.lines().skip(40).collect();
        for again in [shown.clone(), tail.join("\n"), format!("The linter says:\n{shown}\nThat is all.\n")] {
            for command in [command, "./check everything", "npm run lint 2>&1 | tail -60"] {
                assert_eq!(shorten(&set, command, Some(1), &again), None, "{command}");
                assert_eq!(shorten_within(&set, command, Some(1), &again, 2_000), None, "{command}");
            }
            assert_eq!(plimsoll_filters::shorten_text(&set, &again), None);
        }
    }
}

/// What bandit prints about many files: each finding over lines of its own, with its source.
fn bandits_report() -> (String, Vec<Fact>) {
    let rules = [
        (
            "B101:assert_used",
            "Use of assert detected.",
            "assert total(cart) == 3",
            "Severity: Low   Confidence: High",
        ),
        (
            "B113:request_without_timeout",
            "Call to requests without timeout",
            "requests.get(till)",
            "Severity: Medium   Confidence: Low",
        ),
        (
            "B105:hardcoded_password_string",
            "Possible hardcoded password: 'plum'",
            "key = 'plum'",
            "Severity: Low   Confidence: Medium",
        ),
    ];
    let mut text = String::from(
        "[main]\tINFO\trunning on Python 3.11.7\nRun started:2026-11-20 10:11:12\n\nTest results:\n",
    );
    let mut facts = Vec::new();
    for nth in 0..288 {
        let (rule, message, source, severity) = rules[nth % rules.len()];
        let (file, number) = (format!("src/shop/part_{}.py", nth / 12), 7 * nth + 3);
        text += &format!(
            ">> Issue: [{rule}] {message}\n   {severity}\n   CWE: CWE-703 (https://cwe.mitre.org/data/definitions/703.html)\n   \
            More Info: https://bandit.readthedocs.io/en/1.9.4/plugins/rule.html\n   Location: {file}:{number}:4\n\
            {}\tdef step_{nth}(cart):\n{number}\t    {source}\n{}\t\n\n--------------------------------------------------\n",
            number - 1,
            number + 1
        );
        facts.push((file, format!("{number}:4"), rule.to_owned()));
    }
    text += "\nCode scanned:\n\tTotal lines of code: 8898\n\tTotal lines skipped (#nosec): 0\n\nRun metrics:\n\tTotal issues (by severity):\n\t\tLow: 192\n\t\tMedium: 96\nFiles skipped (0):\n";
    (text, facts)
}

#[test]
fn hundreds_of_bandit_findings_keep_every_place_and_total() {
    let set = FilterSet::builtin();
    let (text, facts) = bandits_report();
    let files: BTreeSet<&str> = facts.iter().map(|(file, _, _)| file.as_str()).collect();
    for (command, room) in
        [("bandit -r src", 10_000), ("./check everything", 10_000), ("bandit -r src", 3_000)]
    {
        let done = shorten_within(&set, command, Some(1), &text, room).unwrap();
        let shown = done.with_address(Some(check::ADDRESS));
        assert!(done.text.len() <= room + room / 10, "{command} in {room}: {}", done.text.len());
        let parts = parts(&shown, &files);
        for file in &files {
            let name = file.rsplit('/').next().unwrap();
            assert!(shown.contains(name), "{command} in {room}: {file} is not named\n{shown}");
        }
        if room == 10_000 {
            let lost: Vec<&Fact> = facts
                .iter()
                .filter(|(file, place, rule)| {
                    !parts.get(file).is_some_and(|part| says(part, place) && part.contains(rule.as_str()))
                })
                .collect();
            assert!(lost.is_empty(), "{command}: {} of {}: {lost:?}\n{shown}", lost.len(), facts.len());
        }
        for total in ["Total lines of code: 8898", "Low: 192", "Medium: 96"] {
            assert!(shown.contains(total), "{command} in {room}: {total}\n{shown}");
        }
        let wrong = check::laws(check::form(&done.filter, command), &text, Some(&done));
        assert!(wrong.is_empty(), "{command} in {room}: {wrong:?}\n{shown}");
    }
}

/// As pylint and bandit write findings for editors: the rule's name is beside its code, or the tool's.
#[test]
fn a_rule_with_a_bracketed_name_is_one_rule_everywhere() {
    let set = FilterSet::builtin();
    let parseable = |n: usize| {
        format!(
            "shop/part_{}.py:{n}: [W0612(unused-variable), Cart{n}.total] Unused variable 'tax{n}'\n",
            n % 5
        )
    };
    let msvs = |n: usize| {
        format!(
            "shop/part_{}.py({n}): [W0612(unused-variable)Cart{n}.total] Unused variable 'tax{n}'\n",
            n % 5
        )
    };
    let bandit = |n: usize| {
        format!(
            "/srv/shop/part_{}.py:{n}: B105[bandit]: LOW: Possible hardcoded password: 'plum{n}'\n",
            n % 5
        )
    };
    let forms = [
        ("W0612(unused-variable)", parseable as fn(usize) -> String),
        ("W0612(unused-variable)", msvs as fn(usize) -> String),
        ("B105[bandit]", bandit as fn(usize) -> String),
    ];
    for (rule, form) in forms {
        let text: String = (100..220).map(form).collect();
        let done = shorten(&set, "./check everything", Some(1), &text).unwrap();
        let shown = done.with_address(Some(check::ADDRESS));
        // Once for each file, and once with its message.
        assert!(shown.matches(rule).count() <= 6 && !shown.contains("#2"), "{rule}: {shown}");
        assert!((100..220).all(|n| says(&shown, &n.to_string())), "{rule}: {shown}");
        let wrong = check::laws(check::form(&done.filter, "./check everything"), &text, Some(&done));
        assert!(wrong.is_empty(), "{rule}: {wrong:?}\n{shown}");
    }
}
