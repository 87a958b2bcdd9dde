//! Agents that read each other's files, and agents by their everyday names: an agent is only reported if somebody
//! connected or named it.

use crate::desk::{ALL, Desk, same};

const OURS: [&str; 1] = [".plimsoll"];

/// Every agent on one computer.
fn full_desk() -> Desk {
    let desk = Desk::new().installed();
    for agent in ALL {
        desk.installs(agent);
    }
    desk
}

fn states(desk: &Desk) -> Vec<(String, String)> {
    let agents = desk.run(&["agents", "--json"]).json();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    agents.as_array().unwrap().iter().map(|agent| (word(&agent["id"]), word(&agent["state"]))).collect()
}

#[test]
fn connecting_and_disconnecting_one_agent_says_nothing_of_another() {
    for agent in ALL {
        let desk = full_desk();
        let before = desk.tree(&OURS);
        let others = |when: &str| {
            for (id, state) in states(&desk).into_iter().filter(|(id, _)| id != agent) {
                assert_eq!(state, "not_connected", "{when} {agent}: {id}");
            }
        };
        desk.run(&["connect", agent, "--yes", "--instructions"]).ended(0);
        others("connected");
        let planned = desk.run(&["uninstall", "--all", "--dry-run", "--json"]).ended(0).json();
        for file in planned["files"].as_array().unwrap() {
            assert_eq!(file["agent"], agent, "{planned:#}");
        }
        let applied = desk.run(&["disconnect", "--all", "--yes", "--json"]).ended(0).json();
        let named: Vec<&str> =
            applied["applied"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert_eq!(named, [agent], "{applied:#}");
        same(&before, &desk.tree(&OURS), agent);
        others("disconnected");
    }
}

#[test]
fn an_entry_shared_by_two_agents_goes_with_the_last() {
    for (first, last) in [("copilot-cli", "vscode-copilot"), ("vscode-copilot", "copilot-cli")] {
        let desk = full_desk();
        let before = desk.tree(&OURS);
        desk.run(&["connect", first, last, "--yes"]).ended(0);
        let wording = desk.run(&["disconnect", first, "--yes"]).ended(0);
        assert!(desk.home().join(".copilot/hooks/plimsoll.json").exists(), "{}", wording.out);
        let states = states(&desk);
        let state = |id: &str| states.iter().find(|(known, _)| known == id).unwrap().1.clone();
        assert_eq!(state(first), "not_connected", "{first} left");
        assert_eq!(state(last), "connected", "{last} stayed");
        desk.run(&["disconnect", last, "--yes"]).ended(0);
        same(&before, &desk.tree(&OURS), last);
    }
}

#[test]
fn one_of_two_that_share_a_projects_servers_leaves_the_other_connected() {
    let desk = full_desk();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let run = |args: &[&str]| desk.run_in(&project, args).ended(0);
    run(&["connect", "claude", "copilot", "--scope", "project", "--yes"]);
    run(&["disconnect", "copilot", "--scope", "project", "--yes"]);
    let servers = desk.read("work/shop/.mcp.json");
    assert!(servers.contains("plimsoll"), "Claude Code's server went with Copilot's: {servers}");
    run(&["disconnect", "claude", "--scope", "project", "--yes"]);
    assert!(!project.join(".mcp.json").exists());
}

const INSTRUCTIONS: [&str; 2] = ["codex", "opencode"];
const SERVERS: [&str; 2] = ["claude-code", "copilot-cli"];
const FOLDERS: [&str; 2] = ["copilot-cli", "vscode-copilot"];
const ONE_BLOCK: [&str; 2] = ["gemini-cli", "antigravity"];
/// Copilot CLI, which isn't connected, shares the servers with one and the hooks with the other.
const AROUND_A_THIRD: [&str; 2] = ["claude-code", "vscode-copilot"];

/// Two agents with a file or a folder in common in a project, and who comes and who leaves, by its place in the pair.
const ORDERS: [([&str; 2], &str); 12] = [
    (INSTRUCTIONS, "+0 +1 -0 -1"),
    (INSTRUCTIONS, "+1 +0 -0 -1"),
    (INSTRUCTIONS, "+0 +1 -0 +0 -1 -0"),
    (INSTRUCTIONS, "+0 +1 +0 -0 +1 -1"),
    (INSTRUCTIONS, "+0 -0 +1 +0 -0 -1"),
    (INSTRUCTIONS, "+1 +0 -1 +1 -1 +1 -0 +0 -0 -1"),
    (SERVERS, "+0 +1 -0 +0 -1 -0"),
    (FOLDERS, "+0 +1 -0 -1"),
    (FOLDERS, "+1 +0 -1 -0"),
    (ONE_BLOCK, "+0 +1 -1 +1 -0 -1"),
    (AROUND_A_THIRD, "+0 +1 -1 -0"),
    (AROUND_A_THIRD, "+1 +0 -0 -1"),
];

fn in_project(desk: &Desk, project: &std::path::Path, steps: &str, pair: [&str; 2]) {
    for step in steps.split(' ') {
        let (way, index) = step.split_at(1);
        let agent = pair[index.parse::<usize>().unwrap()];
        let mut words = vec![if way == "+" { "connect" } else { "disconnect" }, agent];
        words.extend(["--scope", "project", "--yes"]);
        if way == "+" {
            words.push("--instructions");
        }
        desk.run_in(project, &words).ended(0);
    }
}

#[test]
fn what_plimsoll_created_in_a_project_goes_with_the_last_in_every_order() {
    let desk = full_desk();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let before = desk.tree(&OURS);
    for (pair, steps) in ORDERS {
        in_project(&desk, &project, steps, pair);
        same(&before, &desk.tree(&OURS), &format!("{pair:?} {steps}"));
    }
    // An uninstall takes both at once.
    for pair in [INSTRUCTIONS, SERVERS, AROUND_A_THIRD] {
        in_project(&desk, &project, "+0 +1", pair);
        desk.run(&["uninstall", "--all", "--yes"]).ended(0);
        same(&before, &desk.tree(&OURS), &format!("{pair:?}, uninstalled"));
    }
}

#[test]
fn a_plan_shows_each_entry_once_and_no_others_in_its_place() {
    let desk = full_desk();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    for (pair, name, change, files) in
        [(INSTRUCTIONS, "AGENTS.md", "create", 5), (SERVERS, ".mcp.json", "shared", 5)]
    {
        let words =
            ["connect", pair[0], pair[1], "--scope", "project", "--instructions", "--dry-run", "--json"];
        let planned = desk.run_in(&project, &words).ended(0).json();
        let of_last = planned["plan"]["agents"][1]["files"].as_array().unwrap();
        let is_it =
            |file: &&serde_json::Value| file["path"].as_str().is_some_and(|path| path.ends_with(name));
        let file = of_last.iter().find(is_it).unwrap();
        assert_eq!(file["change"], change, "{name}");
        let shown = file["diff"].as_str().unwrap();
        assert_eq!(shown.contains("plimsoll:begin plimsoll-opencode"), change == "create", "{shown}");
        let words = &words[..words.len() - 1];
        let wording = desk.run_in(&project, words).ended(0).out;
        assert!(wording.contains(&format!("\n{files} files, ")), "{wording}");
    }
}

#[test]
fn a_third_that_is_connected_keeps_what_it_shares_with_two() {
    let desk = full_desk();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let before = desk.tree(&OURS);
    let run = |way: &str, agents: &[&str]| {
        let words = [&[way][..], agents, &["--scope", "project", "--yes"][..]].concat();
        desk.run_in(&project, &words).ended(0);
    };
    run("connect", &["claude-code", "vscode-copilot", "copilot-cli"]);
    run("disconnect", &["vscode-copilot"]);
    assert!(project.join(".github/hooks/plimsoll.json").exists(), "Copilot CLI's hooks went with VS Code's");
    run("disconnect", &["claude-code"]);
    assert!(project.join(".mcp.json").exists(), "Copilot CLI's server went with Claude Code's");
    run("disconnect", &["copilot-cli"]);
    same(&before, &desk.tree(&OURS), "all three");
}

#[test]
fn an_agents_own_block_goes_with_it_though_its_other_files_are_gone() {
    let desk = full_desk();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let before = desk.tree(&OURS);
    let ways: [&[&str]; 2] = [
        &["disconnect", "codex", "opencode", "--scope", "project", "--yes"],
        &["uninstall", "--all", "--yes"],
    ];
    for words in ways {
        in_project(&desk, &project, "+0 +1", INSTRUCTIONS);
        std::fs::remove_file(project.join("opencode.json")).unwrap();
        std::fs::remove_dir_all(project.join(".opencode")).unwrap();
        desk.run_in(&project, words).ended(0);
        same(&before, &desk.tree(&OURS), &words.join(" "));
    }
}

#[cfg(unix)]
#[test]
fn a_block_behind_a_link_stays_for_the_agent_that_reads_it_there() {
    let desk = full_desk();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let file = project.join("AGENTS.md");
    std::fs::write(&file, "mine\n").unwrap();
    std::os::unix::fs::symlink("AGENTS.md", project.join("CLAUDE.md")).unwrap();
    for (first, last) in [("+0 +1 -0", "-1"), ("+0 +1 -1", "-0")] {
        in_project(&desk, &project, first, ["codex", "claude-code"]);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("plimsoll:begin"), "{first}: {text}");
        in_project(&desk, &project, last, ["codex", "claude-code"]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine\n", "{first} {last}");
    }
}

/// Two agents of one user, a file of the first, and a file of the second that is a link to it, soft or hard. In the last
/// pair the second has hooks in that file, too.
#[cfg(unix)]
const LINKED: [([&str; 2], &str, &str); 4] = [
    (["claude-code", "kiro"], ".claude.json", ".kiro/settings/mcp.json"),
    (["kiro", "cursor"], ".kiro/settings/mcp.json", ".cursor/mcp.json"),
    (["copilot-cli", "antigravity"], ".copilot/mcp-config.json", ".gemini/config/mcp_config.json"),
    (["cursor", "gemini-cli"], ".cursor/mcp.json", ".gemini/settings.json"),
];

/// Who comes and who leaves, by its place in the pair, and who is connected then: what the pair shares is there as long as
/// one of them is.
#[cfg(unix)]
const COMINGS: [&[(&str, usize)]; 6] = [
    &[("+0", 1), ("-0", 0)],
    &[("+1", 1), ("-1", 0)],
    &[("+0", 1), ("+1", 2), ("-0", 1), ("-1", 0)],
    &[("+0", 1), ("+1", 2), ("-1", 1), ("-0", 0)],
    &[("+1", 1), ("+0", 2), ("-1", 1), ("+1", 2), ("-0", 1), ("-1", 0)],
    &[("+0", 1), ("+1", 2), ("-*", 0)],
];

#[cfg(unix)]
fn names(path: &std::path::Path) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(&std::fs::metadata(path).unwrap())
}

