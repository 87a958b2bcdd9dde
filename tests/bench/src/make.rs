//! Generated fixtures, with the size and shape of the rivals' own and the same in every run. Owns the words they
//! consist of; the scenarios list the facts that must survive.

mod documents;
mod lists;
mod logs;

use anyhow::{Result, bail};

/// The fixture of this name.
pub(crate) fn fixture(name: &str) -> Result<String> {
    Ok(match name {
        "access-log" => logs::access_log(430),
        "cargo-suite" => logs::cargo_suite(4_000),
        "service-log" => logs::service(1_500),
        "csv" => lists::csv(1_250),
        "issues" => lists::issues(62),
        "pull-requests" => lists::pull_requests(88),
        "network" => lists::network(),
        "snapshot" => lists::snapshot(420),
        "tool-list" => lists::tool_list(40),
        "docs-hooks" => documents::page("Harbour hooks", 11),
        "docs-routing" => documents::page("Harbour routing", 12),
        "docs-styles" => documents::page("Harbour styles", 7),
        "docs-auth" => documents::page("Harbour sign-in", 7),
        "docs-skill" => documents::page("Skill: releases", 9),
        "docs-references" => documents::page("Skill references", 60),
        other => bail!("no fixture {other:?} can be made"),
    })
}

/// Numbers that look random and are the same at every run (splitmix64).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end.max(1) as u64).unwrap_or(0)
    }

    pub(crate) fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words.get(self.below(words.len())).copied().unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::fixture;

    #[test]
    fn a_fixture_is_the_same_every_time() {
        for name in ["access-log", "csv", "snapshot", "docs-hooks", "cargo-suite"] {
            assert_eq!(fixture(name).unwrap(), fixture(name).unwrap());
        }
    }
}
