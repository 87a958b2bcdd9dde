//! Permission rules: parsing them, taking shell commands apart, and matching.
//!
//! This crate owns what a rule *means*: which command, file, host or tool it reaches, and which of several
//! rules wins. It takes commands and scripts apart far enough that a rule for `rm` also holds in
//! `sudo sh -c 'rm x'`. It does not know where any agent keeps its settings, and it never runs anything; the
//! only thing it asks the file system is where a path really leads.
//!
//! What it promises: a deny rule that can be seen to apply, applies; a settings file that cannot be read
//! denies; "allow" is said only when every part of a command is allowed, and passed on to a host only when the command
//! is [`plain`]. It is not a security boundary: a
//! program may always do what its text does not show.

mod absolute;
mod domain;
mod enforced;
mod paths;
mod pattern;
pub mod plain;
mod powershell;
mod rule;
mod script;
mod set;
mod shell;
mod tool;

pub use crate::shell::{parts, written};
pub use enforced::Enforced;
pub use rule::{BrokenLayer, Decision, Effect, Hit, Precedence, Rule, Syntax, Target, split_call};
pub use set::{RuleSet, anchors};