#[cfg(unix)]
#[test]
fn an_entry_in_a_file_that_two_agents_link_goes_with_the_last_of_them() {
    for ((pair, file, link), is_hard) in
        LINKED.into_iter().flat_map(|linked| [(linked, false), (linked, true)])
    {
        let desk = full_desk();
        let shared = desk.write(file, "{\n  \"mine\": true\n}\n");
        let link = desk.home().join(link);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&link);
        if is_hard {
            std::fs::hard_link(&shared, &link).unwrap();
        } else {
            std::os::unix::fs::symlink(&shared, &link).unwrap();
        }
        let before = desk.tree(&OURS);
        for steps in COMINGS {
            for (step, connected) in steps {
                let (way, who) = step.split_at(1);
                let verb = if way == "+" { "connect" } else { "disconnect" };
                let who = who.parse::<usize>().map_or("--all", |index| pair[index]);
                let ran = desk.run(&[verb, who, "--yes"]).ended(0);
                let has_entry = desk.read(file).contains("\"plimsoll\"");
                assert_eq!(
                    has_entry,
                    *connected > 0,
                    "{pair:?} (hard: {is_hard}) {steps:?} at {step}:\n{}",
                    ran.out
                );
            }
            same(&before, &desk.tree(&OURS), &format!("{pair:?} (hard: {is_hard}) {steps:?}"));
            let is_link = if is_hard { names(&link) == 2 } else { link.is_symlink() };
            assert!(is_link, "{pair:?} (hard: {is_hard}) {steps:?}: the link is gone");
        }
    }
}

