//! Which memories a question brings.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted};
use plimsoll_memory::actions::{
    ActionContext, Capture, RecallArgs, Update, capture, get, recall_memories, related, update,
};
use plimsoll_memory::domain::Namespace;
use plimsoll_memory::store::Actor;
use serde_json::{Value, json};

/// A session's memories lend each other their words for the order alone: what has no word of the question itself isn't
/// about it, unless it answers a question that has one.
#[test]
fn memories_without_a_word_of_the_question_are_not_returned() {
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

/// Messages of a conversation belong together: a reply is found by the words of the message it answers, also if that
/// isn't a question.
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
fn measure_words_alone_find_nothing() {
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

/// A memory from a web page is untrusted, is found by any caller, and says what it is.
#[test]
fn web_memories_are_found_with_their_trust() {
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
    // A memory whose text turns out to come from there doesn't stay trusted either.
    let change = Update { source: Some("http://docs.example.org/billing".into()), ..Update::default() };
    update(&context, &own, &change).unwrap();
    assert_eq!((&get(&context, &own).unwrap()["trust"], trusts()), (&json!("untrusted"), 2));
}

/// A score says how sure it is and what it's made of, where somebody asks for everything or is a program of the user's. It
/// costs an agent nothing otherwise. Scores and confidence go down with the order.
#[test]
fn a_score_has_confidence_and_parts_on_request() {
    let place = Place::new();
    let context = place.context();
    for (session, content) in [
        "The importer retries a broken feed with exponential backoff and jitter",
        "The importer retries a feed after an hour",
        "Backoff of the mailer is linear",
        "A feed has one file for each country",
        "Lint runs with each push",
    ]
    .into_iter()
    .enumerate()
    {
        noted(&place.desk_in(&format!("s{session}")), content, "context");
    }
    let user = ActionContext { who: Actor::local_user(place::NOW), ..place.context() };
    let ask = |context: &ActionContext, query: &str, detail: &str| {
        let asked =
            RecallArgs { query: Some(query.into()), detail: Some(detail.into()), ..RecallArgs::default() };
        recall_memories(context, &asked).unwrap()["results"].as_array().unwrap().clone()
    };
    let question = "how does the importer retry a broken feed, with exponential backoff and jitter";
    let all = ask(&context, question, "everything");
    assert!(all.len() > 1, "{all:?}");
    let rank = |one: &Value| match one["confidence"].as_str() {
        Some("high") => 2,
        Some("medium") => 1,
        Some("low") => 0,
        other => panic!("{other:?}"),
    };
    for pair in all.windows(2) {
        assert!(pair[0]["score"].as_f64() >= pair[1]["score"].as_f64(), "{all:?}");
        assert!(rank(&pair[0]) >= rank(&pair[1]), "{all:?}");
    }
    assert!(rank(&all[0]) > rank(&all[all.len() - 1]), "{all:?}");
    for one in &all {
        let parts = one["components"].as_object().unwrap();
        let names: Vec<&str> = parts.keys().map(String::as_str).collect();
        assert_eq!(names, ["bm25", "coverage", "context", "session", "vector", "recency", "weight"]);
        assert!(parts.values().all(|part| part.as_f64().is_some_and(|part| part >= 0.0)), "{one}");
    }
    assert_eq!(all[0]["components"]["coverage"], 1.0);
    // Results are the same for every caller and every level of detail.
    for (who, detail, explained) in [
        (&context, "light", false),
        (&context, "medium", false),
        (&user, "light", true),
        (&user, "medium", true),
    ] {
        let found = ask(who, question, detail);
        let ids = |all: &[Value]| all.iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
        assert_eq!(ids(&found), ids(&all), "{detail}");
        for key in ["confidence", "components"] {
            assert_eq!(found.iter().any(|one| one.get(key).is_some()), explained, "{detail} {key}");
        }
    }
    // A list has no scores.
    let listed = recall_memories(&user, &RecallArgs::default()).unwrap();
    assert!(listed["results"].as_array().unwrap().iter().all(|one| one.get("confidence").is_none()));
}

/// Where words have no spaces between them, a memory needn't have the whole question as a phrase.
#[test]
fn a_question_without_spaces_finds_memories_with_its_words() {
    let place = Place::new();
    let context = place.context();
    let memories = [
        "決済サービスのタイムアウトは三十秒に設定されている",
        "データベースの移行は毎週火曜日に実行する",
        "支付服务的超时时间设置为三十秒",
        "图片缓存在二十四小时后清除",
        "日志必须写入标准输出而不是文件",
        "토큰 방식을 쓴다",
        "Invoices are rounded half to even",
    ];
    for content in memories {
        noted(&context, content, "context");
    }
    for (question, expected) in [
        ("決済のタイムアウトは何秒ですか", Some(memories[0])),
        ("データベースの移行はいつ", Some(memories[1])),
        ("支付超时是多少", Some(memories[2])),
        ("图片缓存多久清除", Some(memories[3])),
        ("日志写到哪里", Some(memories[4])),
        ("토큰을", Some(memories[5])),
        ("今天天气怎么样", None),
        ("天気はどうですか", None),
        ("请重命名这个函数", None),
    ] {
        let asked = RecallArgs {
            query: Some(question.into()),
            detail: Some("everything".into()),
            ..RecallArgs::default()
        };
        let found = recall_memories(&context, &asked).unwrap();
        assert_eq!(found["results"][0]["content"].as_str(), expected, "{question}: {found}");
    }
}

/// Who asks may have another keyboard than who noted it.
#[test]
fn a_word_is_found_by_each_of_its_spellings() {
    let place = Place::new();
    let context = place.context();
    let all: [(&str, &[&str]); 6] = [
        ("Die Straße zum Depot ist gesperrt", &["Straße", "Strasse", "STRASSE"]),
        ("Protokolle löschen wir nach Ostern", &["löschen", "loeschen", "loschen"]),
        ("Die Groesse der Pakete ist begrenzt", &["Größe", "Grösse", "GROESSE"]),
        ("ＡＰＩ の鍵は毎月変える", &["API", "ＡＰＩ"]),
        ("Tokens rotate every month", &["ｔｏｋｅｎｓ"]),
        ("Kapı ışık sınıfı kullanılır", &["kapı", "KAPI", "isik", "sinifi"]),
    ];
    for (content, _) in all {
        noted(&context, content, "context");
    }
    for (content, questions) in all {
        for question in questions {
            let asked = RecallArgs {
                query: Some((*question).into()),
                detail: Some("everything".into()),
                ..RecallArgs::default()
            };
            let found = recall_memories(&context, &asked).unwrap();
            assert_eq!(found["results"][0]["content"], content, "{question}: {found}");
        }
    }
}

/// Who asks seldom uses the very form of a word that was noted.
#[test]
fn a_question_may_use_another_form_of_a_word() {
    let place = Place::new();
    let context = place.context();
    let all: &[(&str, &[&str])] = &[
        // Everyday words for the same.
        ("The kid profiles hide purchases", &["children", "child profile"]),
        // Irregular.
        ("Defaults are overridden per tenant", &["override", "what overrode the defaults"]),
        ("Aliases expire with their owner", &["alias", "when does an alias expire"]),
        // What is done and what it's called.
        ("Revocation of API keys takes a minute", &["revoke", "how do we revoke API keys"]),
        // Short forms.
        ("Config of the gateway is versioned", &["configuration", "configurations of the gateway"]),
        ("Application logs rotate at midnight", &["app logs", "apps"]),
        // Written together.
        ("Timezone of the plan is Europe/Vienna", &["time zone", "time zone of the plan"]),
        // German endings.
        ("Zertifikate liegen unter /etc/kontor", &["Wo ist das Zertifikat?", "mit dem Zertifikat"]),
        ("Der Importer speichert nachts", &["wann soll der Importer speichern"]),
        // British and American.
        ("Colors come from the theme", &["colours", "which colour"]),
        ("Money is serialised as cents", &["serialize money", "serialization"]),
    ];
    for (content, _) in all {
        noted(&context, content, "context");
    }
    for (content, questions) in all {
        for question in *questions {
            let asked = RecallArgs {
                query: Some((*question).into()),
                detail: Some("everything".into()),
                ..RecallArgs::default()
            };
            let found = recall_memories(&context, &asked).unwrap();
            assert_eq!(found["results"][0]["content"], *content, "{question}: {found}");
        }
    }
}

/// A part of a German compound finds it where nothing else matches, and with little confidence.
#[test]
fn a_part_of_a_compound_finds_it_where_nothing_else_matches() {
    let place = Place::new();
    let context = place.context();
    for content in [
        "Die Datenbankverbindung läuft über den PgBouncer",
        "Transactions are logged by the gateway",
        "Protokolle der Zahlungsabwicklung und der Mahnungen",
    ] {
        noted(&context, content, "context");
    }
    let found = |question: &str, min_score: Option<f64>| {
        let detail = Some("everything".into());
        let asked = RecallArgs { query: Some(question.into()), detail, min_score, ..RecallArgs::default() };
        let found = recall_memories(&context, &asked).unwrap();
        let all = found["results"].as_array().unwrap().iter();
        let begins = |one: &Value| one["content"].as_str().unwrap().split(' ').nth(1).unwrap().to_owned();
        (
            all.clone().map(begins).collect::<Vec<_>>(),
            all.map(|one| one["score"].as_f64().unwrap()).collect::<Vec<_>>(),
        )
    };
    for (question, expected) in [
        ("Datenbank", vec!["Datenbankverbindung"]),
        ("Verbindung", vec!["Datenbankverbindung"]),
        ("wie heißt unsere Verbindung", vec!["Datenbankverbindung"]),
        ("Abwicklung", vec!["der"]),
        ("action", vec![]),
        ("\"Verbindung\"", vec![]),
        ("Bindungsenergie", vec![]),
    ] {
        let (names, scores) = found(question, None);
        assert_eq!(names, expected, "{question}");
        assert!(scores.iter().all(|score| *score <= 0.3), "{question}: {scores:?}");
    }
    assert_eq!(found("Verbindung", Some(0.5)).0, [""; 0]);
    // Whatever nobody asked for is surely meant.
    let about = related(&context, &[Namespace::Context], ("Verbindung", &[], &[]), 5).unwrap();
    assert!(about.is_empty(), "{about:?}");
    // What has the word itself is what was asked for.
    noted(&context, "Jede Verbindung wird nach einer Stunde getrennt", "context");
    assert_eq!(found("Verbindung", None).0, ["Verbindung"]);
}

/// A memory beside code is given unasked, so only what surely is the same word counts.
#[test]
fn a_possibly_equal_word_makes_no_memory_about_code() {
    let place = Place::new();
    let context = place.context();
    for content in [
        "Every JWT has a kid that names its signing key",
        "Keynote speakers get a hotel room",
        "Colours of the charts come from the theme",
    ] {
        noted(&context, content, "context");
    }
    let about = |words: &str| -> Vec<String> {
        let found = related(&context, &[Namespace::Context], (words, &[], &[]), 5).unwrap();
        found.into_iter().map(|memory| memory.content).collect()
    };
    for words in ["which key does the child node get", "key note speakers array"] {
        assert_eq!(about(words), [""; 0], "{words}");
    }
    assert_eq!(about("the colors of the charts"), ["Colours of the charts come from the theme"]);
}

/// A process may be ended between salvaging a damaged file and building its index. Whoever only reads finds everything all the same,
/// also where something was captured since.
#[test]
fn a_recall_finds_what_no_index_has() {
    let place = Place::new();
    let context = place.context();
    noted(&context, "The lighthouse is painted in May", "context");
    for n in 0..2 {
        let db = rusqlite::Connection::open(&context.database).unwrap();
        db.execute_batch("INSERT INTO memory_index(memory_index) VALUES('delete-all')").unwrap();
        drop(db);
        let asked = RecallArgs { query: Some("lighthouse".into()), ..RecallArgs::default() };
        let found = recall_memories(&context, &asked).unwrap();
        assert_eq!((&found["total"], found.get("index")), (&json!(n + 1), None), "{found}");
        noted(&context, &format!("A lighthouse of number {n} is lit"), "context");
    }
}
