//! The index of a project as this process has it: where it is (`place`), the open database (`open`), the process that writes
//! it (`worker` starts it, `work` is what it does). A query never gets an old answer: what changed is read first, or said.

pub(crate) mod git;
pub(crate) mod git_history;
pub(crate) mod location;
mod open_index;
mod review;
mod worker_client;
pub(crate) mod worker_process;

pub(crate) use location::IndexLocation;
pub(crate) use open_index::{Index, ask, failure, progress, worker_progress};
pub(crate) use worker_client::{Outcome, Task, detach, program_path, run};
