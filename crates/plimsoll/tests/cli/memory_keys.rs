//! `plimsoll memory key`: a key is read from standard input, stored in your file, and never printed.

use crate::desk::Desk;

const KEY: &str = "key-of-the-test-1234567890";

#[test]
fn a_key_comes_from_standard_input_and_is_shown_nowhere() {
    let desk = Desk::new();
    let kept =
        desk.run_with_input(&desk.home(), &["memory", "key", "set", "openai"], &format!("{KEY}\n")).ended(0);
    let file = desk.plimsoll().join("model-keys.json");
    assert!(kept.out.contains("0600") && kept.out.contains("model-keys.json"), "{}", kept.out);
    assert!(std::fs::read_to_string(&file).unwrap().contains(KEY));
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&file).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    for (name, value) in [("provider", "openai"), ("name", "small")] {
        desk.run(&["settings", "set", &format!("memory.model.{name}"), value]).ended(0);
    }
    for words in [
        &["memory", "key", "list"][..],
        &["memory", "status"],
        &["doctor"],
        &["settings"],
        &["doctor", "--json"],
    ] {
        let ran = desk.run(words);
        assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{words:?}");
    }
    let wrong = desk.run(&["memory", "key", "set", "openai", KEY]);
    assert!(
        wrong.code != 0 && wrong.err.contains("standard input") && !wrong.err.contains(KEY),
        "{}",
        wrong.err
    );
    desk.run_with_input(&desk.home(), &["memory", "key", "set", "openai"], " \n").ended(2);
    assert!(std::fs::read_to_string(&file).unwrap().contains(KEY), "the one before stays");
    desk.run(&["memory", "key", "remove", "openai"]).ended(0);
    assert!(!file.exists());
    let doctor = desk.run(&["doctor"]);
    assert!(
        doctor.out.contains("language model of memory") && doctor.out.contains("needs a key"),
        "{}",
        doctor.out
    );
}
