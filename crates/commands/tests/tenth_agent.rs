//! What `cargo xtask types` writes of a made-up tenth agent, from which the window has its name and its mark. A test binary of
//! its own, because the list of agents is global to the process.
#![cfg(feature = "typescript")]
#[path = "../../service/tests/tenth_agent/heron.rs"]
mod heron;

use agents::Agent;

#[test]
fn the_window_has_its_name_and_its_mark() {
    agents::override_for_test(Vec::leak([agents::AGENTS, &[&heron::Heron as &dyn Agent]].concat()));
    let folder = tempfile::tempdir().unwrap();
    plimsoll_commands::typescript::write(folder.path(), service::SYSTEMS).unwrap();
    let written = std::fs::read_to_string(folder.path().join("index.ts")).unwrap();
    let lines: Vec<&str> = written.lines().filter(|line| line.contains("mark: \"")).collect();
    assert_eq!(lines.len(), agents::AGENTS.len() + 1, "{lines:?}");
    assert_eq!(lines.last(), Some(&r#"  { id: "heron", name: "Heron", mark: "He" },"#));
}
