//! Every line of `routing.txt` is recognised as described, and nothing panics.

use plimsoll_hooks::routing;
use proptest::prelude::*;

fn recognised(command: &str) -> String {
    if let Some(download) = routing::download(command) {
        return format!("download {}", download.url.as_deref().unwrap_or("-"));
    }
    if routing::inline_http(command) {
        return "inline-http".into();
    }
    if let Some(file) = routing::dump(command) {
        return format!("dump {file}");
    }
    if routing::is_small(command) {
        return "small".into();
    }
    if routing::is_noisy(command) { "noisy".into() } else { "none".into() }
}

#[test]
fn every_command_of_the_table_is_recognised() {
    let mut wrong = Vec::new();
    let table = include_str!("routing.txt");
    let lines: Vec<&str> = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert!(lines.len() > 50);
    for line in lines {
        let (command, expected) = line.rsplit_once("  ").unwrap();
        let found = recognised(command.trim_end());
        if found != expected.trim() {
            wrong.push(format!("{command}\n  expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #[test]
    fn any_command_line_is_read_without_panic(command in "[ -~\n'\"\\\\|&;<>$`ä日]{0,200}") {
        recognised(&command);
    }

    #[test]
    fn what_is_quoted_is_never_taken_for_a_command(word in "[a-z ]{1,20}") {
        let command = format!("echo 'curl https://example.org {word}'");
        prop_assert_eq!(routing::download(&command), None);
    }
}
