//! Reports of test runs beyond what rules about lines can tell: pytest's traces, mocha's suites, failures of go, tables of coverage. Each is a
//! function from the text that the rules left to a shorter one, or to nothing where there is nothing to gain.

mod catch2;
mod code_frames;
mod console;
mod coverage;
mod failed_messages;
mod failed_tests;
mod go;
mod gtest;
mod libtest;
mod memcheck;
mod mocha;
mod node_failures;
mod phpunit;
mod pytest;
mod pytest_list;
mod pytest_nested;
mod pytest_report;
mod pytest_summary;
mod rspec;
mod skips;
mod subtests;
mod tap;
mod testtools;

pub(crate) use catch2::catch2;
pub(crate) use code_frames::{begins as begins_code_frame, code_frames};
pub(crate) use console::{begins as begins_console, console};
pub(crate) use coverage::coverage;
pub(crate) use go::go;
pub(crate) use gtest::{begins as begins_gtest, gtest};
pub(crate) use libtest::{begins as begins_libtest, libtest};
pub(crate) use memcheck::memcheck;
pub(crate) use mocha::mocha;
pub(crate) use node_failures::{begins as begins_node_failure, node_failures};
pub(crate) use phpunit::{begins as begins_phpunit, phpunit};
pub(crate) use pytest::pytest;
pub(crate) use rspec::{begins as begins_rspec, rspec};
pub(crate) use skips::{begins as begins_skip, skips};
pub(crate) use tap::{begins as begins_tap, tap};
pub(crate) use testtools::{begins as begins_testtools, testtools};

#[cfg(test)]
mod tests;
