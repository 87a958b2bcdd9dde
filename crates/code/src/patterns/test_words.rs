//! The words of test frameworks, by which tests are counted that don't import theirs because a helper, a setting or a `global
//! using` brings it in for all of them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::Uses;
use super::pattern_table::{Key, WAYS};
use crate::error::Result;
use crate::language;
use crate::role::Role;
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

fn words_of(key: &Key) -> Option<&'static [&'static str]> {
    WORDS.iter().find(|(language, name, _)| (*language, *name) == (key.1, key.2)).map(|(_, _, words)| *words)
}

/// Adds the tests that have the words of their language's framework; that is the one which most files import.
///
/// # Errors
/// When the database cannot be read.
pub(super) fn add_tests(store: &Store, uses: &mut Uses) -> Result<()> {
    let languages: BTreeSet<&str> = WORDS.iter().map(|(language, ..)| *language).collect();
    for language in languages {
        let testing = uses.iter().filter(|(key, _)| key.0 == "testing" && key.1 == language);
        let known = testing.clone().filter(|(key, _)| words_of(key).is_some());
        let Some(chosen) =
            known.max_by_key(|(key, files)| (files.len(), Reverse(key.2))).map(|(key, _)| *key)
        else {
            continue;
        };
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
