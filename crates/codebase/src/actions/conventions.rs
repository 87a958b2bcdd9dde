//! What the conventions add to a decision card: what to do and to avoid in the changed file's language, and the file that shows it
//! nearest to the changed one.

use std::cmp::Reverse;

use code::decision_card::{Evidence, Followed};
use code::patterns::{Adoption, Trend};
use contract::Error;

use crate::index::Index;

/// The conventions in the changed file's language: those that prevail, unless they are declining.
pub(super) fn add(index: &Index<'_>, out: &mut Evidence) -> Result<(), Error> {
    crate::index::git_history::begin(index);
    let known = code::patterns::patterns(index.store, None).map_err(|error| crate::index::failure(&error))?;
    let file = out.definition.as_ref().and_then(|(_, path)| index.file(path));
    let language = file.map(|file| file.language.clone());
    for pattern in &known.patterns {
        let category = &pattern.category;
        let followed = |way: &Adoption| Followed {
            category: category.clone(),
            name: way.name.clone(),
            share: way.share,
            trend: trend(way),
        };
        let all = std::iter::once(&pattern.primary).chain(&pattern.also);
        let ours = |way: &&Adoption| language.as_deref().is_none_or(|language| way.is_of(language));
        let ways: Vec<&Adoption> = all.filter(ours).collect();
        let Some(first) = ways.first() else { continue };
        let going = |wanted: Trend| ways.iter().copied().filter(move |way| trend(way) == Some(wanted));
        out.avoided.extend(going(Trend::Declining).map(followed));
        let undecided = pattern.conflict.as_ref().is_some_and(|(one, _)| *one == first.name);
        // In a transition, the rising technology is the one to follow.
        let turning = undecided || trend(first) == Some(Trend::Declining);
        match going(Trend::Rising).next() {
            Some(rising) if turning || rising.name == first.name => out.preferred.push(followed(rising)),
            _ if undecided => out.conflicts.push(category.clone()),
            _ if turning => {}
            _ => out.preferred.push(followed(first)),
        }
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
    use super::*;

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
