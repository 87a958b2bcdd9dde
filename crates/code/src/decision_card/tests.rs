//! Which evidence makes a card ready, and what it asks for where some is missing.

use super::*;

fn good() -> Evidence {
    Evidence {
        query: "render".to_owned(),
        quality_ok: true,
        fresh: true,
        definition: Some(("render".to_owned(), "src/view.ts".to_owned())),
        callers: vec!["src/app.ts".to_owned()],
        tests: vec!["test/view.test.ts".to_owned()],
        shown: vec!["src/view.ts".to_owned(), "src/app.ts".to_owned()],
        ..Evidence::default()
    }
}

#[test]
fn enough_is_enough_without_patterns_or_memories() {
    let card = card(&good());
    assert!(card.ready && !card.abstain && card.next_action.is_none() && card.what_would_help.is_empty());
    assert_eq!(card.impact.unwrap().coverage, "1/1 callers in results");
}

#[test]
fn who_asks_for_what_no_grammar_reads_is_sent_to_its_references() {
    let unread_languages = vec!["lua".to_owned()];
    let card = card(&Evidence { definition: None, unread_languages, ..good() });
    let says = card.next_action.unwrap();
    assert_eq!(says, "no card can be made of what lua defines: look at the references of render");
}

#[test]
fn each_rule_alone_prevents_it_and_says_what_helps() {
    let many: Vec<String> = (0..6).map(|n| format!("src/{n}.ts")).collect();
    let cases: Vec<(Evidence, &str, bool)> = vec![
        (Evidence { fresh: false, ..good() }, "reindex", true),
        (Evidence { quality_ok: false, ..good() }, "not sure enough: name the type or function", true),
        (Evidence { definition: None, ..good() }, "nothing is called render here: search", false),
        (Evidence { same_name: 2, ..good() }, "2 other definitions are called render", false),
        (Evidence { callers: many, ..good() }, "6 of 6 callers missing", false),
        (
            Evidence { callers: Vec::new(), undecided: vec!["src/app.ts".to_owned()], ..good() },
            "1 file has the word render",
            false,
        ),
        (Evidence { tests: Vec::new(), ..good() }, "no test mentions render", false),
        (Evidence { stale: vec!["use v1".to_owned()], ..good() }, "out of date", false),
    ];
    assert_eq!(cases.len(), RULES.len(), "a rule has no case");
    for (evidence, says, abstains) in cases {
        let card = card(&evidence);
        assert!(!card.ready, "{says}");
        assert_eq!(card.abstain, abstains, "{says}");
        assert!(card.next_action.as_deref().unwrap().contains(says), "{:?}", card.next_action);
        assert_eq!(card.what_would_help.len(), 1);
    }
    let query = "draw a page".to_owned();
    let in_words = card(&Evidence { definition: None, query, ..good() }).next_action.unwrap();
    assert!(in_words.ends_with("to \"draw a page\": ask for the name alone"), "{in_words}");
    let of_owner = card(&Evidence { query: "View.render".to_owned(), tests: Vec::new(), ..good() });
    assert!(of_owner.next_action.unwrap().starts_with("no test mentions View.render:"));
    let single = card(&Evidence { same_name: 1, ..good() }).next_action.unwrap();
    assert_eq!(single, "1 other definition is called render: ask for it with its type, as in Type.render");
    let namesake = Some("src/b.ts".to_owned());
    let single = card(&Evidence { same_name: 1, namesake, ..good() }).next_action.unwrap();
    assert_eq!(
        single,
        "1 other definition is called render (src/b.ts): ask again with the file that is meant as the scope"
    );
}

#[test]
fn lists_are_short_and_the_shape_is_the_one_that_is_documented() {
    let evidence = Evidence {
        preferred: (0..9)
            .map(|n| Followed { category: "errors".into(), name: n.to_string(), share: 0.86, trend: None })
            .collect(),
        avoided: vec![Followed {
            category: "logging".into(),
            name: "log".into(),
            share: 0.3,
            trend: Some(Trend::Declining),
        }],
        failures: (0..9).map(|n| n.to_string()).collect(),
        conflicts: vec!["logging".to_owned()],
        impact: (0..40).map(|n| Reached { hop: 2 - (n % 2), file: n.to_string(), line: None }).collect(),
        ..good()
    };
    let card = card(&evidence);
    assert_eq!(card.warnings.len(), 3);
    let json = serde_json::to_value(&card).unwrap();
    assert_eq!(json["patterns"]["do"].as_array().unwrap().len(), 3);
    assert_eq!(json["patterns"]["do"][0], "errors: 0 (86 %)");
    assert_eq!(json["patterns"]["avoid"][0], "logging: log (30 %, declining)");
    assert_eq!(json["impact"]["files"].as_array().unwrap().len(), 3);
    assert_eq!(json["impact"]["details"].as_array().unwrap().len(), 20);
    assert_eq!(json["impact"]["risk"], "high");
    assert!(json.get("nextAction").is_none() && json.get("abstain").is_none());
}
