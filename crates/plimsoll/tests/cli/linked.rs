//! One file of two agents: by a link, with their servers at different places; and a project's, with one place for both.

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

/// Copilot CLI would write at the same place of a project's file, and isn't connected.
#[test]
fn an_entry_that_another_one_hides_is_named_in_a_file_of_two_agents() {
    let desk = Desk::new().installed();
    desk.installs("claude-code");
    let project = desk.beside("shop");
    std::fs::create_dir(project.join(".git")).unwrap();
    desk.run_in(&project, &["connect", "claude-code", "--scope", "project", "--yes"]).ended(0);
    let file = project.join(".mcp.json");
    let connected = std::fs::read_to_string(&file).unwrap();
    // As a merge leaves it. The last one is in effect.
    let (before, end) = connected.rsplit_once("\n    }").unwrap();
    let hidden = format!("{before}\n    }},\n    \"plimsoll\": {{ \"command\": \"mine\" }}{end}");
    std::fs::write(&file, &hidden).unwrap();
    let told =
        desk.run_in(&project, &["disconnect", "claude-code", "--scope", "project", "--yes"]).ended(1).out;
    assert!(told.contains("Plimsoll is still named at mcpServers.plimsoll"), "{told}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), hidden);
}
