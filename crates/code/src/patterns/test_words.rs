//! The words of test frameworks, by which tests are counted that don't import theirs because a helper, a setting or a `global
//! using` brings it in for all of them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::Uses;
use super::pattern_table::{Key, WAYS};
use crate::error::Result;
use crate::language;
use crate::role::{self, Role};
use crate::store::Store;

/// Language and name of a framework, and words that a test has in its code. Frameworks of one language may share some.
/// `TEST_F` and `RSpec` aren't among them: the index has no words of one letter, so they would find every `test` and `spec`.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("cpp", "GoogleTest", &["EXPECT_EQ", "EXPECT_TRUE", "ASSERT_EQ", "ASSERT_TRUE"]),
    ("csharp", "xUnit", &["Fact", "Theory"]),
    ("csharp", "NUnit", &["TestFixture", "TestCase"]),
    ("csharp", "MSTest", &["TestMethod"]),
    ("php", "PHPUnit", &["TestCase"]),
    // In Rails a test is an `ActiveSupport::TestCase` or an `ActionDispatch::IntegrationTest`.
    ("ruby", "Minitest", &["Minitest", "describe", "TestCase", "IntegrationTest"]),
    ("ruby", "RSpec", &["describe"]),
    ("typescript", "Vitest", &["describe", "expect"]),
    ("typescript", "Jest", &["describe", "expect"]),
    ("typescript", "Mocha with Chai", &["describe", "expect"]),
    ("typescript", "Jasmine", &["describe", "expect"]),
];

/// How the tests of a framework are called, where it says.
const NAMES: &[(&str, &str, &str)] = &[("ruby", "Minitest", "_test.rb"), ("ruby", "RSpec", "_spec.rb")];

const PYTEST: Key = ("testing", "python", "pytest");
const NOSE: Key = ("testing", "python", "nose");
const RSPEC: Key = ("testing", "ruby", "RSpec");
const MINITEST: Key = ("testing", "ruby", "Minitest");

fn words_of(key: &Key) -> Option<&'static [&'static str]> {
    WORDS.iter().find(|(language, name, _)| (*language, *name) == (key.1, key.2)).map(|(_, _, words)| *words)
}

/// How many files of an index are called as the tests of a framework are.
fn count_named(store: &Store, key: &Key) -> Result<i64> {
    let Some((.., ending)) = NAMES.iter().find(|(language, name, _)| (*language, *name) == (key.1, key.2))
    else {
        return Ok(0);
    };
    store.read(|db| {
        let mut statement = db.prepare_cached("SELECT count(*) FROM files WHERE path LIKE ?1 ESCAPE '\\'")?;
        statement.query_row([format!("%{}", ending.replace('_', "\\_"))], |row| row.get(0))
    })
}

/// Adds tests that import nothing and can be of one framework only: a function `test_…` outside of classes is pytest's, and a
/// `_spec.rb` that describes something RSpec's, where no file imports the other framework that runs such tests.
fn add_unimported(store: &Store, uses: &mut Uses) -> Result<()> {
    if !uses.contains_key(&NOSE) {
        let found = tests_by_their_names(store, "python", "function")?;
        add(uses, PYTEST, found);
    }
    if !uses.contains_key(&RSPEC) && !uses.contains_key(&MINITEST) {
        let own = |role: Role| role.is(Role::TEST) && !role.is(Role::VENDORED);
        let files = store.files_with_code("describe")?.into_iter().filter(|file| own(file.role));
        add(uses, RSPEC, files.map(|file| file.path).filter(|path| path.ends_with("_spec.rb")).collect());
    }
    Ok(())
}

/// The tests that define a `test_…` of this kind outside of classes, or as a method of one.
fn tests_by_their_names(store: &Store, language: &str, kind: &str) -> Result<BTreeSet<String>> {
    let aside = Role::VENDORED.0 | Role::GENERATED.0;
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT DISTINCT f.path FROM symbols s JOIN files f ON f.id = s.file
             WHERE f.language = ?3 AND f.role & ?1 AND NOT f.role & ?2
             AND s.kind = ?4 AND (s.kind = 'method' OR s.container = '') AND s.name LIKE 'test\\_%' ESCAPE '\\'",
        )?;
        let paths = statement.query_map((Role::TEST.0, aside, language, kind), |row| row.get(0))?;
        paths.collect()
    })
}

fn add(uses: &mut Uses, key: Key, files: BTreeSet<String>) {
    if !files.is_empty() {
        uses.entry(key).or_default().extend(files);
    }
}

/// Adds the tests that have the words of their language's framework; that is the one which most files import. An example shows what
/// users may test with, and where as many import another, the names of the tests decide.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn add_tests(store: &Store, uses: &mut Uses) -> Result<()> {
    add_unimported(store, uses)?;
    let languages: BTreeSet<&str> = WORDS.iter().map(|(language, ..)| *language).collect();
    for language in languages {
        let testing = uses.iter().filter(|(key, _)| key.0 == "testing" && key.1 == language);
        let own = |path: &&String| !role::of(path, None, "").is(Role::EXAMPLE);
        let mut known = Vec::new();
        for (key, files) in testing.clone().filter(|(key, _)| words_of(key).is_some()) {
            known.push((files.iter().filter(own).count(), count_named(store, key)?, Reverse(key.2), *key));
        }
        let Some((.., chosen)) = known.into_iter().max() else { continue };
        let Some(way) = WAYS.iter().find(|way| way.key() == chosen) else { continue };
        let rivals = |key: &Key| *key != chosen && WAYS.iter().any(|way| way.key() == *key && way.is_rival);
        let others: BTreeSet<String> =
            testing.filter(|(key, _)| rivals(key)).flat_map(|(_, files)| files.iter().cloned()).collect();
        let mut found = BTreeSet::new();
        for word in words_of(&chosen).unwrap_or_default() {
            let own = |role: Role| role.is(Role::TEST) && !role.is(Role::VENDORED);
            let files = store.files_with_code(word)?.into_iter().filter(|file| own(file.role));
            found.extend(files.map(|file| file.path).filter(|path| {
                let spoken =
                    language::of(path, "").is_some_and(|spoken| way.languages.contains(&spoken.name));
                spoken && !others.contains(path)
            }));
        }
        // A class of tests may have its framework's from a class of the project: `class CartTest < ShopTest`.
        if chosen == MINITEST {
            found.extend(tests_by_their_names(store, "ruby", "method")?.difference(&others).cloned());
        }
        uses.entry(chosen).or_default().extend(found);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::WORDS;
    use crate::words;

    #[test]
    fn the_index_distinguishes_a_word_from_its_parts() {
        for word in WORDS.iter().flat_map(|(.., of)| *of) {
            let (mut scratch, mut last, mut whole) = (String::new(), String::new(), String::new());
            words::words(word, &mut scratch, |one| one.clone_into(&mut last));
            words::whole(word, &mut whole);
            assert!(last == whole || last == words::stem(&whole), "{word}: {last}");
        }
    }
}
