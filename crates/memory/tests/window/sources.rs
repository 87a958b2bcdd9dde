//! What is already on the computer, offered for import.

use serde_json::json;

use crate::World;

#[test]
fn sources_on_the_computer_are_offered_and_imported_for_review() {
    let world = World::new();
    let secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    std::fs::write(
        world.host.root.join("CLAUDE.md"),
        format!(
            "# Rules\n\n- Prefer composition over inheritance\n- The mirror takes {secret} as its token\n"
        ),
    )
    .unwrap();
    std::fs::write(world.host.root.join("subcog-export.json"), "{broken").unwrap();
    let rows = world.done("memory_sources", json!({}))["rows"].clone();
    let of = |kind: &str| rows.as_array().unwrap().iter().find(|row| row["kind"] == kind).unwrap().clone();
    let (rules, broken) = (of("instructions"), of("subcog"));
    assert_eq!((&rules["new"], &rules["problem"]), (&json!(2), &json!(null)));
    assert!(!rows.to_string().contains(&secret), "{rows}");
    assert!(broken["problem"]["text"].as_str().unwrap().contains("subcog-export.json"), "{broken}");
    let why = &broken["problem"]["params"]["what"];
    assert_eq!(
        (&why["key"], &why["params"]["line"]),
        (&json!("messages.memory.not_json"), &json!("1")),
        "{broken}"
    );
    assert!(!world.host.home.root().join("memory.db").exists(), "looking stores nothing");

    let asked = json!({"path": rules["path"], "folder": rules["folder"]});
    let taken = world.done("memory_take_in", asked.clone());
    assert_eq!((&taken["waiting"], &taken["redacted"], &taken["refused"]), (&json!(2), &json!(1), &json!(0)));
    assert_eq!(world.done("memory_status", json!({"project": world.key}))["pending"], 2);
    assert_eq!(world.titles(json!({})), Vec::<String>::new(), "nothing of it is in use yet");
    let again = world.done("memory_take_in", asked);
    assert_eq!((&again["waiting"], &again["known"]), (&json!(0), &json!(2)));
    let elsewhere = json!({"path": world.host.root.join("notes.md"), "folder": null});
    assert!(world.ask("memory_take_in", elsewhere).unwrap_err().message.text().contains("no longer there"));

    std::fs::write(world.host.home.root().join("settings.toml"), "[memory]\nsecrets = \"refuse\"\n").unwrap();
    std::fs::write(world.host.root.join("AGENTS.md"), format!("- The other mirror takes {secret}\n"))
        .unwrap();
    let path = world.host.root.join("AGENTS.md");
    let refused = world.done("memory_take_in", json!({"path": path, "folder": rules["folder"]}));
    assert_eq!((&refused["waiting"], &refused["refused"]), (&json!(0), &json!(1)));
    assert!(!refused.to_string().contains(&secret), "{refused}");

    std::fs::write(world.host.home.root().join("settings.toml"), "[memory]\nenabled = false\n").unwrap();
    assert_eq!(world.done("memory_sources", json!({}))["rows"], json!([]), "memory is off");
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf8_is_offered_with_the_way_to_import_it() {
    use std::os::unix::ffi::OsStrExt as _;
    let world = World::new();
    let name = std::ffi::OsStr::from_bytes(b"subcog-\xff.json");
    std::fs::write(
        world.host.root.join(name),
        r#"{"memories": [{"content": "Use tabs", "namespace": "patterns"}]}"#,
    )
    .unwrap();
    let rows = world.done("memory_sources", json!({}))["rows"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
    assert!(rows[0]["problem"]["text"].as_str().unwrap().contains("plimsoll memory import"), "{rows}");
}
