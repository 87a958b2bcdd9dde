//! The stored texts, each with a unique sentence, and asking a server for them.

use plimsoll_tests::Server;
use serde_json::{Value, json};

/// A unique sentence that names its source.
pub(crate) fn sentence(word: &str) -> String {
    format!("The keel of this one is {word}.")
}

pub(crate) fn text(word: &str) -> String {
    let mut text = format!("# Ship {word}\n\n{}\n\n", sentence(word));
    for number in 0..12 {
        text += &format!(
            "## Deck {number}\n\nDeck {number} of {word} has {} ports and a rail.\n\n",
            number * 3 + 1
        );
    }
    text
}

/// Whether a search by its word finds the source.
pub(crate) fn finds(server: &mut Server, word: &str) -> bool {
    let printed = server.call("search", json!({"queries": [word], "limit": 5})).unwrap();
    assert!(!printed.failed, "{}", printed.text);
    printed.text.contains(&sentence(word))
}

/// The text of the source with this label.
pub(crate) fn stored_text(server: &mut Server, label: &str) -> String {
    let uri = resources(server).into_iter().find(|(name, _)| name == label).map(|(_, uri)| uri);
    let uri = uri.unwrap_or_else(|| panic!("there is no source {label}"));
    let read = server.ask("resources/read", json!({"uri": uri})).unwrap();
    read["contents"][0]["text"].as_str().unwrap().to_owned()
}

/// Every source: label and address.
fn resources(server: &mut Server) -> Vec<(String, String)> {
    let (mut all, mut cursor) = (Vec::new(), json!({}));
    loop {
        let page = server.ask("resources/list", cursor).unwrap();
        let word = |resource: &Value, key: &str| resource[key].as_str().unwrap().to_owned();
        all.extend(
            page["resources"].as_array().unwrap().iter().map(|it| (word(it, "name"), word(it, "uri"))),
        );
        match page.get("nextCursor") {
            Some(next) => cursor = json!({"cursor": next}),
            None => return all,
        }
    }
}
