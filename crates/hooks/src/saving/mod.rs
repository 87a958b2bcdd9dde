//! Shortening what tools print, where a hook can: by having a command run under `plimsoll run` before it starts, or by
//! replacing its output afterwards. Owns when each is right; how an output is shortened is the room `filters`'.
//!
//! The original is kept before the shortened text is given out, and if it cannot be kept nothing is shortened.

mod after;
mod before;
mod means;
mod reads;

pub(crate) use after::after;
pub(crate) use before::before;
pub use means::{Saving, filters_for};
pub(crate) use reads::forget as forget_reads;
pub use reads::{CHANGED, UNCHANGED};
