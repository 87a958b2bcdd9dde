//! Runners of several packages' scripts that announce nothing but npm's own line, or have a line above each task:
//! lerna, npm-run-all, Nx and Bazel. Their outputs are made from a real one, with each runner's own lines around it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_filters::{FilterSet, GENERIC, check, shorten};

const PACKAGES: [&str; 3] = ["api", "ui", "web"];

/// The packages' output under turbo, in its order: the package and the line.
fn printed() -> Vec<(String, String)> {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let text = std::fs::read_to_string(format!("{folder}/tests/fixtures/by_package/turbo-fail.txt")).unwrap();
    let own = |line: &str| {
        let (package, rest) = line.strip_prefix("@shop/")?.split_once(":test:")?;
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        (!rest.starts_with("cache ")).then(|| (package.to_owned(), rest.to_owned()))
    };
    text.lines().filter_map(own).collect()
}

fn of_lerna(script: &str) -> String {
    let mut out = String::from(
        "lerna notice cli v6.6.2\nlerna info Executing command in 3 packages: \"npm run test\"\n",
    );
    for (package, line) in printed() {
        let line = line.replace("1.0.0 test", &format!("1.0.0 {script}"));
        out += &format!("@shop/{package}: {line}\n");
    }
    out + "lerna ERR! npm run test exited 1 in '@shop/web'\nlerna WARN complete Waiting for 0 child processes to exit. CTRL-C to exit immediately.\n"
}

/// As wide as the longest one.
fn label(package: &str) -> String {
    let script = format!("test-{package}");
    format!("[{script:<8}]")
}

fn of_run_all() -> String {
    let mut out = String::new();
    for (package, line) in printed() {
        let started = format!("> @shop/{package}@1.0.0 test");
        let line = if line == started { format!("> shop@1.0.0 test-{package}") } else { line };
        out += &format!("{} {line}\n", label(&package));
    }
    out + "ERROR: \"test-web\" exited with 1.\n"
}

fn of_nx(target: &str, end: bool) -> String {
    let mut out = format!(
        "\n NX   Running target {target} for 3 projects:\n\n- @shop/api\n- @shop/ui\n- @shop/web\n\n"
    );
    for package in PACKAGES {
        out += &format!("\n> nx run @shop/{package}:{target}\n\n");
        for (_, line) in printed().iter().filter(|(of, _)| of == package) {
            out += &format!("{line}\n");
        }
    }
    if end {
        out += &format!("\n{}\n\n NX   Ran target {target} for 3 projects (2s)\n\n", "—".repeat(100));
        out += &format!(
            "✔    2/3 succeeded [0 read from cache]\n\n✖    1/3 targets failed, including the following:\n\n   - nx run @shop/web:{target}\n\n"
        );
    }
    out
}

fn of_bazel(end: bool) -> String {
    let mut out = String::from(
        "INFO: Analyzed 3 targets (0 packages loaded, 0 targets configured).\nINFO: Found 3 test targets...\n",
    );
    for package in PACKAGES {
        if package == "web" {
            out +=
                "FAIL: //web:test (see /home/ana/shop/bazel-out/k8-fastbuild/testlogs/web/test/test.log)\n";
        }
        out += &format!(
            "INFO: From Testing //{package}:test:\n==================== Test output for //{package}:test:\n"
        );
        for (_, line) in printed().iter().filter(|(of, _)| of == package) {
            out += &format!("{line}\n");
        }
        out += &format!("{}\n", "=".repeat(80));
    }
    if end {
        out += "INFO: Elapsed time: 3.2s, Critical Path: 2.1s\nINFO: Build completed, 1 test FAILED, 9 total actions\n";
        out += "//api:test    PASSED in 0.3s\n//ui:test     PASSED in 0.3s\n//web:test    FAILED in 0.2s\n";
        out += "Executed 3 out of 3 tests: 2 tests pass and 1 fails locally.\n";
    }
    out
}

fn is_by_package(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("lines with \""))
}

