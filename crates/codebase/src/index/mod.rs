//! A project's index as this process sees it: its `location`, the open database (`open_index`), and the process that writes it
//! (`worker_client` starts it, `worker_process` is what it runs, `beginning` what a worktree's index begins with). No query gets a
//! stale answer: changes are read first, or reported.

mod beginning;
pub(crate) mod git;
pub(crate) mod git_history;
pub(crate) mod location;
mod open_index;
mod review;
mod test_files;
mod worker_client;
pub(crate) mod worker_process;

pub(crate) use location::IndexLocation;
pub(crate) use open_index::{Index, ask, failure, progress, worker_progress};
pub(crate) use test_files::TestFiles;
pub(crate) use worker_client::{Outcome, Task, detach, folder_word, program_path, run, run_with_progress};
