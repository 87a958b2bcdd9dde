//! Language servers that are on the computer, asked who uses a name where the index isn't sure; off until the user says
//! otherwise. One of a kind for each project, whatever sessions there are: a keeper (`keeper`) of low priority holds it, with a
//! limit of memory, and ends with it when nobody asked for a while. Who asks leaves a question in the project's folder of data
//! (`post`) and waits for two seconds; without an answer the index's own goes out as it is.

mod asked;
mod keeper;
mod kinds;
mod post;
#[cfg(test)]
#[cfg(unix)]
mod tests;
mod wire;

pub(crate) use asked::{Usable, sharpen, usable};
pub(crate) use keeper::run;
pub(crate) use post::forget;

/// The setting.
pub(crate) const SETTING: &str = "codebase.language_servers";
