//! Outputs of a monorepo's runners, each line of which has its package in front: real ones of four runners, longer
//! generated ones, and texts that only look similar.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use plimsoll_filters::{Answer, FilterSet, GENERIC, check, shorten};

/// Turbo 2.11.11, pnpm 10, Yarn 4.18.1 and concurrently 9 with the same packages, of which web has a test that fails.
const RUNS: [(&str, &str, [&str; 3]); 4] = [
    ("turbo-fail", "npx turbo run test", ["@shop/web:test:", "@shop/api:test:", "@shop/ui:test:"]),
    (
        "pnpm-fail",
        "pnpm -r --no-bail test",
        ["packages/web test:", "packages/api test:", "packages/ui test:"],
    ),
    ("yarn-fail", "yarn workspaces foreach -Apv run test", ["[@shop/web]:", "[@shop/api]:", "[@shop/ui]:"]),
    ("concurrently-fail", "npx concurrently -n web,ui,api 'npm:test-*'", ["[web]", "[api]", "[ui]"]),
];

fn fixture(name: &str) -> String {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    std::fs::read_to_string(format!("{folder}/tests/fixtures/by_package/{name}.txt")).unwrap()
}

fn heading(front: &str) -> String {
    format!("lines with \"{front} \" in front:")
}

/// The lines of a result by the prefix in their heading.
fn by_heading(shown: &str) -> HashMap<String, Vec<&str>> {
    let mut all: HashMap<String, Vec<&str>> = HashMap::new();
    let mut under = String::new();
    for line in shown.lines() {
        let front = line.strip_prefix("lines with ").and_then(|rest| rest.strip_suffix(" in front:"));
        match front {
            Some(front) => under = front.trim_matches('"').trim_end().to_owned(),
            None => all.entry(under.clone()).or_default().push(line),
        }
    }
    all
}

fn is_by_package(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("lines with \"") && line.ends_with("\" in front:"))
}

#[test]
fn each_packages_lines_are_shortened_as_those_of_its_own_tool() {
    let set = FilterSet::builtin();
    for (name, command, fronts) in RUNS {
        let input = fixture(name);
        let done = shorten(&set, command, Some(1), &input).unwrap();
        let shown = done.with_address(Some(check::ADDRESS));
        assert_eq!(done.filter, GENERIC, "{name}");
        assert!(shown.len() * 3 < input.len(), "{name}: {} of {}\n{shown}", shown.len(), input.len());
        let form = check::form(&done.filter, command);
        assert_eq!(check::laws(form, &input, Some(&done)), Vec::<String>::new(), "{name}:\n{shown}");
        for front in fronts {
            assert_eq!(shown.matches(&heading(front)).count(), 1, "{name}: {front}\n{shown}");
        }
        // The package that failed is first, with its failure, and each result is below its own heading.
        let first = shown.lines().find(|line| line.starts_with("lines with \"")).unwrap();
        assert_eq!(first, heading(fronts[0]), "{name}");
        let all = by_heading(&shown);
        let has = |front: &str, fact: &str| all[front].iter().any(|line| line.contains(fact));
        for fact in ["not ok 15 - total of the cart", "cart.test.mjs:5:1", "3 !== 4", "# fail 1"] {
            assert!(has(fronts[0], fact), "{name}: {fact}\n{shown}");
        }
        for front in fronts.into_iter().skip(1) {
            assert!(has(front, "# fail 0") && !has(front, "# fail 1"), "{name}: {front}\n{shown}");
        }
        // The tool's output is shown word for word.
        for (front, lines) in all.iter().filter(|(front, _)| fronts.contains(&front.as_str())) {
            for line in lines.iter().filter(|line| line.starts_with("# ") || line.contains("not ok")) {
                assert!(input.lines().any(|all| all == format!("{front} {line}")), "{name}: {front} {line}");
            }
        }
    }
}