#[test]
fn each_packages_lines_are_shortened_as_those_of_its_own_tool() {
    let set = FilterSet::builtin();
    let front = |start: &str| format!("lines with \"{start} \" in front:");
    let runs = [
        (
            "npx lerna run test --stream",
            of_lerna("test"),
            PACKAGES.map(|package| front(&format!("@shop/{package}:"))),
            "lerna ERR! npm run test exited 1 in '@shop/web'",
        ),
        (
            "npx run-p -l test-api test-ui test-web",
            of_run_all(),
            PACKAGES.map(|package| front(&label(package))),
            "ERROR: \"test-web\" exited with 1.",
        ),
        (
            "npx nx run-many -t test",
            of_nx("test", true),
            PACKAGES.map(|package| format!("lines with \"> nx run @shop/{package}:test\" above:")),
            "   - nx run @shop/web:test",
        ),
        (
            "npx lerna run test",
            of_nx("test", true).replace("nx run ", "").replace(" NX   ", " Lerna (powered by Nx)   "),
            PACKAGES.map(|package| format!("lines with \"> @shop/{package}:test\" above:")),
            "   - @shop/web:test",
        ),
        (
            "bazel test //... --test_output=all",
            of_bazel(true),
            PACKAGES.map(|package| {
                format!("lines with \"==================== Test output for //{package}:test:\" above:")
            }),
            "FAIL: //web:test (see /home/ana/shop/bazel-out/k8-fastbuild/testlogs/web/test/test.log)",
        ),
    ];
    for (command, input, headings, total) in runs {
        let done = shorten(&set, command, Some(1), &input).unwrap();
        let shown = done.with_address(Some(check::ADDRESS));
        assert_eq!(done.filter, GENERIC, "{command}");
        for heading in &headings {
            assert_eq!(
                shown.lines().filter(|line| line == heading).count(),
                1,
                "{command}: {heading}\n{shown}"
            );
        }
        // The package that failed is first, with its failure.
        let first = shown.lines().find(|line| line.starts_with("lines with \"")).unwrap();
        assert_eq!(first, headings[2], "{command}");
        let below = shown.split(first).nth(1).unwrap();
        let own = below.split("lines with \"").next().unwrap();
        for fact in ["not ok 15 - total of the cart", "cart.test.mjs:5:1", "3 !== 4", "# fail 1"] {
            assert!(own.contains(fact), "{command}: {fact}\n{shown}");
        }
        assert_eq!(shown.matches("# fail 0").count(), 2, "{command}: {shown}");
        assert!(shown.lines().any(|line| line == total), "{command}: {shown}");
        let form = check::form(&done.filter, command);
        assert_eq!(check::laws(form, &input, Some(&done)), Vec::<String>::new(), "{command}:\n{shown}");
        // Output grouped by package is left alone afterwards.
        let again = format!("{}{}", done.text, "a line of something else\n".repeat(900));
        assert_eq!(shorten(&set, command, Some(1), &again), None, "{command}");
    }
}

#[test]
fn services_and_unfinished_tasks_stay_in_order() {
    let set = FilterSet::builtin();
    let run_all = of_run_all();
    let texts = [
        ("services", of_lerna("dev")),
        ("tasks that serve", of_nx("serve", true)),
        ("tasks that serve as in production", of_nx("serve:production", true)),
        ("tasks that haven't ended", of_nx("test", false)),
        ("scripts that haven't ended", run_all.replace("ERROR: \"test-web\" exited with 1.\n", "")),
        ("labels that aren't scripts", run_all.replace("> shop@1.0.0 test-", "> shop@1.0.0 other-")),
        ("tests that haven't ended", of_bazel(false)),
        ("a task that is printed twice", of_nx("test", true).replace("@shop/ui:test", "@shop/web:test")),
    ];
    for (what, text) in texts {
        for command in ["./unknown", "npm test"] {
            let done = shorten(&set, command, Some(1), &text);
            assert!(done.is_none_or(|done| !is_by_package(&done.text)), "{what} by {command}");
        }
    }
}

/// A task's or a test's output may look like the end of its lines, or like another one's beginning.
#[test]
fn a_line_that_looks_like_the_runners_stays_with_its_task() {
    let set = FilterSet::builtin();
    let last = "# fail 1\n";
    let own = format!("{last}{}\nprices are of the third table\n", "—".repeat(40));
    let nx = of_nx("test", true).replace(last, &own);
    let own = format!("{last}> note:\n\n> http://localhost:3000\n\n> a:b\nprices are of the third table\n");
    let lerna = of_nx("test", true).replace("nx run ", "").replace(" NX   ", " Lerna (powered by Nx)   ");
    let lerna = lerna.replace(last, &own);
    for (command, input) in [("npx nx run-many -t test", nx), ("npx lerna run test", lerna)] {
        let done = shorten(&set, command, Some(1), &input).unwrap();
        let first = done.text.lines().find(|line| line.starts_with("lines with \"")).unwrap();
        assert!(first.contains("@shop/web:test\" above:"), "{command}: {}", done.text);
        let below = done.text.split(first).nth(1).unwrap();
        let own = below.split("lines with \"").next().unwrap();
        assert!(own.contains("prices are of the third table"), "{command}: {}", done.text);
        assert_eq!(done.text.matches("lines with \"").count(), 3, "{command}: {}", done.text);
    }
    // Bazel's ruler alone doesn't show whether it ends a test.
    let own = format!("{last}{}\nprices are of the third table\n", "=".repeat(80));
    let text = of_bazel(true).replace(last, &own);
    let done = shorten(&set, "bazel test //... --test_output=all", Some(1), &text);
    assert!(done.is_none_or(|done| !is_by_package(&done.text)));
}

/// Bazel has a word of its own for a test that took too long.
#[test]
fn a_test_that_took_too_long_has_failed() {
    let set = FilterSet::builtin();
    let text = of_bazel(true).replace("FAIL: //web", "TIMEOUT: //web");
    let text = text.replace("FAILED in 0.2s", "TIMEOUT in 60.0s");
    // Another one reports a failure, and passed.
    let text = text.replacen("# fail 0\n", "# fail 0\nerror: no bank, so the till is used\n", 1);
    let done = shorten(&set, "bazel test //... --test_output=all", Some(1), &text).unwrap();
    let first = done.text.lines().find(|line| line.starts_with("lines with \"")).unwrap();
    assert!(first.contains("//web:test:\" above:"), "{}", done.text);
}
