//! Diagnostics from a project's own fast checkers: knows them (`kinds`), detects them (`checkers`, `projects`), parses their output
//! (`parse`), stores results and decides what is new (`results`), runs one (`run`, in a worker), and runs them after edits (`watch`, in a
//! server).
//!
//! Only the programs of one table are supported, each with fixed arguments. A checker runs code of the repository (build scripts, a checker from
//! `node_modules`), so nothing here permits that: the caller brings the user's rules or the setting.

pub(crate) mod checkers;
pub(crate) mod kinds;
mod parse;
mod projects;
pub(crate) mod results;
mod run;
mod watch;

pub(crate) use checkers::{installed_folders, is_program};
pub(crate) use parse::Diagnostic;
pub(crate) use run::{end_all, run, words};
pub(crate) use watch::{SETTING, may_run, watch_edits};
