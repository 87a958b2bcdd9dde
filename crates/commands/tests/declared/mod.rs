//! Every sentence that a crate declares, and the English catalogue that follows from them. A test compares it with the
//! catalogue there is; the example `typescript` writes it.

use std::collections::BTreeMap;

use contract::Template;
use serde_json::{Map, Value};

/// What the keys of declared sentences begin with.
pub(crate) const PREFIX: &str = "messages.";

/// Every declared sentence.
pub(crate) fn declared() -> impl Iterator<Item = &'static Template> {
    [
        contract::joined::ALL,
        contract::agent_messages::ALL,
        home::messages::ALL,
        sessions::messages::ALL,
        codebase::messages::ALL,
        knowledge::messages::ALL,
        memory::store::messages::ALL,
        memory::query::messages::ALL,
        memory::prompts::messages::ALL,
        edits::messages::ALL,
        agents::messages::ALL,
        service::messages::ALL,
        service::doctor::messages::ALL,
        service::upgrade::messages::ALL,
        plimsoll_commands::messages::ALL,
    ]
    .into_iter()
    .flatten()
}

/// A catalogue with every declared sentence as its crate words it, and no other under `messages.`. What the window alone
/// says, and the order, stay; a new sentence comes behind those of its module.
///
/// # Errors
/// If the catalogue isn't a JSON object.
pub(crate) fn with_declared(catalogue: &str) -> Result<String, serde_json::Error> {
    let old: Map<String, Value> = serde_json::from_str(catalogue)?;
    let english: BTreeMap<&str, &str> = declared().map(|one| (one.key, one.english)).collect();
    let mut entries: Vec<(String, Value)> = Vec::new();
    for (key, text) in old {
        match english.get(key.as_str()) {
            Some(words) => entries.push((key, Value::from(*words))),
            None if key.starts_with(PREFIX) => {}
            None => entries.push((key, text)),
        }
    }
    for one in declared() {
        if entries.iter().any(|(key, _)| key == one.key) {
            continue;
        }
        let module = one.key.rsplit_once('.').map_or(one.key, |(module, _)| module);
        let is_beside = |key: &str| key.rsplit_once('.').is_some_and(|(other, _)| other == module);
        let behind = entries.iter().rposition(|(key, _)| is_beside(key));
        let behind = behind.or_else(|| entries.iter().rposition(|(key, _)| key.starts_with(PREFIX)));
        let at = behind.map_or(entries.len(), |last| last + 1);
        entries.insert(at, (one.key.to_owned(), Value::from(one.english)));
    }
    let catalogue: Map<String, Value> = entries.into_iter().collect();
    Ok(serde_json::to_string_pretty(&catalogue)? + "\n")
}
