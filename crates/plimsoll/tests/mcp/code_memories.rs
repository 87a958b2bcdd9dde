//! Memories about the code: they come beside the answers of `codebase`, an old one is marked as old, and what commits
//! propose waits for the user.

use serde_json::{Value, json};

use crate::client::Client;
use crate::codebase::{asked, place};

#[test]
fn memories_about_the_results_come_beside_them() {
    let place = place();
    let mut client = place.session();
    let mut call_text = |tool: &str, arguments: Value| {
        let (text, failed) = client.call(tool, arguments);
        assert!(!failed, "{text}");
    };
    call_text(
        "remember",
        json!({
            "type": "failure", "category": "config",
            "memory": "readConfig threw on an empty path",
            "reason": "the router passes none when it starts",
        }),
    );
    call_text(
        "memory",
        json!({
            "action": "capture", "namespace": "decisions", "source": "py/tool.py",
            "content": "Pictures shrink by a factor, never by pixels",
        }),
    );
    call_text(
        "remember",
        json!({"type": "convention", "category": "logging", "memory": "Every line names its request"}),
    );
    let answer = asked(&mut client, "search_codebase", &json!({"query": "readConfig"}));
    let related = &answer["relatedMemories"];
    assert_eq!(related[0]["type"], "failure", "{answer}");
    assert!(related[0]["uri"].as_str().is_some_and(|uri| uri.starts_with("plimsoll://memory/")), "{related}");
    assert_eq!(
        (related.as_array().map(Vec::len), &related[0]["stale"]),
        (Some(1), &Value::Null),
        "{related}"
    );
    // A memory that names the file needs no word of the question.
    let answer = asked(&mut client, "codebase", &json!({"action": "search", "query": "resize_image"}));
    assert_eq!(answer["relatedMemories"][0]["type"], "decision", "{answer}");
    let answer = asked(&mut client, "codebase", &json!({"action": "search", "query": "ListenForever"}));
    assert!(answer.get("relatedMemories").is_none(), "{answer}");
    let answer = asked(&mut client, "codebase", &json!({"action": "card", "symbol": "readConfig"}));
    let card = &answer["preflight"];
    let warning = card["warnings"][0].as_str().unwrap_or_default();
    assert!(warning.starts_with("failure of ") && warning.contains("readConfig threw"), "{answer}");
    assert_eq!(card["ready"], true, "{answer}");
    for category in [json!({"category": "logging"}), json!({"category": "all"}), json!({})] {
        let answer = asked(&mut client, "get_team_patterns", &category);
        assert_eq!(answer["relatedMemories"][0]["type"], "convention", "{category}: {answer}");
    }
    drop(client);
    place.write("home/.plimsoll/settings.toml", "[codebase]\nenabled = true\n[memory]\nenabled = false\n");
    let mut client = place.session();
    let answer = asked(&mut client, "search_codebase", &json!({"query": "readConfig"}));
    assert!(answer.get("relatedMemories").is_none(), "{answer}");
}

#[test]
fn an_old_memory_says_that_it_may_be_outdated() {
    let place = place();
    let old = json!([{
        "content": "readConfig threw on an empty path", "namespace": "blockers", "created_at": "2020-05-31T00:00:00Z",
    }]);
    let file = place.write("old.json", &old.to_string());
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["memory", "import"])
        .arg(file)
        .env("HOME", place.home())
        .current_dir(place.project())
        .output()
        .expect("it runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut client = place.session();
    let answer = asked(&mut client, "search_codebase", &json!({"query": "readConfig"}));
    assert_eq!(answer["relatedMemories"][0]["stale"], true, "{answer}");
    let answer = asked(&mut client, "codebase", &json!({"action": "card", "symbol": "readConfig"}));
    let card = &answer["preflight"];
    assert_eq!(card["ready"], false, "{answer}");
    // An old memory isn't a warning; the next step is to check it.
    assert!(!card["warnings"].to_string().contains("readConfig threw"), "{answer}");
    let next = card["nextAction"].as_str().unwrap_or_default();
    assert!(next.contains("failure of 2020-05-31") && next.contains("plimsoll://memory/"), "{answer}");
}

