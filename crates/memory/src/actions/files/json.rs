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

/// Maximum number of runs of broken lines that are named.
const MAX_RUNS: usize = 100;

/// A file that isn't one value per line: the first line that isn't JSON, if the file begins as one that is.
pub(super) struct NotLines(Option<(usize, serde_json::Error)>);

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
            Err(whole) if text.trim_start().starts_with('[') => return Err(bad(whole.line(), &whole)),
            Err(whole) => {
                return self.lines(&name, text, &[]).map_err(|NotLines(first)| match first {
                    Some((line, error)) => bad(line, &error),
                    None => bad(whole.line(), &whole),
                });
            }
        };
        for (number, value) in (1..).zip(&all) {
            self.value(value, &format!("{name}, entry {number}"));
        }
        Ok(())
    }

    /// Reads one value per line. Lines that aren't JSON are left out and named, as every other part that can't be read;
    /// with more of them than others it's a file of another form. The lines with these numbers have characters that aren't
    /// UTF-8 and were replaced: they count as broken.
    pub(super) fn lines(&mut self, name: &str, text: &str, not_text: &[usize]) -> Result<(), NotLines> {
        let (mut values, mut broken, mut first) = (Vec::new(), Vec::new(), None);
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            // A file that was appended to another has its mark within.
            match serde_json::from_str::<Value>(line.trim_start_matches('\u{feff}')) {
                Ok(value) if value.is_object() && not_text.binary_search(&number).is_err() => {
                    values.push((number, value));
                }
                Ok(_) => broken.push(number),
                Err(error) => {
                    broken.push(number);
                    first = first.or(Some((number, error)));
                }
            }
        }
        if values.len() < broken.len() || values.is_empty() {
            let begins_well = values.first().is_some_and(|(number, _)| broken.iter().all(|one| number < one));
            return Err(NotLines(first.filter(|_| begins_well)));
        }
        if let Some(problem) = broken_lines(&broken, first.as_ref().map(|(_, error)| error)) {
            self.out.problems.push(format!("{name}: {problem}"));
        }
        for (number, value) in &values {
            self.value(value, &format!("{name}, line {number}"));
        }
        Ok(())
    }

    /// Reads what a value says; `name` says where it is.
    fn value(&mut self, value: &Value, name: &str) {
        match value["type"].as_str() {
            Some("entity") => self.entity(value, name),
            Some("relation") => self.relation(value, name),
            _ => self.memory(value, name),
        }
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
    fn entity(&mut self, value: &Value, place: &str) {
        let Some(name) = value["name"].as_str().filter(|name| entity_id(name) != "entity") else {
            self.out.problems.push(format!("{place}: an entity without a name"));
            return;
        };
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
    fn relation(&mut self, value: &Value, place: &str) {
        let (Some(from), Some(to)) = (value["from"].as_str(), value["to"].as_str()) else {
            self.out.problems.push(format!("{place}: a relation needs \"from\" and \"to\""));
            return;
        };
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

/// The note about lines that aren't JSON; `None` if there are none.
fn broken_lines(lines: &[usize], first: Option<&serde_json::Error>) -> Option<String> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == *line => *end = *line,
            _ => runs.push((*line, *line)),
        }
    }
    let named: Vec<String> = runs
        .iter()
        .take(MAX_RUNS)
        .map(|(from, to)| if from == to { from.to_string() } else { format!("{from}–{to}") })
        .collect();
    let more = if runs.len() > MAX_RUNS { " and more" } else { "" };
    let why = first.map(|error| {
        let told = error.to_string();
        format!(" ({})", told.rsplit_once(" at line ").map_or(told.as_str(), |(reason, _)| reason))
    });
    let (subject, verb) = match lines.len() {
        0 => return None,
        1 => ("line", "isn't a JSON object and is left out"),
        _ => ("lines", "aren't JSON objects and are left out"),
    };
    let total = if lines.len() > 1 { format!("{} ", lines.len()) } else { String::new() };
    Some(format!(
        "{total}{subject} {verb}: {}{more}{}; correct the file and import it again, which adds only what is new",
        named.join(", "),
        why.unwrap_or_default()
    ))
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

    #[test]
    fn broken_lines_are_named_as_runs() {
        let error = serde_json::from_str::<Value>("{\"a\": ").unwrap_err();
        for (lines, expected) in [
            (vec![], None),
            (vec![3], Some("line isn't a JSON object and is left out: 3 (EOF while parsing a value); ")),
            (vec![2, 4, 5, 6, 9], Some("5 lines aren't JSON objects and are left out: 2, 4–6, 9 (EOF ")),
        ] {
            let told = broken_lines(&lines, Some(&error));
            assert_eq!(told.is_some(), expected.is_some());
            assert!(told.unwrap_or_default().starts_with(expected.unwrap_or_default()), "{lines:?}");
        }
        let many: Vec<usize> = (0..500).map(|n| n * 2).collect();
        let told = broken_lines(&many, None).unwrap();
        assert!(told.contains("500 lines") && told.contains(", 198 and more; "), "{told}");
    }
}