/// The server reads the rules of the agent that its entry names, where a client doesn't say who it is.
#[cfg(unix)]
#[test]
fn an_entry_that_stays_names_the_agent_that_stays() {
    let desk = full_desk();
    let shared = desk.write(".claude.json", "{\n  \"mine\": true\n}\n");
    let link = desk.home().join(".kiro/settings/mcp.json");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&shared, &link).unwrap();
    for agent in ["claude-code", "kiro"] {
        desk.run(&["connect", agent, "--yes"]).ended(0);
        assert!(desk.read(".claude.json").contains(&format!("\"{agent}\"")), "{agent} came last");
    }
    desk.run(&["disconnect", "kiro", "--yes"]).ended(0);
    let left = desk.read(".claude.json");
    assert!(left.contains("\"claude-code\"") && !left.contains("\"kiro\""), "{left}");
    desk.run(&["disconnect", "claude-code", "--yes"]).ended(0);
    assert_eq!(desk.read(".claude.json"), "{\n  \"mine\": true\n}\n");
}

/// Both have hooks for the same events there, and each runs its own.
#[cfg(unix)]
#[test]
fn hooks_in_a_file_that_two_agents_link_go_with_their_own_agent() {
    let desk = full_desk();
    let (file, mine) = (".claude/settings.json", "{\n  \"mine\": true\n}\n");
    desk.write(file, mine);
    let link = desk.home().join(".codex/hooks.json");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(desk.home().join(file), &link).unwrap();
    let has_hooks = |agent: &str| {
        let text = desk.read(file);
        text.contains(&format!("hook {agent}")) || text.contains(&format!("\"{agent}\""))
    };
    for (first, last) in [("claude-code", "codex"), ("codex", "claude-code")] {
        for agent in ["claude-code", "codex"] {
            desk.run(&["connect", agent, "--yes"]).ended(0);
            assert!(has_hooks(agent), "{agent} came");
        }
        let ran = desk.run(&["disconnect", first, "--yes"]).ended(0);
        assert!(!has_hooks(first) && has_hooks(last), "{first} left:\n{}", ran.out);
        desk.run(&["disconnect", last, "--yes"]).ended(0);
        assert_eq!(desk.read(file), mine, "{last} left, too");
    }
    desk.run(&["connect", "claude-code", "codex", "--yes"]).ended(0);
    desk.run(&["disconnect", "--all", "--yes"]).ended(0);
    assert_eq!(desk.read(file), mine, "both left at once");
}

