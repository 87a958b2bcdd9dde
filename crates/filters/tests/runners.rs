//! A tool is recognised by its output: under any runner or script its output becomes as short as under its own
//! command, and several tools in one output lose no more than each alone.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod builtin_cases;

use builtin_cases::BuiltinCase;
use plimsoll_filters::{FilterSet, Stream, check, shorten};

/// The cases of filters with a signature in which it appears.
fn cases_with_signature() -> Vec<BuiltinCase> {
    let mut all = builtin_cases::all();
    all.retain(|found| !found.case.unchanged && has_signature(found));
    all
}

fn has_signature(found: &BuiltinCase) -> bool {
    let text = plimsoll_filters::normalise(&found.input);
    found.signature.iter().any(|signature| match signature.strip_prefix('^') {
        Some(start) => text.starts_with(start) || text.contains(&format!("\n{start}")),
        None => text.contains(signature),
    })
}

/// Whether a fact is shown. A finding may be shown in a group, its words in another order; a line of a comparison may not.
fn shows(text: &str, fact: &str) -> bool {
    let changed = fact.starts_with(['+', '-']);
    let mut words =
        fact.split([':', ',', ' ', '[', ']', '(', ')']).map(|word| word.trim_matches(['`', '\n']));
    text.contains(fact) || !changed && words.all(|word| text.contains(word))
}

fn filtered(command: &str, exit: Option<i32>, input: &str) -> String {
    shorten(&FilterSet::builtin(), command, exit, input)
        .map_or_else(|| input.to_owned(), |done| done.with_address(Some(check::ADDRESS)))
}

#[test]
fn every_signature_is_matched_by_one_of_its_filters_cases() {
    let mut filters: Vec<String> = builtin_cases::all()
        .into_iter()
        .filter(|found| !found.signature.is_empty())
        .map(|found| found.filter)
        .collect();
    filters.dedup();
    let told: Vec<String> =
        builtin_cases::all().into_iter().filter(has_signature).map(|found| found.filter).collect();
    filters.retain(|name| !told.contains(name));
    assert!(filters.is_empty(), "{filters:?}");
}

