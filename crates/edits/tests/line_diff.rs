//! The line diff: it loses nothing, and agrees with `similar`'s own diff of texts.

use std::time::Duration;

use plimsoll_edits::{LineFate, hunks};
use proptest::prelude::*;

/// With all lines as context, kept and removed lines are the old text, kept and added lines the new one.
fn both(old: &str, new: &str) -> (String, String) {
    let (mut before, mut after) = (String::new(), String::new());
    for hunk in hunks(old, new, usize::MAX / 4, Duration::from_secs(5)) {
        for (fate, line) in hunk.runs.iter().flat_map(|run| &run.lines) {
            match fate {
                LineFate::Stayed => {
                    before.push_str(line);
                    after.push_str(line);
                }
                LineFate::Went => before.push_str(line),
                LineFate::Came => after.push_str(line),
            }
        }
    }
    (before, after)
}

proptest! {
    #[test]
    fn nothing_of_either_text_is_lost(old in "([a-d]{0,2}(\n|\r\n|\r)?){0,150}", new in "([a-d]{0,2}(\n|\r\n|\r)?){0,150}") {
        prop_assume!(old != new);
        prop_assert_eq!(both(&old, &new), (old, new));
    }

    /// The same as `similar`'s own diff of texts.
    #[test]
    fn the_diff_is_the_one_that_similar_computes(old in "([a-f]{0,1}\n){0,60}", new in "([a-f]{0,1}\n){0,60}") {
        let theirs = similar::TextDiff::configure().diff_lines(&*old, &*new);
        let theirs: Vec<_> = theirs
            .grouped_ops(3)
            .iter()
            .filter_map(|group| Some((group.first()?.old_range().start, group.last()?.new_range().end)))
            .collect();
        let ours: Vec<_> = hunks(&old, &new, 3, Duration::from_secs(5))
            .iter()
            .map(|hunk| (hunk.old.start, hunk.new.end))
            .collect();
        prop_assert_eq!(ours, theirs);
    }
}

#[test]
fn a_hunk_names_its_lines() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let new = old.replace("5\n", "five\n");
    let found = hunks(old, &new, 1, Duration::from_secs(5));
    let [hunk] = found.as_slice() else { panic!("{} hunks", found.len()) };
    assert_eq!((&hunk.old, &hunk.new), (&(3..6), &(3..6)));
    assert_eq!(hunk.runs.iter().map(|run| run.replaced).collect::<Vec<_>>(), [false, true, false]);
}
