//! The two places to which a command prints.

/// Where a piece belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Out,
    Err,
}

impl Part {
    pub(super) const BOTH: [Part; 2] = [Part::Out, Part::Err];

    pub(super) fn at(self) -> usize {
        usize::from(self == Part::Err)
    }
}