#[test]
fn a_memory_of_a_definition_comes_only_with_it_and_says_when_the_definition_is_gone() {
    let place = place();
    let mut client = place.session();
    for (source, content) in [
        ("src/router.ts#Router", "Slashes at the end count"),
        ("src/router.ts#Elsewhere.absent", "Nobody calls this twice"),
        ("src/router.ts", "Kept small on purpose"),
    ] {
        let given =
            json!({"action": "capture", "namespace": "decisions", "source": source, "content": content});
        let (text, failed) = client.call("memory", given);
        assert!(!failed, "{text}");
    }
    let related = |client: &mut Client| -> Vec<Value> {
        let answer = asked(client, "codebase", &json!({"action": "search", "query": "Router"}));
        answer["relatedMemories"].as_array().cloned().unwrap_or_default()
    };
    let told: Vec<Value> = related(&mut client);
    let texts: Vec<&Value> = told.iter().map(|one| &one["memory"]).collect();
    assert_eq!(texts, ["Slashes at the end count", "Kept small on purpose"], "{told:?}");
    assert_eq!((&told[0]["scope"], &told[0]["symbol"]), (&json!("symbol"), &json!("Router")), "{told:?}");
    assert_eq!((&told[1]["scope"], &told[1]["stale"]), (&json!("file"), &Value::Null), "{told:?}");
    // The file no longer has the definition, but the question still names it.
    place.write("work/ship/src/router.ts", "export class Signpost {}\n");
    let told = related(&mut client);
    let old = told.iter().find(|one| one["symbol"] == "Router").expect("it is remembered");
    assert_eq!(old["stale"], true, "{told:?}");
    assert_eq!(old["staleReason"], "src/router.ts no longer defines Router", "{told:?}");
}

#[test]
fn a_refresh_of_the_index_proposes_what_the_commits_say() {
    let place = place();
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git")
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(place.project())
            .output()
            .expect("git runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&[
        "commit",
        "--quiet",
        "-m",
        "fix: readConfig threw on an empty path, because the router passes none at start",
    ]);
    let mut client = place.session();
    asked(&mut client, "codebase", &json!({"action": "search", "query": "readConfig"}));
    let answer = asked(&mut client, "refresh_index", &json!({}));
    assert_eq!(answer["memoriesProposed"], 1, "{answer}");
    let again = asked(&mut client, "refresh_index", &json!({}));
    assert!(again.get("memoriesProposed").is_none(), "{again}");
    // It waits for the user, so agents don't hear about it.
    let answer = asked(&mut client, "search_codebase", &json!({"query": "readConfig"}));
    assert!(answer.get("relatedMemories").is_none(), "{answer}");
}

