//! The two output streams of a command.

/// The stream that a piece was printed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputStream {
    Out,
    Err,
}

impl OutputStream {
    pub(super) const BOTH: [OutputStream; 2] = [OutputStream::Out, OutputStream::Err];

    pub(super) fn index(self) -> usize {
        usize::from(self == OutputStream::Err)
    }
}
