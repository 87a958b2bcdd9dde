//! What the window asks of memories, command by command over a real database: what one writes another shows, from the project that is
//! looked at and from no other, and looking makes nothing.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;
use std::sync::Arc;

use contract::{Error, ErrorCode};
use home::{Env, Home, Project, Settings};
use plimsoll_memory::domain::project_key;
use plimsoll_memory::{SYSTEM, daily_figures};
use serde_json::{Value, json};
use system::{At, Call, Host};

const NOW: i64 = 1_800_000_000_000;

struct Computer {
    home: Home,
    env: Env,
    settings: Settings,
    root: PathBuf,
}

impl Host for Computer {
    fn home(&self) -> &Home {
        &self.home
    }
    fn env(&self) -> &Env {
        &self.env
    }
    fn now_ms(&self) -> i64 {
        NOW
    }
    fn settings(&self) -> &Settings {
        &self.settings
    }
    fn project(&self) -> Project {
        Project::at(&self.root).unwrap()
    }
    fn has_project(&self) -> bool {
        true
    }
    fn guests(&self) -> Vec<&'static sessions::Guest> {
        Vec::new()
    }
}

struct World {
    _dir: tempfile::TempDir,
    host: Arc<Computer>,
    runtime: tokio::runtime::Runtime,
    key: String,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = dunce::canonicalize(dir.path()).unwrap();
        let root = user.join("shop");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let home = Home::at(user.join("plimsoll"));
        std::fs::create_dir_all(home.root()).unwrap();
        let env = Env::for_test(&user).with_cwd(&root);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let key = project_key(&Project::at(&root).unwrap());
        let settings = Settings::default();
        Self { host: Arc::new(Computer { home, env, settings, root }), runtime, key, _dir: dir }
    }

    fn ask(&self, name: &str, args: Value) -> Result<Value, Error> {
        let command = SYSTEM.commands.iter().find(|command| command.name == name).unwrap();
        let at = At { host: self.host.clone(), call: Call::of_person() };
        self.runtime.block_on(command.run(at, args))
    }

    fn done(&self, name: &str, args: Value) -> Value {
        self.ask(name, args).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, content: &str, namespace: &str, scope: &str) -> String {
        let args = json!({"project": self.key, "content": content, "namespace": namespace, "scope": scope, "tags": []});
        self.done("memory_capture", args)["id"].as_str().unwrap().to_owned()
    }

    fn titles(&self, asked: Value) -> Vec<String> {
        let mut args = json!({"project": self.key, "limit": 20});
        args.as_object_mut().unwrap().extend(asked.as_object().unwrap().clone());
        let page = self.done("memories", args);
        let rows = page["rows"].as_array().unwrap();
        rows.iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn looking_at_nothing_shows_nothing_and_makes_no_database() {
    let world = World::new();
    assert_eq!(world.titles(json!({})), Vec::<String>::new());
    let standing = world.done("memory_standing", json!({"project": world.key}));
    assert_eq!((&standing["total"], standing["known"].as_array().unwrap().len()), (&json!(0), 12));
    let projects = world.done("memory_projects", json!({}));
    assert_eq!((&projects["rows"][0]["name"], &projects["rows"][0]["memories"]), (&json!("shop"), &json!(0)));
    assert_eq!(world.done("memory_graph", json!({"project": "*"}))["total"], 0);
    assert_eq!(world.done("memory_prompts", json!({"project": world.key}))["rows"], json!([]));
    assert_eq!(world.ask("memory", json!({"id": "abc"})).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(std::fs::read_dir(world.host.home.root()).unwrap().count(), 0);
}

#[test]
fn what_is_written_is_found_from_its_project_and_everywhere_and_from_no_other() {
    let world = World::new();
    let id =
        world.write("Sessions stay in PostgreSQL\n\nRedis is one more thing to run.", "decisions", "project");
    world.write("Answer in short sentences", "patterns", "user");
    assert_eq!(world.titles(json!({"text": "redis ns:decisions"})), ["Sessions stay in PostgreSQL"]);
    assert_eq!(world.titles(json!({"text": "redis", "scope": "user"})), Vec::<String>::new());
    assert_eq!(world.titles(json!({"agent": "you"})).len(), 2);
    assert_eq!(world.titles(json!({"project": "*"})).len(), 2);
    for elsewhere in ["", "github.com/acme/app"] {
        assert_eq!(world.titles(json!({"project": elsewhere})), ["Answer in short sentences"]);
    }
    let error = world.ask("memories", json!({"project": "", "text": "ns:nonsense"})).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(!error.message.text().contains("-326"), "{error}");

    let view = world.done("memory", json!({"id": id}));
    assert_eq!(view["body"], "Redis is one more thing to run.");
    assert_eq!((&view["project_name"], &view["row"]["trust"]), (&json!("shop"), &json!("user")));
    assert_eq!((&view["history"][0]["what"], &view["given"]), (&json!("captured"), &json!([])));
    let about: Vec<&str> =
        view["about"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(about.contains(&"PostgreSQL") && about.contains(&"Redis"), "{about:?}");
}

#[test]
fn an_edit_wants_the_version_it_saw_and_forgetting_can_be_taken_back_to_the_state_before() {
    let world = World::new();
    let id = world.write("Use tabs", "patterns", "project");
    let change = |version: u32, content: &str| {
        world.ask(
            "memory_update",
            json!({"id": id, "version": version, "content": content, "namespace": "patterns", "tags": ["style"]}),
        )
    };
    change(1, "Use spaces").unwrap();
    let error = change(1, "Use neither").unwrap_err();
    assert!(error.message.text().contains("was changed meanwhile"), "{error}");
    let view = world.done("memory", json!({"id": id}));
    assert_eq!((&view["content"], &view["tags"]), (&json!("Use spaces"), &json!(["style"])));
    // Saying the same again is no change and no error.
    world.done("memory_update", json!({"id": id, "version": view["version"], "content": "Use spaces", "namespace": "patterns", "tags": ["style"]}));

    world.done("memory_forget", json!({"id": id}));
    assert_eq!(world.titles(json!({})), Vec::<String>::new());
    assert_eq!(world.titles(json!({"status": "tombstoned"})), ["Use spaces"]);
    world.done("memory_restore", json!({"id": id, "status": "archived"}));
    assert_eq!(world.titles(json!({"status": "archived"})), ["Use spaces"]);
    assert!(world.ask("memory_restore", json!({"id": id, "status": "lost"})).is_err());
}

#[test]
fn what_waits_is_kept_or_dropped_once_and_a_drop_waits_again_when_it_is_taken_back() {
    let world = World::new();
    let (kept, dropped) =
        (world.write("Keep me", "context", "project"), world.write("Drop me", "context", "project"));
    for id in [&kept, &dropped] {
        world.done("memory_restore", json!({"id": id, "status": "pending"}));
    }
    assert_eq!(world.done("memory_standing", json!({"project": world.key}))["pending"], 2);
    assert_eq!(world.titles(json!({})), Vec::<String>::new(), "nothing that waits is in the list");
    world.done("memory_review", json!({"id": kept, "keep": true}));
    world.done("memory_review", json!({"id": dropped, "keep": false}));
    assert_eq!(world.titles(json!({})), ["Keep me"]);
    let error = world.ask("memory_review", json!({"id": kept, "keep": false})).unwrap_err();
    assert!(error.message.text().contains("no longer waits"), "{error}");
    world.done("memory_restore", json!({"id": dropped, "status": "pending"}));
    assert_eq!(world.titles(json!({"status": "pending"})), ["Drop me"]);
}

#[test]
fn a_memory_is_shared_as_a_file_and_what_is_yours_alone_is_not() {
    let world = World::new();
    let id = world.write("Every handler returns a Result", "patterns", "project");
    let shared = world.done("memory_share", json!({"id": id, "shared": true}));
    let file = world.host.root.join(shared["file"].as_str().unwrap());
    assert!(file.is_file());
    world.done("memory_update", json!({"id": id, "version": 1, "content": "Every handler returns a Result or panics", "namespace": "patterns", "tags": []}));
    assert!(
        std::fs::read_to_string(&file).unwrap().contains("or panics"),
        "the file says what the memory says"
    );
    assert_eq!(world.done("memory_share", json!({"id": id, "shared": false}))["state"], "private");
    assert!(!file.exists());
    let own = world.write("Answer shortly", "patterns", "user");
    let sharing = &world.done("memory", json!({"id": own}))["sharing"];
    assert_eq!((&sharing["state"], &sharing["why"]), (&json!("impossible"), &json!("scope")));
    assert!(world.ask("memory_share", json!({"id": own, "shared": true})).is_err());
}

#[test]
fn the_graph_is_looked_at_around_an_entity_or_as_a_whole_and_two_become_one() {
    let world = World::new();
    world.write("SessionStore uses PostgreSQL", "context", "project");
    world.write("Stripe is called by PaymentQueue; PaymentQueue uses Stripe", "context", "project");
    let project = &world.key;
    let all = world.done("memory_graph", json!({"project": project}));
    let count = all["nodes"].as_array().unwrap().len();
    assert!(count >= 4 && all["total"] == count, "{all}");
    assert_eq!(
        world.done("memory_graph", json!({"project": project, "limit": 2}))["nodes"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let kinds = world.done("memory_graph", json!({"project": project, "kinds": ["Technology"]}));
    assert!(kinds["nodes"].as_array().unwrap().iter().all(|node| node["kind"] == "Technology"), "{kinds}");
    let around =
        world.done("memory_graph", json!({"project": project, "around": "entity_postgresql", "depth": 2}));
    assert_eq!(
        (&around["nodes"][0]["name"], &around["nodes"][1]["depth"]),
        (&json!("PostgreSQL"), &json!(1))
    );
    assert_eq!(around["edges"][0]["kind"], "Uses");
    let text = world
        .done("memory_graph_text", json!({"project": project, "around": "entity_postgresql", "depth": 1}));
    assert!(text["text"].as_str().unwrap().starts_with("graph LR"), "{text}");
    let gone = world.ask("memory_graph", json!({"project": project, "around": "entity_x"})).unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);

    let ends =
        json!({"project": project, "keep": "entity_stripe", "other": "entity_paymentqueue", "preview": true});
    assert_eq!(world.done("memory_merge", ends.clone())["name"], "Stripe");
    assert_eq!(
        world.done("memory_graph", json!({"project": project}))["total"],
        count,
        "a preview changes nothing"
    );
    let mut ends = ends;
    ends["preview"] = false.into();
    world.done("memory_merge", ends);
    let entity = world.done("memory_entity", json!({"project": project, "id": "entity_stripe"}));
    assert!(entity["aliases"].as_array().unwrap().contains(&json!("PaymentQueue")), "{entity}");
    assert_eq!(entity["memories"].as_array().unwrap().len(), 1);
}

#[test]
fn a_prompt_is_read_as_it_is_typed_and_keeps_what_is_known_of_its_places() {
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
    assert!(preview("{{#each", json!({}))["problem"].as_str().unwrap().starts_with("line 1"));
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
    assert!(problem["problem"].as_str().unwrap().starts_with("line 2"), "{problem}");
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

#[test]
fn what_is_on_the_computer_is_offered_and_taken_in_for_a_review() {
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
    assert!(broken["problem"].as_str().unwrap().contains("subcog-export.json"), "{broken}");
    assert!(!world.host.home.root().join("memory.db").exists(), "looking stores nothing");

    let asked = json!({"path": rules["path"], "folder": rules["folder"]});
    let taken = world.done("memory_take_in", asked.clone());
    assert_eq!((&taken["waiting"], &taken["redacted"], &taken["refused"]), (&json!(2), &json!(1), &json!(0)));
    assert_eq!(world.done("memory_standing", json!({"project": world.key}))["pending"], 2);
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

#[test]
fn a_server_that_is_asked_before_anything_is_remembered_is_told_as_it_is() {
    let world = World::new();
    std::fs::write(
        world.host.home.root().join("settings.toml"),
        "[memory.org]\nurl = \"postgres://ana:wordpass@127.0.0.1:9/team\"\n",
    )
    .unwrap();
    let asked = world.done("memory_org_check", json!({}));
    assert_eq!(asked["answer"]["status"], "unreachable");
    assert_eq!(asked["why"], asked["answer"]["problem"]);
    assert!(!asked["why"].as_str().unwrap().is_empty(), "{asked}");
    assert_eq!(world.done("memory_org_sync", json!({})), asked, "there is nothing to send");
}

#[test]
fn the_address_of_a_server_is_set_and_its_password_comes_back_nowhere() {
    let world = World::new();
    let set = |url: &str| world.ask("memory_org_set", json!({"url": url}));
    let settings =
        || std::fs::read_to_string(world.host.home.root().join("settings.toml")).unwrap_or_default();
    for wrong in [
        "http://ana:wordpass@h/x",
        "postgres://:wordpass@h/x",
        "postgres://ana:wordpass@h:port/x",
        "wordpass",
    ] {
        let error = set(wrong).unwrap_err();
        let told = format!("{error:?} {}", error.message.text());
        assert!(told.contains("postgres://") && !told.contains("wordpass"), "{wrong}: {told}");
        assert!(!settings().contains("wordpass"), "{wrong}");
    }
    let known = set(" postgres://ana:wordpass@127.0.0.1:9/team\n").unwrap();
    assert_eq!((&known["configured"], &known["server"]), (&json!(true), &json!("ana@127.0.0.1:9/team")));
    assert!(!known.to_string().contains("wordpass"), "{known}");
    // Nobody was asked for that, and it is the address that is used from now on.
    assert_eq!((&known["answer"], &known["why"]), (&json!(null), &json!("")));
    assert!(settings().contains("postgres://ana:wordpass@127.0.0.1:9/team"));
    assert_eq!(world.done("memory_team", json!({"project": world.key}))["org"], known);
    assert_eq!(world.done("memory_org_check", json!({}))["answer"]["status"], "unreachable");
    // One that can't be used leaves the one that is there.
    assert!(set("mysql://ana:other@h/x").is_err());
    assert_eq!(world.done("memory_team", json!({"project": world.key}))["org"]["server"], known["server"]);
    let none = set("").unwrap();
    assert_eq!((&none["configured"], settings().contains("wordpass")), (&json!(false), false));
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_text_is_offered_with_the_way_to_import_it() {
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
    assert!(rows[0]["problem"].as_str().unwrap().contains("plimsoll memory import"), "{rows}");
}

#[test]
fn what_a_team_shares_is_told_without_asking_a_server() {
    let world = World::new();
    let team = world.done("memory_team", json!({"project": world.key}));
    assert_eq!((&team["org"]["configured"], &team["files"]), (&json!(false), &json!(0)));
    assert!(world.ask("memory_org_check", json!({})).unwrap_err().message.text().contains("memory.org.url"));

    let id = world.write("Every handler returns a Result", "patterns", "project");
    world.done("memory_share", json!({"id": id, "shared": true}));
    std::fs::write(world.host.root.join(".plimsoll/memories/torn.md"), "<<<<<<< HEAD\n").unwrap();
    // A port that nobody listens on: whoever asked it would be told so.
    std::fs::write(
        world.host.home.root().join("settings.toml"),
        "[memory.org]\nurl = \"postgres://ana:wordpass@127.0.0.1:9/team\"\n",
    )
    .unwrap();
    let all = json!({"project": "", "content": "Offices close at 6", "namespace": "context", "scope": "org", "tags": []});
    world.done("memory_capture", all);
    let team = world.done("memory_team", json!({"project": world.key}));
    assert_eq!(
        (&team["files"], &team["problems"][0]["file"]),
        (&json!(1), &json!(".plimsoll/memories/torn.md"))
    );
    let org = &team["org"];
    assert_eq!(org["server"], "ana@127.0.0.1:9/team");
    assert_eq!((&org["waiting"], &org["why"], &org["answer"]), (&json!(1), &json!(""), &json!(null)));
    let standing = || world.done("memory_standing", json!({"project": world.key}))["lagging"].clone();
    assert_eq!(standing(), json!(null), "it was captured just now");

    let asked = world.done("memory_org_check", json!({}));
    assert_eq!(asked["answer"]["status"], "unreachable");
    assert_eq!((&asked["answer"]["at_ms"], &asked["waiting"]), (&json!(NOW), &json!(1)));
    assert!(!asked.to_string().contains("wordpass"), "{asked}");
    assert_eq!((&standing()["waiting"], &standing()["why"]), (&json!(1), &asked["why"]));
    let sent = world.done("memory_org_sync", json!({}));
    assert_eq!((&sent["waiting"], &sent["sent_ms"]), (&json!(1), &json!(null)));
}

#[test]
fn what_was_given_is_told_with_its_memory_and_counted_for_the_day() {
    let world = World::new();
    let id = world.write("Never retry on card_declined", "learnings", "project");
    let line = |at: i64, asked: Value| {
        format!(
            "{}\n",
            json!({"at_ms": at, "agent": "codex", "session": "s", "project": "/w", "asked": asked, "memories": [[id, 120]], "bytes": 200})
        )
    };
    let text = line(NOW - 90_000_000, json!(null))
        + "no line\n"
        + &line(NOW - 1_000, json!("why was the card declined?"));
    std::fs::write(world.host.home.root().join("memory.given"), text).unwrap();
    let view = world.done("memory", json!({"id": id}));
    assert_eq!(view["given_times"], 2);
    assert_eq!(
        (&view["given"][0]["because"], &view["given"][1]["because"]),
        (&json!("prompt"), &json!("start"))
    );
    assert_eq!(
        (&view["given"][0]["asked"], &view["given"][0]["bytes"]),
        (&json!("why was the card declined?"), &json!(120))
    );
    let day = daily_figures(&world.host.home, NOW - 3_600_000, NOW);
    assert_eq!((day.total, day.given, day.times, day.bytes), (1, 1, 1, 200));
}
