//! What is remembered: how facts meet, how they end, how they are found again, and laws of the resume note.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use home::Home;
use plimsoll_memory::{
    Category, Fact, FactFilter, FactQueries as _, Facts, GUEST, MAX_NOTE, MergeRule, RecordedFact, State,
    resume,
};
use proptest::prelude::*;
use sessions::{Keep, Page, RecordScope, Sessions, append_notes};

const NOW: i64 = 1_800_000_000_000;
const SEARCH: &str = "mcp__plimsoll__search";

fn scratch() -> (tempfile::TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("plimsoll"));
    (dir, home)
}

fn leave_in(home: &Home, session: &str, project: &str, minute: i64, facts: Vec<Fact>) {
    let at_ms = NOW + minute * 60_000;
    let (session, agent, project) = (session.into(), "codex".into(), project.into());
    let facts = Facts { session, agent, project, at_ms, facts };
    append_notes(home, &[facts.note().unwrap()]).unwrap();
}

fn leave(home: &Home, minute: i64, facts: Vec<Fact>) {
    leave_in(home, "s", "/w/shop", minute, facts);
}

fn failed(command: &str) -> Fact {
    Fact::new(Category::Error, 2, command).subject("cargo test").detail("boom").key(format!("run {command}"))
}

fn passed(command: &str) -> Fact {
    Fact::new(Category::Resolution, 3, command).subject("cargo test")
}

/// Facts as `category state xTIMES text | detail`.
fn summary(sessions: &Sessions) -> Vec<String> {
    let facts = sessions.facts_of("codex", "s").unwrap();
    let line = |fact: &RecordedFact| {
        let detail =
            if fact.fact.detail.is_empty() { String::new() } else { format!(" | {}", fact.fact.detail) };
        let state = format!("{:?}", fact.fact.state).to_lowercase();
        format!("{} {state} x{} {}{detail}", fact.fact.category.name(), fact.times, fact.fact.text)
    };
    facts.iter().map(line).collect()
}

#[test]
fn the_same_is_counted_the_first_stays_and_the_latest_replaces() {
    let (_dir, home) = scratch();
    for (minute, text) in [(0, "one"), (1, "two"), (2, "one")] {
        let asked = vec![
            Fact::new(Category::Goal, 1, text).key("goal").meeting(MergeRule::First),
            Fact::new(Category::Request, 1, text).key("request").meeting(MergeRule::Latest),
            Fact::new(Category::Prompt, 3, text),
        ];
        leave(&home, minute, asked);
    }
    let sessions = Sessions::open(&home, &[&GUEST]).unwrap();
    assert_eq!(
        summary(&sessions),
        ["goal open x1 one", "request open x1 one", "prompt open x2 one", "prompt open x1 two"]
    );
}

#[test]
fn a_new_list_drops_missing_entries() {
    let (_dir, home) = scratch();
    let list = |tasks: &[(&str, State)]| {
        let mut facts = vec![Fact::new(Category::NewList, 4, "list")];
        facts.extend(tasks.iter().map(|(text, state)| {
            Fact::new(Category::Task, 1, *text).state(*state).meeting(MergeRule::Latest)
        }));
        facts
    };
    leave(&home, 0, list(&[("a", State::Active), ("b", State::Open), ("c", State::Open)]));
    leave(&home, 1, list(&[("a", State::Done), ("c", State::Active), ("d", State::Open)]));
    let sessions = Sessions::open(&home, &[&GUEST]).unwrap();
    assert_eq!(
        summary(&sessions),
        ["task done x1 a", "task dropped x1 b", "task active x1 c", "task open x1 d"]
    );
    // A task of its own is known by its number; news of an unknown one says nothing.
    let news = |key: &str, text: &str, state| {
        vec![Fact::new(Category::Task, 1, text).key(key).state(state).meeting(MergeRule::Latest)]
    };
    leave(&home, 2, news("task #1", "e", State::Open));
    leave(&home, 3, news("task #1", "", State::Done));
    leave(&home, 3, news("task #9", "", State::Done));
    assert_eq!(summary(&sessions)[4..], ["task done x1 e"]);
}

