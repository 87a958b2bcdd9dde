//! Which technologies of the table an import identifies.

use super::WAYS;
use super::entry::Way;

/// The technologies that an import identifies. In a category the longest matching name counts: `log/slog` isn't `log`.
pub fn ways_of<'t>(language: &'t str, target: &'t str) -> impl Iterator<Item = &'static Way> + 't {
    // `<gtest/gtest.h>`
    let target = target.trim_matches(['<', '>']);
    let fitting = |way: &Way| {
        let fits = |name: &&&str| {
            // `http-errors` is another package than `http`.
            target
                .strip_prefix(**name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', ':', '\\']))
        };
        way.imports.iter().filter(fits).map(|name| name.len()).max()
    };
    let of_language = WAYS.iter().filter(|way| way.languages.contains(&language));
    let found: Vec<(usize, &'static Way)> =
        of_language.filter_map(|way| fitting(way).map(|length| (length, way))).collect();
    let longest = |category: &str| {
        found.iter().filter(|(_, way)| way.category == category).map(|(length, _)| *length).max()
    };
    let kept = found.iter().filter(|(length, way)| Some(*length) == longest(way.category));
    kept.map(|(_, way)| *way).collect::<Vec<_>>().into_iter()
}

/// What an import takes, as [`ways_of`] expects it: `from unittest import mock` is the module `unittest.mock`.
pub(in crate::patterns) fn imported_module<'t>(
    language: &str,
    target: &'t str,
    mut names: impl Iterator<Item = &'t str>,
) -> &'t str {
    let is_mock = language == "python"
        && target == "unittest"
        && names.next() == Some("mock")
        && names.next().is_none();
    if is_mock { "unittest.mock" } else { target }
}
