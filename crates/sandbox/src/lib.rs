//! Running code and commands: languages, limits, output capture, background tasks.
//!
//! This crate takes a piece of code in one of thirteen languages, runs it in a child process with a
//! time limit and an output limit, and hands back what it printed, how it ended and where the whole
//! output lies. It owns the ways to find a language's runtime ([`Runtimes`]), the environment that a
//! child sees ([`child_env`]), process groups and their end ([`kill`]), tasks that outlive the call
//! ([`task`]), and the ends of whole processes ([`lifetime`]).
//!
//! It does not know what the output is for: no searching, no filtering, no permission rules. Whoever
//! calls [`run`] has already decided that the code may run.
//!
//! What is promised: bounded time, bounded memory, bounded output, no process left behind; and that a run which is given
//! rules ([`confine`]) keeps them where the system can see to it. What is not: isolation. Apart from these rules a child
//! has the user's network, files and credentials, as it would in a terminal.

mod cancel;
mod capture;
mod child;
mod clean;
pub mod confine;
mod denied_env;
mod env;
mod error;
pub mod folder;
#[cfg(unix)]
mod guardian;
pub mod kill;
mod language;
pub mod lifetime;
pub mod memory;
mod process;
mod relay;
mod run;
mod runtimes;
mod script;
mod spill;
pub mod task;

pub use cancel::{Cancel, CancelHandle};
pub use capture::{Captured, HEAD_BYTES, TAIL_BYTES, WHOLE_BYTES};
pub use clean::{Cleaner, Redact};
pub use confine::Confine;
pub use denied_env::{DENIED, DeniedGroup, is_denied};
pub use env::child_env;
pub use error::SandboxError;
pub use language::Language;
pub use process::ProcessMark;
#[cfg(unix)]
pub use relay::end_by;
pub use relay::{Exit, From as PrintedTo, Relay, Told};
pub use run::{DEFAULT_MAX_OUTPUT, DEFAULT_TIMEOUT, MAX_TIMEOUT, Outcome, Run, Status, run, working_folder};
pub use runtimes::{Runtime, RuntimeInfo, RuntimeKind, Runtimes};
