//! The filter grammar: what is understood, and how an error names its place.

#![allow(clippy::unwrap_used, reason = "tests")]

use plimsoll_memory::domain::{Namespace, Status};
use plimsoll_memory::query::{Clause, Field, Filter, Glob};

const NOW: i64 = 1_800_000_000_000;

fn parsed(text: &str) -> Filter {
    Filter::parse(text, NOW).unwrap()
}

#[test]
fn what_is_understood() {
    let globs = |all: &[&str]| all.iter().map(|text| Glob::new(text)).collect::<Vec<_>>();
    for (text, clauses) in [
        ("", vec![]),
        ("  \t\n", vec![]),
        ("ns:decisions", vec![Clause::Namespace(vec![Namespace::Decisions])]),
        ("namespace:decisions NS:apis", vec![Clause::Namespace(vec![Namespace::Decisions, Namespace::Apis])]),
        ("tag:a,b tags:c", vec![Clause::Tag(globs(&["a", "b"])), Clause::Tag(globs(&["c"]))]),
        ("-tag:a", vec![Clause::Not(Box::new(Clause::Tag(globs(&["a"]))))]),
        ("src:\"my notes\\\".md\"", vec![Clause::Text(Field::Source, vec![Glob::literal("my notes\".md")])]),
        ("file_path:src/*.rs", vec![Clause::Text(Field::Path, globs(&["src/*.rs"]))]),
        (
            "repo:github.com/acme/shop:x",
            vec![Clause::Text(Field::Project, globs(&["github.com/acme/shop:x"]))],
        ),
        ("entity:pg,\"Claude API\"", vec![Clause::Entity(vec!["pg".into(), "Claude API".into()])]),
        ("since:7d", vec![Clause::Captured { from: Some(NOW - 7 * 86_400_000), until: None }]),
        ("since:3", vec![Clause::Captured { from: Some(NOW - 3 * 86_400_000), until: None }]),
        (
            "since:2026-01-31 until:2026-01-31",
            vec![
                Clause::Captured { from: Some(1_769_817_600_000), until: None },
                Clause::Captured { from: None, until: Some(1_769_904_000_000) },
            ],
        ),
    ] {
        assert_eq!(parsed(text).clauses, clauses, "{text}");
    }
}

#[test]
fn only_active_and_living_ones_unless_others_are_named() {
    use Status::{Active, Archived, Pending, Superseded, Tombstoned};
    let every = vec![Active, Archived, Superseded, Pending, Tombstoned];
    for (text, any, expired) in [
        ("", vec![Active], Some(false)),
        ("ns:apis", vec![Active], Some(false)),
        ("status:archived", vec![Archived], Some(false)),
        ("status:deleted", vec![Tombstoned], Some(false)),
        ("status:pending,archived", vec![Archived, Pending], Some(false)),
        ("status:any", every.clone(), None),
        ("status:expired", every.clone(), Some(true)),
        ("status:archived,expired", vec![Archived], None),
        ("status:expired status:archived", vec![Archived], None),
        ("status:any -status:tombstoned", vec![Active, Archived, Superseded, Pending], None),
        ("-status:tombstoned status:any", vec![Active, Archived, Superseded, Pending], None),
        ("status:any -status:expired", every.clone(), Some(false)),
        ("-status:archived", vec![Active], Some(false)),
        ("-status:active", vec![Archived, Superseded, Pending, Tombstoned], Some(false)),
        ("-status:active,tombstoned", vec![Archived, Superseded, Pending], Some(false)),
        ("-status:active -status:expired", vec![Archived, Superseded, Pending, Tombstoned], Some(false)),
    ] {
        let statuses = parsed(text).statuses;
        assert_eq!((statuses.any, statuses.expired), (any, expired), "{text}");
    }
}

#[test]
fn an_error_names_its_place_and_what_is_allowed() {
    for (text, at, words) in [
        ("ns:decison tag:x", 4, vec!["decison", "decisions"]),
        ("tag:x ns:decisions,foo", 20, vec!["foo"]),
        ("tag:x colour:red", 7, vec!["colour", "branch"]),
        ("tag:x hello", 7, vec!["hello", "query"]),
        ("-", 1, vec!["key:value"]),
        (":x", 1, vec!["key:value"]),
        ("tag:", 5, vec!["no value"]),
        ("tag:a,,b", 7, vec!["no value"]),
        ("tag:a,", 7, vec!["no value"]),
        ("since:yesterday", 7, vec!["yesterday", "7d"]),
        ("since:7x", 7, vec!["7x"]),
        ("since:7d,8d", 10, vec!["one value"]),
        ("-since:7d", 1, vec!["negated"]),
        ("status:gone", 8, vec!["gone", "tombstoned", "expired, any"]),
        ("-status:any", 9, vec!["everything"]),
        ("tag:\"open", 5, vec!["never closed"]),
        ("tag:a\"b", 6, vec!["whole value"]),
        ("tag:\"a\"b", 8, vec!["closing quote"]),
        ("thing:x", 1, vec!["thing", "entity"]),
        ("include_tombstoned:true", 1, vec!["include_tombstoned"]),
        ("日本:x", 1, vec!["日本"]),
    ] {
        let error = Filter::parse(text, NOW).unwrap_err();
        assert_eq!(error.at, at, "{text}: {error}");
        for word in words {
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
    }
    assert!(Filter::parse(&"a".repeat(20_000), NOW).unwrap_err().to_string().contains("10000"));
}
