//! The table is consistent, and imports identify a file's technologies.

use super::*;

#[test]
fn imports_give_a_files_pattern() {
    let names = |language, target| ways_of(language, target).map(|w| w.name).collect::<Vec<_>>().join(" ");
    assert_eq!(names("rust", "tokio::sync::mpsc"), "Tokio");
    assert_eq!(names("rust", "tokio_rustls"), "");
    assert_eq!(names("go", "log/slog"), "slog");
    assert_eq!(names("go", "log"), "log");
    assert_eq!(names("python", "unittest.case"), "unittest");
    assert_eq!(names("python", "unittest.mock"), "unittest.mock");
    assert_eq!(names("python", "django.test.utils"), "Django");
    assert_eq!(names("ruby", "rails_helper"), "RSpec");
    assert_eq!(names("java", "lombok.extern.slf4j.Slf4j"), "SLF4J");
    assert_eq!(names("php", "Illuminate\\Support\\Facades\\Log"), "Laravel Log");
    assert_eq!(names("cpp", "<gtest/gtest.h>"), "GoogleTest");
    assert_eq!(names("typescript", "@testing-library/react"), "Testing Library");
    assert_eq!(names("python", "logging.handlers"), "logging");
    assert_eq!(names("python", "tokio"), "");
    assert_eq!(names("javascript", "http-errors"), "http-errors");
    assert_eq!(names("javascript", "node:http"), "node:http");
    assert_eq!(names("javascript", "assert"), "node:assert");
    assert_eq!(names("go", "gopkg.in/check.v1"), "gocheck");
    assert_eq!(names("go", "github.com/go-logr/logr/funcr"), "logr");
    assert_eq!(names("go", "go.yaml.in/yaml/v3"), "yaml");
    assert_eq!(names("java", "java.net.HttpURLConnection"), "HttpURLConnection");
    assert_eq!(names("ruby", "http"), "http.rb");
    assert_eq!(names("ruby", "httpx"), "HTTPX");
    assert_eq!(names("ruby", "http_parser"), "");
    assert_eq!(names("c", "<event2/bufferevent.h>"), "libevent");
    assert_eq!(names("c", "events.h"), "");
    assert_eq!(names("php", "Illuminate\\Foundation\\Testing\\TestCase"), "PHPUnit");
    assert_eq!(names("typescript", "node:assert/strict"), "node:assert");
}

#[test]
fn mock_is_a_separate_module() {
    for (names, expected) in [
        (&["mock"][..], "unittest.mock"),
        (&["TestCase"], "unittest"),
        (&["TestCase", "mock"], "unittest"),
        (&["mock", "TestCase"], "unittest"),
        (&[], "unittest"),
    ] {
        assert_eq!(imported_module("python", "unittest", names.iter().copied()), expected, "{names:?}");
    }
    assert_eq!(imported_module("python", "shop", ["mock"].into_iter()), "shop");
}

#[test]
fn every_pattern_has_a_known_category_and_language() {
    let keys: std::collections::BTreeSet<Key> = WAYS.iter().map(Way::key).collect();
    assert_eq!(keys.len(), WAYS.len());
    for way in WAYS {
        assert!(CATEGORIES.contains(&way.category), "{}", way.category);
        for language in way.languages {
            assert!(crate::language::by_name(language).is_some(), "{language}");
        }
    }
}
