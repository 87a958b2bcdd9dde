//! What each number of a candidate counts. Made by `cargo xtask bench code --train`; not written by hand.

/// One for each name in `features::NAMES`.
pub(super) const WEIGHTS: &[f64] = &[
    0.875,  // best
    0.215,  // sum
    0.162,  // cover_chunk
    -0.193, // cover_file
    -0.15,  // cover_names
    0.055,  // cover_comment
    0.477,  // cover_two
    0.308,  // stem_cover
    0.688,  // stem_full
    0.149,  // stem_exact
    0.676,  // folder_cover
    0.394,  // path_cover
    0.443,  // def_spelt_type
    0.336,  // def_spelt_other
    0.021,  // def_plain_type
    0.241,  // def_plain_other
    0.034,  // def_stem
    0.227,  // symbol_match
    0.201,  // symbol_type_match
    0.5,    // spread
    0.389,  // importers
    0.187,  // size
    -0.012, // definitions
    0.371,  // near_in
    0.202,  // near_out
    -1.316, // test
    0.3,    // tests_wanted
    -1.8,   // made_by_others
    -0.8,   // example
    -0.728, // docs
    -0.449, // config
    -0.078, // barrel
    0.187,  // barrel_named
    -0.4,   // types
    -0.405, // legacy
    -0.506, // tooling
    0.075,  // rank
    -0.281, // best_gap
    0.539,  // names_only_def
    0.017,  // how_size
];
