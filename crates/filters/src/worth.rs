//! How much a result must save, and how much room its address takes.

/// What a result must save at least, in bytes, to be worth a changed output.
pub const WORTH_BYTES: usize = 120;

/// Room for the address of the full output, in bytes.
pub(crate) const ADDRESS: usize = 64;
