//! The built binary driven over standard input and output, as an agent would.

mod calls;
mod client;
mod lifetime;
mod protocol;
mod sharing;
