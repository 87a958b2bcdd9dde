//! Shapes of data: rows, searches, diffs, logs, texts. Each is told in full where it is short, and otherwise by its totals,
//! its distribution, and samples of which the rare come first. No word selects anything here.

pub(crate) mod binary;
pub(crate) mod columns;
pub(crate) mod folders;
pub(crate) mod outline;
pub(crate) mod patch;
pub(crate) mod paths;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod sections;
pub(crate) mod template;

/// What `told` makes of a room, asked again with less until it keeps `room` itself: marks and counts take bytes that are
/// only known once it is laid out.
pub(crate) fn within(room: usize, told: impl Fn(usize) -> String) -> String {
    let mut asked = room;
    let mut out = told(asked);
    for _ in 0..8 {
        if out.len() <= room || asked == 0 {
            break;
        }
        asked = asked.saturating_sub((out.len() - room) + room / 32);
        out = told(asked);
    }
    out
}
