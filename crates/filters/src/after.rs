//! The steps that work on a whole report after the rules have processed its lines: compiler frames, traces of failed
//! tests, names of passed suites, coverage tables, package conflicts and trees. Owns the list of steps; each is
//! implemented in its own module.

use serde::Deserialize;

use crate::{
    Left, blame, deprecated, diagnostics, file_lists, native, npm_peers, packages, plan, processes, profile,
    sizes, traces, tree,
};

/// A step after the rules, by the name that filters use for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum After {
    /// Source and drawings around the messages of rustc and clippy.
    RustFrames,
    /// Frames of libraries in the backtraces of Rust's panics.
    RustBacktrace,
    /// Source, candidates and include chains around the messages of gcc and clang.
    CFrames,
    /// Symbols that a linker doesn't find.
    Undefined,
    /// Frames, locals and repeats in pytest's traces.
    PytestTraces,
    /// Fixtures around pytest's tests.
    SetupShow,
    /// Fixtures that pytest lists for each test.
    FixturesPerTest,
    /// Names of suites whose tests all passed, and failures that don't fit the budget.
    MochaSuites,
    /// Messages of tests to the console.
    Console,
    /// Rows of a table of coverage.
    Coverage,
    /// Package trees that don't fit the budget.
    Tree,
    /// npm's blocks about peer dependencies.
    NpmPeers,
    /// Failures of `go test` that don't fit the budget.
    GoFailures,
    /// Source around failed tests.
    CodeFrames,
    /// Source around the findings of a linter.
    SourceFrames,
    /// Jest's failures that don't fit the budget.
    JestFailures,
    /// Vitest's failures that don't fit the budget.
    VitestFailures,
    /// ExUnit's failures that don't fit the budget.
    ExunitFailures,
    /// Failures that `node --test` reports twice.
    NodeFailures,
    /// Failures of Rust's tests.
    RustTests,
    /// Failures of `cargo nextest` that don't fit the budget.
    NextestFailures,
    /// RSpec's failures.
    RspecFailures,
    /// PHPUnit's errors and failures that don't fit the budget.
    PhpunitFailures,
    /// Errors that several of Playwright's tests or tries end with.
    PlaywrightFailures,
    /// Tests that unittest skipped.
    Skips,
    /// Tests of unittest that failed with the same trace.
    UnittestFailures,
    /// Assertions of TAP.
    Tap,
    /// Dart's tests that began.
    DartTests,
    /// GoogleTest's passed tests, and failures that don't fit the budget.
    GtestFailures,
    /// Failures that testtools and stestr report, if they don't fit the budget.
    TesttoolsFailures,
    /// Errors that valgrind found.
    Memcheck,
    /// Packages that were added or removed.
    Packages,
    /// Packages that are deprecated.
    DeprecatedPackages,
    /// Lists of files that don't fit the budget.
    FileLists,
    /// Lines of `git blame` that don't fit the budget.
    Blame,
    /// Long lists of the files that git changed, with their counts.
    ChangedFiles,
    /// Resources of a plan of Terraform that don't fit the budget.
    Plan,
    /// Processes that don't fit the budget.
    Processes,
    /// Sizes of files and folders that don't fit the budget.
    Sizes,
    /// Functions of a profile that don't fit the budget.
    Profile,
}

