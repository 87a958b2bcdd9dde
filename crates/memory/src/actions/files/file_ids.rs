//! What shared files say that they replace: each names the ids of what its memory replaced.

use std::collections::BTreeSet;

use super::front_matter::{FrontMatter, SUPERSEDES};

/// Maximum number of ids that count in one file.
pub(super) const MAX_REPLACED: usize = 50;
/// How far chains are followed from both ends; what is still between them counts as a loop.
const MAX_ROUNDS: usize = 64;

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

/// For each file the ids that it replaces. Files that replace each other in a loop, as after a merge, don't count
/// for each other: otherwise all would be gone.
pub(super) fn replaced_by_each(all: &[FileIds]) -> Vec<Vec<String>> {
    let mut looped: BTreeSet<&str> = all.iter().filter_map(|one| one.id.as_deref()).collect();
    for _ in 0..MAX_ROUNDS {
        // In a loop is only what replaces one of them and is replaced by one.
        let mut replacing: BTreeSet<&str> = BTreeSet::new();
        let mut replaced: BTreeSet<&str> = BTreeSet::new();
        for one in all {
            let Some(id) = one.id.as_deref().filter(|id| looped.contains(id)) else { continue };
            for old in one.replaces.iter().map(String::as_str).filter(|old| looped.contains(old)) {
                replacing.insert(id);
                replaced.insert(old);
            }
        }
        let left: BTreeSet<&str> = replacing.intersection(&replaced).copied().collect();
        if left.len() == looped.len() {
            break;
        }
        looped = left;
    }
    let counts = |one: &FileIds, old: &str| {
        !(looped.contains(old) && one.id.as_deref().is_some_and(|id| looped.contains(id)))
    };
    all.iter()
        .map(|one| one.replaces.iter().filter(|old| counts(one, old.as_str())).cloned().collect())
        .collect()
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
            (0..120).map(|n| ids(&format!("m{n}"), &[format!("m{}", n + 1).as_str()])).collect();
        assert!(replaced_by_each(&all).iter().all(|old| old.len() == 1));
    }
}
