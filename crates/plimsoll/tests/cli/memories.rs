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
    assert!(missing.ended(3).err.contains("0123456789abcdef"));
    let unknown = desk.run_in(&project, &["read", "plimsoll://nowhere/1"]).ended(3).err;
    assert!(unknown.contains("plimsoll://memory/<domain>/<namespace>/<id>"), "{unknown}");
}
