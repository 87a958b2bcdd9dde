//! The wizard in the terminal, as far as it goes without a person.

use crate::desk::Desk;

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
    let said = desk.run(&["setup", "--agents", "cursor,codex"]).ended(4).out;
    assert!(said.contains("Nothing was written, because nobody could be asked."), "{said}");
    crate::desk::same(&before, &desk.tree(&[]), "setup without a person");
    let plan = desk.run(&["connect", "cursor", "--dry-run"]).ended(0).out;
    insta::assert_snapshot!("plan_cursor", desk.neutral(&plan));
}

#[test]
fn with_yes_it_connects_verifies_and_says_what_is_next() {
    let desk = desk();
    let said = desk.run(&["setup", "--yes", "--agents", "cursor,codex"]).ended(0).out;
    let review = said.find("Review").unwrap();
    let steps: Vec<&str> = said[review..].split("Apply and verify").collect();
    let neutral: String = steps[1]
        .lines()
        .map(|line| {
            let words = line.split(' ').map(|word| if word.parse::<f64>().is_ok() { "N" } else { word });
            words.collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    insta::assert_snapshot!("setup_applied", desk.neutral(&neutral));
    assert!(desk.read(".codex/config.toml").starts_with("model = \"o9\" # mine\n"));
    // A second time there is nothing left to write.
    let again = desk.run(&["setup", "--yes", "--agents", "cursor,codex"]).ended(0).out;
    assert!(again.contains("Nothing would be written."), "{again}");
}
