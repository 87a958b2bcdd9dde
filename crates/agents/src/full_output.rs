//! A command's full output and exit code, where a hook receives only part or no exit code. Reads the files in which agents
//! keep what they don't show.
//!
//! The law: replacements and stored "full" outputs are made from the full output. If only part is available, the output is
//! left alone.

use std::borrow::Cow;

use crate::event::Output;

/// The largest output file that is read, in bytes; a hook has milliseconds.
const MAX_FILE: u64 = 4_000_000;

/// A full output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullOutput<'o> {
    /// Its text.
    pub text: Cow<'o, str>,
    /// The command's exit code, if known.
    pub exit: Option<i32>,
}

impl<'o> FullOutput<'o> {
    /// The output as received, which is complete.
    pub(crate) fn from_payload(output: &'o Output) -> Self {
        Self { text: Cow::Borrowed(&output.text), exit: output.exit }
    }

    /// The output from the file that the payload names, or as received if it names none.
    pub(crate) fn from_file(output: &'o Output) -> Option<Self> {
        let Some(path) = output.full_in.as_deref() else { return Some(Self::from_payload(output)) };
        let bytes = home::read_regular(path, MAX_FILE).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(Self { text: Cow::Owned(text), exit: output.exit })
    }
}
