//! The tool `codebase` as an agent sees it: its answers, that none is outdated, and that nothing forbidden by rules
//! is shown.

use serde_json::{Value, json};

use crate::client::{Client, Place};

/// A small project in four languages, with a circle, tests and a caller.
pub(crate) const FILES: &[(&str, &str)] = &[
    (
        "src/router.ts",
        "import { readConfig } from './config';\n\nexport class Router {\n  route(path: string) {\n    return readConfig(path);\n  }\n}\n",
    ),
    (
        "src/config.ts",
        "import { Router } from './router';\n\n/** Reads the configuration. */\nexport function readConfig(path: string): string {\n  return path + String(Router);\n}\n",
    ),
    (
        "src/app.ts",
        "import { readConfig } from './config';\nimport { Router } from './router';\n\nexport function main() {\n  new Router().route('/');\n  return readConfig('app');\n}\n",
    ),
    (
        "test/config.test.ts",
        "import { test } from 'vitest';\nimport { readConfig } from '../src/config';\n\ntest('it reads', () => readConfig('x'));\n",
    ),
    (
        "py/tool.py",
        "import logging\n\n\ndef resize_image(size):\n    \"\"\"Makes an image smaller.\"\"\"\n    logging.info(size)\n    return size\n",
    ),
    ("net/server.go", "package net\n\nfunc ListenForever(port int) int {\n\treturn port\n}\n"),
    ("CONTRIBUTING.md", "# Contributing\n\n## Naming\n\nFunctions are named after what they give.\n"),
];

pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("home/.plimsoll/settings.toml", "[codebase]\nenabled = true\n");
    for (path, text) in FILES {
        place.write(&format!("work/ship/{path}"), text);
    }
    place
}

/// Calls the tool; on a busy computer the first index may take longer than an agent waits.
pub(crate) fn asked(client: &mut Client, tool: &str, arguments: &Value) -> Value {
    for _ in 0..60 {
        let (text, failed) = client.call(tool, arguments.clone());
        if failed && text.starts_with("error not_available") && text.contains("is being indexed") {
            continue;
        }
        assert!(!failed, "{tool} {arguments}: {text}");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        if answer["index"]["status"] != "indexing" {
            return answer;
        }
    }
    panic!("{tool} {arguments}: never ready");
}

pub(crate) fn found(client: &mut Client, query: &str) -> Vec<String> {
    let answer = asked(client, "codebase", &json!({"action": "search", "query": query}));
    files(&answer)
}

fn files(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().expect("results");
    let file =
        |one: &Value| one["file"].as_str().expect("a file").split(':').next().unwrap_or_default().to_owned();
    results.iter().map(file).collect()
}

#[test]
fn it_is_off_until_it_is_switched_on() {
    let place = Place::new();
    let mut client = place.session();
    let refused = client.bad("codebase", json!({"action": "status"}));
    assert!(refused.starts_with("error unknown_tool"), "{refused}");
}

#[test]
fn all_tools_fit_into_their_budget_and_this_one_into_its_own() {
    let place = Place::new();
    place.write(
        "home/.plimsoll/settings.toml",
        "[codebase]\nenabled = true\n[memory]\nenabled = true\n[mcp]\ntools = \"all\"\n",
    );
    let mut client = place.session();
    let listed = client.request("tools/list", json!({}));
    let bytes = listed.to_string().len();
    assert!(bytes <= 8_000, "tools/list has {bytes} bytes");
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let ours = tools.iter().find(|tool| tool["name"] == "codebase").expect("it is listed");
    assert!(ours.to_string().len() <= 1_100, "{} bytes", ours.to_string().len());
    drop(client);
    // The usual listing leaves the rare arguments out.
    place.write("home/.plimsoll/settings.toml", "[codebase]\nenabled = true\n");
    let listed = place.session().request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let ours = tools.iter().find(|tool| tool["name"] == "codebase").expect("it is listed");
    assert!(ours.to_string().len() <= 950, "{} bytes", ours.to_string().len());
}

