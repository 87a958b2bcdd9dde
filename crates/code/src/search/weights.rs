//! What each number of a candidate counts. Made by `cargo xtask bench code --train`; not written by hand.

/// One for each name in `features::NAMES`.
pub(super) const WEIGHTS: &[f64] = &[
    0.885,  // best
    0.21,   // sum
    0.175,  // cover_chunk
    -0.195, // cover_file
    -0.166, // cover_names
    0.063,  // cover_comment
    0.462,  // cover_two
    0.309,  // stem_cover
    0.67,   // stem_full
    0.161,  // stem_exact
    0.667,  // folder_cover
    0.397,  // path_cover
    0.448,  // def_spelt_type
    0.331,  // def_spelt_other
    0.017,  // def_plain_type
    0.235,  // def_plain_other
    0.017,  // def_stem
    0.243,  // symbol_match
    0.201,  // symbol_type_match
    0.513,  // spread
    0.37,   // importers
    0.184,  // size
    -0.006, // definitions
    0.366,  // near_in
    0.206,  // near_out
    -1.321, // test
    0.3,    // tests_wanted
    -1.8,   // made_by_others
    -0.8,   // example
    -0.732, // docs
    -0.45,  // config
    -0.035, // barrel
    0.177,  // barrel_named
    -0.4,   // types
    -0.405, // legacy
    -0.506, // tooling
    0.065,  // rank
    -0.292, // best_gap
    0.539,  // names_only_def
    0.014,  // how_size
];