#[test]
fn codebase_remembers_and_recalls_in_the_memory_store() {
    let place = place();
    let mut client = place.session();
    let stored = asked(
        &mut client,
        "codebase",
        &json!({
            "action": "remember", "type": "gotcha", "category": "config", "reason": "the router cuts it",
            "memory": "readConfig wants a slash at the end", "path": "./src/config.ts", "symbol": "readConfig()",
        }),
    );
    let id = stored["id"].as_str().expect("an id");
    let whole = client.good("memory", json!({"action": "get", "id": id}));
    for part in
        ["\"learnings\"", "Reason: the router cuts it", "src/config.ts#readConfig", "\"trust\":\"agent\""]
    {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    let token = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let decision =
        json!({"action": "remember", "type": "decision", "memory": format!("Pictures shrink with {token}")});
    let mut only_shown = decision.clone();
    only_shown["dry_run"] = true.into();
    let shown = asked(&mut client, "codebase", &only_shown);
    assert!(shown["id"].is_null(), "{shown}");
    asked(&mut client, "codebase", &decision);
    // The memory tool wrote this one; it isn't about the code.
    client.good(
        "memory",
        json!({"action": "capture", "namespace": "config", "content": "Ports begin at 7000"}),
    );
    for (given, total) in [
        (json!({}), 2),
        (json!({"type": "gotcha", "category": "config"}), 1),
        (json!({"type": "failure"}), 0),
        (json!({"query": "slash at the end"}), 1),
        (json!({"path": "src"}), 1),
        (json!({"path": "src/config.ts", "symbol": "readConfig"}), 1),
        (json!({"path": "src/router.ts"}), 0),
        (json!({"symbol": "readConfig"}), 1),
        (json!({"symbol": "Router"}), 0),
        (json!({"path": "src", "filter": "tag:config"}), 1),
        (json!({"path": "src", "filter": "-tag:config"}), 0),
    ] {
        let mut asking = given.clone();
        asking["action"] = "recall".into();
        let answer = asked(&mut client, "codebase", &asking);
        assert_eq!(answer["total"], total, "{given}: {answer}");
        assert!(!answer.to_string().contains("ghp_"), "{answer}");
    }
    let answer = asked(&mut client, "codebase", &json!({"action": "recall", "limit": 1}));
    assert_eq!((&answer["nextOffset"], &answer["next_offset"]), (&json!(1), &Value::Null), "{answer}");
    assert_eq!(answer["results"][0]["effectiveConfidence"], 1.0, "{answer}");
    for (given, says) in [
        (json!({"action": "remember", "memory": "x"}), "type is missing; allowed: convention"),
        (json!({"action": "remember", "type": "wish", "memory": "x"}), "allowed: convention"),
        (json!({"action": "remember", "type": "gotcha"}), "memory is missing"),
        (
            json!({"action": "remember", "type": "gotcha", "memory": "x", "symbol": "f"}),
            "needs path beside symbol",
        ),
        (
            json!({"action": "remember", "type": "gotcha", "memory": "x", "path": "src/no.ts"}),
            "src/no.ts isn't a file",
        ),
        (
            json!({"action": "remember", "type": "gotcha", "memory": "x", "path": "../x.ts"}),
            "../x.ts isn't a file",
        ),
        (
            json!({"action": "remember", "type": "gotcha", "memory": "x", "path": "src/app.ts", "source": "y"}),
            "path and source both",
        ),
        (
            json!({"action": "remember", "type": "gotcha", "memory": "x", "direction": "callers"}),
            "remember doesn't use direction; references does",
        ),
        (
            json!({"action": "remember", "type": "gotcha", "memory": "x", "colour": "red"}),
            "unknown argument colour",
        ),
        (json!({"action": "recall", "dry_run": true}), "recall doesn't use dry_run; reindex, remember do"),
        (json!({"action": "recall", "symbol": "a b"}), "symbol must be a name"),
        (json!({"action": "recall", "filter": "colour:red"}), "colour"),
    ] {
        let refused = client.bad("codebase", given.clone());
        assert!(refused.contains(says), "{given}: {refused}");
    }
}

#[test]
fn codebase_remembers_nothing_about_hidden_files_or_with_memory_off() {
    let place = place();
    place.write("work/ship/.claude/settings.json", r#"{"permissions": {"deny": ["Read(./src/config.ts)"]}}"#);
    let given = json!({"action": "remember", "type": "gotcha", "memory": "x", "path": "src/config.ts"});
    let refused = place.session().bad("codebase", given);
    assert!(refused.contains("src/config.ts isn't a file of this project"), "{refused}");
    for (settings, says) in [
        ("[codebase]\nenabled = true\n[memory]\nenabled = false\n", "enabled = true under [memory]"),
        ("[codebase]\nenabled = true\n[mcp]\ntoolsets = [\"codebase\"]\n", "toolsets = [\"memory\"]"),
    ] {
        place.write("home/.plimsoll/settings.toml", settings);
        let mut client = place.session();
        for given in
            [json!({"action": "remember", "type": "gotcha", "memory": "x"}), json!({"action": "recall"})]
        {
            let refused = client.bad("codebase", given);
            assert!(refused.contains(says), "{settings}: {refused}");
        }
        // The answers from the code itself continue.
        asked(&mut client, "codebase", &json!({"action": "map"}));
    }
}
