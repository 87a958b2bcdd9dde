//! What a paged list says about its other pages: how many entries follow, or that this page is past the end. Knows no
//! list.

use contract::count;

/// The line below a page that others follow.
pub(super) fn next_page_line(offset: u64, shown: usize, total: u64) -> Option<String> {
    let next = offset.saturating_add(shown as u64);
    (shown > 0 && next < total).then(|| format!("({} more: --offset {next})", total - next))
}

/// Printed instead of a page past the end.
pub(super) fn past_the_end(total: u64, one: &str) -> String {
    format!("--offset is past the last one: {} in all.", count(total, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_the_next_one() {
        for (offset, shown, total, told) in [
            (0, 20, 43, Some("(23 more: --offset 20)")),
            (20, 20, 41, Some("(1 more: --offset 40)")),
            (40, 3, 43, None),
            (0, 0, 0, None),
            (50, 0, 43, None),
            (u64::MAX, 0, 43, None),
        ] {
            assert_eq!(next_page_line(offset, shown, total).as_deref(), told, "{offset} {shown} {total}");
        }
    }
}
