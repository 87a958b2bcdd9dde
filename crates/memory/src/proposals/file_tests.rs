//! The files in `tests/proposals`: sentences and whole prompts of users, and what of them is proposed.

use super::Namespace;
use super::statement_tests::namespaces;

/// What lasts is told from what a task, the moment or a report is about.
#[test]
fn the_prompts_of_users() {
    let folder = std::path::PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let read = |name: &str| std::fs::read_to_string(folder.join("tests/proposals").join(name)).unwrap();
    let text = ["sentences.txt", "prompts.txt"].map(read).concat();
    let (mut wrong, mut kept, mut none) = (Vec::new(), 0, 0);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (expected, prompt) = line.split_once(": ").unwrap();
        let prompt = prompt.replace("\\n", "\n");
        let found: Vec<&str> = namespaces(&prompt).into_iter().map(Namespace::as_str).collect();
        let expected: Vec<&str> = Some(expected).filter(|word| *word != "none").into_iter().collect();
        if found != expected {
            wrong.push(format!("{line} -> {found:?}"));
        }
        if expected.is_empty() { none += 1 } else { kept += 1 }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kept >= 300 && none >= 750, "{kept} {none}");
}
