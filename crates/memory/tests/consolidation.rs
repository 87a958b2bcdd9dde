//! Bringing together what says nearly the same, and enriching.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{Place, noted};
use plimsoll_memory::actions::{
    Capture, Consolidate, Enrich, RecallArgs, capture, consolidate, enrich, get, history, recall_memories,
};
use serde_json::{Value, json};

fn given(strategy: &str, dry_run: bool) -> Consolidate {
    Consolidate {
        namespace: "decisions".into(),
        strategy: Some(strategy.into()),
        dry_run,
        ..Consolidate::default()
    }
}

fn listed(context: &plimsoll_memory::actions::ActionContext) -> u64 {
    recall_memories(context, &RecallArgs::default()).unwrap()["total"].as_u64().unwrap()
}

/// The specification's shape.
#[test]
fn merging_looks_first_and_keeps_every_statement() {
    let place = Place::new();
    let context = place.context();
    let tagged = |content: &str, tag: &str| {
        let given = Capture {
            content: content.into(),
            namespace: "decisions".into(),
            tags: vec![tag.into()],
            ..Capture::default()
        };
        capture(&context, &given).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let one = tagged("Use PostgreSQL for primary storage because of JSONB", "db");
    let two = tagged("Use PostgreSQL for the primary storage because of JSONB\nBackups run at 02:00", "ops");
    noted(&context, "Queues are NATS", "decisions");
    noted(&context, "Use PostgreSQL for primary storage because of JSONB", "config");
    let preview = consolidate(&context, &given("merge", true)).unwrap();
    assert_eq!((&preview["groups_found"], &preview["dry_run"]), (&json!(1), &json!(true)));
    let group = &preview["candidate_merges"][0];
    assert_eq!(group["memories"], json!([two, one]));
    assert!(group["similarity"].as_f64().unwrap() >= 0.5);
    let proposed = "Use PostgreSQL for the primary storage because of JSONB\nBackups run at 02:00";
    assert_eq!(group["proposed_content"], proposed);
    assert_eq!(listed(&context), 4);
    let done = consolidate(&context, &given("merge", false)).unwrap();
    let id = done["candidate_merges"][0]["id"].as_str().unwrap();
    let whole = get(&context, id).unwrap();
    assert_eq!(whole["content"], proposed);
    assert_eq!(listed(&context), 3);
    let old: Value = get(&context, &one).unwrap();
    assert_eq!(old["status"], "superseded");
    // Twice is once.
    assert_eq!(consolidate(&context, &given("merge", false)).unwrap()["groups_found"], 0);
}

#[test]
fn of_what_says_the_same_the_newest_stays() {
    let place = Place::new();
    let context = place.context();
    let one = noted(&context, "Use PostgreSQL for primary storage of everything in this shop", "decisions");
    let two = noted(&context, "use postgresql for primary storage of everything in this shop!", "decisions");
    noted(&context, "Use PostgreSQL for primary storage", "decisions");
    let done = consolidate(&context, &given("dedupe", false)).unwrap();
    assert_eq!(done["candidate_merges"][0]["id"], two);
    assert_eq!((listed(&context), &get(&context, &one).unwrap()["status"]), (2, &json!("superseded")));
}

/// Texts that only sound alike are two facts: neither is superseded, and a merge has both.
#[test]
fn texts_that_differ_in_the_decisive_word_are_not_duplicates() {
    let rest = "of the orders service in the Frankfurt region listens on port 5433 behind the bastion host and takes TLS only";
    for (one, two) in [
        (format!("The staging database {rest}"), format!("The production database {rest}")),
        (
            format!("The staging database {rest}"),
            format!("The staging database {}", rest.replace("5433", "6432")),
        ),
        (format!("Remember: the database {rest}"), format!("Remember: not the database {rest}")),
    ] {
        let place = Place::new();
        let context = place.context();
        noted(&context, &one, "decisions");
        noted(&context, &two, "decisions");
        assert_eq!(consolidate(&context, &given("dedupe", false)).unwrap()["groups_found"], 0, "{two}");
        assert_eq!(listed(&context), 2);
        let merged = consolidate(&context, &given("merge", true)).unwrap();
        assert_eq!(merged["candidate_merges"][0]["proposed_content"], format!("{two}\n{one}"));
    }
}

/// The one that says more stays, even if it is older.
#[test]
fn of_two_duplicates_the_one_that_says_more_stays() {
    let place = Place::new();
    let context = place.context();
    let text =
        "Use PostgreSQL for the primary storage of orders, refunds, invoices and stock levels in this shop";
    let more = noted(&context, &format!("{text} today"), "decisions");
    let less = noted(&context, text, "decisions");
    let done = consolidate(&context, &given("dedupe", false)).unwrap();
    assert_eq!(done["candidate_merges"][0]["id"], more, "{done}");
    assert_eq!(get(&context, &less).unwrap()["status"], "superseded");
}

#[test]
fn merging_takes_no_code_apart_and_gives_no_memory_anothers_end() {
    let place = Place::new();
    let context = place.context();
    let code = "Deploy the orders service with this file:\n```yaml\norders:\n  replicas: 2\n  image: orders\n\n  env: prod\n```";
    noted(&context, code, "decisions");
    noted(
        &context,
        "Deploy the orders service with this file, yaml, orders, replicas: 2, image",
        "decisions",
    );
    let merged = consolidate(&context, &given("merge", true)).unwrap();
    let proposed = merged["candidate_merges"][0]["proposed_content"].as_str().unwrap();
    assert!(proposed.contains(code), "{proposed}");
    let place = Place::new();
    let context = place.context();
    noted(&context, "Use PostgreSQL for the primary storage", "decisions");
    let ends = Capture {
        content: "Use PostgreSQL for the primary storage of tests".into(),
        namespace: "decisions".into(),
        ttl: Some("7d".into()),
        ..Capture::default()
    };
    capture(&context, &ends).unwrap();
    assert_eq!(consolidate(&context, &given("merge", true)).unwrap()["groups_found"], 0);
}

#[test]
fn what_needs_a_model_says_so_and_others_memories_are_never_one() {
    let place = Place::new();
    let context = place.context();
    assert_eq!(consolidate(&context, &given("summarize", false)).unwrap_err().number, -32606);
    assert!(
        consolidate(&context, &given("fold", false))
            .unwrap_err()
            .message
            .contains("merge, summarize, dedupe")
    );
    let odd = Consolidate { namespace: "decison".into(), ..Consolidate::default() };
    assert!(consolidate(&context, &odd).unwrap_err().message.contains("decisions"));
    noted(&context, "Use PostgreSQL for primary storage", "decisions");
    let mine = Capture {
        content: "use postgresql for primary storage".into(),
        namespace: "decisions".into(),
        domain: Some("user".into()),
        ..Capture::default()
    };
    capture(&context, &mine).unwrap();
    assert_eq!(consolidate(&context, &given("merge", true)).unwrap()["groups_found"], 0);
}

/// Row 22 of the promises: it really changes the memory, and the history shows what was.
#[test]
fn enriching_adds_tags_form_and_context_and_changes_no_word() {
    let place = Place::new();
    let context = place.context();
    let content = "Storage:\n\n\n\n* pg, for JSONB   \n* Redis for sessions\n```\n* code\n```\n";
    let given = Capture {
        content: content.into(),
        namespace: "decisions".into(),
        tags: vec!["redis".into()],
        source: Some("ARCHITECTURE.md".into()),
        ..Capture::default()
    };
    let id = capture(&context, &given).unwrap()["id"].as_str().unwrap().to_owned();
    let reply = enrich(&context, &id, &Enrich { context: true, ..Enrich::default() }).unwrap();
    assert_eq!(reply["memory_id"], id);
    let changes = &reply["changes"];
    assert_eq!(
        (&changes["tags_added"], &changes["structure_improved"]),
        (&json!(["postgresql", "jsonb"]), &json!(true))
    );
    assert_eq!(changes["context_added"], "Context: about ARCHITECTURE.md, noted on 2027-01-15.");
    let whole = get(&context, &id).unwrap();
    assert_eq!(
        whole["content"],
        "Storage:\n\n- pg, for JSONB\n- Redis for sessions\n```\n* code\n```\n\nContext: about ARCHITECTURE.md, noted on 2027-01-15."
    );
    assert_eq!(whole["tags"], json!(["redis", "postgresql", "jsonb"]));
    let steps = history(&context, &id, (None, None)).unwrap();
    assert_eq!(steps["history"][1]["content"], content);
    // Again there is nothing left to do.
    let again = enrich(&context, &id, &Enrich { context: true, ..Enrich::default() }).unwrap();
    assert_eq!(again["changes"], json!({"tags_added": [], "structure_improved": false}));
    assert_eq!(history(&context, &id, (None, None)).unwrap()["history"].as_array().unwrap().len(), 2);
    assert_eq!(enrich(&context, "dc58d23a", &Enrich::default()).unwrap_err().number, -32604);
}

/// Blanks, blank lines and asterisks are part of code, whichever marks are around it.
#[test]
fn enriching_leaves_code_as_it_is() {
    let place = Place::new();
    let context = place.context();
    for (mark, close) in [
        ("```python", "```"),
        ("~~~", "~~~"),
        ("```", "```\nend"),
        ("````markdown\n```", "```\n\n\n* x  \n````"),
        ("```", "```rust\n\n\n* x  \n```"),
    ] {
        let code = format!("{mark}\nimport os\n\n\n* = 1  \n  \n{close}");
        for (content, expected) in [
            (format!("Layout:   \n\n\n* one\n{code}"), format!("Layout:\n\n- one\n{code}")),
            (format!("Use ```x``` here\n* two\n{code}"), format!("Use ```x``` here\n- two\n{code}")),
            (format!("```x``` is code\n* two\n{code}"), format!("```x``` is code\n- two\n{code}")),
            (code.clone(), code.clone()),
        ] {
            let id = noted(&context, &content, "patterns");
            enrich(&context, &id, &Enrich::default()).unwrap();
            assert_eq!(get(&context, &id).unwrap()["content"], expected, "{content:?}");
        }
    }
}

/// Each line is cut into words once, and one that is repeated isn't compared: of 1,200 lines that took seconds.
#[test]
fn long_memories_are_merged_line_by_line() {
    let place = Place::new();
    let context = place.context();
    let lines = |count: usize| -> Vec<String> {
        (0..count).map(|n| format!("host{n} listens on port {} in bay {}", 10_000 + n * 3, n % 13)).collect()
    };
    noted(&context, &lines(1_200).join("\n"), "decisions");
    let longer = format!("{}\nhost7 listens on the port 10021 in bay 7 and 9", lines(1_201).join("\n"));
    noted(&context, &longer, "decisions");
    let merged = consolidate(&context, &given("merge", true)).unwrap();
    let merged = merged["candidate_merges"][0]["proposed_content"].as_str().unwrap();
    let mut expected = lines(1_201);
    // Its longer version replaces it.
    expected.remove(7);
    expected.push("host7 listens on the port 10021 in bay 7 and 9".into());
    assert_eq!(merged.lines().collect::<Vec<_>>(), expected);
}

/// Memories that are larger together than one may be stay as they are, and the other groups are brought together.
#[test]
fn what_is_too_long_together_stays_and_holds_up_nothing() {
    let place = Place::new();
    let context = place.context();
    noted(&context, "Use PostgreSQL for the primary storage", "decisions");
    noted(&context, "Use PostgreSQL for the primary storage\nBackups run at night", "decisions");
    let shared: Vec<String> = (0..50).map(|n| format!("step{n}")).collect();
    let large = ["x", "y"].map(|letter| {
        let content = format!("{} {}", shared.join(" "), letter.repeat(300_000));
        noted(&context, &content, "decisions")
    });
    let preview = consolidate(&context, &given("merge", true)).unwrap();
    let done = consolidate(&context, &given("merge", false)).unwrap();
    for reply in [&preview, &done] {
        assert_eq!((&reply["groups_found"], &reply["too_long_to_merge"]), (&json!(1), &json!(1)));
        assert_eq!(reply["candidate_merges"].as_array().unwrap().len(), 1);
    }
    assert_eq!(preview["candidate_merges"][0]["memories"], done["candidate_merges"][0]["memories"]);
    for id in large {
        assert_eq!(get(&context, &id).unwrap()["status"], "active");
    }
}
