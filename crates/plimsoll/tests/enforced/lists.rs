//! The lists of hidden programs and files (`crates/rules/tests/fixtures/hidden-*.txt`), run through the real sidecar.
//!
//! Owns their third column, the result with the system's enforcement: `refused` before it ran, `stopped` while it
//! ran, `through` if the program ran or the file was read anyway, `-` if nothing here runs the case without Plimsoll
//! either. What reading denies is refused without being started, and only checked again when
//! `PLIMSOLL_WRITE_FIXTURES=1` rewrites the column.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::json;

use super::client::{Client, Place};
use super::{came_through, place, refill, session, works};

/// The language of `execute` for the interpreter in the first column.
const INTERPRETERS: &[&str] = &["python3", "node", "ruby", "php", "perl", "Rscript"];

/// A case's language and code for `execute`; `None` if it runs in none of Plimsoll's shells.
fn given<'a>(list: &str, ran: &str, case: &'a str) -> Option<(&'a str, &'a str)> {
    if list == "code" {
        let (language, code) = case.split_once('\t')?;
        return INTERPRETERS.contains(&ran).then_some((language, code));
    }
    ran.split(',').any(|shell| shell == "bash" || shell == "dash").then_some(("shell", case))
}

/// A case's result.
fn outcome(place: &Place, client: &mut Client, language: &str, code: &str) -> &'static str {
    refill(place);
    let code = code.replace('␍', "\r").replace('␤', "\n");
    let (printed, _) =
        client.call("execute", json!({"language": language, "code": code, "timeout_ms": 3_000}));
    if !came_through(place, &printed).is_empty() {
        return "through";
    }
    if printed.starts_with("error denied") || printed.starts_with("error ask") {
        "refused"
    } else {
        "stopped"
    }
}

/// Runs one list and compares its column; returns the cases that came through.
fn list(name: &str) -> Vec<String> {
    let place = place();
    let mut client = session(&place);
    if !works(&mut client) {
        return Vec::new();
    }
    let file = PathBuf::from(format!("../rules/tests/fixtures/hidden-{name}.txt"));
    let text = std::fs::read_to_string(&file).expect("the list");
    let rewrite = std::env::var_os("PLIMSOLL_WRITE_FIXTURES").is_some();
    let (mut fresh, mut counts, mut through) = (String::new(), BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let columns: Vec<&str> = line.splitn(4, '\t').collect();
        let [ran, read, written, case] = columns.as_slice() else { panic!("{name}: {line}") };
        let now = match given(name, ran, case) {
            Some(_) if *read == "deny" && !rewrite => written,
            Some((language, code)) => outcome(&place, &mut client, language, code),
            None if *ran == "?" => "?",
            None => "-",
        };
        *counts.entry(now).or_insert(0_usize) += 1;
        if now == "through" && *written != "through" {
            through.push((*case).to_owned());
        }
        fresh.push_str(&format!("{ran}\t{read}\t{now}\t{case}\n"));
    }
    eprintln!("{name}: {counts:?}");
    if rewrite {
        std::fs::write(&file, fresh).expect("the list");
    }
    assert!(counts.get("refused").is_some_and(|refused| *refused > 200), "{name}: {counts:?}");
    through
}

#[test]
fn no_program_hidden_in_a_shell_runs() {
    assert_eq!(list("shell"), Vec::<String>::new());
}

#[test]
fn no_file_hidden_in_a_shell_is_read() {
    assert_eq!(list("files"), Vec::<String>::new());
}

#[test]
fn nothing_hidden_in_another_language_comes_through() {
    assert_eq!(list("code"), Vec::<String>::new());
}
