//! The whole of an output, and how its command ended, where an agent's hook is told only a part or no exit code. Owns the
//! files in which agents keep what they do not show.
//!
//! The law: what is given instead of an output is made from the whole of it, and what is kept as "full" is the whole. An
//! output of which only a part can be had is left alone.

use std::borrow::Cow;

use crate::event::Output;

/// Files in which an agent keeps a whole output are read up to this size, in bytes; a hook has milliseconds.
const MAX_FILE: u64 = 4_000_000;

/// An output, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole<'o> {
    /// Its text.
    pub text: Cow<'o, str>,
    /// The command's exit code, where it is known.
    pub exit: Option<i32>,
}

impl<'o> Whole<'o> {
    /// The output as it came, which is whole.
    pub(crate) fn as_told(output: &'o Output) -> Self {
        Self { text: Cow::Borrowed(&output.text), exit: output.exit }
    }

    /// The output from the file that the payload names, or as it came where it names none.
    pub(crate) fn kept(output: &'o Output) -> Option<Self> {
        let Some(path) = output.full_in.as_deref() else { return Some(Self::as_told(output)) };
        let bytes = home::read_regular(path, MAX_FILE).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(Self { text: Cow::Owned(text), exit: output.exit })
    }
}
