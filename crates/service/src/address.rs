//! The address scheme of task outputs and kept outputs.

/// The prefix of every task or kept-output address.
pub(crate) const ADDRESS: &str = "plimsoll://task/";
