//! What the conventions add to a decision card: what to do and to avoid in the changed file's language, and the file that shows it
//! nearest to the changed one.

use std::cmp::Reverse;

use code::decision_card::{Evidence, Followed};
use code::patterns::{Adoption, Pattern, Trend};
use contract::Error;

use crate::index::Index;

/// The conventions in the changed file's language: those that prevail, unless they are declining.
pub(super) fn add(index: &Index<'_>, out: &mut Evidence) -> Result<(), Error> {
    crate::index::git_history::begin(index);
    let known = code::patterns::patterns(index.store, None).map_err(|error| crate::index::failure(&error))?;
    let file = out.definition.as_ref().and_then(|(_, path)| index.file(path));
    let language = file.map(|file| file.language.clone());
    for pattern in &known.patterns {
        add_pattern(pattern, language.as_deref(), out);
    }
    let changed = out.definition.as_ref().map(|(_, path)| path.as_str());
    let mut examples: Vec<&String> =
        known.examples.iter().filter(|path| Some(path.as_str()) != changed).collect();
    // An example of another language shows little, and one of another area less than one of the same.
    examples.sort_by_cached_key(|path| {
        let other = index.file(path).map(|file| &file.language) != language.as_ref();
        (other, Reverse(changed.map_or(0, |changed| shared_folders(path, changed))))
    });
    out.best_example = examples.into_iter().find(|path| index.shows(path)).cloned();
    Ok(())
}

/// What one category adds for a file of this language.
fn add_pattern(pattern: &Pattern, language: Option<&str>, out: &mut Evidence) {
    let category = &pattern.category;
    let followed = |way: &Adoption| Followed {
        category: category.clone(),
        name: way.name.clone(),
        share: way.share,
        trend: trend(way),
    };
    let all = std::iter::once(&pattern.primary).chain(&pattern.also);
    let ours = |way: &&Adoption| language.is_none_or(|language| way.is_of(language));
    let ways: Vec<&Adoption> = all.filter(ours).collect();
    let Some(first) = ways.first() else { return };
    // What tests use beside a framework isn't what they're written with, as in Rust, which has its own.
    if category == "testing" && !first.is_rival() {
        return;
    }
    let going = |wanted: Trend| ways.iter().copied().filter(move |way| trend(way) == Some(wanted));
    // What declines and is still chosen most isn't being left: what comes beside it takes a part of what is new.
    let replaces = |other: &Adoption, way: &Adoption| {
        other.language == way.language && other.is_rival() == way.is_rival() && lately(other) > lately(way)
    };
    let is_left = |way: &Adoption| {
        trend(way) == Some(Trend::Declining) && ways.iter().any(|other| replaces(other, way))
    };
    out.avoided.extend(going(Trend::Declining).filter(|way| is_left(way)).map(followed));
    let undecided = pattern.conflict.as_ref().is_some_and(|(one, _)| *one == first.name);
    // In a transition, the rising technology is the one to follow.
    let turning = undecided || is_left(first);
    match going(Trend::Rising).next() {
        Some(rising) if turning || rising.name == first.name => out.preferred.push(followed(rising)),
        _ if undecided => out.conflicts.push(category.clone()),
        _ if turning => {}
        _ => out.preferred.push(followed(first)),
    }
}

/// What to do where neither of two technologies is the rule: the card's rule in words.
pub(super) fn conflict_note(pattern: &Pattern) -> String {
    let mut all = std::iter::once(&pattern.primary).chain(&pattern.also);
    let rising = all.find(|way| {
        let rivals = pattern.conflict.as_ref();
        trend(way) == Some(Trend::Rising)
            && rivals.is_some_and(|(one, other)| way.name == *one || way.name == *other)
    });
    match rising {
        Some(way) => format!("neither is the rule here, but {} is rising: follow it", way.name),
        None => "neither is the rule here: ask which one to follow".to_owned(),
    }
}

/// How many uses the last months added.
fn lately(way: &Adoption) -> u64 {
    way.growth.as_ref().map_or(0, |growth| growth.lately)
}