#[test]
fn what_anybody_else_wrote_keeps_a_file_of_two() {
    let desk = full_desk();
    let project = desk.home().join("work/shop");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    let file = project.join("AGENTS.md");
    for (steps, written) in [
        ("+0 ~ +1 -0 -1", "\n"),
        ("+0 +1 ~ -0 -1", "\n"),
        ("+0 +1 ~ -1 -0", "\nmine\n"),
        ("+0 +1 -0 ~ -1", "\n"),
        ("+0 +1 -1 ~ +1 -0 -1", "\n"),
    ] {
        for (index, part) in steps.split(" ~ ").enumerate() {
            if index > 0 {
                let text = std::fs::read_to_string(&file).unwrap();
                std::fs::write(&file, text + written).unwrap();
            }
            in_project(&desk, &project, part, INSTRUCTIONS);
        }
        let left = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{steps}: {error}"));
        assert_eq!(left.trim(), written.trim(), "{steps}");
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn agents_have_everyday_names() {
    let desk = full_desk();
    for (name, id) in [
        ("claude", "claude-code"),
        ("Claude Code", "claude-code"),
        ("gemini", "gemini-cli"),
        ("copilot", "copilot-cli"),
        ("vscode", "vscode-copilot"),
        ("code", "vscode-copilot"),
        ("agy", "antigravity"),
        ("kiro-cli", "kiro"),
    ] {
        let planned = desk.run(&["connect", name, id, "--dry-run", "--json"]).ended(0).json();
        let agents = planned["plan"]["agents"].as_array().unwrap().clone();
        assert_eq!(agents.len(), 1, "{name} and {id} are one: {planned:#}");
        assert_eq!(agents[0]["id"], id, "{name}");
    }
    // Every command that takes an agent accepts them.
    desk.run(&["connect", "gemini", "--yes"]).ended(0);
    let verified = desk.run(&["verify", "gemini", "--json"]).json();
    assert_eq!(verified[0]["id"], "gemini-cli", "{verified:#}");
    desk.run(&["changes", "gemini"]).ended(0);
    desk.run(&["disconnect", "gemini", "--yes"]).ended(0);
    let printed = desk.run(&["connect", "--print", "vscode"]).ended(0);
    assert!(printed.out.contains("mcp.json"), "{}", printed.out);
    for (name, words) in [
        (
            "cluade",
            &["no agent `cluade`", "did you mean claude-code?", "The agents are claude-code, codex"][..],
        ),
        ("emacs", &["no agent `emacs`", "the agents are claude-code"]),
        ("github-copilot", &["`github-copilot` can be any of vscode-copilot, copilot-cli"]),
    ] {
        for command in ["connect", "disconnect", "verify"] {
            let refused = desk.run(&[command, name]).ended(2);
            for word in words {
                assert!(refused.err.contains(word), "{command} {name}: {}", refused.err);
            }
        }
    }
}
