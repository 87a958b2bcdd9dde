//! Reports of test runs that rules about lines can't shorten: pytest's traces, mocha's suites, failures of go, tables
//! of coverage. Each is a function from the text that the rules left to a shorter one, or to `None` if nothing is
//! saved.

mod catch2;
mod code_frames;
mod console;
mod coverage;
mod dart;
mod exunit;
mod failed_messages;
mod failed_tests;
mod fixtures_per_test;
mod go;
mod gtest;
mod jest;
mod libtest;
mod memcheck;
mod mocha;
mod nextest;
mod node_failures;
mod phpunit;
mod playwright;
mod pytest;
mod pytest_error;
mod pytest_frozen;
mod pytest_list;
mod pytest_native;
mod pytest_nested;
mod pytest_report;
mod pytest_sessions;
mod pytest_summary;
mod pytest_text;
mod rspec;
mod runs;
mod rust_backtrace;
mod setup_show;
mod skips;
mod subtests;
mod tap;
mod test_list;
mod testtools;
mod unittest;
mod vitest;

pub(crate) use catch2::catch2;
pub(crate) use code_frames::{begins as begins_code_frame, code_frames};
pub(crate) use console::{begins as begins_console, console};
pub(crate) use coverage::coverage;
pub(crate) use dart::{begins as begins_dart, dart};
pub(crate) use exunit::{begins as begins_exunit, exunit, runs as exunit_runs};
pub(crate) use failed_messages::lists_tests;
pub(crate) use fixtures_per_test::{begins as begins_fixtures_per_test, fixtures_per_test};
pub(crate) use go::go;
pub(crate) use gtest::{begins as begins_gtest, gtest};
pub(crate) use jest::{begins as begins_jest, jest};
pub(crate) use libtest::{begins as begins_libtest, libtest};
pub(crate) use memcheck::memcheck;
pub(crate) use mocha::{mocha, runs as mocha_runs};
pub(crate) use nextest::{begins as begins_nextest, nextest};
pub(crate) use node_failures::{begins as begins_node_failure, node_failures};
pub(crate) use phpunit::{begins as begins_phpunit, phpunit, runs as phpunit_runs};
pub(crate) use playwright::{begins as begins_playwright, playwright};
pub(crate) use pytest::pytest;
pub(crate) use rspec::{begins as begins_rspec, rspec, runs as rspec_runs};
pub(crate) use runs::by_run;
pub(crate) use rust_backtrace::{begins as begins_rust_backtrace, rust_backtrace};
pub(crate) use setup_show::{begins as begins_setup_show, setup_show};
pub(crate) use skips::{begins as begins_skip, skips};
pub(crate) use tap::{begins as begins_tap, runs as tap_runs, tap};
pub(crate) use test_list::test_list;
pub(crate) use testtools::{begins as begins_testtools, testtools};
pub(crate) use unittest::{begins_any as begins_unittest, unittest};
pub(crate) use vitest::{begins as begins_vitest, runs as vitest_runs, vitest};

#[cfg(test)]
mod tests;
