//! Imports JSON: Plimsoll's export, subcog's (a list, or one object per line), and the reference memory server's
//! file, whose observations become memories.

use std::path::Path;

use contract::{Sentence, joined};
use serde_json::Value;

use super::graph_import::StatedRelation;
use super::import::Reader;
use super::stated_end::stated_end;
use crate::actions::failure::Failure;
use crate::domain::{Domain, LinkKind, Namespace, Status, Trust, named_project};
use crate::graph::{EntityKind, entity_id};
use crate::store::{NewEntity, messages};

/// Where a JSON text stops being one, and why. The parser counts from the line it was given, so its own place is left out.
fn at_place(line: usize, error: &serde_json::Error) -> Sentence {
    let told = error.to_string();
    let reason = told.rsplit_once(" at line ").map_or(told.as_str(), |(reason, _)| reason);
    messages::not_json(line, error.column(), Sentence::from(reason))
}

impl Reader<'_> {
    pub(super) fn json(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let bad = |line: usize, error: &serde_json::Error| {
            Failure::translated(-32608, joined::about(path, at_place(line, error)))
        };
        let all = match serde_json::from_str::<Value>(text) {
            Ok(Value::Array(all)) => all,
            Ok(value) if value["memories"].is_array() => {
                value["memories"].as_array().cloned().unwrap_or_default()
            }
            Ok(value) if value["type"].is_string() || value["content"].is_string() => vec![value],
            Ok(_) => {
                let about = joined::about(path, messages::no_memories_in_it());
                return Err(Failure::translated(-32608, about));
            }
            // One value per line.
            Err(whole) => {
                let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
                let all: Result<Vec<Value>, Failure> = lines
                    .map(|(at, line)| serde_json::from_str(line).map_err(|error| bad(at + 1, &error)))
                    .collect();
                if text.lines().count() < 2 {
                    return Err(bad(whole.line(), &whole));
                }
                all?
            }
        };
        for value in &all {
            match value["type"].as_str() {
                Some("entity") => self.entity(value),
                Some("relation") => self.relation(value),
                _ => self.memory(value, &name),
            }
        }
        Ok(())
    }

    /// Reads a memory from Plimsoll's or subcog's export.
    pub(super) fn memory(&mut self, value: &Value, name: &str) {
        let Some(content) = value["content"].as_str().or_else(|| value["text"].as_str()) else {
            self.out.problems.push(format!("{name}: an entry without content"));
            return;
        };
        let Some(namespace) = self.namespace_or_problem(value["namespace"].as_str(), name) else { return };
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let mut draft = self.draft(content, namespace);
        draft.tags = match &value["tags"] {
            Value::Array(tags) => tags.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Value::String(tags) => tags.split(',').map(|tag| tag.trim().to_owned()).collect(),
            _ => Vec::new(),
        };
        if let Some(domain) = value["domain"].as_str().and_then(Domain::from_name) {
            draft.domain = domain;
        }
        // A memory keeps the project it was captured in. Subcog names the remote itself.
        if let Some(project) = text("project").or_else(|| text("project_id")) {
            draft.project = Some(named_project(&project));
        }
        draft.source = text("source");
        draft.branch = text("branch");
        draft.file = text("file").or_else(|| text("file_path"));
        draft.author = text("author");
        // Without its state or its end, what is out of use would come back.
        if let Some(word) = text("status").filter(|word| !word.trim().is_empty()) {
            match Status::parse(&word) {
                Ok(Status::Tombstoned) => return,
                Ok(status) => draft.status = status,
                Err(unknown) => return self.out.problems.push(format!("{name}: {unknown}")),
            }
        }
        // A file can't ask for more trust than whoever imports it has, nor with a word that nobody knows.
        if let Some(word) = text("trust").filter(|word| !word.trim().is_empty()) {
            draft.trust = draft.trust.max(Trust::from_name(&word).unwrap_or(Trust::Untrusted));
        }
        let created = match &value["created_at"] {
            Value::Number(seconds) => seconds.as_i64().map(|at| crate::domain::iso(at.saturating_mul(1_000))),
            other => other.as_str().map(str::to_owned),
        };
        let now = self.context.who.at_ms;
        let expires = match stated_end(&value["expires_at"], now) {
            Ok(expires) => expires,
            Err(why) => return self.out.problems.push(format!("{name}: expires_at: {why}")),
        };
        let seconds = value["ttl_seconds"].as_i64().filter(|seconds| *seconds > 0);
        draft.ttl_ms = expires
            .map(|at| self.lasts_ms(created.as_deref(), at))
            .or_else(|| seconds.map(|seconds| seconds.saturating_mul(1_000)));
        self.push(draft, created.as_deref());
        if let Some(item) = self.out.items.last_mut() {
            item.id = value["id"].as_str().map(str::to_owned);
            item.links = value["links"].as_array().into_iter().flatten().filter_map(link).collect();
        }
    }

    /// Reads an entity of the reference memory server; each observation becomes a memory.
    fn entity(&mut self, value: &Value) {
        let Some(name) = value["name"].as_str().filter(|name| entity_id(name) != "entity") else { return };
        if !self.pending {
            let word = value["entityType"].as_str().unwrap_or_default();
            let kind = EntityKind::parse(word);
            let mut properties = serde_json::Map::new();
            if kind.is_err() && !word.is_empty() {
                properties.insert("type".into(), word.into());
            }
            self.out.entities.push(NewEntity {
                name: name.to_owned(),
                kind: kind.unwrap_or(EntityKind::Concept),
                aliases: Vec::new(),
                properties,
            });
        }
        for printed in value["observations"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let text = if printed.contains(name) { printed.to_owned() } else { format!("{name}: {printed}") };
            let draft = self.draft(text, self.namespace.unwrap_or(Namespace::Context));
            self.push(draft, None);
        }
    }

    /// Reads a relation of the reference memory server. If everything waits for review, it becomes a memory that
    /// states it.
    fn relation(&mut self, value: &Value) {
        let (Some(from), Some(to)) = (value["from"].as_str(), value["to"].as_str()) else { return };
        let word = value["relationType"].as_str().unwrap_or("relates_to");
        if self.pending {
            let text = format!("{from} {} {to}", word.replace('_', " "));
            let draft = self.draft(text, self.namespace.unwrap_or(Namespace::Context));
            self.push(draft, None);
        } else {
            self.out.relations.push(StatedRelation { from: from.into(), to: to.into(), word: word.into() });
        }
    }
}

/// A link as an export writes it: `supersedes 1a2b3c`.
fn link(word: &Value) -> Option<(LinkKind, String)> {
    let (kind, to) = word.as_str()?.split_once(' ')?;
    Some((LinkKind::from_name(kind)?, to.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_once() {
        let error = serde_json::from_str::<Value>("{ cut").unwrap_err();
        let told = at_place(7, &error);
        assert!(told.text().starts_with("line 7, column 3: key must be a string; "), "{told}");
        assert!(!told.text().contains("at line"), "{told}");
        assert_eq!(told.key(), Some("messages.memory.not_json"));
    }
}
