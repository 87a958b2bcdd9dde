//! Reports of test runs beyond what rules about lines can tell: pytest's traces, mocha's suites, failures of go, tables of coverage. Each is a
//! function from the text that the rules left to a shorter one, or to nothing where there is nothing to gain.

mod console;
mod coverage;
mod failed;
mod go;
mod listed;
mod mocha;
mod read;
mod told;

pub(crate) use console::{begins as begins_console, console};
pub(crate) use coverage::coverage;
pub(crate) use go::go;
pub(crate) use mocha::mocha;
pub(crate) use told::pytest;

#[cfg(test)]
mod tests;
