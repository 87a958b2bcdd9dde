//! What a project's own fast checkers say of it: which there are (`checkers`), what one prints (`parse`), what of it is new
//! and where that is kept (`kept`), running one (`run`, in a worker), and running it after edits (`watch_edits`, in a server).
//!
//! Only four programs are known, each with fixed words. Running one runs code of the repository (build scripts, a checker
//! from `node_modules`), so nobody here decides that one may: whoever asks comes with the user's rules, or with the setting.

pub(crate) mod checkers;
mod parse;
pub(crate) mod results;
mod run;
mod watch;

pub(crate) use checkers::{installed_folders, is_program};
pub(crate) use parse::Diagnostic;
pub(crate) use run::{end_all, run, words};
pub(crate) use watch::{SETTING, may_run, watch_edits};
