//! Databases that were damaged while no process had them open.

use std::path::Path;
use std::time::Duration;

use plimsoll_tests::{Scratch, Server};
use serde_json::json;

use crate::state::{data, files_below};
use crate::stored_texts::{sentence, text};

#[test]
fn a_damaged_database() {
    type Damage = fn(Vec<u8>) -> Vec<u8>;
    let damages: [(&str, Damage); 4] = [
        ("overwritten in the middle", |mut bytes| {
            let (from, to) = (bytes.len() * 2 / 5, bytes.len() * 3 / 5);
            bytes[from..to].fill(0x5a);
            bytes
        }),
        ("cut off", |mut bytes| {
            bytes.truncate(bytes.len() / 2 + 100);
            bytes
        }),
        ("garbage", |_| b"not a database at all ".repeat(3000)),
        ("its head overwritten", |mut bytes| {
            bytes[..200].fill(0xff);
            bytes
        }),
    ];
    for name in ["knowledge.db", "plimsoll.db"] {
        for (how, damage) in damages {
            let what = format!("{name} {how}");
            let scratch = Scratch::new().unwrap();
            let mut server = Server::start(&scratch).unwrap();
            let words: Vec<String> = (0..30).map(|number| format!("d0x{number}")).collect();
            for word in &words {
                let call = json!({"content": text(word), "source": format!("ship {word}")});
                assert!(!server.call("index", call).unwrap().failed);
            }
            server.close_input();
            assert!(server.ended_within(Duration::from_secs(30)).unwrap().is_some());
            let db = files_below(&data(&scratch)).into_iter().find(|file| file.ends_with(name)).unwrap();
            let damaged = damage(std::fs::read(&db).unwrap());
            std::fs::write(&db, &damaged).unwrap();

            let mut server = Server::start(&scratch).unwrap();
            let answers: Vec<_> = words
                .iter()
                .map(|word| (word, server.call("search", json!({"queries": [word]})).unwrap()))
                .collect();
            let found =
                answers.iter().filter(|(word, printed)| printed.text.contains(&sentence(word))).count();
            let told =
                answers.iter().find(|(_, printed)| printed.failed).map(|(_, printed)| printed.text.clone());
            let new = server.call("index", json!({"content": text("fresh"), "source": "fresh"})).unwrap();
            eprintln!("{what}: {found} of 30 found; said: {told:?}; a new text: {}", new.text);
            if name == "plimsoll.db" {
                // Damage to sessions and figures isn't a reason for texts not to be found.
                assert_eq!(found, 30, "{what}: {told:?}");
                assert!(!new.failed, "{what}: {}", new.text);
            } else {
                // Either it says that the file is damaged and what to do, or it brought back what could be read.
                let clear = |text: &String| {
                    ["damaged", "plimsoll doctor"].iter().any(|way| text.contains(way))
                        && !text.contains("defect")
                };
                assert!(told.iter().all(clear), "{what}: {told:?}");
                assert!(told.is_some() || found == 30 || salvaged(&db), "{what}: texts went without a word");
                if new.failed {
                    assert!(clear(&new.text), "{what}: {}", new.text);
                    // `doctor` itself says where to look.
                    let doctor = server.call("manage", json!({"action": "doctor"})).unwrap();
                    let line =
                        doctor.text.lines().find(|line| line.contains(name) && line.contains("damaged"));
                    assert!(line.is_some(), "{what}: {}", doctor.text);
                }
            }
            drop(server);
            assert!(kept(&db, &damaged), "{what}: the damaged file is not kept");
        }
    }
}

/// Whether a file beside the database, or the database itself, still has these bytes.
fn kept(db: &Path, bytes: &[u8]) -> bool {
    files_below(db.parent().unwrap())
        .into_iter()
        .any(|file| std::fs::read(file).is_ok_and(|now| now == bytes))
}

/// Whether a damaged file was set aside and replaced by what could be salvaged.
fn salvaged(db: &Path) -> bool {
    files_below(db.parent().unwrap()).iter().any(|file| file.to_string_lossy().contains(".damaged-"))
}
