//! A value after a name: how it follows, where it is, whether it has quotes.

use std::ops::Range;

/// The longest value taken for one secret.
pub(super) const MAX_VALUE: usize = 1_000;

/// How a value follows its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// With `=`, `:`, `:=` or `=>`; the sign, and whether it has no blanks around it.
    Sign(char, bool),
    /// After blanks, as with options.
    Blank,
    /// In a sentence: `the password is …`; in a table's next column.
    Told,
    /// As the next of a list's items.
    Argument,
    /// Between the tags of an element.
    Element,
    /// In the parentheses of a call.
    Call,
    /// Compared with it.
    Compared,
}

/// A value behind a name.
pub(super) struct Value {
    pub(super) how: How,
    pub(super) range: Range<usize>,
    pub(super) quoted: bool,
}

/// The place of the next byte that isn't a blank.
pub(super) fn skip_blanks(bytes: &[u8], mut i: usize) -> usize {
    while matches!(bytes.get(i), Some(b' ' | b'\t')) {
        i += 1;
    }
    i
}
