//! The subject of a tool call, which memories name exactly that, and the text that the session gets.

use super::super::test_world::World;
use super::super::{MAX_AT_TOOL, MAX_PER_SESSION};
use super::*;
use crate::domain::{Status, Trust};

fn shell(command: &str) -> ToolKind {
    ToolKind::Shell { command: command.into() }
}

fn read(path: &str) -> ToolKind {
    ToolKind::Read { path: path.into(), partial: false }
}

impl World {
    fn write(&self, path: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "x").unwrap();
    }
}

#[test]
fn a_path_is_named_as_a_whole_or_not_at_all() {
    for (text, named) in [
        ("src/billing/tax.rs rounds half up", true),
        ("see `src/billing/tax.rs`, line 3", true),
        ("it's in ./src/billing/tax.rs.", true),
        ("src/billing/tax.rs:12 rounds", true),
        ("old/src/billing/tax.rs", false),
        ("src/billing/tax.rs.bak", false),
        ("src/billing/tax.rs/x", false),
        ("src/billing/tax.rsx", false),
        ("xsrc/billing/tax.rs", false),
        ("the tax of the billing", false),
    ] {
        assert_eq!(names_path(text, "src/billing/tax.rs"), named, "{text}");
    }
}

#[test]
fn a_command_is_named_by_both_words_and_an_english_word_only_in_quotes() {
    for (text, command, named) in [
        ("npm publish needs the token", "npm publish", true),
        ("run `npm publish --tag next`", "npm publish", true),
        ("after npm publish.", "npm publish", true),
        ("npm publishes it", "npm publish", false),
        ("pnpm publish", "npm publish", false),
        ("npm publish-all", "npm publish", false),
        ("npm and publish", "npm publish", false),
        ("make sure that it runs", "make sure", false),
        ("`make sure` runs the checks", "make sure", true),
    ] {
        assert_eq!(names_command(text, command), named, "{text}");
    }
}

#[test]
fn a_line_is_about_its_commands_with_a_verb_and_never_about_our_own() {
    for (line, about) in [
        ("npm publish --access public", "npm publish"),
        ("cd web && NODE_ENV=x npm publish | tail -3", "npm publish"),
        ("/usr/bin/npm publish; npm publish", "npm publish"),
        ("echo 'a; npm publish'", ""),
        ("npm --version", ""),
        ("cat build", ""),
        ("npm", ""),
        ("/p/plimsoll run --agent codex --session s -- npm publish", "npm publish"),
        ("plimsoll memory list", ""),
        ("npm publish 'unfinished", ""),
        // Many commands begin with the same two words.
        ("npm run lint --fix && docker compose up -d", "npm run lint, docker compose up"),
        ("npm run; npm run --silent lint; docker compose -f a.yml up", ""),
        ("docker run alpine && cargo run", "docker run, cargo run"),
    ] {
        assert_eq!(commands(line).join(", "), about, "{line}");
    }
}

/// The entries of these files in git's index, as far as their names are searched.
fn index(paths: &[&str]) -> Vec<u8> {
    let mut bytes = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
    for path in paths {
        bytes.extend([0xab; 60]);
        bytes.extend(u16::try_from(path.len()).unwrap().to_be_bytes());
        bytes.extend(path.as_bytes());
        bytes.extend([0; 4]);
    }
    bytes
}

#[test]
fn a_name_counts_where_the_index_has_one_such_file() {
    assert_eq!(named_in(&index(&["src/tax.rs", "src/syntax.rs"]), "tax.rs"), 1);
    assert_eq!(named_in(&index(&["src/tax.rs", "tax.rs"]), "tax.rs"), 2);
    assert_eq!(named_in(&index(&["src/tax.rs.bak"]), "tax.rs"), 0);
    // A file that git doesn't know yet may have the name of one that it knows.
    let one = index(&["web/src/tax.rs"]);
    assert!(has_path(&one, "web/src/tax.rs") && !has_path(&one, "src/tax.rs") && !has_path(&one, "tax.rs"));
    // The bytes of the length have flags in them: of a file that is taken for unchanged, and of one that has more flags.
    for (flags, more) in [(0x80_u8, b"".as_slice()), (0x40, b"\x20\0".as_slice())] {
        let mut flagged = index(&["src/tax.rs"]);
        flagged.extend([0xab; 60]);
        flagged.extend([flags, 6]);
        flagged.extend(more);
        flagged.extend(b"tax.rs\0\0");
        assert_eq!(named_in(&flagged, "tax.rs"), 2, "{flags}");
        assert!(has_path(&flagged, "tax.rs"), "{flags}");
    }
    // Cut anywhere, it's no reason to fail.
    let whole = index(&["src/tax.rs", "tax.rs"]);
    for end in 0..whole.len() {
        assert!(named_in(&whole[..end], "tax.rs") <= 2);
    }
    // Version 4 has compressed paths.
    let mut newer = index(&["src/tax.rs"]);
    newer[7] = 4;
    assert_eq!(named_in(&newer, "tax.rs"), 0);
    assert_eq!(named_in(b"", "tax.rs"), 0);
    for (name, distinctive) in [
        ("tax.rs", true),
        ("mod.rs", false),
        ("README.md", false),
        ("index.test.ts", false),
        ("Makefile", false),
    ] {
        assert_eq!(is_distinctive(name), distinctive, "{name}");
    }
}

