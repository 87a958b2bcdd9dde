//! Chooses the tests of a definition among those that have its name: `perform`, `sign` and `index` are words of many tests, and the
//! ones of a member speak of what it's a member of. Reads no files.

use std::collections::BTreeSet;

use code::refs::Confidence;
use code::{Result, Store};

/// The tests that have a name.
pub(crate) struct TestFiles {
    /// The files that speak of the name's owner; `None` without one, and where the index has no word for it.
    with_owner: Option<BTreeSet<String>>,
    its_own: BTreeSet<String>,
    /// Those of a member that may mean it, or another one of its name.
    in_scope: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl TestFiles {
    /// Those of `symbol`, which is `name` or ends in it: `Type.name`.
    ///
    /// # Errors
    /// When the index can't be read.
    pub(crate) fn of(store: &Store, symbol: &str, name: &str) -> Result<Self> {
        let with_owner = match owner_of(symbol, name) {
            Some(owner) => store.files_with_word(owner, usize::MAX)?,
            None => None,
        };
        let paths = with_owner.map(|files| files.into_iter().map(|file| file.path).collect());
        Ok(Self::among(paths))
    }

    fn among(with_owner: Option<BTreeSet<String>>) -> Self {
        let none = BTreeSet::new;
        Self { with_owner, its_own: none(), in_scope: none(), all: none() }
    }

    /// Adds a test by a place in it that has the name.
    pub(crate) fn add(&mut self, path: &str, confidence: Confidence) {
        let speaks = self.with_owner.as_ref().map(|files| files.contains(path));
        let is_its_own = match confidence {
            Confidence::Resolved => true,
            Confidence::InScope => speaks.unwrap_or(true),
            Confidence::Textual => speaks.unwrap_or(false),
        };
        if is_its_own {
            self.its_own.insert(path.to_owned());
        } else if confidence == Confidence::InScope {
            self.in_scope.insert(path.to_owned());
        }
        self.all.insert(path.to_owned());
    }

    /// How many tests have the name, whatever it means there.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The definition's tests. If none is known to be one of them, those that may be; all that have the word if the definition has no
    /// owner, or the index no word for it.
    pub(crate) fn tests(&self) -> &BTreeSet<String> {
        match &self.with_owner {
            _ if !self.its_own.is_empty() => &self.its_own,
            None => &self.all,
            Some(_) => &self.in_scope,
        }
    }

    /// The same; all that have the word if none is known, so that nothing is called untested for this.
    pub(crate) fn tests_or_all(&self) -> &BTreeSet<String> {
        let tests = self.tests();
        if tests.is_empty() { &self.all } else { tests }
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
    use super::Confidence::{InScope, Resolved, Textual};
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
        let seal = || Some(BTreeSet::from(["seal_test.rb".to_owned()]));
        let (paper, ink) = ("paper_test.rb", "ink_test.rb");
        for (owner, tests, known, or_all) in [
            (seal(), &[(paper, Textual), ("seal_test.rb", Textual)][..], "seal_test.rb", "seal_test.rb"),
            (seal(), &[(paper, Textual), (ink, Resolved)], ink, ink),
            (seal(), &[(paper, InScope), ("seal_test.rb", Textual)], "seal_test.rb", "seal_test.rb"),
            (seal(), &[(paper, Textual), (ink, InScope)], ink, ink),
            (seal(), &[(paper, Textual)], "", paper),
            (None, &[(paper, Textual), (ink, InScope)], ink, ink),
            (
                None,
                &[(paper, Textual), (ink, Resolved), (paper, InScope)],
                "ink_test.rb paper_test.rb",
                "ink_test.rb paper_test.rb",
            ),
            (None, &[(paper, Textual)], paper, paper),
        ] {
            let mut all = TestFiles::among(owner);
            tests.iter().for_each(|(path, confidence)| all.add(path, *confidence));
            let told = |files: &BTreeSet<String>| files.iter().cloned().collect::<Vec<_>>().join(" ");
            assert_eq!(
                (told(all.tests()), told(all.tests_or_all())),
                (known.to_owned(), or_all.to_owned()),
                "{tests:?}"
            );
            assert!(all.count() >= 1);
        }
    }
}
