//! Many servers at once on one project.

use std::time::Duration;

use plimsoll_tests::{Scratch, Server};
use serde_json::json;

use crate::state::{data, databases_are_sound};
use crate::stored_texts::{finds, stored_text, text};

#[test]
fn sixteen_at_once_lose_nothing() {
    const EACH: usize = 8;
    let scratch = Scratch::new().unwrap();
    let scratch = &scratch;
    std::thread::scope(|scope| {
        for number in 0..16 {
            scope.spawn(move || {
                let mut server = Server::start(scratch).unwrap();
                for turn in 0..EACH {
                    let word = format!("s{number}x{turn}");
                    let printed = server
                        .call("index", json!({"content": text(&word), "source": format!("ship {word}")}));
                    assert!(!printed.as_ref().unwrap().failed, "{printed:?}");
                    let code = format!("echo {word}");
                    let printed = server.call("execute", json!({"language": "shell", "code": code})).unwrap();
                    assert_eq!(printed.text, format!("{word}\nexit code 0"));
                    let printed = server.call("manage", json!({"action": "stats"})).unwrap();
                    assert!(!printed.failed, "{}", printed.text);
                    // All servers write this one.
                    let printed =
                        server.call("index", json!({"content": text(&word), "source": "contested"})).unwrap();
                    assert!(!printed.failed, "{}", printed.text);
                }
                server.close_input();
                assert!(server.ended_within(Duration::from_secs(30)).unwrap().is_some());
            });
        }
    });
    let mut server = Server::start(scratch).unwrap();
    let mut possible = Vec::new();
    for number in 0..16 {
        for turn in 0..EACH {
            let word = format!("s{number}x{turn}");
            assert!(finds(&mut server, &word), "{word} is gone");
            possible.push(text(&word).trim().to_owned());
        }
    }
    let contested = stored_text(&mut server, "contested");
    assert!(possible.contains(&contested.trim().to_owned()), "a mixture: {contested}");
    databases_are_sound(scratch);
    // Each call has its line in the ledger.
    let db = rusqlite::Connection::open(data(scratch).join("plimsoll.db")).unwrap();
    for (tool, calls) in [("index", 2 * 16 * EACH), ("execute", 16 * EACH), ("manage", 16 * EACH)] {
        let lines: i64 =
            db.query_row("SELECT count(*) FROM ledger WHERE tool = ?1", [tool], |row| row.get(0)).unwrap();
        assert_eq!(lines, calls as i64, "{tool}");
    }
}