#[test]
fn what_the_runner_reports_itself_stays() {
    let set = FilterSet::builtin();
    let runs: [(&str, &str, i32, &[&str]); 4] = [
        (
            "turbo-fail",
            "turbo run test --continue",
            1,
            &[
                "Packages in scope: @shop/api, @shop/ui, @shop/web",
                "Failed:    @shop/web#test",
                "ERROR  run failed",
            ],
        ),
        (
            "turbo-pass",
            "turbo run test",
            0,
            &["Running test in 3 packages", " Tasks:    3 successful, 3 total"],
        ),
        (
            "pnpm-fail",
            "pnpm -r --no-bail test",
            1,
            &[
                "Scope: 3 of 4 workspace projects",
                "packages/web test$ node --test",
                "Summary: 1 fails, 2 passes",
            ],
        ),
        (
            "yarn-fail",
            "yarn workspaces foreach -Apv run test",
            1,
            &["The command failed in workspace @shop/web@"],
        ),
    ];
    for (name, command, exit, facts) in runs {
        let input = fixture(name);
        let done = shorten(&set, command, Some(exit), &input).unwrap();
        assert!(is_by_package(&done.text), "{name}: {}", done.text);
        for fact in facts {
            assert!(done.text.contains(fact), "{name}: {fact}\n{}", done.text);
        }
        let form = check::form(&done.filter, command);
        assert_eq!(check::laws(form, &input, Some(&done)), Vec::<String>::new(), "{name}:\n{}", done.text);
    }
}

#[test]
fn output_grouped_by_package_is_left_alone_afterwards() {
    let set = FilterSet::builtin();
    for (name, command, _) in RUNS {
        let done = shorten(&set, command, Some(1), &fixture(name)).unwrap();
        // Without the closing line, as a pipe may leave it.
        let again = format!("{}{}", done.text, "a line of something else\n".repeat(900));
        assert_eq!(shorten(&set, command, Some(1), &again), None, "{name}");
    }
}

#[test]
fn a_line_below_another_packages_heading_breaks_a_law() {
    let (name, command, [web, api, _]) = RUNS[0];
    let input = fixture(name);
    let done = shorten(&FilterSet::builtin(), command, Some(1), &input).unwrap();
    let text = done.text.replace(&heading(api), &heading(web));
    let wrong = plimsoll_filters::Shortened { text, ..done };
    let laws = check::laws(check::form(GENERIC, command), &input, Some(&wrong));
    assert!(laws.iter().any(|law| law.contains("below the heading of another package")), "{laws:?}");
}

/// Turbo's output for six packages, `failing` of which report errors; the lines of all are mixed.
fn of_turbo(failing: &[usize]) -> String {
    let names = ["api", "cart", "jar", "label", "till", "web"];
    let mut out = String::from(
        "• Packages in scope: api, cart, jar, label, till, web\n• Running build in 6 packages\n",
    );
    for name in names {
        out.push_str(&format!("{name}:build: cache miss, executing 5e4c5b3e8f3a2d1c\n"));
    }
    for n in 0..1_500 {
        for (at, name) in names.iter().enumerate() {
            out.push_str(&format!("{name}:build: step {n} of {name} is done\n"));
            if failing.contains(&at) && n % 300 == 150 {
                out.push_str(&format!("{name}:build: ERROR the part {n} of {name} cannot be opened\n"));
            }
        }
    }
    out.push_str(&format!(
        "\n Tasks:    {} successful, 6 total\nCached:    0 cached, 6 total\n",
        6 - failing.len()
    ));
    let failed: Vec<String> = failing.iter().map(|at| format!("{}#build", names[*at])).collect();
    if !failed.is_empty() {
        out.push_str(&format!(
            "Failed:    {}\n\n ERROR  run failed: command  exited (1)\n",
            failed.join(", ")
        ));
    }
    out
}

#[test]
fn failed_packages_get_most_room_and_no_line_moves_to_another_package() {
    let set = FilterSet::builtin();
    let names = ["api", "cart", "jar", "label", "till", "web"];
    let runs: [(&[usize], usize); 4] = [(&[5], 9_600), (&[5], 24_000), (&[2, 5], 24_000), (&[], 9_600)];
    for (failing, most) in runs {
        let input = of_turbo(failing);
        let answer =
            Answer::of_command(&set, "turbo run build", Some(1), &input, most, check::ADDRESS).unwrap();
        let shown = answer.with_address(check::ADDRESS);
        assert!(shown.len() <= most, "{failing:?} {most}:\n{shown}");
        // If all passed, similar lines take less room in the original order.
        assert_eq!(is_by_package(&shown), !failing.is_empty(), "{failing:?} {most}:\n{shown}");
        if failing.is_empty() {
            continue;
        }
        let laws = check::laws(check::form(GENERIC, "turbo run build"), &input, Some(&answer.shortened));
        assert_eq!(laws, Vec::<String>::new(), "{failing:?} {most}:\n{shown}");
        let all = by_heading(&shown);
        let mut sizes = [0, 0];
        for (at, name) in names.iter().enumerate() {
            let lines = &all[&format!("{name}:build:")];
            let fails = failing.contains(&at);
            sizes[usize::from(fails)] += lines.iter().map(|line| line.len() + 1).sum::<usize>();
            for n in [150, 450, 750, 1_050, 1_350] {
                let error = format!("ERROR the part {n} of {name} cannot be opened");
                assert_eq!(lines.iter().any(|line| *line == error), fails, "{error}:\n{shown}");
            }
            let others = names.iter().filter(|other| *other != name);
            for other in others.map(|other| format!(" of {other} ")) {
                assert!(!lines.iter().any(|line| line.contains(&other)), "{name}: {other}\n{shown}");
            }
        }
        let [calm, loud] = sizes;
        assert!(most > 10_000 || loud > calm, "{loud} and {calm} bytes:\n{shown}");
    }
}

