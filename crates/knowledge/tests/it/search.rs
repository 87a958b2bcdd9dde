//! What a search finds, and what it reports about how it found it.

use crate::common::{find, markdown, request, search, temp};
use plimsoll_knowledge::{KnowledgeError, SearchRequest, Sort, SourceKind, Store};
use text::ChunkKind;

const GUIDE: &str = "# Guide\n\nIntroduction to the service.\n\n## Retry policy\n\nEvery failed request is sent again with \
exponential backoff, up to five times.\n\n## Timeouts\n\nA timeout of thirty seconds ends the request; the retry starts afresh.\n\n\
```rust\nfn max_retries() -> u32 {\n    5\n}\n```\n\n## Hooks\n\nCall `useEffect` with an array; `parseHTTPHeader` reads one line. \
The file lies in libfoobarbaz.\n\n## 日本語\n\nデータベースの接続は自動です。React入門もあります。\n";

#[test]
fn words_phrases_identifiers_and_scripts_are_found() {
    let mut t = temp();
    t.add("guide", GUIDE);
    for (query, title_has) in [
        ("retry policy", "Retry policy"),
        ("exponential backoff", "Retry policy"),
        ("\"thirty seconds\"", "Timeouts"),
        ("max_retries", "Timeouts"),
        ("maxRetries", "Timeouts"),
        ("useEffect", "Hooks"),
        ("use effect", "Hooks"),
        ("use_effect", "Hooks"),
        ("effect", "Hooks"),
        ("http header", "Hooks"),
        ("foobarba", "Hooks"),
        ("データベース", "日本語"),
        ("接続", "日本語"),
        ("入門", "日本語"),
        ("React", "日本語"),
        ("自", "日本語"),
    ] {
        let reply = t.find(query);
        assert!(!reply.hits.is_empty(), "{query} found nothing");
        assert!(reply.hits[0].title.contains(title_has), "{query}: {:?}", reply.hits[0].title);
        assert!(!reply.relaxed && reply.corrected.is_none(), "{query}: {reply:?}");
    }
    assert!(t.find("foobarba").inside_words);
    assert!(!t.find("effect").inside_words);
    // A phrase is a phrase.
    assert_eq!(t.find("\"seconds thirty\"").total, 0);
}

#[test]
fn matches_with_all_words_come_before_matches_with_some() {
    let mut t = temp();
    t.add("guide", GUIDE);
    assert!(!t.find("retry request").relaxed);
    let any = t.find("backoff zebra unicorn");
    assert!(any.relaxed);
    assert!(any.hits[0].title.contains("Retry policy"));
}

#[test]
fn an_identifier_of_known_words_that_occurs_nowhere_is_found_by_its_words() {
    let mut t = temp();
    t.add("guide", GUIDE);
    let reply = t.find("policy_backoff");
    assert!(reply.relaxed && !reply.inside_words, "{reply:?}");
    assert!(reply.hits[0].title.contains("Retry policy"));
}

#[test]
fn a_typo_is_corrected_and_reported_only_when_nothing_matched() {
    let mut t = temp();
    t.add("guide", GUIDE);
    let reply = t.find("exponentail");
    assert_eq!(reply.corrected.as_deref(), Some("exponential"));
    assert!(reply.hits[0].title.contains("Retry policy"));
    let two = t.find("exponental bakoff");
    assert_eq!(two.corrected.as_deref(), Some("exponential backoff"));
    assert!(t.find("backoff").corrected.is_none());
    let nothing = t.find("xylophone");
    assert_eq!((nothing.total, nothing.corrected), (0, None));
}

#[test]
fn a_name_in_the_title_outranks_a_mention() {
    let mut t = temp();
    for n in 0..60 {
        t.add(
            &format!("note{n}"),
            &format!("# Note {n}\n\nbackoff policy backoff policy backoff policy appear here, number {n}.\n"),
        );
    }
    t.add("the one", "# Backoff policy\n\nThe backoff grows. It is the policy of the client.\n");
    assert_eq!(t.find("backoff policy").hits[0].source, "the one");
}

#[test]
fn chunks_with_the_same_title_stay_apart() {
    let mut t = temp();
    for n in 0..5 {
        t.add(&format!("day{n}"), &format!("# Minutes\n\nDecision about zebra number {n}.\n"));
    }
    let reply = search(&t.store, &SearchRequest { limit: 10, ..request(&["zebra"]) }).per_query.remove(0);
    assert_eq!((reply.total, reply.hits.len()), (5, 5));
}

