//! Taking in what people have: our own export, older products' exports, the reference memory server's file, folders of Markdown,
//! and files of instructions, whose statements wait for a review.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::front::parted;
use super::instructions::{namespace, statements};
use crate::actions::desk::Desk;
use crate::actions::failure::Failure;
use crate::domain::{Domain, Namespace, Status, Trust, moment};
use crate::graph::{EntityKind, RelationKind, entity_id};
use crate::store::{Draft, NewEntity, Store, Who};

/// Larger files are refused.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// More files of a folder are not read.
const MOST_FILES: usize = 20_000;
/// So many problems are named.
const PROBLEMS: usize = 20;

/// Arguments of an import.
#[derive(Debug, Clone, Default)]
pub struct Import {
    /// The file or folder.
    pub path: PathBuf,
    /// Where what says nothing of it goes.
    pub namespace: Option<String>,
    /// Who it is for, where it does not say.
    pub domain: Option<String>,
    /// Everything waits for a review.
    pub pending: bool,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// One thing to take in.
struct Item {
    draft: Draft,
    at_ms: i64,
}

/// What a reader found.
#[derive(Default)]
struct Harvest {
    items: Vec<Item>,
    entities: Vec<NewEntity>,
    relations: Vec<(String, String, RelationKind)>,
    problems: Vec<String>,
}

struct Reader<'a> {
    desk: &'a Desk,
    namespace: Option<Namespace>,
    domain: Domain,
    out: Harvest,
}

/// Takes in a file or a folder. What is there already stays once.
///
/// # Errors
/// [`Failure`]; what can't be read of it is named in the reply and stops nothing else.
pub fn import(desk: &Desk, given: &Import) -> crate::actions::Reply {
    let usual = if desk.project.is_some() { Domain::Project } else { Domain::User };
    let mut reader = Reader {
        desk,
        namespace: given.namespace.as_deref().map(super::super::look::named).transpose()?,
        domain: given.domain.as_deref().map(Domain::parse).transpose()?.unwrap_or(usual),
        out: Harvest::default(),
    };
    reader.path(&given.path)?;
    let harvest = reader.out;
    let (mut imported, mut duplicates, mut pending) = (0_u64, 0_u64, 0_u64);
    let mut problems = harvest.problems;
    let mut store = if given.dry_run || harvest.items.is_empty() { None } else { Some(desk.writer()?) };
    for item in harvest.items {
        let mut draft = item.draft;
        if given.pending {
            draft.status = Status::Pending;
        }
        let waits = draft.status == Status::Pending;
        let begin: String = draft.content.chars().take(60).collect();
        match draft.check(desk.secrets) {
            Ok(new) => {
                if let Some(store) = &mut store {
                    let who = Who { at_ms: item.at_ms, ..desk.who.clone() };
                    if store.capture(&new, &who)?.duplicate {
                        duplicates += 1;
                        continue;
                    }
                }
                imported += 1;
                pending += u64::from(waits);
            }
            Err(error) => problems.push(format!("{begin:?}: {error}")),
        }
    }
    drop(store);
    if !given.dry_run && !harvest.entities.is_empty() {
        let mut store = desk.writer()?;
        for entity in &harvest.entities {
            store.create_entity(&desk.scope(), entity, desk.who.at_ms)?;
        }
        for (from, to, kind) in &harvest.relations {
            let ends = (from.as_str(), to.as_str());
            store.relate(&desk.scope(), ends, *kind, (1.0, &serde_json::Map::new()), desk.who.at_ms)?;
        }
    }
    let more = problems.len().saturating_sub(PROBLEMS);
    problems.truncate(PROBLEMS);
    let mut out = json!({
        "imported": imported, "duplicates": duplicates, "pending_review": pending, "dry_run": given.dry_run,
        "problems": problems,
    });
    if more > 0 {
        out["more_problems"] = more.into();
    }
    if !harvest.entities.is_empty() {
        out["entities"] = harvest.entities.len().into();
        out["relationships"] = harvest.relations.len().into();
    }
    Ok(out)
}