impl After {
    /// Whether the step may change `line` and the lines after it.
    pub(crate) fn is_about(self, line: &str) -> bool {
        match self {
            After::RustFrames => line.starts_with("error") || line.starts_with("warning"),
            After::RustBacktrace => traces::begins_rust_backtrace(line),
            After::CFrames => diagnostics::may_begin(line),
            After::Undefined => diagnostics::begins_undefined(line),
            After::PytestTraces => line.starts_with("====") || line.starts_with("____"),
            After::SetupShow => traces::begins_setup_show(line),
            After::FixturesPerTest => traces::begins_fixtures_per_test(line),
            After::Console => traces::begins_console(line),
            After::Coverage => line.starts_with("Name ") || line.contains(" | "),
            After::NpmPeers => npm_peers::begins(line),
            After::GoFailures => line.trim_start().starts_with("--- FAIL"),
            After::CodeFrames => traces::begins_code_frame(line),
            After::SourceFrames => diagnostics::may_begin_source_frame(line),
            After::JestFailures => traces::begins_jest(line),
            After::VitestFailures => traces::begins_vitest(line),
            After::ExunitFailures => traces::begins_exunit(line),
            After::NodeFailures => traces::begins_node_failure(line),
            After::RustTests => traces::begins_libtest(line),
            After::NextestFailures => traces::begins_nextest(line),
            After::RspecFailures => traces::begins_rspec(line),
            After::PhpunitFailures => traces::begins_phpunit(line),
            After::PlaywrightFailures => traces::begins_playwright(line),
            After::Skips => traces::begins_skip(line),
            After::UnittestFailures => traces::begins_unittest(line),
            After::Tap => traces::begins_tap(line),
            After::DartTests => traces::begins_dart(line),
            After::GtestFailures => traces::begins_gtest(line),
            After::TesttoolsFailures => traces::begins_testtools(line),
            After::Memcheck => line.starts_with("=="),
            After::Packages => packages::may_begin(line),
            After::DeprecatedPackages => deprecated::begins(line),
            After::FileLists => file_lists::begins(line),
            After::Blame => blame::begins(line),
            After::ChangedFiles => native::begins_changed_files(line),
            After::Plan => plan::begins(line),
            After::Processes => processes::begins(line),
            After::Sizes => sizes::begins(line),
            After::Profile => profile::begins(line),
            After::MochaSuites | After::Tree => true,
        }
    }

    /// Runs the step; text that it can't read stays unchanged.
    pub(crate) fn run(self, text: &str, room: usize) -> Option<Left> {
        match self {
            After::RustFrames => diagnostics::rust_frames(text, room),
            After::RustBacktrace => traces::rust_backtrace(text),
            After::CFrames => diagnostics::c_frames(text),
            After::Undefined => diagnostics::undefined(text, room),
            After::PytestTraces => traces::pytest(text, room),
            After::SetupShow => traces::setup_show(text, room),
            After::FixturesPerTest => traces::fixtures_per_test(text, room),
            After::MochaSuites => traces::by_run(text, room, traces::mocha_runs, traces::mocha),
            After::Console => traces::console(text),
            After::Coverage => traces::coverage(text, room),
            After::NpmPeers => npm_peers::lines(text),
            After::Tree => tree::summary(text, room),
            After::GoFailures => traces::go(text, room),
            After::CodeFrames => traces::code_frames(text),
            After::SourceFrames => diagnostics::source_frames(text),
            After::NodeFailures => traces::node_failures(text),
            After::RustTests => traces::libtest(text, room),
            After::NextestFailures => traces::nextest(text, room),
            After::RspecFailures => traces::by_run(text, room, traces::rspec_runs, traces::rspec),
            After::PhpunitFailures => traces::by_run(text, room, traces::phpunit_runs, traces::phpunit),
            After::PlaywrightFailures => traces::playwright(text),
            After::Skips => traces::skips(text, room),
            After::UnittestFailures => traces::unittest(text),
            After::Tap => traces::by_run(text, room, traces::tap_runs, traces::tap),
            After::DartTests => traces::dart(text),
            After::JestFailures => traces::jest(text, room),
            After::VitestFailures => traces::by_run(text, room, traces::vitest_runs, traces::vitest),
            After::ExunitFailures => traces::by_run(text, room, traces::exunit_runs, traces::exunit),
            After::GtestFailures => traces::gtest(text, room),
            After::TesttoolsFailures => traces::testtools(text, room),
            After::Memcheck => traces::memcheck(text, room),
            After::Packages => packages::joined(text),
            After::DeprecatedPackages => deprecated::with_names_in_one_line(text),
            After::FileLists => file_lists::by_folder(text, room),
            After::Blame => blame::by_commit(text, room),
            After::ChangedFiles => native::changed_files(text, room),
            After::Plan => plan::of_all_resources(text, room),
            After::Processes => processes::within(text, room),
            After::Sizes => sizes::largest(text, room),
            After::Profile => profile::of_longest_calls(text, room),
        }
    }
}
