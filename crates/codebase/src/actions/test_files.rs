//! Chooses the tests of a definition among those that have its name: `perform` and `sign` are words of many tests, and the ones of a
//! member speak of what it's a member of. Reads no files.

use std::collections::BTreeSet;

use code::{Result, Store};

/// The tests that have a name.
pub(super) struct TestFiles {
    /// The files that speak of the name's owner; `None` without one, and where the index has no word for it.
    with_owner: Option<BTreeSet<String>>,
    its_own: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl TestFiles {
    /// Those of `symbol`, which is `name` or ends in it: `Type.name`.
    ///
    /// # Errors
    /// When the index can't be read.
    pub(super) fn of(store: &Store, symbol: &str, name: &str) -> Result<Self> {
        let with_owner = match owner_of(symbol, name) {
            Some(owner) => store.files_with_word(owner, usize::MAX)?,
            None => None,
        };
        let paths = with_owner.map(|files| files.into_iter().map(|file| file.path).collect());
        Ok(Self::among(paths))
    }

    fn among(with_owner: Option<BTreeSet<String>>) -> Self {
        Self { with_owner, its_own: BTreeSet::new(), others: BTreeSet::new() }
    }

    /// Adds a test; `sure` if it certainly means the definition.
    pub(super) fn add(&mut self, path: &str, sure: bool) {
        let is_its_own = sure || self.with_owner.as_ref().is_none_or(|files| files.contains(path));
        let list = if is_its_own { &mut self.its_own } else { &mut self.others };
        list.insert(path.to_owned());
    }

    /// The definition's tests; all that have the word if none is known to be one of them.
    pub(super) fn finish(self) -> Vec<String> {
        let tests = if self.its_own.is_empty() { self.others } else { self.its_own };
        tests.into_iter().collect()
    }
}

/// What a member is a member of.
fn owner_of<'s>(symbol: &'s str, name: &str) -> Option<&'s str> {
    let separators = ['.', ':', '#'];
    let owner = symbol.strip_suffix(name)?.trim_end_matches(separators);
    owner.rsplit(separators).next().filter(|owner| !owner.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_is_the_innermost() {
        for (symbol, expected) in [
            ("sign", None),
            ("Seal.sign", Some("Seal")),
            ("shop::Seal::sign", Some("Seal")),
            ("Shop.Seal#sign", Some("Seal")),
        ] {
            assert_eq!(owner_of(symbol, "sign"), expected, "{symbol}");
        }
    }

    #[test]
    fn tests_that_only_have_the_word_count_where_there_are_no_others() {
        let with_owner = || Some(BTreeSet::from(["seal_test.rb".to_owned()]));
        for (owner, tests, expected) in [
            (with_owner(), &[("paper_test.rb", false), ("seal_test.rb", false)][..], &["seal_test.rb"][..]),
            (with_owner(), &[("paper_test.rb", false), ("ink_test.rb", true)], &["ink_test.rb"]),
            (with_owner(), &[("paper_test.rb", false)], &["paper_test.rb"]),
            (None, &[("paper_test.rb", false), ("ink_test.rb", true)], &["ink_test.rb", "paper_test.rb"]),
        ] {
            let mut all = TestFiles::among(owner);
            tests.iter().for_each(|(path, sure)| all.add(path, *sure));
            assert_eq!(all.finish(), expected, "{tests:?}");
        }
    }
}