#[test]
fn the_first_question_makes_the_index_and_every_action_answers_in_the_shape_of_the_specification() {
    let place = place();
    let mut client = place.session();
    let answer = asked(
        &mut client,
        "codebase",
        &json!({"action": "search", "query": "readConfig", "mode": "full", "includeSnippets": true}),
    );
    assert_eq!(answer["status"], "success");
    assert_eq!(answer["searchQuality"]["status"], "ok", "{answer}");
    assert!(answer["searchQuality"]["confidence"].is_number());
    assert_eq!(answer["budget"]["mode"], "full");
    let first = &answer["results"][0];
    assert!(first["file"].as_str().expect("a place").starts_with("src/config.ts:"), "{answer}");
    for field in [
        "summary",
        "score",
        "type",
        "relevanceReason",
        "importedByCount",
        "symbol",
        "symbolKind",
        "relationships",
        "hints",
        "snippet",
    ] {
        assert!(!first[field].is_null(), "{field} is missing: {first}");
    }
    assert_eq!(first["relationships"]["hasTests"], true);
    assert!(first["hints"]["tests"][0] == "test/config.test.ts", "{first}");

    // By the names of an older product, with its arguments.
    let answer = asked(
        &mut client,
        "search_codebase",
        &json!({"query": "image smaller", "filters": {"language": "python"}, "limit": "3"}),
    );
    assert_eq!(files(&answer), ["py/tool.py"]);
    // A framework is what a file imports, not what it's called.
    let by_framework = json!({"query": "readConfig", "filters": {"framework": "Vitest"}});
    let answer = asked(&mut client, "search_codebase", &by_framework);
    assert_eq!(files(&answer), ["test/config.test.ts"]);
    // The older name gives each result in full, as `codebase` only does on request.
    for (tool, given, is_full) in [
        ("search_codebase", json!({"query": "readConfig"}), true),
        ("search_codebase", json!({"query": "readConfig", "mode": "compact"}), false),
        ("codebase", json!({"action": "search", "query": "readConfig"}), false),
    ] {
        let answer = asked(&mut client, tool, &given);
        let first = &answer["results"][0];
        let has = |field: &str| first.get(field).is_some();
        assert_eq!((has("relationships"), has("hints")), (is_full, is_full), "{tool} {given}: {answer}");
        assert!(!has("snippet"), "nobody asked for it: {answer}");
    }
    let answer = asked(&mut client, "get_symbol_references", &json!({"symbol": "readConfig"}));
    assert_eq!(answer["confidence"], "syntactic");
    assert_eq!(answer["isComplete"], true, "{answer}");
    assert_eq!(answer["definitions"][0]["file"], "src/config.ts");
    let uses = answer["usages"].as_array().expect("usages");
    assert_eq!(answer["usageCount"].as_u64(), Some(uses.len() as u64));
    let calls = |file: &str| {
        uses.iter().any(|one| {
            one["file"] == file
                && one["confidence"] == "resolved"
                && one["preview"].as_str().is_some_and(|text| text.contains("readConfig("))
        })
    };
    assert!(calls("src/router.ts") && calls("src/app.ts") && calls("test/config.test.ts"), "{answer}");

    let answer = asked(&mut client, "detect_circular_dependencies", &json!({"scope": "src"}));
    assert_eq!(
        (answer["count"].as_u64(), &answer["cycles"][0]["severity"]),
        (Some(1), &json!("high")),
        "{answer}"
    );
    let answer = asked(&mut client, "get_team_patterns", &json!({"category": "testing"}));
    assert_eq!(answer["patterns"]["testing"]["primary"]["name"], "Vitest", "{answer}");
    let answer = asked(&mut client, "get_team_patterns", &json!({"category": "all"}));
    let style = json!({
        "category": "imports", "language": "typescript", "name": "relative paths", "files": 3, "frequency": "100 %",
        "evidence": "src/app.ts:1",
    });
    assert_eq!(answer["styles"], json!([style]), "{answer}");
    let answer = asked(&mut client, "get_style_guide", &json!({"query": "naming"}));
    assert_eq!(answer["results"][0]["file"], "CONTRIBUTING.md", "{answer}");
    let answer = asked(&mut client, "get_codebase_metadata", &json!({}));
    assert_eq!(answer["languages"][0]["name"], "typescript", "{answer}");
    let answer = asked(&mut client, "get_indexing_status", &json!({}));
    assert_eq!(
        (&answer["status"], &answer["stats"]["files"]),
        (&json!("ready"), &json!(FILES.len())),
        "{answer}"
    );
    let answer = asked(&mut client, "codebase", &json!({"action": "map"}));
    assert!(
        answer["entryPoints"].as_array().is_some_and(|all| all.contains(&json!("src/app.ts"))),
        "{answer}"
    );
    let answer = asked(&mut client, "refresh_index", &json!({"reason": "because", "incrementalOnly": false}));
    assert!(answer["status"] == "ready" || answer["status"] == "started", "{answer}");
}

