//! The weights of features before learning, chosen by hand. Learning starts from them and stays close, because it sees few
//! repositories: features that those don't exercise (types without code, vendored code) keep their values.

/// One for each name in `features::NAMES`.
pub const PRIOR: &[f64] = &[
    // best, sum, cover_chunk, cover_file, cover_names, cover_comment, cover_two
    1.0, 0.3, 0.3, 0.3, 0.3, 0.1, 0.3, //
    // stem_cover, stem_full, stem_exact, folder_cover, path_cover
    0.6, 0.4, 0.3, 0.3, 0.3, //
    // def_spelt_type, def_spelt_other, def_plain_type, def_plain_other, def_stem, symbol_match, symbol_type_match
    0.8, 0.3, 0.4, 0.2, 0.4, 0.5, 0.3, //
    // spread, importers, size, definitions, near_in, near_out
    0.2, 0.2, 0.2, 0.0, 0.1, 0.1, //
    // test, tests_wanted, made_by_others, example, docs, config
    -1.2, 0.3, -1.8, -0.8, -0.6, -0.4, //
    // barrel, barrel_named, types, legacy, tooling
    -0.1, 0.2, -0.4, -0.4, -0.5, //
    // rank, best_gap, names_only_def, how_size
    0.2, 0.0, 0.5, 0.0, //
    // whole, mean_hit, cover_related, path_related, near_in_mean
    0.3, 0.1, 0.3, 0.3, 0.3,
];
