//! Runs code and commands: languages, limits, output capture, background tasks.
//!
//! Takes code in one of thirteen languages, runs it in a child process with a time limit and an output limit, and returns
//! its output, how it ended and where the full output is. Owns the search for runtimes ([`Runtimes`]), a child's
//! environment ([`child_env`]), process groups and how they end ([`kill`]), tasks that outlive the call ([`task`]), and the
//! lifetime of processes ([`lifetime`]).
//!
//! Doesn't know what the output is for: no search, no filters, no permission rules. Whoever calls [`run`] has already
//! decided that the code may run.
//!
//! The promise: bounded time, memory and output, no process left behind, and a run with rules ([`confine`]) keeps them where
//! the system can enforce them. Not promised: isolation. Apart from these rules a child has the user's network, files and
//! credentials, as in a terminal.

mod cancel;
mod capture;
mod child;
pub mod confine;
mod denied_env;
mod env;
mod error;
#[cfg(unix)]
mod guardian;
pub mod kill;
mod language;
pub mod lifetime;
pub mod memory;
mod process;
mod relay;
mod run;
pub mod run_folder;
mod runtimes;
mod script;
mod spill;
mod stream_redactor;
pub mod task;

pub use cancel::{Cancel, CancelHandle};
pub use capture::{Captured, HEAD_BYTES, TAIL_BYTES, WHOLE_BYTES};
pub use confine::Confine;
pub use denied_env::{DENIED, DeniedGroup, is_denied};
pub use env::child_env;
pub use error::SandboxError;
pub use language::Language;
pub use process::ProcessMark;
#[cfg(unix)]
pub use relay::terminate_by_signal;
pub use relay::{Exit, From as PrintedTo, Relay, RelayEvent};
pub use run::{DEFAULT_MAX_OUTPUT, DEFAULT_TIMEOUT, MAX_TIMEOUT, Outcome, Run, Status, run, working_folder};
pub use runtimes::{Runtime, RuntimeInfo, RuntimeKind, Runtimes};
pub use stream_redactor::{Redact, StreamRedactor};
