//! `plimsoll memory`: what the user's terminal and files receive when there are many memories.

use crate::desk::Desk;

/// More than a reply to an agent may have.
const MEMORIES: usize = 120;

/// A file written from any export contains the whole export.
#[test]
fn an_export_of_any_length_is_whole() {
    let desk = Desk::new();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let all: Vec<_> = (0..MEMORIES)
        .map(|n| {
            serde_json::json!({
                "content": format!("Invoice rule {n}: {}", "round half to even, ".repeat(15)), "namespace": "decisions",
            })
        })
        .collect();
    let file = desk.write("all.json", &serde_json::json!({"memories": all}).to_string());
    let run = |args: &[&str]| desk.run_in(&project, args).ended(0).out;
    run(&["memory", "import", file.to_str().unwrap()]);
    for format in ["json", "markdown", "csv"] {
        let out = run(&["memory", "export", "--format", format]);
        let there = (0..MEMORIES).filter(|n| out.contains(&format!("Invoice rule {n}:"))).count();
        assert_eq!((there, out.contains("bytes more")), (MEMORIES, false), "{format}");
    }
    let json: serde_json::Value = serde_json::from_str(&run(&["memory", "export"])).unwrap();
    assert_eq!(json["memories"].as_array().map(Vec::len), Some(MEMORIES));
    let listed = run(&["memory", "list", "--limit", "100", "--detail", "everything"]);
    assert_eq!(listed.matches("Invoice rule").count(), 100);
}

/// An address that a hook names is read in a terminal, also while it waits for a review.
#[test]
fn a_memory_is_read_at_its_address() {
    let desk = Desk::new();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    desk.write("work/shop/CLAUDE.md", "- Always run the linter before a commit\n");
    let run = |args: &[&str]| desk.run_in(&project, args).ended(0);
    run(&["memory", "capture", "Use NATS for the queue", "--namespace", "decisions", "--tags", "queue"]);
    run(&["memory", "import", "CLAUDE.md"]);
    for (status, text) in [("active", "Use NATS for the queue"), ("pending", "Always run the linter")] {
        let listed = run(&["memory", "list", "--filter", &format!("status:{status}"), "--json"]).json();
        let address = listed["results"][0]["uri"].as_str().unwrap().to_owned();
        let shown = run(&["read", &address]).out;
        assert!(shown.starts_with("---\nid: ") && shown.contains(text), "{shown}");
        assert_eq!(shown.contains("status: pending"), status == "pending", "{shown}");
        // As an agent's search does, `search` takes the address as its source.
        let found = run(&["search", "NATS", "linter", "--source", &address]).out;
        assert!(found.starts_with(&format!("[{address}]\n")) && found.contains(text), "{found}");
    }
    let missing = desk.run_in(&project, &["read", "plimsoll://memory/project/decisions/0123456789abcdef"]);
    let missing = missing.ended(3).err;
    assert!(missing.contains("0123456789abcdef") && !missing.contains("(-"), "{missing}");
    let unknown = desk.run_in(&project, &["read", "plimsoll://nowhere/1"]).ended(3).err;
    assert!(unknown.contains("plimsoll://memory/<domain>/<namespace>/<id>"), "{unknown}");
}

/// Many start an agent in a folder of their project, or it goes there by itself: that's the same project, as its server has it.
#[test]
fn a_session_in_a_folder_of_the_project_has_its_memories_and_adds_to_it() {
    let desk = Desk::new();
    let project = desk.home().join("work/shop");
    let folder = project.join("apps/web");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    let run = |args: &[&str]| desk.run_in(&project, args).ended(0).out;
    run(&[
        "memory",
        "capture",
        "Invoices are numbered by the harbour office, not by us",
        "--namespace",
        "decisions",
    ]);
    let hook = |session: usize, mut event: serde_json::Value| {
        event["session_id"] = format!("s{session}").into();
        event["cwd"] = folder.to_str().unwrap().into();
        event["transcript_path"] = "/none.jsonl".into();
        desk.run_with_input(&folder, &["hook", "claude-code"], &event.to_string()).ended(0).out
    };
    // A hook has little time, and on a busy computer it says nothing rather than answering late.
    let begins = serde_json::json!({"hook_event_name": "SessionStart", "source": "startup"});
    assert!((0..20).any(|session| hook(session, begins.clone()).contains("harbour office")));
    let asks = "Remember that the tides are in metres.";
    let asks = serde_json::json!({"hook_event_name": "UserPromptSubmit", "prompt": asks});
    let is_proposed = |session| {
        hook(session, asks.clone());
        let listed = desk.run_in(&project, &["memory", "list", "--filter", "status:pending"]);
        listed.out.contains("tides are in metres")
    };
    assert!((20..40).any(is_proposed));
    let sessions = desk.run_in(&project, &["sessions", "--json"]).ended(0).json();
    let folders: Vec<&str> =
        sessions["rows"].as_array().unwrap().iter().map(|one| one["project"].as_str().unwrap()).collect();
    let root = std::fs::canonicalize(&project).unwrap();
    assert!(folders.iter().all(|folder| std::path::Path::new(folder) == root), "{folders:?}");
}