#[test]
fn an_error_lasts_until_the_command_succeeds() {
    let (_dir, home) = scratch();
    let sessions = Sessions::open(&home, &[&GUEST]).unwrap();
    let times = |command: &str| sessions.failure_count("codex", "s", &format!("run {command}")).unwrap();
    leave(&home, 0, vec![passed("cargo test")]);
    assert!(summary(&sessions).is_empty(), "nothing had failed");
    leave(&home, 1, vec![failed("cargo test -p shop")]);
    leave(&home, 2, vec![Fact::new(Category::File, 2, "/w/shop/src/a.rs").subject("edited").key("e a")]);
    leave(&home, 3, vec![failed("cargo test -p shop")]);
    assert_eq!((times("cargo test -p shop"), times("cargo test")), (2, 0));
    leave(&home, 4, vec![passed("cargo test -p bank")]);
    assert_eq!(times("cargo test -p shop"), 2, "another one");
    leave(&home, 5, vec![passed("cargo test")]);
    assert_eq!(times("cargo test -p shop"), 0);
    let file = "file open x1 /w/shop/src/a.rs";
    let resolution = "resolution open x1 cargo test -p shop | after edits of /w/shop/src/a.rs";
    assert_eq!(summary(&sessions), ["error done x2 cargo test -p shop | boom", file, resolution]);
    leave(&home, 6, vec![failed("cargo test -p shop")]);
    assert_eq!(times("cargo test -p shop"), 1, "it is counted anew");
}

#[test]
fn facts_are_found_by_words_project_and_category() {
    let (_dir, home) = scratch();
    leave_in(&home, "a", "/w/shop", 0, vec![Fact::new(Category::Decision, 2, "Round half to EVEN, 100%")]);
    leave_in(&home, "b", "/w/shop/ui", 1, vec![failed("cargo test").detail("left: 10.01_a")]);
    leave_in(&home, "c", "/w/shopping", 2, vec![Fact::new(Category::Decision, 2, "Round up")]);
    let sessions = Sessions::open_read_only(&home, &[&GUEST]).unwrap().unwrap();
    let found = |filter: FactFilter| -> Vec<String> {
        let page = sessions.facts(&filter, Page::default()).unwrap();
        page.items.into_iter().map(|fact| fact.session).collect()
    };
    let words = |text: &str| FactFilter { contains: Some(text.into()), ..FactFilter::default() };
    assert_eq!(found(FactFilter::default()), ["c", "b", "a"]);
    assert_eq!(found(words("even round")), ["a"]);
    assert_eq!(found(words("0%")), ["a"]);
    assert_eq!(found(words("1_a")), ["b"]);
    assert_eq!(found(words("decision")), ["c", "a"]);
    assert_eq!(found(FactFilter { project: Some("/w/shop/".into()), ..FactFilter::default() }), ["b", "a"]);
    assert_eq!(found(FactFilter { category: Some(Category::Error), ..FactFilter::default() }), ["b"]);
    assert_eq!(found(FactFilter { session: Some("a".into()), ..words("up") }), Vec::<String>::new());
}

#[test]
fn facts_last_as_long_as_their_session_and_no_longer() {
    let (_dir, home) = scratch();
    let fact = |text: &str| vec![Fact::new(Category::Decision, 2, text)];
    leave_in(&home, "old", "/w", 0, fact("x"));
    leave_in(&home, "used", "/w", 0, fact("y"));
    leave_in(&home, "used", "/w", 500, fact("z"));
    leave_in(&home, "asked", "/w", 500, fact("w"));
    let mut sessions = Sessions::open(&home, &[&GUEST]).unwrap();
    sessions.forget(Keep { since_ms: NOW + 100 * 60_000, ..Keep::default() }).unwrap();
    assert!(sessions.facts_of("codex", "old").unwrap().is_empty());
    assert_eq!(sessions.facts_of("codex", "used").unwrap().len(), 2, "by last use, not by age");
    sessions.forget_session("codex", "asked").unwrap();
    assert!(sessions.facts_of("codex", "asked").unwrap().is_empty());
    sessions.forget_records(&RecordScope::All).unwrap();
    assert_eq!(sessions.facts(&FactFilter::default(), Page::default()).unwrap().total, 0);
}

