//! The lines around those that must stay, where a text is cut: a test's expectation is below its failure. Owns how
//! many of them are shown in a given room.

use super::LONG_LINE;

/// How many lines are shown below a line that must stay, with a third as many above it; fewer where these don't fit.
const DEPTHS: [usize; 4] = [9, 6, 3, 1];

/// The other lines around those that are `guarded`, in at most `room` bytes; none where even the nearest don't fit.
pub(super) fn around(lines: &[&str], guarded: &[bool], room: usize) -> Vec<usize> {
    let near = |at: usize, depth: usize| at.saturating_sub(depth / 3)..(at + depth + 1).min(lines.len());
    for depth in DEPTHS {
        let all = (0..lines.len()).filter(|at| guarded[*at]).flat_map(|at| near(at, depth));
        let mut others: Vec<usize> = all.filter(|at| !guarded[*at]).collect();
        others.sort_unstable();
        others.dedup();
        let bytes: usize = others.iter().map(|at| lines[*at].len().min(LONG_LINE) + 1).sum();
        if bytes <= room {
            return others;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use crate::cap::cap;

    #[test]
    fn a_failures_context_is_shown_before_more_of_both_ends() {
        let steps = |from: usize| -> String {
            (from..from + 400).map(|n| format!("step {n} of the work goes on as it should\n")).collect()
        };
        let failure = |n: usize| {
            format!(
                "look at cart {n}\nERROR the cart {n} differs\n  wanted: {n} pears\n  found: {n} figs\n  in till {n}\n"
            )
        };
        let text: String =
            (1..=4).map(|n| steps(n * 1_000) + &failure(n)).collect::<String>() + &steps(9_000);
        let cut = cap(&text, usize::MAX, 4_000);
        assert!(cut.len() <= 4_000 && cut.contains("step 1000 ") && cut.contains("step 9399 "), "{cut}");
        for n in 1..=4 {
            assert!(cut.contains(&failure(n)), "{n}: {cut}");
        }
        // Where these are too many, the failures themselves are left.
        let many: String = (1..=60).map(|n| steps(n * 1_000) + &failure(n)).collect();
        let cut = cap(&many, usize::MAX, 5_000);
        assert!(
            cut.len() <= 5_000 && (1..=60).all(|n| cut.contains(&format!("the cart {n} differs"))),
            "{cut}"
        );
    }
}
