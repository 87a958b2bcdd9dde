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
//!
//! That includes signals: a program may end its parent, which is the server, and what's above it. `kill $PPID` costs the
//! session its tools until the agent starts the server again; what was stored is safe. Nothing that prevents it fits:
//!
//! - A namespace for process ids needs an unprivileged user namespace, which many systems refuse (Ubuntu since 23.10, most
//!   containers), and it changes what `ps`, `/proc`, debuggers and container tools show to every program.
//! - A seccomp filter could refuse `kill` with the server's id. Installing one takes away `sudo` and every other program
//!   that changes its user (`no_new_privs`), also from runs without rules, and `pidfd_send_signal` names its target by a
//!   descriptor, which a filter can't look into.
//! - Sessions, process groups and the parent-death signal, which are used, decide who is ended together. They don't
//!   decide who may end whom: that's the user's id, and it's the same.
//! - A process between server and program would only be another parent: ending it ends the run without its exit code, and
//!   the server is then one `ps` away.

mod cancel;
mod capture;
mod child;
pub mod confine;
mod denied_env;
mod env;
mod error;
pub mod file_limit;
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
pub use relay::{Exit, From as PrintedTo, Relay, RelayEvent, is_without_room};
pub use run::{DEFAULT_MAX_OUTPUT, MAX_TIMEOUT, Outcome, Run, Status, run, working_folder};
pub use runtimes::{Runtime, RuntimeInfo, RuntimeKind, Runtimes};
pub use stream_redactor::{Redact, StreamRedactor};