impl Reader<'_> {
    fn path(&mut self, path: &Path) -> Result<(), Failure> {
        let failed =
            |error: std::io::Error| Failure::not_found(-32602, format!("{}: {error}", path.display()));
        if path.is_dir() {
            let mut files = Vec::new();
            collect(path, 0, &mut files);
            files.sort();
            if files.is_empty() {
                return Err(Failure::invalid(format!("there is no Markdown in {}", path.display())));
            }
            for file in files {
                match home::read_regular_text(&file, MAX_BYTES) {
                    Ok(text) => self.markdown(&file, &text),
                    Err(error) => self.out.problems.push(format!("{}: {error}", file.display())),
                }
            }
            return Ok(());
        }
        let text = home::read_regular_text(path, MAX_BYTES).map_err(failed)?;
        let ending =
            path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        match ending.as_str() {
            "md" | "mdc" | "markdown" | "txt" => self.markdown(path, &text),
            _ if text.trim_start().starts_with(['{', '[']) => self.json(path, &text)?,
            _ if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) => {
                self.markdown(path, &text);
            }
            _ => {
                return Err(Failure::invalid(format!(
                    "{} can't be taken in; Plimsoll reads JSON exports, the reference memory server's JSONL, Markdown files and folders",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// A note with front matter, or a file of instructions.
    fn markdown(&mut self, path: &Path, text: &str) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if is_instructions(path, &name) {
            for statement in statements(text) {
                let namespace = self.namespace.unwrap_or_else(|| namespace(&statement));
                let mut draft = self.draft(statement, namespace);
                draft.status = Status::Pending;
                draft.source = Some(name.clone());
                // Written for agents by whoever writes in the repository.
                draft.trust = Trust::Repository;
                self.push(draft, None);
            }
            return;
        }
        let (front, body) = parted(text);
        if body.trim().is_empty() {
            self.out.problems.push(format!("{name}: there is nothing in it"));
            return;
        }
        let Some(namespace) = self.known(front.one("namespace"), &name) else { return };
        let title = front.one("title").filter(|title| !body.contains(*title));
        let content = title
            .map_or_else(|| body.trim_end().to_owned(), |title| format!("{title}\n\n{}", body.trim_end()));
        let mut draft = self.draft(content, namespace);
        draft.tags = front.all("tags");
        draft.source = Some(front.one("source").map_or(name, str::to_owned));
        draft.author = front.one("author").map(str::to_owned);
        if let Some(domain) = front.one("domain").and_then(Domain::named) {
            draft.domain = domain;
        }
        let created = front.one("created").or_else(|| front.one("created_at")).map(str::to_owned);
        self.push(draft, created.as_deref());
    }

    fn known(&mut self, word: Option<&str>, name: &str) -> Option<Namespace> {
        let found = match word {
            None => Some(self.namespace.unwrap_or(Namespace::Context)),
            Some(word) => Namespace::named(word),
        };
        if found.is_none() {
            let word = word.unwrap_or_default();
            let reason = format!("namespace {word:?} is unknown; allowed: {}", Namespace::names());
            self.out.problems.push(format!("{name}: {reason}"));
        }
        found
    }

    fn draft(&self, content: impl Into<String>, namespace: Namespace) -> Draft {
        Draft {
            project: self.desk.project.clone(),
            client: self.desk.who.client.clone(),
            trust: if self.desk.who.client.is_some() { Trust::Agent } else { Trust::User },
            ..Draft::new(content, namespace, self.domain)
        }
    }

    fn push(&mut self, draft: Draft, created: Option<&str>) {
        let now = self.desk.who.at_ms;
        let at_ms = created.and_then(|text| moment(text, now).ok()).map_or(now, |at| at.min(now));
        self.out.items.push(Item { draft, at_ms });
    }

    fn json(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let bad = |line: usize, error: &serde_json::Error| {
            Failure::unusable(format!("{}, line {line}: {error}", path.display()))
        };
        let all = match serde_json::from_str::<Value>(text) {
            Ok(Value::Array(all)) => all,
            Ok(value) if value["memories"].is_array() => {
                value["memories"].as_array().cloned().unwrap_or_default()
            }
            Ok(value) if value["type"].is_string() || value["content"].is_string() => vec![value],
            Ok(_) => {
                return Err(Failure::unusable(format!(
                    "{} has neither \"memories\" nor a list of them",
                    path.display()
                )));
            }
            // A value on each line.
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

    /// A memory as our own export and older products' write it.
    fn memory(&mut self, value: &Value, name: &str) {
        let Some(content) = value["content"].as_str().or_else(|| value["text"].as_str()) else {
            self.out.problems.push(format!("{name}: an entry without content"));
            return;
        };
        let Some(namespace) = self.known(value["namespace"].as_str(), name) else { return };
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let mut draft = self.draft(content, namespace);
        draft.tags = match &value["tags"] {
            Value::Array(tags) => tags.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Value::String(tags) => tags.split(',').map(|tag| tag.trim().to_owned()).collect(),
            _ => Vec::new(),
        };
        if let Some(domain) = value["domain"].as_str().and_then(Domain::named) {
            draft.domain = domain;
        }
        // Where it was captured; another project's memory stays that project's.
        if let Some(project) = text("project").or_else(|| text("project_id")) {
            draft.project = Some(project);
        }
        draft.source = text("source");
        draft.branch = text("branch");
        draft.file = text("file").or_else(|| text("file_path"));
        draft.author = text("author");
        if let Some(status) = value["status"].as_str().and_then(Status::named) {
            draft.status = status;
        }
        if draft.status == Status::Tombstoned {
            return;
        }
        let created = match &value["created_at"] {
            Value::Number(seconds) => seconds.as_i64().map(|at| crate::domain::iso(at.saturating_mul(1_000))),
            other => other.as_str().map(str::to_owned),
        };
        let now = self.desk.who.at_ms;
        let expires = value["expires_at"].as_str().and_then(|text| moment(text, now).ok());
        let from = created.as_deref().and_then(|text| moment(text, now).ok()).map_or(now, |at| at.min(now));
        draft.ttl_ms = expires.map(|at| (at - from).max(1));
        self.push(draft, created.as_deref());
    }

    /// An entity of the reference memory server; each of its observations is a memory.
    fn entity(&mut self, value: &Value) {
        let Some(name) = value["name"].as_str().filter(|name| entity_id(name) != "entity") else { return };
        let kind = value["entityType"].as_str().unwrap_or_default();
        let kind = EntityKind::parse(kind).unwrap_or(EntityKind::Concept);
        self.out.entities.push(NewEntity {
            name: name.to_owned(),
            kind,
            aliases: Vec::new(),
            properties: serde_json::Map::new(),
        });
        for said in value["observations"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let text = if said.contains(name) { said.to_owned() } else { format!("{name}: {said}") };
            let draft = self.draft(text, self.namespace.unwrap_or(Namespace::Context));
            self.push(draft, None);
        }
    }

    fn relation(&mut self, value: &Value) {
        let ends = (value["from"].as_str(), value["to"].as_str());
        if let (Some(from), Some(to)) = ends {
            let kind = RelationKind::parse(value["relationType"].as_str().unwrap_or_default());
            let kind = kind.unwrap_or(RelationKind::RelatesTo);
            self.out.relations.push((entity_id(from), entity_id(to), kind));
        }
    }
}

fn is_instructions(path: &Path, name: &str) -> bool {
    let lower = name.to_lowercase();
    let known = [
        "claude.md",
        "claude.local.md",
        "agents.md",
        "gemini.md",
        "copilot-instructions.md",
        ".cursorrules",
        ".windsurfrules",
    ];
    let rules = lower.ends_with(".mdc") || lower.ends_with(".instructions.md");
    known.contains(&lower.as_str())
        || rules
        || path.parent().is_some_and(|dir| dir.ends_with(".cursor/rules"))
}

/// Whether a file is one of those that rules and memories are written in.
fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md" || ending == "mdc")
}

fn collect(dir: &Path, depth: usize, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < 8 && !name.to_string_lossy().starts_with(".git") => {
                collect(&path, depth + 1, out);
            }
            Ok(kind) if kind.is_file() && out.len() < MOST_FILES && is_text(&path) => out.push(path),
            _ => {}
        }
    }
}