#[test]
fn a_tool_is_shortened_by_its_filter_under_any_launcher() {
    let mut wrong = Vec::new();
    let mut long = 0;
    for found in cases_with_signature() {
        let own = filtered(&found.case.command, found.case.exit, &found.input);
        if own.len() * 4 > found.input.len() * 3 {
            continue;
        }
        long += 1;
        for command in ["make ci", "just test", "./ci.sh", "bash scripts/test.sh", "npm run verify"] {
            let by_runner = filtered(command, found.case.exit, &found.input);
            // A filter's limit of lines applies to its own tool alone, and is lowered if the others need room.
            if by_runner.len() > own.len() + own.len() / 4 + 400 && by_runner.len() > 6_000 {
                wrong.push(format!(
                    "{} / {} by {command}: {} of {} bytes, {} by {}",
                    found.filter,
                    found.case.name,
                    by_runner.len(),
                    found.input.len(),
                    own.len(),
                    found.case.command
                ));
            }
            for fact in found.case.keep.iter().filter(|fact| own.contains(fact.as_str())) {
                if !shows(&by_runner, fact) {
                    wrong.push(format!(
                        "{} / {} by {command}: {fact:?} is lost",
                        found.filter, found.case.name
                    ));
                }
            }
        }
    }
    assert!(long > 60, "{long}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn two_tools_in_one_output_lose_no_more_than_each_alone() {
    let mut cases = cases_with_signature();
    // One failing case of each filter, and the shortest of these.
    cases.retain(|found| found.case.exit.is_some_and(|code| code != 0) && found.input.len() < 20_000);
    cases.sort_by_key(|found| (found.filter.clone(), found.input.len()));
    cases.dedup_by(|later, first| later.filter == first.filter);
    assert!(cases.len() > 40, "{}", cases.len());
    // Each with the text that is shown for it alone.
    let cases: Vec<(BuiltinCase, String)> = cases
        .into_iter()
        .map(|found| {
            let alone = filtered("make ci", Some(1), &found.input);
            (found, alone)
        })
        .collect();
    let pairs = cases.iter().flat_map(|first| cases.iter().map(move |second| [first, second]));
    let mut wrong = Vec::new();
    for both @ [(first, _), (second, _)] in pairs.filter(|[first, second]| first.0.filter != second.0.filter)
    {
        let joined = format!("{}\n{}", first.input.trim_end(), second.input);
        let pair = format!("{} then {}", first.filter, second.filter);
        let Some(done) = shorten(&FilterSet::builtin(), "make ci", Some(1), &joined) else { continue };
        let text = done.with_address(Some(check::ADDRESS));
        for (found, alone) in both {
            let kept = found.case.keep.iter().filter(|fact| alone.contains(fact.as_str()));
            wrong.extend(
                kept.filter(|fact| !shows(&text, fact)).map(|fact| format!("{pair}: {fact:?} is lost")),
            );
        }
        // Facts that a tool's own filter leaves out aren't required here.
        let missed = |law: &String| match law.strip_prefix("a file with findings is not named: ") {
            Some(file) => both.iter().any(|(_, alone)| alone.contains(file.trim_matches('"'))),
            None => true,
        };
        let laws = check::laws(check::form(&done.filter, "make ci"), &joined, Some(&done));
        wrong.extend(laws.into_iter().filter(missed).map(|law| format!("{pair}: {law}")));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn requested_content_stays_regardless_of_the_tool_that_printed_it() {
    for found in cases_with_signature() {
        for command in ["cat log.txt", "grep -n '' log.txt", "cat log.txt && ./ci.sh"] {
            let other = FilterSet::builtin();
            let done = shorten(&other, command, Some(0), &found.input);
            let by_name = done.is_some_and(|done| done.filter == found.filter);
            assert!(!by_name, "{command}: {} / {}", found.filter, found.case.name);
        }
    }
}

#[test]
fn both_streams_of_a_runner_are_shortened() {
    let found = cases_with_signature()
        .into_iter()
        .find(|found| found.filter == "pytest" && found.input.len() > 8_000 && found.case.exit == Some(1))
        .unwrap();
    let set = FilterSet::builtin();
    let by_own = filtered("pytest", Some(1), &found.input);
    let notice = "make: *** [Makefile:2: test] Error 1\n";
    let (out, err) =
        plimsoll_filters::shorten_parts(&set, "make test", Some(2), &found.input, notice).unwrap();
    assert!(out.text.len() <= by_own.len() + by_own.len() / 4, "{} and {}", out.text.len(), by_own.len());
    assert_eq!(err.text, notice);
    // A tool that prints its errors to the other stream.
    let (out, err) =
        plimsoll_filters::shorten_parts(&set, "./ci.sh", Some(1), "begin\n", &found.input).unwrap();
    assert!(err.text.len() <= by_own.len() + by_own.len() / 4);
    assert_eq!((out.text.as_str(), out.filter.as_str()), ("begin\n", "pytest"));
    // Nothing is recognised: both stay.
    assert_eq!(plimsoll_filters::shorten_parts(&set, "./ci.sh", Some(1), "begin\n", "end\n"), None);
}

/// A stream's output for `input` when it is asked every so many lines; `None` where no tool is recognised.
fn streamed(set: &FilterSet, argv: &[&str], input: &str, every: usize) -> Option<String> {
    let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
    let mut stream = Stream::new(set, &argv).unwrap();
    let mut shown = String::new();
    for (at, line) in input.lines().enumerate() {
        stream.push(line);
        if at % every == every - 1 {
            shown += &stream.take().unwrap_or_default();
        }
    }
    let rest = stream.finish()?;
    Some(shown + &rest.with_address(None))
}

#[test]
fn a_running_tool_is_recognised_under_any_launcher() {
    let set = FilterSet::builtin();
    let mut wrong = Vec::new();
    let mut shortened = 0;
    for found in cases_with_signature() {
        let whole = filtered("./ci.sh", found.case.exit, &found.input);
        for every in [7, 100_000] {
            let Some(text) = streamed(&set, &["./ci.sh"], &found.input, every) else {
                wrong.push(format!("{} / {}: not recognised", found.filter, found.case.name));
                continue;
            };
            shortened += usize::from(text.len() * 4 < found.input.len() * 3);
            for fact in found.case.keep.iter().filter(|fact| shows(&whole, fact) && !shows(&text, fact)) {
                wrong.push(format!("{} / {} every {every}: {fact:?} is lost", found.filter, found.case.name));
            }
        }
    }
    assert!(shortened > 100, "{shortened}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_second_tool_in_a_stream_is_recognised() {
    let set = FilterSet::builtin();
    let cases = cases_with_signature();
    let case = |filter: &str| {
        let mut of = cases.iter().filter(|found| found.filter == filter && found.case.exit == Some(1));
        of.find(|found| found.input.len() > 6_000).unwrap()
    };
    let (first, second) = (case("vitest"), case("pytest"));
    let input = format!("building\n{}\n{}", first.input.trim_end(), second.input);
    for every in [5, 100_000] {
        let text = streamed(&set, &["make", "test"], &input, every).unwrap();
        assert!(text.starts_with("building\n"), "{text}");
        assert!(text.len() * 10 < input.len() * 8, "{} of {}", text.len(), input.len());
        for found in [first, second] {
            for fact in &found.case.keep {
                assert!(shows(&text, fact), "{} every {every}: {fact:?}", found.filter);
            }
        }
    }
    assert_eq!(streamed(&set, &["./ci.sh"], "building\nbuilt\n", 1), None);
}

#[test]
fn a_users_filter_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"
name = "harbour"
about = "Ships that came in go."
commands = ["harbour"]
expect = ['^\[harbour\] ']
signature = ['^[harbour] ']
prints = "report"
source = "a test"
[[rule]]
lines = ['^\[harbour\] ship \d+ came in$']
do = "drop"
as = "ships"
"#;
    std::fs::write(folder.path().join("harbour.toml"), rules).unwrap();
    let set = FilterSet::load(Some(folder.path()), None, &[]);
    assert!(set.broken.is_empty(), "{:?}", set.broken);
    let mut output = String::from("checking\n");
    (0..2_000).for_each(|n| output.push_str(&format!("[harbour] ship {n} came in\n")));
    output.push_str("[harbour] pier 3 is broken\n");
    for command in ["./ci.sh", "make ci", "harbour"] {
        let done = shorten(&set, command, Some(1), &output).unwrap();
        assert_eq!(done.filter, "harbour", "{command}");
        assert!(done.text.contains("pier 3 is broken") && done.text.len() < 200, "{command}: {}", done.text);
    }
    // Without the user's folder it isn't recognised.
    assert_ne!(shorten(&FilterSet::builtin(), "./ci.sh", Some(1), &output).unwrap().filter, "harbour");
}

#[test]
fn a_running_tool_with_only_the_generic_filter_counts_as_unknown() {
    let set = FilterSet::builtin();
    for command in ["bats test", "ty check src", "npx svelte-check"] {
        let argv: Vec<String> = command.split(' ').map(str::to_owned).collect();
        assert!(Stream::new(&set, &argv).is_none(), "{command}");
        assert!(!set.answers_to(&argv) && !set.can_stream(&argv), "{command}");
        assert_eq!(set.names_for(command), ["tools"], "{command}");
    }
    let lines = "checking\n".repeat(400);
    assert_eq!(streamed(&set, &["python", "manage.py", "check"], &lines, 7), None);
}

/// A trace is folded by a separate filter, which doesn't know the lines above it.
#[test]
fn output_before_a_crash_is_shortened() {
    let cases = builtin_cases::all();
    let crash = cases.iter().find(|found| found.case.name == "a script without a network").unwrap();
    let mut text = String::new();
    for n in 0..90 {
        let (name, version) =
            (format!("package{n}-for-orders"), format!("{}.{}.{}", n % 7, n * 3 % 11, n * n % 13));
        text.push_str(&format!("{name:<32}{version:>12}\n"));
    }
    text.push('\n');
    text.push_str(&crash.input);
    let short = filtered("./prices", Some(1), &text);
    // With the table as wide as it was, it would have 5,300.
    assert!(short.len() < 4_600, "{} bytes: {short}", short.len());
    for fact in
        crash.case.keep.iter().map(String::as_str).chain(["package0-for-orders", "package89-for-orders"])
    {
        assert!(short.contains(fact), "{fact}: {short}");
    }
}

/// A trace is printed to the other stream, beside the program's output.
#[test]
fn frames_of_a_recursion_are_shown_once_in_either_part() {
    let set = FilterSet::builtin();
    let trace = format!(
        "Exception in thread \"main\" java.lang.StackOverflowError\n{}",
        "\tat Deep.f(Deep.java:5)\n\tat Deep.g(Deep.java:9)\n".repeat(512)
    );
    let shorten = |set: &FilterSet, command: &str, out: &str, err: &str| {
        plimsoll_filters::shorten_parts(set, command, Some(1), out, err)
    };
    for (out, err) in [("begin\n", trace.as_str()), ("", trace.as_str()), (trace.as_str(), "a warning\n")] {
        let (short_out, short_err) = shorten(&set, "java Deep", out, err).unwrap();
        let text = format!("{}{}", short_out.text, short_err.text);
        assert!(text.contains("… the 2 lines above 511 more times") && text.len() < 400, "{text}");
        assert!(short_out.left_out.iter().any(|(what, count)| what == "repeated lines" && *count == 1_022));
    }
    let off = FilterSet::load(None, None, &[plimsoll_filters::GENERIC.to_owned()]);
    assert_eq!(shorten(&off, "java Deep", "begin\n", &trace), None);
    assert_eq!(shorten(&set, "cat trace.txt", "begin\n", &trace), None);
}