/// A few bytes for each of many packages would only fit headings and counts, and no failure.
#[test]
fn each_failed_package_shows_its_failure_or_the_order_stays() {
    let set = FilterSet::builtin();
    let command = "turbo run lint --continue";
    let mut told_apart = 0;
    for many in [3, 12, 20, 24, 30, 60] {
        let names: Vec<String> = (0..many).map(|n| format!("pkg{n:02}")).collect();
        let mut out = format!("• Running lint in {many} packages\n");
        for name in &names {
            out.push_str(&format!("{name}:lint: cache miss, executing 5e4c5b3e8f3a2d1c\n"));
        }
        for n in 0..60 {
            for name in &names {
                out.push_str(&format!(
                    "{name}:lint: checked part {} of {name} in {} ms\n",
                    n * 7 % 91,
                    n * 13 % 97
                ));
                if n % 20 == 5 {
                    out.push_str(&format!(
                        "{name}:lint: src/{name}/a{n}.ts:{n}:5: error the name cart{n} of {name} is not defined\n"
                    ));
                }
            }
        }
        let failed: Vec<String> = names.iter().map(|name| format!("{name}#lint")).collect();
        out.push_str(&format!("\n Tasks:    0 successful, {many} total\nFailed:    {}\n", failed.join(", ")));
        let Some(answer) = Answer::of_command(&set, command, Some(1), &out, 9_600, check::ADDRESS) else {
            continue;
        };
        let shown = answer.with_address(check::ADDRESS);
        assert!(shown.contains(" is not defined"), "{many}:\n{shown}");
        if is_by_package(&shown) {
            told_apart += 1;
            let all = by_heading(&shown);
            for name in &names {
                let lines = &all[&format!("{name}:lint:")];
                let told = lines.iter().any(|line| line.contains(" is not defined"));
                assert!(told, "{many}: {name}\n{shown}");
            }
        }
    }
    assert!(told_apart > 1, "{told_apart}");
}

/// `| tail` cuts off what announces the packages that began first.
#[test]
fn an_unknown_failed_package_keeps_the_order() {
    let set = FilterSet::builtin();
    let part = |front: &str, many: usize| -> String {
        (0..many).map(|n| format!("{front} step {n} of this took {} ms\n", n * 7 % 91)).collect()
    };
    let turbo = |fails: &str| {
        format!(
            "{}web:build: cache miss, executing 5e4c5b3e8f3a2d1c\n{}\n Tasks:    1 successful, 2 total\n{fails}",
            part("core:build:", 40) + "core:build: ERROR the disk of core is full\n",
            part("web:build:", 900),
        )
    };
    let pnpm = |end: &str| {
        format!(
            "packages/web build$ vite build\n{}packages/core build: {end}\n{}packages/web build: Done\n",
            part("packages/core build:", 40) + "packages/core build: ERROR the disk of core is full\n",
            part("packages/web build:", 900),
        )
    };
    for (command, text, is_known) in [
        ("turbo run build", turbo("Failed:    core#build\n"), false),
        ("turbo run build", turbo(""), true),
        ("pnpm -r build", pnpm("Failed"), false),
        ("pnpm -r build", pnpm("a last step"), true),
    ] {
        let done = shorten(&set, command, Some(1), &text).unwrap();
        assert_eq!(is_by_package(&done.text), is_known, "{command}:\n{}", done.text);
        assert!(done.text.contains("ERROR the disk of core is full"), "{command}:\n{}", done.text);
        // Such lines do have a package in front.
        assert!(!done.text.contains("no package"), "{command}:\n{}", done.text);
    }
}

