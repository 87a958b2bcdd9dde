//! Killed while sources are moved to the trash.

use std::path::PathBuf;

use plimsoll_tests::{Scratch, Server, printed};
use serde_json::{Value, json};

use crate::kill_timing::{Hit, Pace, kill_during, undisturbed};
use crate::state::{data, databases_are_sound, files_below};
use crate::stored_texts::{finds, sentence, text};

#[test]
fn killed_while_purging() {
    let scratch = Scratch::new().unwrap();
    let lay_out = |server: &mut Server, round: u32| {
        for number in 0..6 {
            let word = format!("p{round}x{number}");
            let call = json!({"content": text(&word), "source": format!("ship {word}")});
            assert!(!server.call("index", call).unwrap().failed);
        }
    };
    let purges = |round: u32| -> Vec<(&'static str, Value)> {
        let one = |number: u32| {
            let scope = format!("source:ship p{round}x{number}");
            ("manage", json!({"action": "purge", "scope": scope, "confirm": true}))
        };
        (0..3).map(one).collect()
    };
    let mut server = Server::start(&scratch).unwrap();
    lay_out(&mut server, 9999);
    let mut pace = Pace::new(undisturbed(&mut server, &purges(9999)) / 3, 0.4);
    drop(server);
    let (mut kept, mut purged) = (Vec::new(), 0);
    while let Some((round, moment)) = pace.next() {
        let mut server = Server::start(&scratch).unwrap();
        lay_out(&mut server, round);
        let answered = kill_during(server, &purges(round), |answers| answers >= round as usize % 3, moment);
        // Before anything is removed, a copy is in the trash.
        pace.learn(Hit::of(answered.len(), 3, in_trash(&scratch, &format!("p{round}x0"))));
        let mut server = Server::start(&scratch).unwrap();
        for number in 0..6 {
            let word = format!("p{round}x{number}");
            let found = finds(&mut server, &word);
            match answered.get(&(number as usize)) {
                Some(answer) => {
                    assert!(!printed(answer).failed, "{answer}");
                    assert!(!found, "round {round}: {word} was purged and is still found");
                    assert!(in_trash(&scratch, &word), "round {round}: {word} is not in the trash");
                    purged += 1;
                }
                None if number < 3 => {
                    assert!(found || in_trash(&scratch, &word), "round {round}: {word} is nowhere");
                }
                None => {
                    assert!(found, "round {round}: {word} was not purged and is gone");
                    kept.push(word);
                }
            }
        }
        databases_are_sound(&scratch);
    }
    let mut server = Server::start(&scratch).unwrap();
    assert!(kept.iter().all(|word| finds(&mut server, word)));
    eprintln!("purges: {pace}; {purged} sources are in the trash, {} are searchable", kept.len());
}

fn in_trash(scratch: &Scratch, word: &str) -> bool {
    let sentence = sentence(word).into_bytes();
    let holds = |path: PathBuf| {
        std::fs::read(path).is_ok_and(|bytes| bytes.windows(sentence.len()).any(|part| part == sentence))
    };
    files_below(&data(scratch).join("trash")).into_iter().any(holds)
}
