//! Addresses of what can be read again.

/// What addresses of tasks and kept outputs begin with.
pub(crate) const ADDRESS: &str = "plimsoll://task/";
