//! Any query and any text is valid: no error, no panic, and the laws of a reply apply.

use std::cell::RefCell;

use plimsoll_knowledge::{SearchRequest, Sort};
use proptest::prelude::*;
use text::ChunkKind;

use crate::common::{Temp, add, markdown, request, search, temp};

fn filled() -> Temp {
    let mut t = temp();
    add(&mut t.store, "docs/reference", &markdown(40_000, 3));
    add(&mut t.store, "docs/日本", "# 設定\n\nデータベースの接続は自動です。😀 React入門\n");
    t
}

thread_local! {
    static FILLED: RefCell<Temp> = RefCell::new(filled());
}

#[test]
fn odd_queries_are_answered() {
    let t = filled();
    let long = "word ".repeat(20_000);
    let no_space = "x".repeat(100_000);
    for query in [
        "",
        " ",
        "\"",
        "\"\"",
        "\"\"\"",
        "*",
        "^",
        "a*",
        "title:error",
        "{title}: x",
        "NEAR(a b, 3)",
        "AND",
        "OR NOT",
        "a AND",
        "(((",
        ")",
        "-error",
        "+error",
        "error:",
        "'; DROP TABLE chunks; --",
        "\0",
        "err\0or",
        "😀",
        "👩‍👩‍👧‍👦",
        "\u{202e}abc",
        "\u{feff}",
        "日",
        "日 本",
        "ไทย",
        "a\u{301}",
        "ﬁle",
        "İstanbul",
        "ß",
        "\u{10FFFF}",
        "%",
        "_",
        "\\",
        "[a-z]+",
        "..",
        "::",
        "C++",
        "C#",
        "--help",
        &long,
        &no_space,
    ] {
        for sort in [Sort::Relevance, Sort::Time] {
            let reply = search(&t.store, &SearchRequest { sort, ..request(&[query, "error"]) });
            assert_eq!(reply.per_query.len(), 2);
            assert!(reply.per_query[1].total > 0);
        }
    }
    assert!(search(&t.store, &request(&[])).per_query.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_query(query in "\\PC{0,60}", offset in 0usize..5, limit in 0usize..8, budget_bytes in 0usize..9_000) {
        FILLED.with_borrow(|t| {
            let request = SearchRequest { limit, offset, budget_bytes, ..request(&[&query, "cache index"]) };
            let reply = t.store.search(&request).expect("search");
            prop_assert_eq!(reply.per_query.len(), 2);
            let heads = 2 * (96 + 120) + 2 * (64 + 2 * 24 + 120);
            prop_assert!(reply.bytes() <= budget_bytes.max(heads));
            for q in &reply.per_query {
                prop_assert!(q.hits.len() <= limit && q.hits.len() as u64 <= q.total);
            }
            Ok(())
        })?;
    }

    #[test]
    fn every_hit_satisfies_its_filter(word in "[a-z]{2,9}", code: bool) {
        FILLED.with_borrow(|t| {
            let kind = if code { ChunkKind::Code } else { ChunkKind::Prose };
            let request =
                SearchRequest { kind: Some(kind), source: Some("docs/ref".into()), limit: 20, ..request(&[&word]) };
            for hit in &t.store.search(&request).expect("search").per_query[0].hits {
                prop_assert_eq!(hit.code, code);
                prop_assert!(hit.source.starts_with("docs/ref"));
                prop_assert!(t.store.chunk_text(hit.chunk_id).is_ok());
            }
            Ok(())
        })?;
    }

}

proptest! {
    // Each case makes a database of its own.
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_indexed_and_read_back(content in "(\\PC|\n|\t|\0|`){0,400}") {
        let mut t = temp();
        add(&mut t.store, "x", &content);
        prop_assert!(t.store.index_is_sound().expect("check"));
        let back = t.store.source_text("x").expect("text").text;
        let letters = |s: &str| s.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        prop_assert_eq!(letters(&back), letters(&content));
    }
}
