//! Real projects with really failing tests, run by a real agent with the real tools: no replayed output. What must reach the model was
//! written down before any filter saw it: the failing test, its line, its values, the totals.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use plimsoll_tests::{Cli, Model, Run, Scratch, Step, agents_dir};

/// A project, how it is tested, and what the model must learn.
struct Project {
    name: &'static str,
    /// The required program, in the words that ask it for its version.
    needs: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    command: &'static str,
    /// Facts that must reach the model.
    facts: &'static [&'static str],
    /// What no one needs: one of many lines about success.
    noise: &'static str,
}

const CARGO: Project = Project {
    name: "cargo",
    needs: &["cargo", "--version"],
    files: &[
        ("Cargo.toml", "[package]\nname = \"till\"\nversion = \"0.3.1\"\nedition = \"2021\"\n"),
        (
            "src/lib.rs",
            "//! A till.\n\n/// The sum in cents.\npub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::total;\n\n    macro_rules! fine {\n        ($($name:ident)*) => { $(#[test] fn $name() { assert_eq!(total(&[1, 2]), 3); })* };\n    }\n    fine!(a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 b4 b5 b6 b7 b8 b9 c1 c2 c3 c4 c5 c6 c7 c8 c9 d1 d2 d3 d4 d5 d6);\n\n    #[test]\n    fn rounds_up_at_the_counter() {\n        assert_eq!(total(&[199, 199]), 400, \"two for four\");\n    }\n}\n",
        ),
    ],
    command: "cargo test --offline",
    facts: &[
        "rounds_up_at_the_counter",
        "src/lib.rs:19",
        "398",
        "400",
        "two for four",
        "33 passed",
        "1 failed",
    ],
    noise: "test tests::c5 ... ok",
};

const NODE: Project = Project {
    name: "npm",
    needs: &["npm", "--version"],
    files: &[
        (
            "package.json",
            "{\n  \"name\": \"till\",\n  \"version\": \"0.3.1\",\n  \"private\": true,\n  \"scripts\": { \"test\": \"node --test --test-reporter=tap\" }\n}\n",
        ),
        ("till.js", "exports.total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n"),
        (
            "till.test.js",
            "const test = require('node:test');\nconst assert = require('node:assert');\nconst { total } = require('./till.js');\n\nfor (let number = 1; number <= 40; number++) {\n  test(`sum number ${number} is fine`, () => assert.strictEqual(total([number, 1]), number + 1));\n}\n\ntest('rounds up at the counter', () => {\n  assert.strictEqual(total([199, 199]), 400);\n});\n",
        ),
    ],
    command: "npm test",
    facts: &["rounds up at the counter", "till.test.js:10", "398", "400"],
    noise: "sum number 23 is fine",
};

const PYTEST: Project = Project {
    name: "pytest",
    needs: &["/usr/bin/pytest", "--version"],
    files: &[
        ("till.py", "def total(prices):\n    return sum(prices)\n"),
        (
            "test_till.py",
            "import pytest\nfrom till import total\n\n\n@pytest.mark.parametrize(\"number\", range(40))\ndef test_sum_is_fine(number):\n    assert total([number, 1]) == number + 1\n\n\ndef test_rounds_up_at_the_counter():\n    assert total([199, 199]) == 400, \"two for four\"\n",
        ),
    ],
    command: "/usr/bin/pytest -v -p no:cacheprovider",
    facts: &[
        "test_rounds_up_at_the_counter",
        "test_till.py:11",
        "398",
        "400",
        "two for four",
        "1 failed",
        "40 passed",
    ],
    noise: "test_sum_is_fine[23] PASSED",
};

/// The folder of the compiler that built this test, so that no home folder is needed for one.
fn compiler() -> Option<PathBuf> {
    PathBuf::from(std::env::var_os("CARGO")?).parent().map(PathBuf::from)
}

fn fails_usefully(cli: Cli, project: &Project) {
    let Some(agents) = agents_dir() else {
        skipped::without("agents", "no agents are installed; `cargo xtask test` installs them on Linux x64");
        return;
    };
    let mut version = Command::new(project.needs[0]);
    version.args(&project.needs[1..]).stdout(Stdio::null()).stderr(Stdio::null());
    if !version.status().is_ok_and(|status| status.success()) {
        skipped::without(project.name, &format!("{} is not installed", project.needs[0]));
        return;
    }
    let scratch = Scratch::new().unwrap();
    cli.install(&agents, &scratch).unwrap();
    for (path, text) in project.files {
        let path = scratch.project.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let path: Vec<PathBuf> = compiler().into_iter().collect();
    // Agents run a login shell, which may put other folders first.
    let joined = std::env::join_paths(&path).unwrap();
    std::fs::write(scratch.home.join(".profile"), format!("PATH=\"{}:$PATH\"\n", joined.display())).unwrap();
    let how = Run { path, ..Run::default() };
    let run = || {
        let model = Model::start([Step::Shell(project.command.to_owned())]).unwrap();
        let ended = cli.run(&agents, &scratch, &model, "Run the tests.", &how).unwrap();
        assert_eq!(ended.code, Some(0), "{ended:?}\n{:?}", model.unknown_paths());
        let results = model.requests_with_tools().last().unwrap().results();
        assert_eq!(results.len(), 1, "{results:?}");
        results.into_iter().next().unwrap()
    };
    let what = format!("{} on {}", project.name, cli.id());
    // The first run also prints that it compiles; later ones don't.
    run();
    let without = run();
    scratch.plimsoll(&["connect", cli.id(), "--yes"]).unwrap();
    let with = run();
    eprintln!("{what}: {} bytes without, {} with", without.text.len(), with.text.len());
    for fact in project.facts {
        assert!(without.text.contains(fact), "{what} never had {fact:?}:\n{}", without.text);
        assert!(with.text.contains(fact), "{what} lost {fact:?}:\n{}", with.text);
    }
    assert!(without.text.contains(project.noise), "{what}: the noise is not as expected:\n{}", without.text);
    assert!(!with.text.contains(project.noise), "{what} kept the noise:\n{}", with.text);
    assert!(with.text.len() < without.text.len(), "{what} became longer:\n{}", with.text);
    assert_eq!(with.failed, without.failed, "{what}: another kind of result");
}

#[test]
fn cargo_on_claude_code() {
    fails_usefully(Cli::Claude, &CARGO);
}

#[test]
fn npm_on_claude_code() {
    fails_usefully(Cli::Claude, &NODE);
}

#[test]
fn pytest_on_claude_code() {
    fails_usefully(Cli::Claude, &PYTEST);
}

#[test]
fn cargo_on_codex() {
    fails_usefully(Cli::Codex, &CARGO);
}

/// Copilot CLI isn't among these: it shortens the output of test runners itself.
#[test]
fn npm_on_opencode() {
    fails_usefully(Cli::OpenCode, &NODE);
}
