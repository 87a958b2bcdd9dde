//! Killed while texts and folders are indexed.

use plimsoll_tests::{Scratch, Server};
use serde_json::{Value, json};

use crate::kill_timing::{Hit, Pace, kill_during, undisturbed};
use crate::state::{databases_are_sound, knowledge_log, sources_like, written_to};
use crate::stored_texts::{finds, stored_text, text};

#[test]
fn killed_while_indexing_texts() {
    let scratch = Scratch::new().unwrap();
    let calls = |round: u32| -> Vec<(&'static str, Value)> {
        let one = |number: u32| {
            let word = format!("w{round}x{number}");
            ("index", json!({"content": text(&word), "source": format!("ship {word}")}))
        };
        let mut calls: Vec<(&str, Value)> = (0..10).map(one).collect();
        // One source that every round replaces: it is the old one or the new one, never a mixture.
        calls.insert(
            5,
            ("index", json!({"content": text(&format!("replaced{round}")), "source": "contested"})),
        );
        calls
    };
    // Killed during the call after one of the first ten.
    let takes = undisturbed(&mut Server::start(&scratch).unwrap(), &calls(9999)) / 11;
    let mut pace = Pace::new(takes, 0.4);
    let (mut kept, mut contested) = (Vec::new(), 9999);
    while let Some((round, moment)) = pace.next() {
        let begun = |answers: usize| answers > round as usize % 10;
        let answered = kill_during(Server::start(&scratch).unwrap(), &calls(round), begun, moment);
        pace.learn(Hit::of(answered.len(), 11, false));
        let mut server = Server::start(&scratch).unwrap();
        for place in answered.keys().filter(|place| **place != 5) {
            let word = format!("w{round}x{}", place - usize::from(*place > 5));
            assert!(finds(&mut server, &word), "round {round}: {word} was answered for and is gone");
            kept.push(word);
        }
        let stored = stored_text(&mut server, "contested");
        let allowed = [contested, round].map(|round| text(&format!("replaced{round}")));
        if stored.trim() == allowed[1].trim() {
            contested = round;
        } else {
            assert!(!answered.contains_key(&5), "round {round}: the new text was answered for");
            assert_eq!(stored.trim(), allowed[0].trim(), "round {round}: a mixture");
        }
        databases_are_sound(&scratch);
    }
    let mut server = Server::start(&scratch).unwrap();
    for word in &kept {
        assert!(finds(&mut server, word), "{word} was answered for and is gone");
    }
    eprintln!("texts: {pace}; all {} sources answered for are searchable", kept.len());
}

/// A folder's files: enough for several transactions.
const FILES: usize = 200;

#[test]
fn killed_while_indexing_a_folder() {
    let scratch = Scratch::new().unwrap();
    let lay_out = |round: u32| {
        let dir = scratch.project.join(format!("fleet{round}"));
        std::fs::create_dir_all(&dir).unwrap();
        for number in 0..FILES {
            std::fs::write(dir.join(format!("{number}.md")), text(&format!("f{round}x{number}"))).unwrap();
        }
        ("index", json!({"path": dir, "source": format!("fleet {round}")}))
    };
    let takes = undisturbed(&mut Server::start(&scratch).unwrap(), &[lay_out(9999)]);
    let mut pace = Pace::new(takes / 2, 0.1);
    let mut kept = Vec::new();
    while let Some((round, moment)) = pace.next() {
        let call = lay_out(round);
        let server = Server::start(&scratch).unwrap();
        let log = knowledge_log(&scratch);
        let before = written_to(&log);
        // Its first files are written.
        let begun = |_: usize| written_to(&log) != before;
        let answered = kill_during(server, std::slice::from_ref(&call), begun, moment);
        let written = sources_like(&scratch, &format!("fleet {round}/%"));
        assert!(written <= FILES, "round {round}: {written} of {FILES} files");
        assert!(answered.is_empty() || written == FILES, "round {round}: only {written} were answered for");
        pace.learn(Hit::of(written, FILES, false));
        let mut server = Server::start(&scratch).unwrap();
        if answered.is_empty() {
            // The same again finishes what was begun.
            let printed = server.call(call.0, call.1).unwrap();
            assert!(!printed.failed, "{}", printed.text);
        }
        for number in [0, 7, FILES / 2, FILES - 1] {
            let word = format!("f{round}x{number}");
            assert!(finds(&mut server, &word), "round {round}: {word} is gone");
            kept.push(word);
        }
        databases_are_sound(&scratch);
    }
    let mut server = Server::start(&scratch).unwrap();
    let gone: Vec<&String> = kept.iter().filter(|word| !finds(&mut server, word)).collect();
    assert!(gone.is_empty(), "{gone:?}");
    eprintln!("folders: {pace}; everything is searchable");
}
