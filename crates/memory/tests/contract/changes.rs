//! What every store must do when a memory is changed, deleted and restored.

use plimsoll_memory::domain::{Status, Trust};
use plimsoll_memory::store::{Actor, Change, Draft, Effort, Secrets, Store, StoreError};

use super::{NOW, capture, draft, found, listed, select, shop, terms, who};

pub(crate) fn changes_keep_what_was(store: &mut dyn Store) {
    let id = capture(store, Draft { tags: vec!["db".into()], ..draft("Use MySQL") }).memory.id;
    let to = |content: &str, tags: &[&str]| Change {
        content: Some(content.into()),
        tags: Some(tags.iter().map(|tag| (*tag).to_owned()).collect()),
        ..Change::default()
    };
    let change = to("Use PostgreSQL", &["db", "warehouse"]).check(Secrets::Redact).unwrap();
    let memory = store.update(&id, &change, &Actor { at_ms: NOW + 5, ..who() }).unwrap();
    assert_eq!((memory.version, memory.updated_ms, memory.created_ms), (2, NOW + 5, NOW));
    assert_eq!(memory.tags, ["db", "warehouse"]);
    let only_tags = Change { tags: Some(Vec::new()), ..Change::default() }.check(Secrets::Redact).unwrap();
    store.update(&id, &only_tags, &who()).unwrap();
    let history = store.history(&id, 10).unwrap();
    let told: Vec<(u32, &str, usize)> =
        history.iter().map(|step| (step.version, step.content.as_str(), step.tags.len())).collect();
    assert_eq!(told, [(3, "Use PostgreSQL", 0), (2, "Use PostgreSQL", 2), (1, "Use MySQL", 1)]);
    assert_eq!(history[1].who.client.as_deref(), Some("codex"));
    assert_eq!(store.history(&id, 1).unwrap().len(), 1);
    // Its current text is found, its earlier text isn't.
    let here = select(shop(), "", NOW + 10);
    assert_eq!(found(store, &here, "PostgreSQL").len(), 1);
    assert!(found(store, &here, "MySQL").is_empty() && found(store, &here, "warehouse").is_empty());
}

pub(crate) fn two_who_change_one_memory_both_know(store: &mut dyn Store) {
    let id = capture(store, draft("The port is 8080")).memory.id;
    let expecting = |content: &str, expected| {
        Change { content: Some(content.into()), expected: Some(expected), ..Change::default() }
            .check(Secrets::Redact)
            .unwrap()
    };
    store.update(&id, &expecting("The port is 9090", 1), &who()).unwrap();
    let error = store.update(&id, &expecting("The port is 7070", 1), &who()).unwrap_err();
    assert!(matches!(error, StoreError::Changed { expected: 1, found: 2, .. }), "{error}");
    assert!(error.to_string().contains("version 1") && error.to_string().contains("has 2"), "{error}");
    assert_eq!(store.get(&id).unwrap().unwrap().content, "The port is 9090");
}

pub(crate) fn deleting_can_be_undone_until_it_is_purged(store: &mut dyn Store) {
    let id = capture(store, draft("Ship on Tuesdays")).memory.id;
    let gone = store.set_status(&id, Status::Tombstoned, &Actor { at_ms: NOW + 7, ..who() }).unwrap();
    assert_eq!(gone.tombstoned_ms, Some(NOW + 7));
    assert!(listed(store, "").is_empty());
    assert_eq!(listed(store, "status:deleted"), ["Ship on Tuesdays"]);
    let change = Change { content: Some("x".into()), ..Change::default() }.check(Secrets::Redact).unwrap();
    assert!(matches!(store.update(&id, &change, &who()), Err(StoreError::Forgotten(_))));
    let back = store.set_status(&id, Status::Active, &who()).unwrap();
    assert_eq!((back.status, back.tombstoned_ms), (Status::Active, None));
    assert_eq!(listed(store, ""), ["Ship on Tuesdays"]);
    // To the state it is in: nothing happens.
    store.set_status(&id, Status::Active, &who()).unwrap();
    assert_eq!(store.history(&id, 10).unwrap().len(), 3);
    store.purge(&id).unwrap();
    assert_eq!(store.get(&id).unwrap(), None);
    assert!(listed(store, "status:any").is_empty());
    assert!(found(store, &select(shop(), "status:any", NOW), "Tuesdays").is_empty());
    for error in [
        store.purge(&id).unwrap_err(),
        store.history(&id, 1).unwrap_err(),
        store.set_status(&id, Status::Active, &who()).unwrap_err(),
        store.update(&id, &change, &who()).unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::NotFound(_)), "{error}");
        assert_eq!(error.number(), -32604);
    }
}

