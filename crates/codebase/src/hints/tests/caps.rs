//! No hint is larger than its cap, whatever is in it.

use proptest::prelude::*;

use super::super::*;

proptest! {
    #[test]
    fn a_hint_is_no_larger_than_its_cap(
        first in "\\PC{0,200}",
        lines in prop::collection::vec("\\PC{0,150}", 0..20),
        last in "\\PC{0,100}",
    ) {
        let Some(hint) = fitting(&first, &lines, &last) else {
            // There is none only where it would say nothing: no line fits between its first words and its last.
            let fits = |line: &String| first.len() + 1 + line.len() + last.len() <= MAX_BYTES;
            prop_assert!(!lines.first().is_some_and(fits), "no hint of {lines:?}");
            return Ok(());
        };
        prop_assert!(hint.len() <= MAX_BYTES, "{} bytes", hint.len());
        prop_assert!(hint.starts_with(&first) && hint.ends_with(&last));
    }
}