#[test]
fn a_users_filter_applies_before_grouping_by_package() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"
name = "my-turbo"
about = "Steps that are done go."
commands = ["turbo"]
expect = ['^\S+: cache miss']
source = "a test"
[[rule]]
lines = ['^\S+: step \d+ of \w+ is done$']
do = "drop"
as = "steps"
"#;
    std::fs::write(folder.path().join("turbo.toml"), rules).unwrap();
    let set = FilterSet::load(Some(folder.path()), None, &[]);
    assert!(set.broken.is_empty(), "{:?}", set.broken);
    let (command, text) = ("turbo run build", of_turbo(&[5]));
    let done = shorten(&set, command, Some(1), &text).unwrap();
    assert_eq!(done.filter, "my-turbo", "{}", done.text);
    assert_eq!(Answer::of_packages(&set, command, &text, 24_000, check::ADDRESS), None);
    assert!(Answer::of_packages(&FilterSet::builtin(), command, &text, 24_000, check::ADDRESS).is_some());
}

#[test]
fn lines_that_only_look_prefixed_stay_in_order() {
    let many = |line: &dyn Fn(usize) -> String| -> String { (0..600).map(|n| line(n) + "\n").collect() };
    let service = |n: usize| ["web", "db", "worker"][n % 3];
    let killed = many(&|n| format!("[{}] request {n} was answered in {} ms", service(n), n * 7 % 90))
        + "[db] npm run db exited with code 0\n[web] npm run dev exited with code SIGTERM\n";
    let dev = many(&|n| format!("{}:dev: GET /stock/{n} 200 in {} ms", service(n), n * 7 % 90));
    let started: String = ["web", "db", "worker"]
        .map(|name| format!("{name}:dev: cache bypass, force executing 5e4c5b3e8f3a2d1c\n"))
        .concat();
    let texts = [
        ("a document of keys", many(&|n| format!("key{}: value {n} of the document", n % 5))),
        ("matches with places", many(&|n| format!("src/a{}.ts:{n}: const part = {n};", n % 4))),
        ("diagnostics", many(&|n| format!("src/a{}.ts: error TS2304: Cannot find name 'part{n}'.", n % 4))),
        (
            "mypy",
            many(&|n| {
                format!("src/a{}.py:{n}: error: Name \"part{n}\" is not defined  [name-defined]", n % 4)
            }),
        ),
        ("levels", many(&|n| format!("{}: request {n} was answered", ["INFO", "WARN", "DEBUG"][n % 3]))),
        (
            "levels in brackets",
            many(&|n| format!("[{}] request {n} was answered", ["info", "warn", "debug"][n % 3]))
                + "[info] the service exited with code 0\n[warn] its helper exited with code 1\nDone in 2s 84ms\n",
        ),
        (
            "a log with times",
            many(&|n| format!("[10:00:{:02}] request {n} was answered in {} ms", n % 60, n * 7 % 90))
                + &(0..60)
                    .map(|n| format!("[10:00:{n:02}] worker {n} exited with code 0\n"))
                    .collect::<String>(),
        ),
        ("logs of containers", many(&|n| format!("{}-1  | request {n} was answered", service(n)))),
        ("foreman", many(&|n| format!("12:01:{:02} {}.1 | request {n} was answered", n % 60, service(n)))),
        ("a pod's logs", many(&|n| format!("[pod/{}-5d9/main] request {n} was answered", service(n)))),
        ("services that were killed", killed),
        ("a turbo that hasn't ended", format!("{started}{dev}")),
        (
            "a turbo that was quoted",
            format!(
                "{started}{}\n Tasks:    1 successful, 1 total\n",
                many(&|n| format!("note {n}: part {n} of the text"))
            ),
        ),
        (
            "a session",
            many(&|n| {
                if n % 2 == 0 {
                    format!("ana@host shop$ make part{n}")
                } else {
                    format!("part{n} shop: made {n}")
                }
            }),
        ),
    ];
    let set = FilterSet::builtin();
    for (what, text) in &texts {
        for command in ["./unknown", "npm test", "turbo run test", "pnpm -r test"] {
            let done = shorten(&set, command, Some(0), text);
            assert!(done.is_none_or(|done| !is_by_package(&done.text)), "{what} by {command}");
        }
    }
    // Requested text, and a set with the generic filter off.
    let off = FilterSet::load(None, None, &[GENERIC.to_owned()]);
    let done = shorten(&set, "cat turbo.log", Some(0), &fixture("turbo-fail"));
    assert!(done.is_none_or(|done| !is_by_package(&done.text)));
    let done = shorten(&off, "turbo run test", Some(1), &fixture("turbo-fail"));
    assert!(done.is_none_or(|done| !is_by_package(&done.text)));
}
