//! What shared files say that they replace: each names the ids of what its memory replaced.

use std::collections::{BTreeMap, BTreeSet};

use super::front_matter::{FrontMatter, SUPERSEDES};

/// Maximum number of ids that count in one file.
pub(super) const MAX_REPLACED: usize = 50;

/// A file's id, and the ids that it replaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FileIds {
    pub(super) id: Option<String>,
    pub(super) replaces: Vec<String>,
}

impl FileIds {
    /// As a file's front matter has them.
    pub(super) fn in_front_matter(front: &FrontMatter) -> Self {
        let id = front.one("id").map(str::to_owned);
        Self { id, replaces: front.all(SUPERSEDES).into_iter().take(MAX_REPLACED).collect() }
    }
}

/// The ids that several files have, as after somebody copied one to write another memory.
pub(super) fn ids_of_several(all: &[FileIds]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    all.iter().filter_map(|one| one.id.as_deref()).filter(|id| !seen.insert(*id)).map(str::to_owned).collect()
}

/// For each file the ids that it replaces. Files that replace each other in a loop, as after a merge, don't count
/// for each other: otherwise all would be gone.
pub(super) fn replaced_by_each(all: &[FileIds]) -> Vec<Vec<String>> {
    let looped = looped(all);
    let counts = |one: &FileIds, old: &str| {
        !(looped.contains(old) && one.id.as_deref().is_some_and(|id| looped.contains(id)))
    };
    all.iter()
        .map(|one| one.replaces.iter().filter(|old| counts(one, old.as_str())).cloned().collect())
        .collect()
}

/// The ids in loops and between them: what is left when those go that replace no other or that no other replaces, and so on. However
/// long the chains are that a repository has, each step is taken once.
fn looped(all: &[FileIds]) -> BTreeSet<&str> {
    let mut left: BTreeSet<&str> = all.iter().filter_map(|one| one.id.as_deref()).collect();
    let mut steps: BTreeSet<(&str, &str)> = BTreeSet::new();
    for one in all {
        let Some(id) = one.id.as_deref() else { continue };
        steps.extend(one.replaces.iter().map(|old| (id, old.as_str())).filter(|(_, old)| left.contains(old)));
    }
    // For each id, what it replaces and what replaces it, of what is left.
    let mut around: BTreeMap<&str, (BTreeSet<&str>, BTreeSet<&str>)> = BTreeMap::new();
    for (new, old) in steps {
        around.entry(new).or_default().0.insert(old);
        around.entry(old).or_default().1.insert(new);
    }
    let mut open: Vec<&str> = left.iter().copied().collect();
    while let Some(id) = open.pop() {
        let is_end = around.get(id).is_none_or(|(older, newer)| older.is_empty() || newer.is_empty());
        if !is_end || !left.remove(id) {
            continue;
        }
        let (older, newer) = around.remove(id).unwrap_or_default();
        for old in older {
            if let Some((_, newer)) = around.get_mut(old) {
                newer.remove(id);
            }
            open.push(old);
        }
        for new in newer {
            if let Some((older, _)) = around.get_mut(new) {
                older.remove(id);
            }
            open.push(new);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(id: &str, replaces: &[&str]) -> FileIds {
        let id = Some(id).filter(|id| !id.is_empty()).map(str::to_owned);
        FileIds { id, replaces: replaces.iter().map(|one| (*one).to_owned()).collect() }
    }

    #[test]
    fn a_loop_replaces_nothing_and_a_chain_each_before_it() {
        let chain = [ids("a", &[]), ids("b", &["a"]), ids("c", &["b"]), ids("", &["c", "x"])];
        let expected: Vec<Vec<&str>> = vec![vec![], vec!["a"], vec!["b"], vec!["c", "x"]];
        assert_eq!(replaced_by_each(&chain), expected);
        // What a loop replaces is replaced, and so is a loop as a whole.
        let loops = [
            ids("a", &["b", "old"]),
            ids("b", &["a"]),
            ids("self", &["self"]),
            ids("p", &["q"]),
            ids("q", &["r"]),
            ids("r", &["p"]),
            ids("new", &["p"]),
        ];
        let expected: Vec<Vec<&str>> = vec![vec!["old"], vec![], vec![], vec![], vec![], vec![], vec!["p"]];
        assert_eq!(replaced_by_each(&loops), expected);
    }

    #[test]
    fn long_chains_are_followed() {
        let all: Vec<FileIds> =
            (0..3_000).map(|n| ids(&format!("m{n}"), &[format!("m{}", n + 1).as_str()])).collect();
        assert!(replaced_by_each(&all).iter().all(|old| old.len() == 1));
    }
}
