//! Which memories a question brings.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted};
use plimsoll_memory::actions::{Capture, RecallArgs, Update, capture, get, recall_memories, update};
use serde_json::json;

/// A session's memories lend each other their words for the order alone: what has no word of the question itself isn't
/// about it, unless it answers a question that has one.
#[test]
fn what_has_no_word_of_the_question_is_not_returned() {
    let place = Place::new();
    let context = place.context();
    for content in [
        "Lint runs in the pre-commit hook",
        "The Zebra printers need driver 7.2",
        "Deploys happen on Thursdays",
        "Which printers does the depot have?",
        "Two old ones from Brother, in the hall",
        "Invoices are rounded half to even",
    ] {
        noted(&context, content, "context");
    }
    for (question, expected) in [
        (
            "driver for zebra printers",
            vec![
                "The Zebra printers need driver 7.2",
                "Two old ones from Brother, in the hall",
                "Which printers does the depot have?",
            ],
        ),
        ("why don't we deploy more often", vec!["Deploys happen on Thursdays"]),
        ("how often do we lint", vec!["Lint runs in the pre-commit hook"]),
        ("what isn't rounded", vec!["Invoices are rounded half to even"]),
        ("don't", vec![]),
    ] {
        let asked = RecallArgs {
            query: Some(question.into()),
            detail: Some("everything".into()),
            ..RecallArgs::default()
        };
        let found = recall_memories(&context, &asked).unwrap();
        let mut all: Vec<&str> =
            found["results"].as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap()).collect();
        let first = all.first().copied();
        all.sort_unstable();
        assert_eq!((&all, &found["total"]), (&expected, &json!(expected.len())), "{question}");
        assert!(expected.is_empty() || first == expected.first().copied(), "{question}: {first:?}");
    }
}

/// What several people told each other belongs together: a reply is found by the words of what it replies to, also where
/// that isn't a question.
#[test]
fn a_reply_is_found_by_the_words_of_what_it_replies_to() {
    for (authors, expected) in [(["Mara", "Jonas"], 2), (["Mara", "Mara"], 1)] {
        let place = Place::new();
        let context = place.context();
        for (content, author) in
            ["I keep wondering about the label printer", "Blue tape, for now"].into_iter().zip(authors)
        {
            let author = Some(author.to_owned());
            let given = Capture {
                content: content.into(),
                namespace: "context".into(),
                author,
                ..Capture::default()
            };
            capture(&context, &given).unwrap();
        }
        let asked = RecallArgs { query: Some("label printer".into()), ..RecallArgs::default() };
        let found = recall_memories(&context, &asked).unwrap();
        assert_eq!(found["total"], json!(expected), "{authors:?}: {found}");
    }
}

/// Words that ask for a measure order what matches; nothing is about them.
#[test]
fn how_often_and_how_long_find_nothing_by_themselves() {
    let place = Place::new();
    let context = place.context();
    let often = "Lint runs often, with each push";
    for content in [often, "Lint has its own cache", "Backups fail often", "The long poll waits for a minute"]
    {
        noted(&place.desk_in(content), content, "context");
    }
    let asked = RecallArgs {
        query: Some("how often and how long do we lint".into()),
        detail: Some("everything".into()),
        ..RecallArgs::default()
    };
    let found = recall_memories(&context, &asked).unwrap();
    let all = found["results"].as_array().unwrap();
    assert_eq!((all.len(), &all[0]["content"]), (2, &json!(often)), "{found}");
}

/// What came from a web page is untrusted, is found by whoever asks, and says what it is.
#[test]
fn what_came_from_the_web_is_found_with_its_trust() {
    let place = Place::new();
    let context = place.context();
    let given = Capture {
        content: "The shipping API allows 100 requests a minute".into(),
        namespace: "apis".into(),
        source: Some("HTTPS://docs.example.org/limits".into()),
        ..Capture::default()
    };
    let captured = capture(&context, &given).unwrap();
    assert_eq!(captured["trust"], "untrusted");
    let own = noted(&place.desk_in("s2"), "The billing API allows 50 requests a minute", "apis");
    let trusts = || {
        let asked = RecallArgs { query: Some("API requests".into()), ..RecallArgs::default() };
        let found = recall_memories(&context, &asked).unwrap();
        let all = found["results"].as_array().unwrap();
        assert_eq!(all.len(), 2, "{found}");
        all.iter().filter(|one| one["trust"] == "untrusted").count()
    };
    assert_eq!(trusts(), 1);
    // Nor does a memory stay trusted whose text turns out to come from there.
    let change = Update { source: Some("http://docs.example.org/billing".into()), ..Update::default() };
    update(&context, &own, &change).unwrap();
    assert_eq!((&get(&context, &own).unwrap()["trust"], trusts()), (&json!("untrusted"), 2));
}