#[test]
fn source_kind_limit_offset_and_time_order_hold() {
    let mut t = temp();
    t.add("docs/a", GUIDE);
    t.add("docs/b", GUIDE);
    t.add("other", GUIDE);
    let ask = |request: SearchRequest| t.store.search(&request).expect("search").per_query.remove(0);
    let base = || SearchRequest { limit: 50, ..request(&["retry"]) };

    let all = ask(base());
    assert_eq!(all.total, 6);
    let prefix = ask(SearchRequest { source: Some("docs/".into()), ..base() });
    assert_eq!(prefix.total, 4);
    let one = ask(SearchRequest { source: Some("docs/b".into()), ..base() });
    assert!(one.hits.iter().all(|h| h.source == "docs/b") && one.total == 2);
    let by_number = ask(SearchRequest { source: Some(format!("#{}", one.hits[0].source_id)), ..base() });
    assert_eq!(by_number, one);
    let code = ask(SearchRequest { kind: Some(ChunkKind::Code), ..base() });
    let prose = ask(SearchRequest { kind: Some(ChunkKind::Prose), ..base() });
    assert!(code.hits.iter().all(|h| h.code) && prose.hits.iter().all(|h| !h.code));
    assert_eq!(code.total + prose.total, all.total);

    let mut paged = Vec::new();
    for offset in 0..7 {
        let page = ask(SearchRequest { limit: 1, offset, ..base() });
        paged.extend(page.hits.into_iter().map(|h| h.chunk_id));
    }
    let whole: Vec<i64> = ask(SearchRequest { limit: 6, ..base() }).hits.iter().map(|h| h.chunk_id).collect();
    assert_eq!(paged, whole);

    let newest = ask(SearchRequest { sort: Sort::Time, ..base() });
    let ids: Vec<i64> = newest.hits.iter().map(|h| h.chunk_id).collect();
    assert!(ids.is_sorted_by(|a, b| a > b) && ids.len() == 6);

    let missing = t.store.search(&SearchRequest { source: Some("nowhere".into()), ..base() });
    assert!(matches!(missing, Err(KnowledgeError::NoSource(name)) if name == "nowhere"));
}

#[test]
fn code_comes_back_as_it_is() {
    let mut t = temp();
    t.add("guide", GUIDE);
    let hit = t.find("max_retries").hits.remove(0);
    assert!(hit.snippet.contains("fn max_retries() -> u32 {\n    5\n}"), "{}", hit.snippet);
}

#[test]
fn the_budget_is_kept_and_no_query_is_dropped() {
    let mut t = temp();
    t.add("reference", &markdown(60_000, 7));
    let queries: Vec<String> =
        (0..12).map(|n| ["error", "cache index", "retry", "quorum lease"][n % 4].to_owned()).collect();
    for budget_bytes in [1_000_000, 20_000, 8_000, 4_000, 2_500] {
        let request =
            SearchRequest { queries: queries.clone(), limit: 5, budget_bytes, ..SearchRequest::default() };
        let reply = search(&t.store, &request);
        assert_eq!(reply.per_query.len(), 12);
        assert!(reply.bytes() <= budget_bytes, "{} > {budget_bytes}", reply.bytes());
        assert!(
            reply.per_query.iter().all(|q| q.total > 0 && !q.hits.is_empty() && !q.hits[0].title.is_empty())
        );
    }
    // Far too small: still every query with its first title.
    let tiny = search(&t.store, &SearchRequest { queries, budget_bytes: 10, ..SearchRequest::default() });
    assert!(tiny.per_query.iter().all(|q| q.hits.len() == 1 && q.hits[0].snippet.is_empty()));
}

#[test]
fn indexing_again_replaces_and_keeps_the_number() {
    let mut t = temp();
    let first = t.add("doc", "# A\n\nThe elephant sleeps.\n");
    let same = t.add("doc", "# A\n\nThe elephant sleeps.\n");
    assert!(same.unchanged && same.source_id == first.source_id);
    let second = t.add("doc", "# A\n\nThe giraffe sleeps.\n");
    assert!(second.replaced && !second.unchanged && second.source_id == first.source_id);
    assert_eq!(t.find("elephant").total, 0);
    assert_eq!(t.find("giraffe").total, 1);
    assert_eq!(t.store.stats().expect("stats").sources, 1);
    assert!(t.store.index_is_sound().expect("check"));
}

#[test]
fn sources_are_listed_and_read_back() {
    let mut t = temp();
    t.add("guide", GUIDE);
    t.add("second", "plain words\n\nmore words\n");
    let list = t.store.sources(0, 10).expect("list");
    assert_eq!(list.total, 2);
    assert_eq!(list.sources[0].label, "second");
    assert_eq!(list.sources[0].kind, SourceKind::Text);
    let back = t.store.source_text("guide").expect("text");
    assert_eq!(back.text.trim(), GUIDE.trim());
    assert!(matches!(t.store.source_text("none"), Err(KnowledgeError::NoSource(_))));
}

#[test]
fn reading_needs_no_writing() {
    let mut t = temp();
    t.add("guide", GUIDE);
    let path = t.store.path().to_path_buf();
    let reader = Store::open_read_only(&path).expect("open").expect("there");
    assert_eq!(find(&reader, "backoff").total, 1);
    assert!(Store::open_read_only(&t.dir.path().join("none.db")).expect("open").is_none());
    let unmade = t.dir.path().join("unmade.db");
    let maker = home::open_db(&unmade, &[]).expect("made");
    assert!(Store::open_read_only(&unmade).expect("open").is_none());
    drop(maker);
}

