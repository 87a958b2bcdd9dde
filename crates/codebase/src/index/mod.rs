//! The index of a project as this process has it: where it is (`place`), the open database (`open`), the process that writes
//! it (`worker` starts it, `work` is what it does). A query never gets an old answer: what changed is read first, or said.

pub(crate) mod git;
pub(crate) mod history;
mod open;
pub(crate) mod place;
mod review;
pub(crate) mod work;
mod worker;

pub(crate) use open::{Index, ask, failure, how_far, progress};
pub(crate) use place::Place;
pub(crate) use worker::{Came, Task, apart, program_of, run};