#[test]
fn the_map_can_be_read_at_its_address() {
    let place = place();
    let mut client = place.session();
    asked(&mut client, "codebase", &json!({"action": "map"}));
    let listed = client.request("resources/list", json!({}));
    assert_eq!(listed["result"]["resources"][0]["uri"], "codebase://context", "{listed}");
    let read = client.request("resources/read", json!({"uri": "codebase://context"}));
    let text = read["result"]["contents"][0]["text"].as_str().expect("a text");
    assert!(text.contains("begins in src/app.ts"), "{text}");
    let refused = client.request("resources/read", json!({"uri": "codebase://context/elsewhere"}));
    assert!(refused["error"]["message"].to_string().contains("codebase://context"), "{refused}");
}

#[test]
fn every_answer_reflects_the_files_as_they_are() {
    let place = place();
    let mut client = place.session();
    assert_eq!(found(&mut client, "resize_image")[0], "py/tool.py");
    // Rewritten with the same size, a moment later.
    let old = "def resize_image(size):";
    let text = FILES[4].1.replace(old, "def rotate_image(size):");
    assert_eq!(text.len(), FILES[4].1.len());
    place.write("work/ship/py/tool.py", &text);
    assert_eq!(found(&mut client, "rotate_image")[0], "py/tool.py");
    let gone = asked(&mut client, "codebase", &json!({"action": "references", "symbol": "resize_image"}));
    assert_eq!(
        (gone["usageCount"].as_u64(), gone["definitions"].as_array().map(Vec::len)),
        (Some(0), Some(0)),
        "{gone}"
    );
    // A new file in a new folder, a moved one, a deleted one, and one that is ignored from now on.
    place.write("work/ship/deep/new/place.rs", "pub fn brand_new_thing() {}\n");
    assert_eq!(found(&mut client, "brand_new_thing")[0], "deep/new/place.rs");
    std::fs::rename(place.project().join("deep/new/place.rs"), place.project().join("moved.rs"))
        .expect("a move");
    assert_eq!(found(&mut client, "brand_new_thing")[0], "moved.rs");
    std::fs::remove_file(place.project().join("moved.rs")).expect("removed");
    assert!(!found(&mut client, "brand_new_thing").contains(&"moved.rs".to_owned()));
    place.write("work/ship/.gitignore", "net/\n");
    assert!(!found(&mut client, "ListenForever").contains(&"net/server.go".to_owned()));
    place.write("work/ship/.gitignore", "xxx/\n");
    assert_eq!(found(&mut client, "ListenForever")[0], "net/server.go");
}