pub(crate) fn what_is_purged_leaves_no_word_with_its_neighbours(store: &mut dyn Store) {
    let noted = |content: &str| Draft { session: Some("s1".into()), ..draft(content) };
    capture(store, noted("Which queue do we take?"));
    let answer = capture(store, noted("Rabbit, for its plugins")).memory.id;
    capture(store, noted("Good"));
    let around = |store: &dyn Store| {
        let matches = store.matches(&select(shop(), "", NOW), &terms("rabbit"), Effort::Usual).unwrap();
        matches.all.iter().filter(|m| m.around[0] > 0.0).count()
    };
    assert_eq!(around(store), 2);
    store.set_status(&answer, Status::Tombstoned, &who()).unwrap();
    assert_eq!(around(store), 0);
    store.set_status(&answer, Status::Active, &who()).unwrap();
    assert_eq!(around(store), 2);
    store.purge(&answer).unwrap();
    capture(store, noted("Rabbit again"));
    store.reindex().unwrap();
    assert_eq!(around(store), 2);
}

pub(crate) fn a_source_on_the_web_makes_a_memory_untrusted(store: &mut dyn Store) {
    let id =
        capture(store, Draft { trust: Trust::User, ..draft("The API allows 100 calls a minute") }).memory.id;
    let to = |source: &str| {
        Change { source: Some(source.into()), ..Change::default() }.check(Secrets::Redact).unwrap()
    };
    let mut trust_with = |source: &str| {
        let updated = store.update(&id, &to(source), &who()).unwrap();
        assert_eq!(store.get(&id).unwrap().unwrap(), updated);
        (updated.trust, updated.source.unwrap())
    };
    assert_eq!(trust_with("docs/limits.md"), (Trust::User, "docs/limits.md".to_owned()));
    assert_eq!(
        trust_with("see HTTPS://example.org/a"),
        (Trust::Untrusted, "see HTTPS://example.org/a".to_owned())
    );
    // Another source doesn't make a page's words trusted.
    assert_eq!(trust_with("docs/limits.md").0, Trust::Untrusted);
    assert_eq!(listed(store, "trust:untrusted").len(), 1);
    assert!(listed(store, "trust:user").is_empty());
}

/// New words are trusted no more than whoever gave them, whatever the old ones were. The same words, other tags or another
/// source that isn't a web page change nothing, and nobody's words give trust.
pub(crate) fn trust_belongs_to_a_wording(store: &mut dyn Store) {
    let (user, agent) = (Actor::local_user(NOW + 1), who());
    let to = |content: &str| {
        Change { content: Some(content.into()), tags: Some(vec!["queue".into()]), ..Change::default() }
            .check(Secrets::Redact)
            .unwrap()
    };
    for (n, (before, by, changes, expected)) in [
        (Trust::User, &user, true, Trust::User),
        (Trust::User, &agent, true, Trust::Agent),
        (Trust::User, &agent, false, Trust::User),
        (Trust::Agent, &agent, true, Trust::Agent),
        (Trust::Agent, &user, true, Trust::Agent),
        (Trust::Repository, &agent, true, Trust::Repository),
        (Trust::Untrusted, &user, true, Trust::Untrusted),
    ]
    .into_iter()
    .enumerate()
    {
        let id =
            capture(store, Draft { trust: before, ..draft(&format!("Queue {n} is RabbitMQ")) }).memory.id;
        let text = if changes { format!("Queue {n} is NATS") } else { format!("Queue {n}  is RabbitMQ") };
        let updated = store.update(&id, &to(&text), by).unwrap();
        assert_eq!((updated.trust, updated.version), (expected, 2), "{n}");
        assert_eq!(store.get(&id).unwrap().unwrap(), updated, "{n}");
    }
    // An accent beside its letter and one in it look the same.
    let id = capture(store, Draft { trust: Trust::User, ..draft("Die Tu\u{308}r ist zu") }).memory.id;
    assert_eq!(store.update(&id, &to("Die T\u{fc}r ist zu"), &agent).unwrap().trust, Trust::User);
}
