//! The built binary at the command line of a scratch computer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod desk;

mod agents;
mod crash;
mod knowledge;
mod round_trip;
mod setup;
mod upkeep;
