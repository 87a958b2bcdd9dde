//! Which commands would flood the conversation, and which are known to be small. Recognises; does not
//! decide what to do about it.

mod bounded;
mod download;
mod dump;
mod inline;
mod noisy;
mod reach;

pub use download::{Download, download};
pub use dump::{DUMP_BYTES, dump, is_log_like};
pub use inline::inline_http;
pub use noisy::{is_noisy, is_small};
pub use reach::{fetches, host_of, is_near};
