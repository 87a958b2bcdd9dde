//! Prompts and templates: previewed as they are typed, deleted and restored.

use serde_json::{Value, json};

use crate::World;

#[test]
fn a_prompt_is_parsed_while_typed_and_keeps_its_placeholders_details() {
    let world = World::new();
    let preview = |content: &str, values: Value| {
        world.done("memory_preview_prompt", json!({"kind": "prompt", "content": content, "values": values}))
    };
    let filled = preview("Review {{file}} for {{what}}.", json!({"file": "a.rs"}));
    assert_eq!(filled["text"], "Review a.rs for {{what}}.");
    assert_eq!(filled["places"], json!(["file", "what"]));
    let looped = preview("{{#each files}}- {{this}}\n{{/each}}", json!({"files": "a.rs, b.rs"}));
    assert_eq!((&looped["text"], &looped["lists"]), (&json!("- a.rs\n- b.rs\n"), &json!(["files"])));
    assert_eq!(preview("{{#each files}}- {{this}}\n{{/each}}", json!({}))["text"], "- {{files}}\n");
    let open = preview("{{#each", json!({}))["problem"].clone();
    assert!(open["text"].as_str().unwrap().starts_with("line 1"), "{open}");
    assert_eq!(open["key"], "messages.memory.template_line", "the window says it in its own language");
    assert_eq!(open["params"]["reason"]["key"], "messages.memory.template_open_place");
    let prompt = json!({"name": "code-review", "scope": "project", "content": "Review {{file}} for {{what}}.", "variables": [
        {"name": "what", "default": "errors", "required": false}, {"name": "gone", "required": true}]});
    assert_eq!(
        world.done("memory_save_prompt", json!({"project": world.key, "prompt": prompt}))["version"],
        1
    );
    let saved = world.done("memory_prompts", json!({"project": world.key}))["rows"][0].clone();
    assert_eq!(saved["variables"][1]["default"], "errors");
    assert_eq!(
        world.done("memory_save_prompt", json!({"project": world.key, "prompt": saved}))["name"],
        "code-review"
    );
    world.done(
        "memory_delete_prompt",
        json!({"project": world.key, "kind": "prompt", "scope": "project", "name": "code-review"}),
    );
    assert_eq!(world.done("memory_prompts", json!({"project": world.key}))["rows"], json!([]));
}

#[test]
fn a_template_shows_the_memories_there_are_or_says_that_they_are_examples() {
    let world = World::new();
    let text = "# {{title}}\n{{#each memories}}\n- {{memory.namespace}}: {{memory.content}}\n{{/each}}\n{{total_count}}";
    let preview = |format: &str, query: &str| {
        let draft = json!({"project": world.key, "kind": "template", "format": format, "query": query, "content": text,
            "values": {"title": "So far"}});
        world.done("memory_preview_prompt", draft)
    };
    let nothing = preview("", "");
    assert_eq!((&nothing["examples"], &nothing["memories"]), (&json!(true), &json!(0)));
    assert!(nothing["text"].as_str().unwrap().contains("- decisions: "), "{nothing}");
    assert!(!world.host.home.root().join("memory.db").exists(), "a preview stores nothing");

    world.write("Sessions stay in PostgreSQL", "decisions", "project");
    world.write("Berths are numbered from the lighthouse & not the pier", "context", "project");
    let both = preview("markdown", "");
    assert_eq!((&both["examples"], &both["memories"]), (&json!(false), &json!(2)));
    let one = preview("xml", "where are berths numbered");
    assert_eq!((&one["memories"], &one["places"]), (&json!(1), &json!(["title"])));
    assert!(one["text"].as_str().unwrap().contains("lighthouse &amp; not the pier"), "{one}");
    let problem = world.done(
        "memory_preview_prompt",
        json!({"kind": "template", "content": "a\n{{#each memories}}", "values": {}}),
    );
    assert!(problem["problem"]["text"].as_str().unwrap().starts_with("line 2"), "{problem}");
}

#[test]
fn a_deleted_template_comes_back_with_every_version_and_what_belongs_to_it() {
    let world = World::new();
    let template = |content: &str| {
        json!({"kind": "template", "name": "so-far", "scope": "project", "description": "For a standup", "content": content,
            "format": "xml", "tags": ["daily"], "variables": [{"name": "title", "default": "Today", "required": false}]})
    };
    let save = |kind: &str, content: &str| {
        let mut prompt = template(content);
        prompt["kind"] = kind.into();
        world.done("memory_save_prompt", json!({"project": world.key, "prompt": prompt}))["version"].clone()
    };
    assert_eq!(save("template", "{{title}}"), 1);
    assert_eq!(save("template", "# {{title}}"), 2);
    assert_eq!(save("prompt", "of the same name, {{title}}"), 1);
    let kinds = || -> Vec<String> {
        let rows = world.done("memory_prompts", json!({"project": world.key}))["rows"].clone();
        rows.as_array().unwrap().iter().map(|row| format!("{} {}", row["kind"], row["version"])).collect()
    };
    assert_eq!(kinds(), ["\"prompt\" 1", "\"template\" 2"]);
    let named = json!({"project": world.key, "kind": "template", "scope": "project", "name": "so-far"});
    let versions = world.done("memory_prompt_versions", named.clone());
    assert_eq!(
        versions["rows"].as_array().unwrap().iter().map(|row| row["content"].clone()).collect::<Vec<_>>(),
        ["# {{title}}", "{{title}}"]
    );
    assert_eq!(
        (&versions["rows"][1]["tags"], &versions["rows"][1]["format"]),
        (&json!(["daily"]), &json!("xml"))
    );

    let gone = world.done("memory_delete_prompt", named.clone());
    assert_eq!(gone, versions);
    assert_eq!(kinds(), ["\"prompt\" 1"], "the prompt of that name stays");
    let back = json!({"project": world.key, "rows": gone["rows"]});
    world.done("memory_restore_prompt", back.clone());
    assert_eq!(world.done("memory_prompt_versions", named), versions);
    let error = world.ask("memory_restore_prompt", back).unwrap_err();
    assert!(error.message.text().contains("there is another template"), "{error}");
}