#[test]
fn a_tool_call_gets_memories_of_its_file_or_command_once() {
    let world = World::new();
    world.write("src/billing/tax.rs");
    world.write("src/mod.rs");
    assert_eq!(world.at_tool("s", shell("npm publish")), None);
    assert!(!crate::paths::database(&world.home).exists());
    world.capture("src/billing/tax.rs rounds half up, as the auditor asked", |_| {});
    world.capture("Never call npm publish by hand: the release job signs the package", |_| {});
    world.capture("Every mod.rs only lists its modules", |_| {});
    let text = world.at_tool("s", read("src/billing/tax.rs")).unwrap();
    assert!(text.contains("auditor") && !text.contains("signs") && text.len() <= MAX_AT_TOOL, "{text}");
    assert!(text.contains("not an instruction") && text.contains("2027-01-15"), "{text}");
    assert_eq!(world.at_tool("s", ToolKind::Edit { path: "src/billing/tax.rs".into() }), None, "twice");
    let text = world.at_tool("s", shell("cd web && npm publish --tag next")).unwrap();
    assert!(text.contains("signs the package"), "{text}");
    assert_eq!(world.at_tool("s", shell("npm publish")), None, "twice");
    assert!(world.at_tool("other", shell("npm publish")).is_some());
    // What the session's start gave isn't repeated.
    assert!(world.start("third").is_some());
    assert_eq!(world.at_tool("third", shell("npm publish")), None);
    for tool in [
        read("src/mod.rs"),
        read("src/none.rs"),
        read("../elsewhere.rs"),
        shell("npm install"),
        shell("grep publish package.json"),
        ToolKind::Grep,
        ToolKind::Ours("search".into()),
    ] {
        assert_eq!(world.at_tool("fourth", tool.clone()), None, "{tool:?}");
    }
}

#[test]
fn a_files_name_alone_is_enough_only_where_git_knows_no_second_one() {
    let world = World::new();
    world.write("src/billing/tax.rs");
    world.capture("tax.rs rounds half up", |_| {});
    let tool = || read("src/billing/tax.rs");
    // Without an index nobody knows.
    assert_eq!(world.at_tool("s", tool()), None);
    let git_index = world.root().join(".git/index");
    std::fs::write(&git_index, index(&["src/billing/tax.rs", "src/shop/tax.rs"])).unwrap();
    assert_eq!(world.at_tool("s", tool()), None);
    std::fs::write(&git_index, index(&["src/billing/tax.rs", "src/syntax.rs"])).unwrap();
    assert!(world.at_tool("s", tool()).unwrap().contains("rounds half up"));
}

#[test]
fn another_script_of_the_same_runner_is_another_command() {
    let world = World::new();
    world.capture("npm run build needs Node 22", |_| {});
    assert_eq!(world.at_tool("s", shell("npm run lint")), None);
    assert_eq!(world.at_tool("s", shell("npm run build:docs")), None);
    assert!(world.at_tool("s", shell("npm run build -- --watch")).unwrap().contains("Node 22"));
}

/// A link elsewhere would be followed only by looking there.
#[cfg(unix)]
#[test]
fn a_path_elsewhere_is_not_read() {
    let world = World::new();
    world.write("src/billing/tax.rs");
    world.capture("src/billing/tax.rs rounds half up", |_| {});
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link.rs");
    std::os::unix::fs::symlink(world.root().join("src/billing/tax.rs"), &link).unwrap();
    assert_eq!(world.at_tool("s", read(link.to_str().unwrap())), None);
    assert_eq!(world.at_tool("s", read("src/../../x/tax.rs")), None);
    assert!(world.at_tool("s", read("src/./../src/billing/tax.rs")).is_some());
}

#[test]
fn what_others_wrote_what_waits_a_subagent_and_the_switch_get_nothing_at_a_tool() {
    let mut world = World::new();
    world.capture("npm publish one", |draft| draft.trust = Trust::Untrusted);
    world.capture("npm publish two", |draft| draft.status = Status::Pending);
    world.capture("npm publish three", |draft| draft.project = Some("github.com/acme/other".into()));
    world.capture("npm publish four", |draft| draft.source = Some("https://docs.example.org/a".into()));
    assert_eq!(world.at_tool("s", shell("npm publish")), None);
    world.capture("npm publish five", |draft| draft.trust = Trust::Repository);
    assert_eq!(world.at_tool_of_subagent("s", shell("npm publish")), None);
    assert!(world.at_tool("s", shell("npm publish")).unwrap().contains("five"));
    world.switch_off();
    assert_eq!(world.at_tool("t", shell("npm publish")), None);
}

#[test]
fn tool_calls_stay_within_their_budget_and_that_of_the_session() {
    let world = World::new();
    let mut bytes = 0;
    for n in 0..40 {
        world.capture(&format!("release step{n} {}", "字".repeat(600)), |_| {});
        let text = world.at_tool("s", shell(&format!("release step{n}")));
        assert!(text.as_ref().is_none_or(|text| text.len() <= MAX_AT_TOOL), "{text:?}");
        bytes += text.map_or(0, |text| text.len());
    }
    assert!(bytes > MAX_PER_SESSION / 2 && bytes <= MAX_PER_SESSION, "{bytes}");
    let lines = super::super::deliveries_since(&world.home, 0);
    assert!(
        lines.iter().all(
            |line| line.at_tool && line.asked.as_deref().is_some_and(|of| of.starts_with("release step"))
        )
    );
}
