//! A system's part in a unified search.

use contract::Error;

use crate::CallContext;

/// A system's part in a unified search.
#[derive(Debug, Clone, Copy)]
pub struct SearchPart {
    /// Its name in the `in` argument.
    pub what: contract::System,
    /// The best passages for a query, best first, at most this many.
    pub search: fn(&CallContext, &str, usize) -> Result<Vec<Passage>, Error>,
}

/// A passage found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its location as readers know it, and an address if there is one.
    pub place: String,
    /// Its text.
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub at_ms: i64,
    /// Whether it is code.
    pub code: bool,
}
