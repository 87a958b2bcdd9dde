//! Which half a scenario is in, and which rows are sampled: both by a hash of names, so that no one chooses.

/// FNV-1a with a last mix (that of `SplitMix64`, because FNV alone leaves names that end differently close to each other):
/// the same on every computer and in every run.
fn hash(text: &str) -> u64 {
    let fnv = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (fnv ^ (fnv >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Held-out scenarios whose counts were seen once while filters were written; they count as developed on.
const GLIMPSED: [&str; 15] = [
    "cat-json-1-3-mb",
    "git-diff-name-status",
    "git-diff-stat-own",
    "git-diff-stat-releases",
    "git-log-name-status",
    "go-test-json",
    "go-test-mux",
    "go-test-mux-broken",
    "go-test-mux-verbose",
    "npm-ls-express",
    "npm-ls-redux",
    "pylint-requests",
    "pytest-long-values-vv",
    "python-profile",
    "ruff-networkx-concise",
];

/// Whether the scenario of this name is held out. The first hash drew the half that filters were never written on; a
/// second, drawn after counts of that half had been seen, decides which of them stay held out.
pub(crate) fn held_out(name: &str) -> bool {
    hash(name) & 1 == 1 && hash(&format!("second draw {name}")) & 3 != 0 && !GLIMPSED.contains(&name)
}

/// The places of `wanted` among `rows`, chosen by the name of the scenario, in their order.
pub(crate) fn sample(name: &str, rows: usize, wanted: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|row| hash(&format!("{name} row {row}")));
    order.truncate(wanted);
    order.sort_unstable();
    order
}

#[cfg(test)]
mod tests {
    use super::{held_out, sample};

    #[test]
    fn both_halves_get_names() {
        let held = (0..200).filter(|at| held_out(&format!("scenario-{at}"))).count();
        assert!((45..=105).contains(&held), "{held} of 200");
    }

    #[test]
    fn a_sample_is_the_same_every_time_and_spread() {
        let rows = sample("grep", 1000, 12);
        assert_eq!(rows, sample("grep", 1000, 12));
        assert_ne!(rows, sample("find", 1000, 12));
        assert_eq!(rows.len(), 12);
        assert!(rows.iter().any(|row| *row < 500) && rows.iter().any(|row| *row >= 500), "{rows:?}");
        assert_eq!(sample("few", 3, 12), [0, 1, 2]);
    }
}