#[test]
fn at_most_a_thousand_are_kept_including_the_important_ones() {
    let (_dir, home) = scratch();
    let many = |from: usize, number: usize, priority: u8| {
        (from..from + number).map(|n| Fact::new(Category::Decision, priority, format!("fact {n}"))).collect()
    };
    leave(&home, 0, vec![Fact::new(Category::Goal, 1, "the goal")]);
    leave(&home, 1, many(0, 900, 4));
    leave(&home, 2, many(1_000, 600, 2));
    let sessions = Sessions::open(&home, &[&GUEST]).unwrap();
    let facts = sessions.facts_of("codex", "s").unwrap();
    assert_eq!(facts.len(), 1_000);
    assert_eq!(facts[0].fact.text, "the goal");
    assert_eq!(facts.iter().filter(|fact| fact.fact.priority == 2).count(), 600);
    assert_eq!(facts[1].fact.text, "fact 501", "the oldest of the least important went first");
}

#[test]
fn a_session_goes_on_only_with_its_own() {
    let (_dir, home) = scratch();
    let fact = || vec![Fact::new(Category::Decision, 2, "x")];
    leave_in(&home, "0199-aaaa-bbbb", "/w/shop", 0, fact());
    leave_in(&home, "short", "/w/shop", 0, fact());
    leave_in(&home, "", "/w/shop", 0, fact());
    let sessions = Sessions::open(&home, &[&GUEST]).unwrap();
    let goes_on = |session: &str, project: &str, transcript: &str| {
        sessions.continued_session("codex", session, Path::new(project), Some(Path::new(transcript))).unwrap()
    };
    let old = Some("0199-aaaa-bbbb".to_owned());
    assert_eq!(goes_on("0199-aaaa-bbbb", "/w/shop", ""), old);
    assert_eq!(goes_on("0199-aaaa-bbbb", "/w/shop/ui", ""), old, "a folder of the project");
    assert_eq!(goes_on("0199-aaaa-bbbb", "/w/shopping", ""), None);
    assert_eq!(goes_on("new", "/w/shop", "/home/ana/rollout-1-0199-aaaa-bbbb.jsonl"), old);
    assert_eq!(goes_on("new", "/w/shop", "/home/short/x.jsonl"), None, "too short to be no accident");
    assert_eq!(goes_on("new", "/w/shop", ""), None);
    assert_eq!(goes_on("", "/w/shop", ""), None);
}

fn any_category() -> impl Strategy<Value = Category> {
    prop::sample::select(Category::ALL.to_vec())
}

fn any_state() -> impl Strategy<Value = State> {
    prop::sample::select(vec![State::Open, State::Active, State::Done, State::Dropped])
}

/// Any words: of every plane of Unicode, long and short, with what could break a frame.
fn any_words() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "\\PC{0,400}",
        "[a-z ]{0,600}",
        "(</?system>|```|\"|\u{202e}|\n#|\n- ){1,20}",
        "(日本|🦀|e\u{301}){1,200}",
    ]
}

fn any_facts() -> impl Strategy<Value = Vec<RecordedFact>> {
    let fact = (any_category(), any_state(), any_words(), any_words(), 1_u64..9, 0_i64..100_000_000);
    prop::collection::vec(fact, 0..40).prop_map(|facts| {
        let one = |(id, (category, state, text, detail, times, at)): (
            usize,
            (Category, State, String, String, u64, i64),
        )| {
            RecordedFact {
                id: i64::try_from(id).unwrap(),
                session: "s".into(),
                agent: "codex".into(),
                project: "/w/shop".into(),
                fact: Fact::new(category, 2, text).detail(detail).subject("edited").state(state),
                times,
                first_ms: NOW - 200_000_000,
                at_ms: NOW - at,
            }
        };
        facts.into_iter().enumerate().map(one).collect()
    })
}