#[test]
fn very_common_words_are_found_by_title_and_time() {
    let mut t = temp();
    let many: String = (0..4_000).map(|n| format!("## Part {n}\n\ncommon word number {n}\n\n")).collect();
    t.add("many", &many);
    t.add("late", "# Late\n\ncommon ground\n");
    t.add("named", "# Common\n\nnothing else\n");
    let reply = t.find("common");
    assert_eq!(reply.total, 4_002);
    assert_eq!(reply.hits[0].source, "named");
    let relaxed = t.find("common zebra number");
    assert!(relaxed.relaxed && !relaxed.hits.is_empty());
}

/// This many passages with a word that is everywhere, and among them, long ago, one that is about it.
fn crowded(passages: usize) -> crate::common::Temp {
    let mut t = temp();
    let about = "# Harbour\n\nThe harbour of harbours: harbour, harbour and harbour again.\n\n";
    let others: String = (0..passages)
        .map(|n| format!("# Note {n}\n\nShip {n} left the quay of its harbour for sea {n}.\n\n"))
        .collect();
    t.add("notes", &format!("{}{others}", about.replace("# Harbour", "# About")));
    t
}

#[test]
fn every_one_of_thousands_of_matches_is_ranked_and_beyond_that_the_reply_says_how_many_were() {
    let all = crowded(1_500).find("harbour");
    assert_eq!((all.total, all.ranked), (1_501, None));
    assert_eq!(all.hits[0].title, "About", "{:?}", all.hits[0]);
    let some = crowded(10_200).find("harbour");
    assert_eq!(some.total, plimsoll_knowledge::COUNT_UP_TO);
    let ranked = some.ranked.expect("too many to rank them all");
    assert!(ranked > 0 && ranked < 1_000, "{ranked}");
    // Nothing has all words, and too many have one of them: only the rarest are compared.
    let relaxed = crowded(10_200).find("harbour quay zeppelin 77");
    assert!(relaxed.relaxed && relaxed.ranked.is_some(), "{relaxed:?}");
}

/// What Plimsoll calls an output nobody named is not what the output is about.
#[test]
fn generated_labels_and_line_numbers_match_nothing() {
    let mut t = temp();
    let log: String = (0..60).map(|n| format!("ship {} departed\n", n * 1_000 + 999)).collect();
    let mut output = |label: &str, content: &str| {
        let new = plimsoll_knowledge::NewSource {
            kind: SourceKind::Output,
            format: Some(text::Format::Plain),
            ..crate::common::source(label, content)
        };
        t.store.index_text(new).expect("index");
    };
    output("output:hold1", &log);
    output("batch:hold2/5 npm audit", &log);
    t.add("text:Anchors", "an anchor grips mud\n");
    for own in ["lines", "output", "batch", "hold1", "5", "21", "text"] {
        let reply = t.find(own);
        assert_eq!(reply.total, 0, "{own}: {:?}", reply.hits);
    }
    // What the caller called it is.
    assert_eq!(t.find("npm").total, 3);
    assert_eq!(t.find("Anchors").total, 1);
    // The same after the index is rebuilt.
    t.store.rebuild_index().expect("rebuild");
    assert_eq!((t.find("lines").total, t.find("npm").total), (0, 3));
    // A number is found where the text has it, not where a range of lines begins with it.
    t.add("numbers", &(1..=60).map(|n| format!("row of {n}\n")).collect::<String>());
    assert_eq!(t.find("21").total, 1);
}

#[test]
fn a_source_is_found_by_the_callers_own_label_or_a_folders_name() {
    let mut t = temp();
    for label in ["batch:hold2/1 npm test", "batch:hold2/2 npm run lint", "/home/dana/ship/docs/a.md"] {
        t.add(label, &format!("walrus of {label}\n"));
    }
    let within = |t: &crate::common::Temp, source: &str| {
        let request = SearchRequest { source: Some(source.into()), limit: 9, ..request(&["walrus"]) };
        t.store.search(&request).map(|reply| reply.per_query[0].total).ok()
    };
    for (source, total) in [
        ("npm test", Some(1)),
        ("npm", Some(2)),
        ("docs", Some(1)),
        ("ship/docs", Some(1)),
        ("ship\\docs", Some(1)),
        ("batch:hold2", Some(2)),
        ("doc", None),
        ("o", None),
        ("2", Some(1)),
        ("77", None),
        ("/", Some(1)),
    ] {
        assert_eq!(within(&t, source), total, "{source}");
    }
    // A purge takes nothing that wasn't named.
    let purge = plimsoll_knowledge::PurgeScope::Source("npm".into());
    assert!(t.store.purge(&purge, None, 2).is_err());
}
