//! One file by a link, in which two agents have their servers at different places.

use crate::desk::Desk;

#[test]
fn another_agents_entry_in_a_linked_file_is_not_left_over() {
    const MINE: &str = "{\n  \"mine\": true\n}\n";
    let desk = Desk::new().installed();
    for agent in ["cursor", "vscode-copilot"] {
        desk.installs(agent);
    }
    let shared = desk.write(".cursor/mcp.json", MINE);
    let link = desk.home().join(".config/Code/User/mcp.json");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&shared, &link).unwrap();
    for agent in ["cursor", "vscode-copilot"] {
        desk.run(&["connect", agent, "--yes"]).ended(0);
    }
    desk.run(&["disconnect", "vscode-copilot", "--yes"]).ended(0);
    let left = desk.read(".cursor/mcp.json");
    assert!(left.contains("\"cursor\"") && !left.contains("\"vscode-copilot\""), "{left}");
    desk.run(&["connect", "vscode-copilot", "--yes"]).ended(0);
    desk.run(&["disconnect", "--all", "--yes"]).ended(0);
    assert_eq!(desk.read(".cursor/mcp.json"), MINE);
}