#[test]
fn what_the_rules_forbid_is_never_shown() {
    let place = place();
    place.write("work/ship/.claude/settings.json", r#"{"permissions": {"deny": ["Read(./src/config.ts)"]}}"#);
    let mut client = place.session();
    let answers = [
        asked(
            &mut client,
            "codebase",
            &json!({"action": "search", "query": "readConfig", "mode": "full", "includeSnippets": true}),
        ),
        asked(&mut client, "codebase", &json!({"action": "references", "symbol": "Router"})),
        asked(&mut client, "codebase", &json!({"action": "references", "symbol": "readConfig"})),
        asked(&mut client, "codebase", &json!({"action": "cycles"})),
        asked(&mut client, "codebase", &json!({"action": "map"})),
        asked(&mut client, "codebase", &json!({"action": "patterns"})),
        asked(&mut client, "codebase", &json!({"action": "card", "symbol": "Router"})),
    ];
    for answer in answers {
        assert!(!answer.to_string().contains("src/config.ts"), "{answer}");
    }
    // Files that aren't in the index are counted, and named if they may be read.
    place.write("work/ship/src/config.ts", "a\0b");
    place.write("work/ship/src/odd.ts", "a\0b");
    asked(&mut client, "codebase", &json!({"action": "map"}));
    for given in [
        json!({"action": "reindex"}),
        json!({"action": "status"}),
        json!({"action": "reindex", "dry_run": true}),
    ] {
        let answer = asked(&mut client, "codebase", &given);
        let text = answer.to_string();
        let is_told = answer["status"] == "started" || text.contains("src/odd.ts");
        assert!(is_told && !text.contains("src/config.ts"), "{given}: {answer}");
    }
}

#[test]
fn pages_cover_everything_once_within_the_requested_size() {
    let place = place();
    let many: String = (0..60)
        .map(|n| format!("    resize_image({n})  # a longer line, so that sixty of them do not fit\n"))
        .collect();
    place.write("work/ship/py/many.py", &format!("from tool import resize_image\n\ndef all():\n{many}"));
    let mut client = place.session();
    let (mut lines, mut from) = (Vec::new(), 0);
    loop {
        let asking = json!({"action": "references", "symbol": "resize_image", "limit": 1000, "offset": from, "max_tokens": 600});
        let (text, _) = client.call("codebase", asking.clone());
        // Three bytes to a token.
        assert!(text.len() <= 1_800, "{} bytes", text.len());
        let answer = asked(&mut client, "codebase", &asking);
        lines.extend(
            answer["usages"]
                .as_array()
                .expect("usages")
                .iter()
                .map(|one| one["line"].as_u64().expect("a line")),
        );
        match answer["nextOffset"].as_u64() {
            Some(next) => from = next,
            None => break,
        }
    }
    let mut once = lines.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((lines.len(), once.len()), (61, 61), "{lines:?}");
}

#[test]
fn what_is_wrong_is_reported_and_never_answered_with_nothing() {
    let place = place();
    let mut client = place.session();
    asked(&mut client, "codebase", &json!({"action": "map"}));
    for (arguments, says) in [
        (json!({"action": "serach"}), "allowed: search"),
        (json!({"action": "search"}), "query is missing"),
        (json!({"action": "search", "query": "x", "colour": "red"}), "unknown argument colour"),
        (json!({"action": "search", "query": "***"}), "no word to look for"),
        (json!({"action": "search", "query": "router", "language": "klingon"}), "no language `klingon`"),
        (json!({"action": "search", "query": "x", "filters": {"size": "3"}}), "size is unknown"),
        (json!({"action": "patterns", "category": "weather"}), "weather"),
        (json!({"action": "references", "symbol": " "}), "symbol is empty"),
        (json!({"action": "map", "project": "/no/such/place"}), "and only knows the code there"),
        (
            json!({"action": "search", "query": "router", "project": "elsewhere"}),
            "and only knows the code there",
        ),
    ] {
        let refused = client.bad("codebase", arguments);
        assert!(refused.contains(says), "{says}: {refused}");
    }
    for own in ["ship", ".", "src"] {
        asked(&mut client, "codebase", &json!({"action": "map", "project": own}));
    }
    let refused = client.bad("search", json!({"queries": ["router"], "in": ["code"]}));
    assert!(refused.contains("the tool codebase, action search"), "{refused}");
    // A missing name is reported as missing, and no other is substituted.
    let answer = asked(&mut client, "codebase", &json!({"action": "references", "symbol": "read_config"}));
    assert_eq!(answer["usageCount"], 0, "{answer}");
    assert_eq!(answer["similar"], json!(["readConfig"]), "{answer}");
    // A search says so too, in the name's own spelling, and sends nobody to the users of something else.
    for (query, hops) in [
        ("ListenForevr", json!([{"action": "references", "symbol": "ListenForever"}, {"action": "map"}])),
        ("SmallerBanana", json!([{"action": "map"}])),
    ] {
        let answer = asked(&mut client, "codebase", &json!({"action": "search", "query": query}));
        assert_eq!(answer["searchQuality"]["status"], "low_confidence", "{answer}");
        let hint = answer["searchQuality"]["hint"].as_str().expect("a hint");
        assert!(hint.contains(&format!("`{query}`")) && !hint.contains("alone"), "{hint}");
        assert_eq!(answer["nextHops"], hops, "{answer}");
    }
}

#[test]
fn a_session_in_a_folder_that_is_gone_says_so() {
    let place = place();
    let mut client = place.session();
    asked(&mut client, "codebase", &json!({"action": "map"}));
    let root = place.project();
    std::fs::rename(&root, root.with_extension("moved")).unwrap();
    for arguments in [json!({"action": "search", "query": "router"}), json!({"action": "status"})] {
        let refused = client.bad("codebase", arguments);
        assert!(refused.contains("no longer exists"), "{refused}");
    }
}