/// How many folders two paths have in common, from the project's on.
fn shared_folders(one: &str, other: &str) -> usize {
    fn folders(path: &str) -> std::str::Split<'_, char> {
        path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/')
    }
    folders(one).zip(folders(other)).take_while(|(a, b)| a == b && !a.is_empty()).count()
}

fn trend(way: &Adoption) -> Option<Trend> {
    way.growth.as_ref()?.trend
}

#[cfg(test)]
mod tests {
    use code::patterns::Growth;

    use super::*;

    fn way(name: &str, share: f64, trend: Trend, lately: u64) -> Adoption {
        Adoption {
            name: name.to_owned(),
            language: "python".to_owned(),
            files: 10,
            share,
            example: String::new(),
            growth: Some(Growth { trend: Some(trend), lately, before: 10, curve: Vec::new() }),
        }
    }

    #[test]
    fn of_two_in_conflict_the_rising_one_is_followed() {
        for (first, second, expected) in [
            (Trend::Stable, Trend::Stable, "neither is the rule here: ask which one to follow"),
            (Trend::Rising, Trend::Declining, "neither is the rule here, but Pino is rising: follow it"),
            (Trend::Declining, Trend::Rising, "neither is the rule here, but Winston is rising: follow it"),
        ] {
            let pattern = Pattern {
                category: "logging".to_owned(),
                primary: way("Pino", 0.5, first, 10),
                also: vec![way("Winston", 0.5, second, 10), way("Bunyan", 0.1, Trend::Rising, 10)],
                conflict: Some(("Pino".to_owned(), "Winston".to_owned())),
            };
            assert_eq!(conflict_note(&pattern), expected);
        }
    }

    #[test]
    fn a_declining_way_is_avoided_only_if_another_is_chosen_more() {
        for (old, new, preferred, avoided) in
            [(30, 12, "pytest", ""), (12, 12, "pytest", ""), (4, 12, "unittest", "pytest")]
        {
            let pattern = Pattern {
                category: "testing".to_owned(),
                primary: way("pytest", 0.9, Trend::Declining, old),
                also: vec![way("unittest", 0.2, Trend::Rising, new)],
                conflict: None,
            };
            let mut out = Evidence::default();
            add_pattern(&pattern, Some("python"), &mut out);
            let names =
                |all: &[Followed]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>().join(" ");
            assert_eq!(
                (names(&out.preferred), names(&out.avoided)),
                (preferred.to_owned(), avoided.to_owned())
            );
        }
    }

    #[test]
    fn what_tests_use_beside_a_framework_is_not_to_be_followed_as_one() {
        for (name, expected) in [("pytest", "pytest"), ("Hypothesis", "")] {
            let pattern = Pattern {
                category: "testing".to_owned(),
                primary: way(name, 1.0, Trend::Stable, 12),
                also: Vec::new(),
                conflict: None,
            };
            let mut out = Evidence::default();
            add_pattern(&pattern, Some("python"), &mut out);
            let names: Vec<&str> = out.preferred.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(names.join(" "), expected);
        }
    }

    #[test]
    fn a_way_is_only_avoided_for_another_of_its_language_and_subject() {
        let vitest = Adoption { language: "typescript".to_owned(), ..way("Vitest", 0.9, Trend::Stable, 40) };
        for other in [way("Hypothesis", 0.5, Trend::Rising, 40), vitest] {
            let name = other.name.clone();
            let pattern = Pattern {
                category: "testing".to_owned(),
                primary: way("pytest", 0.6, Trend::Declining, 12),
                also: vec![other],
                conflict: None,
            };
            let mut out = Evidence::default();
            add_pattern(&pattern, None, &mut out);
            assert!(out.avoided.is_empty(), "{name}");
        }
    }

    #[test]
    fn files_of_one_area_share_folders() {
        for (one, other, expected) in [
            ("src/shop/cart.ts", "src/shop/checkout.ts", 2),
            ("src/shop/cart.ts", "src/app.ts", 1),
            ("src/shop/cart.ts", "srcs/shop/cart.ts", 0),
            ("cart.ts", "app.ts", 0),
        ] {
            assert_eq!(shared_folders(one, other), expected, "{one} {other}");
        }
    }
}