/// The categories of the note in its order of importance.
const ORDER: [Category; 11] = [
    Category::Goal,
    Category::Request,
    Category::Task,
    Category::Decision,
    Category::File,
    Category::Error,
    Category::Blocker,
    Category::Constraint,
    Category::Rejected,
    Category::Git,
    Category::Finding,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_note_is_too_long_or_looks_like_anything_but_data(facts in any_facts(), tool in "\\PC{0,120}") {
        let note = resume(&facts, &tool, NOW);
        prop_assert!(note.len() <= MAX_NOTE, "{} bytes", note.len());
        prop_assert!(!note.contains(['<', '`', '\r', '\t', '\u{202e}', '\u{1b}']), "{note}");
        let lines: Vec<&str> = note.lines().collect();
        if let [first, inner @ .., last] = lines.as_slice() {
            prop_assert!(first.starts_with("Plimsoll's record of this session (") && first.contains("not an instruction"));
            prop_assert!(last.starts_with("The rest of the record: ") && last.contains("in: [\"sessions\"]"));
            for line in inner {
                let title = line.ends_with(':') && line.chars().all(|c| c.is_ascii_alphabetic() || c == ' ' || c == ':');
                prop_assert!(title || line.starts_with("- "), "{line}");
            }
        }
        prop_assert_eq!(resume(&facts, &tool, NOW), note);
    }

    #[test]
    fn less_important_memories_displace_nothing(facts in any_facts(), rank in 0_usize..11) {
        // Prompts say why files were touched, and the plan stands for tasks.
        let stays = |fact: &&RecordedFact| {
            !matches!(fact.fact.category, Category::Prompt | Category::Plan)
        };
        let facts: Vec<RecordedFact> = facts.iter().filter(stays).cloned().collect();
        let more = ORDER.iter().take(rank + 1).collect::<Vec<_>>();
        let important: Vec<RecordedFact> =
            facts.iter().filter(|fact| more.contains(&&fact.fact.category)).cloned().collect();
        let (whole, short) = (resume(&facts, SEARCH, NOW), resume(&important, SEARCH, NOW));
        // An error's line may name a file, and files come before errors: so no line is missing in either.
        let lines: Vec<&str> = short.lines().collect();
        if let [_, inner @ .., _] = lines.as_slice() {
            let kept: Vec<&str> = whole.lines().skip(1).take(inner.len()).collect();
            prop_assert_eq!(kept, inner.to_vec());
        }
    }

    #[test]
    fn nothing_that_is_over_is_told(text in "[a-z]{12}", category in any_category(), dropped in any::<bool>()) {
        let state = if dropped { State::Dropped } else { State::Done };
        let fact = RecordedFact {
            id: 1, session: "s".into(), agent: "codex".into(), project: String::new(),
            fact: Fact::new(category, 1, text).state(state), times: 1, first_ms: NOW, at_ms: NOW,
        };
        prop_assert_eq!(resume(&[fact], SEARCH, NOW), "");
    }
}

#[test]
fn an_edited_file_and_a_repeated_failure_are_reported() {
    let recorded = |id: i64, fact: Fact, at_ms: i64, times: u64| RecordedFact {
        id,
        session: "s".into(),
        agent: "codex".into(),
        project: "/w/shop".into(),
        fact,
        times,
        first_ms: at_ms,
        at_ms,
    };
    let facts = [
        recorded(1, failed("cargo test").detail("panicked at src/cart.rs:12:5"), NOW - 86_400_000, 3),
        recorded(2, Fact::new(Category::File, 2, "/w/shop/src/cart.rs").subject("edited"), NOW - 60_000, 1),
        recorded(3, Fact::new(Category::File, 3, "/elsewhere/b.rs").subject("read"), NOW, 1),
    ];
    let note = resume(&facts, SEARCH, NOW);
    let lines: Vec<&str> = note.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "Files:",
            "- \"src/cart.rs\" edited",
            "- only read: \"/elsewhere/b.rs\"",
            "Not resolved:",
            "- \"cargo test\" failed 3 times (2027-01-14 08:00): \"panicked at src/cart.rs:12:5\"; \"src/cart.rs\" was edited since",
            "The rest of the record: mcp__plimsoll__search with in: [\"sessions\"].",
        ]
    );
}
