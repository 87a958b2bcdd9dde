//! Permission rules: parses them, analyses shell commands and scripts, and matches the two.
//!
//! Owns what a rule *means*: which command, file, host or tool it covers, and which of several rules wins. Commands and
//! scripts are analysed far enough that a rule for `rm` also applies to `sudo sh -c 'rm x'`. Doesn't know where agents keep
//! their settings, and never runs anything; the only question to the file system is where a path really leads.
//!
//! The promise: a deny rule that visibly applies, applies; an unreadable settings file denies; "allow" is the answer only
//! when every part of a command is allowed, and goes to an agent only when the command is [`plain`]. It isn't a security
//! boundary: a program may always do what its text doesn't show.

mod absolute_path;
mod deny_matcher;
mod domain;
mod paths;
mod pattern;
pub mod plain;
mod powershell;
mod rule;
mod script;
mod set;
mod shell;
mod tool;

pub use crate::shell::{parts, written_parts};
pub use deny_matcher::DenyMatcher;
pub use rule::{BrokenLayer, Decision, Effect, Hit, Precedence, Rule, Syntax, Target, split_call};
pub use set::{RuleSet, anchors};
