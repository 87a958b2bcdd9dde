//! The table is consistent, and imports say which way a file goes.

use super::*;

#[test]
fn imports_say_which_way_a_file_goes() {
    let names = |language, target| ways_of(language, target).map(|w| w.name).collect::<Vec<_>>().join(" ");
    assert_eq!(names("rust", "tokio::sync::mpsc"), "Tokio");
    assert_eq!(names("rust", "tokio_rustls"), "");
    assert_eq!(names("go", "log/slog"), "slog log");
    assert_eq!(names("cpp", "<gtest/gtest.h>"), "GoogleTest");
    assert_eq!(names("typescript", "@testing-library/react"), "Testing Library");
    assert_eq!(names("python", "logging.handlers"), "logging");
    assert_eq!(names("python", "tokio"), "");
    assert_eq!(names("javascript", "http-errors"), "http-errors");
    assert_eq!(names("javascript", "node:http"), "node:http");
}

#[test]
fn every_way_has_a_known_category_and_language() {
    let keys: std::collections::BTreeSet<Key> = WAYS.iter().map(Way::key).collect();
    assert_eq!(keys.len(), WAYS.len());
    for way in WAYS {
        assert!(CATEGORIES.contains(&way.category), "{}", way.category);
        for language in way.languages {
            assert!(crate::language::by_name(language).is_some(), "{language}");
        }
    }
}