/// Without results, a user reads what would be listed and which command adds it; a script gets an empty list and the
/// exit code that every command has for it.
#[test]
fn nothing_found_comes_with_the_command_that_changes_it() {
    let desk = Desk::new();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let empty = [
        (&["memory", "list"][..], "`plimsoll memory add "),
        (&["memory", "recall", "queue"], "`plimsoll memory list`"),
        (&["memory", "sources"], "`plimsoll memory import "),
        (&["prompt", "list"], "`plimsoll prompt save NAME TEXT`"),
        (&["prompt", "list", "--kind", "template"], "--kind template`"),
        (&["graph", "entities"], "`plimsoll graph add_entity "),
        (&["graph", "relationships"], "`plimsoll graph relate "),
    ];
    for (typed, command) in empty {
        let told = desk.run_in(&project, typed).ended(3).out;
        assert!(told.contains(command), "{typed:?}: {told}");
        let json = desk.run_in(&project, &[typed, &["--json"]].concat()).ended(3).json();
        assert!(json.is_object() && !json.to_string().contains("plimsoll "), "{typed:?}: {json}");
    }
    // What they name works as it is written.
    let run = |args: &[&str]| desk.run_in(&project, args).ended(0);
    run(&["memory", "add", "Use tabs", "--namespace", "decisions"]);
    run(&["prompt", "save", "greet", "Hello"]);
    run(&["graph", "add_entity", "Go", "--type", "Technology"]);
    run(&["graph", "add_entity", "Shop", "--type", "Concept"]);
    run(&["graph", "relate", "Shop", "Go", "--type", "Uses"]);
    assert!(run(&["memory", "list"]).out.contains("Use tabs"));
}

/// The error about a missing item names the command that lists the existing ones, in the form that can be typed.
#[test]
fn a_missing_prompt_or_entity_names_the_command_that_lists_them() {
    let desk = Desk::new();
    for (typed, command) in [
        (&["prompt", "get", "nothing"][..], "`plimsoll prompt list`"),
        (&["prompt", "run", "nothing"], "`plimsoll prompt list`"),
        (&["prompt", "render", "nothing"], "`plimsoll prompt list --kind template`"),
        (&["prompt", "delete", "nothing", "--domain", "user"], "`plimsoll prompt list`"),
        (&["graph", "entity", "nothing"], "`plimsoll graph entities`"),
        (&["graph", "relationship", "nothing"], "`plimsoll graph relationships`"),
    ] {
        let missed = desk.run(typed).ended(3).err;
        assert!(missed.contains(command) && missed.contains("nothing"), "{typed:?}: {missed}");
    }
}

/// An entity is shown even if nothing is linked to it, and a saved text that reads like an empty answer is still shown.
#[test]
fn a_found_item_is_never_reported_as_nothing() {
    let desk = Desk::new();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let run = |typed: &[&str], code| desk.run_in(&project, typed).ended(code).out;
    run(&["graph", "add_entity", "Quayside", "--type", "Technology"], 0);
    run(&["graph", "add_entity", "Harbour", "--type", "Technology"], 0);
    run(&["memory", "add", "The quayside opens at nine", "--namespace", "decisions"], 0);
    let told = run(&["graph", "neighbors", "Quayside"], 0);
    assert!(told.contains("Quayside") && !told.contains("Nothing was found"), "{told}");
    assert!(run(&["graph", "path", "Quayside", "Harbour"], 3).contains("found: no"));
    run(&["prompt", "save", "empty", "Nothing was found."], 0);
    assert_eq!(run(&["prompt", "run", "empty"], 0).trim(), "Nothing was found.");
}

/// A lone hyphen isn't the text: it stands for standard input, as for `index`.
#[test]
fn a_hyphen_takes_the_text_from_standard_input() {
    let desk = Desk::new();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    for (typed, text, shown) in [
        (
            &["memory", "add", "-", "--namespace", "decisions"][..],
            "Invoices go out on Mondays\n",
            &["memory", "list"][..],
        ),
        (&["prompt", "save", "greet", "-"], "Good morning to all\n", &["prompt", "get", "greet"]),
    ] {
        desk.run_with_input(&project, typed, text).ended(0);
        let told = desk.run_in(&project, shown).ended(0).out;
        assert!(told.contains(text.trim_end()), "{typed:?}: {told}");
        let none = desk.run_with_input(&project, typed, "\n").ended(2).err;
        assert!(none.contains("standard input is empty"), "{typed:?}: {none}");
    }
}
