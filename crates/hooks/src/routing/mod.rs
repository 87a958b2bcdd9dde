//! Recognises commands that would flood the conversation, and those known to be small. Doesn't decide what to do
//! about them.

mod bounded;
mod download;
mod dump;
mod hosts;
mod inline_http;
mod noisy;

pub use download::{Download, download};
pub use dump::{DUMP_BYTES, dump, is_log_like};
pub use hosts::{host_of, is_local, may_fetch};
pub use inline_http::inline_http;
pub use noisy::{is_noisy, is_small};
