//! The setup wizard in the terminal, as far as it goes without a user.

use std::path::Path;

use crate::desk::{Desk, Ran};

fn desk() -> Desk {
    let desk = Desk::new().installed();
    desk.write(".cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    desk.write(".codex/config.toml", "model = \"o9\" # mine\n");
    desk
}

#[test]
fn the_plan_is_shown_before_anything_is_written() {
    let desk = desk();
    let before = desk.tree(&[]);
    let printed = desk.run(&["setup", "--agents", "cursor,codex"]).ended(4).out;
    assert!(printed.contains("Nothing was written, because nobody could be asked."), "{printed}");
    crate::desk::same(&before, &desk.tree(&[]), "setup without a person");
    let plan = desk.run(&["connect", "cursor", "--dry-run"]).ended(0).out;
    insta::assert_snapshot!("plan_cursor", desk.neutral(&plan));
}

#[test]
fn with_yes_it_connects_verifies_and_says_what_is_next() {
    let desk = desk();
    let printed = desk.run(&["setup", "--yes", "--agents", "cursor,codex"]).ended(0).out;
    let review = printed.find("Review").unwrap();
    let steps: Vec<&str> = printed[review..].split("Apply and verify").collect();
    let neutral: String = steps[1]
        .lines()
        .map(|line| {
            let words = line.split(' ').map(|word| if word.parse::<f64>().is_ok() { "N" } else { word });
            words.collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    insta::assert_snapshot!("setup_applied", desk.neutral(&neutral));
    assert!(desk.read(".codex/config.toml").starts_with("model = \"o9\" # mine\n"));
    // A second time there is nothing to write.
    let again = desk.run(&["setup", "--yes", "--agents", "cursor,codex"]).ended(0).out;
    assert!(again.contains("Nothing would be written."), "{again}");
}

/// Runs a command line in its own terminal, if the system can create one here.
fn at_a_terminal(desk: &Desk, args: &str, answers: &str) -> Option<Ran> {
    if !Path::new("/usr/bin/script").exists() || !cfg!(target_os = "linux") {
        skipped::without("script", "a terminal is played by `script`, on Linux only");
        return None;
    }
    let line = format!("{} {args}", env!("CARGO_BIN_EXE_plimsoll"));
    let mut command = desk.command(&[]);
    let mut terminal = std::process::Command::new("/usr/bin/script");
    terminal.args(["-qec", &line, "/dev/null"]).env_clear().current_dir(desk.home()).env("TERM", "xterm");
    for (name, value) in command.stdin(std::process::Stdio::null()).get_envs() {
        terminal.env(name, value.unwrap());
    }
    Some(crate::desk::with_input(&mut terminal, answers))
}

/// The setup wizard for these agents.
const SETUP: &str = "setup --agents cursor,codex";

#[test]
fn without_arguments_it_shows_the_state_and_the_next_step() {
    let desk = desk();
    let Some(shown) = at_a_terminal(&desk, "", "") else { return };
    let shown = shown.ended(0).out;
    assert!(shown.contains("not connected\u{1b}") && shown.contains("Next: `plimsoll setup`"), "{shown}");
    desk.run(&["connect", "cursor", "--yes"]).ended(0);
    let shown = at_a_terminal(&desk, "", "").unwrap().ended(0).out;
    assert!(shown.contains("mconnected\u{1b}") && shown.contains("Next: `plimsoll stats`"), "{shown}");
    // No agent reads a terminal, wherever the input comes from.
    let piped = at_a_terminal(&desk, "</dev/null", "").unwrap().ended(0).out;
    assert!(piped.contains("Next: `plimsoll stats`"), "{piped}");
    for (typed, waits) in
        [("mcp", "waits for messages of an agent"), ("hook codex", "waits for an event of an agent")]
    {
        let waiting = at_a_terminal(&desk, typed, "").unwrap().ended(0).out;
        assert!(waiting.contains(waits) && waiting.contains("`plimsoll setup`"), "{waiting}");
    }
    assert_eq!(desk.run(&["hook", "codex"]).err, "");
    let empty = at_a_terminal(&Desk::new(), "", "").unwrap().ended(0).out;
    assert!(empty.contains("Next: install an agent") && empty.ends_with("<agent>`.\r\n"), "{empty}");
}

#[test]
fn a_user_is_asked_and_may_say_no() {
    let desk = desk();
    let before = desk.tree(&[]);
    let Some(printed) = at_a_terminal(&desk, SETUP, "2 f\n\nn\n") else { return };
    let printed = printed.ended(4).out;
    assert!(printed.contains("Choices") && printed.contains("Apply? [Y/n]"), "{printed}");
    assert!(printed.contains("\u{1b}[32m"), "colours on a terminal: {printed}");
    // Whoever quits didn't choose to have no agent.
    let quit = at_a_terminal(&desk, SETUP, "q\n").unwrap().ended(4).out;
    assert!(quit.contains("Nothing was written.") && !quit.contains("No agent is chosen"), "{quit}");
    crate::desk::same(&before, &desk.tree(&[]), "a person said no");
    // One is switched off, the other connected.
    let printed = at_a_terminal(&desk, SETUP, "1\n\n\n").unwrap().ended(0).out;
    assert!(printed.contains("Cursor") && printed.contains("[OK]"), "{printed}");
    assert!(!desk.read(".codex/config.toml").contains("plimsoll"), "{printed}");
    assert!(desk.read(".cursor/mcp.json").contains("plimsoll"), "{printed}");
}

#[test]
fn credentials_are_passed_on_only_where_a_user_switched_it_on() {
    let desk = desk();
    let Some(printed) = at_a_terminal(&desk, SETUP, "\n\n") else { return };
    let printed = printed.ended(0).out;
    assert!(printed.contains("c [ ] credentials"), "{printed}");
    let without = desk.read(".codex/config.toml");
    assert!(without.contains("plimsoll") && !without.contains("GH_TOKEN"), "{without}");
    let printed = at_a_terminal(&desk, SETUP, "c\n\n\n").unwrap().ended(0).out;
    assert!(printed.contains("c [x] credentials") && printed.contains("GH_TOKEN"), "{printed}");
    let with = desk.read(".codex/config.toml");
    assert!(with.contains("\"GH_TOKEN\"") && with.contains("\"AWS_SECRET_ACCESS_KEY\""), "{with}");
}

/// A user's notes for an agent.
const WRITTEN: &str =
    "# Rules\n\n- Always write the migration before the model\n- Deploys happen on Tuesdays only\n";

#[test]
fn what_is_there_already_is_imported_for_review_only_where_a_user_says_so() {
    let desk = desk();
    desk.write(".claude/CLAUDE.md", WRITTEN);
    let Some(shown) = at_a_terminal(&desk, SETUP, "\n\n\n") else { return };
    let shown = shown.ended(0).out;
    assert!(shown.contains("Import what you have") && shown.contains("CLAUDE.md: 2 to review"), "{shown}");
    assert!(shown.contains("Nothing was imported."), "the answer is no unless a person says yes: {shown}");
    desk.run(&["memory", "review", "--json"]).ended(3);
    let sources = desk.run(&["memory", "sources", "--json"]).ended(0).out;
    assert!(sources.contains("CLAUDE.md") && sources.contains("Tuesdays"), "{sources}");

    let other = self::desk();
    other.write(".claude/CLAUDE.md", WRITTEN);
    let shown = at_a_terminal(&other, SETUP, "\n\ny\n").unwrap().ended(0).out;
    assert!(shown.contains("2 wait for you in `plimsoll memory review`."), "{shown}");
    let waiting = other.run(&["memory", "review", "--json"]).ended(0).out;
    assert!(waiting.contains("Tuesdays") && waiting.contains("migration"), "{waiting}");
    let recalled = other.run(&["memory", "recall", "which day deploys happen", "--json"]).ended(3).out;
    assert!(!recalled.contains("Tuesdays"), "no agent gets what waits: {recalled}");
    assert_eq!(other.read(".claude/CLAUDE.md"), WRITTEN);
}

#[test]
fn an_organisations_address_is_checked_kept_and_never_shown_with_its_password() {
    let desk = desk();
    let wrong = desk.run(&["memory", "org", "set", "ftp://example.org"]).ended(2).err;
    assert!(
        wrong.contains("postgres://") && !desk.home().join(".plimsoll/settings.toml").exists(),
        "{wrong}"
    );
    let shown =
        desk.run(&["memory", "org", "set", "postgres://ana:hunter2@db.example.org/team"]).ended(0).out;
    assert!(shown.contains("db.example.org") && !shown.contains("hunter2"), "{shown}");
    assert!(desk.read(".plimsoll/settings.toml").contains("db.example.org/team"));
    // Nothing was typed, or a script's variable was empty: the address stays.
    for nothing in [&["memory", "org", "set"][..], &["memory", "org", "set", ""]] {
        assert!(desk.run(nothing).ended(2).err.contains("memory org unset"), "{nothing:?}");
    }
    assert!(desk.read(".plimsoll/settings.toml").contains("db.example.org/team"));
    desk.run(&["memory", "org", "unset"]).ended(0);
    assert!(!desk.read(".plimsoll/settings.toml").contains("db.example.org"));
}
