//! Imports Markdown: an export, instruction files, agents' own memory files, and notes with front matter, including
//! basic-memory's with their observations (`- [decision] text #tag`) and relations (`- requires [[Other note]]`).

use std::path::Path;

use super::exported_markdown;
use super::front_matter::{FrontMatter, split_front_matter};
use super::graph_import::StatedRelation;
use super::import::Reader;
use super::instructions::{namespace as cued, statements};
use super::stated_end::end_in_words;
use crate::actions::shared_folder::FOLDER;
use crate::domain::{Domain, Namespace, Status, Trust, is_from_web};
use crate::graph::{EntityKind, entity_id};
use crate::store::NewEntity;

impl Reader<'_> {
    /// Reads an export, a note with front matter, or an instruction file.
    pub(super) fn markdown(&mut self, path: &Path, text: &str) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Of the whole text, because what is private may reach over several statements. An export is read as it was
        // written: what isn't closed in one memory ends with it.
        let public = sessions::without_private(text);
        if is_instructions(path, &name) {
            let source = self.path_in_project(path).unwrap_or_else(|| name.clone());
            for statement in statements(&public) {
                let namespace = self.namespace.unwrap_or_else(|| cued(&statement));
                let mut draft = self.draft(statement, namespace);
                draft.status = Status::Pending;
                draft.source = Some(source.clone());
                // Anybody who commits to the repository may have written it.
                draft.trust = Trust::Repository;
                self.push(draft, None);
            }
            return;
        }
        let folder = of_agent(path);
        if folder && name == "raw_memories.md" {
            // It only repeats the other notes.
            return;
        }
        if folder && name == "MEMORY.md" {
            for statement in statements(&public) {
                let namespace = self.namespace.unwrap_or_else(|| cued(&statement));
                let mut draft = self.draft(statement, namespace);
                (draft.status, draft.trust, draft.source) =
                    (Status::Pending, Trust::Agent, Some(name.clone()));
                self.push(draft, None);
            }
            return;
        }
        if let Some(memories) = exported_markdown::read(text).filter(|_| !folder) {
            for memory in &memories {
                self.memory(memory, &name);
            }
            return;
        }
        let text = &*public;
        let (front, body) = split_front_matter(text);
        if body.trim().is_empty() {
            self.out.problems.push(format!("{name}: there is nothing in it"));
            return;
        }
        let linked = Linked::of(body);
        let usual = || linked.namespace().or_else(|| folder.then(|| cued(body)));
        let Some(namespace) = (match front.one("namespace") {
            None => self.namespace.or_else(usual).or(Some(Namespace::Context)),
            word => self.namespace_or_problem(word, &name),
        }) else {
            return;
        };
        let title = front.one("title").or_else(|| front.one("name")).filter(|title| !body.contains(*title));
        let content = title
            .map_or_else(|| body.trim_end().to_owned(), |title| format!("{title}\n\n{}", body.trim_end()));
        let mut draft = self.draft(content, namespace);
        // A note can ask for less trust than whoever imports it has, and not for more with a word that nobody knows.
        if let Some(word) = front.one("trust") {
            draft.trust = draft.trust.max(Trust::from_name(word).unwrap_or(Trust::Untrusted));
        }
        let created = front.one("created").or_else(|| front.one("created_at")).map(str::to_owned);
        let end = front.one("expires").or_else(|| front.one("expires_at"));
        match end.map_or(Ok(None), |end| end_in_words(end, self.context.who.at_ms)) {
            Ok(at) => draft.ttl_ms = at.map(|at| self.lasts_ms(created.as_deref(), at)),
            Err(why) => return self.out.problems.push(format!("{name}: expires: {why}")),
        }
        draft.tags = front.all("tags");
        let more = linked.tags.iter().filter(|tag| !front.all("tags").contains(tag)).cloned();
        draft.tags.extend(more.collect::<Vec<_>>());
        let of_repository = !folder && self.is_of_repository(path);
        if folder {
            (draft.status, draft.trust) = (Status::Pending, draft.trust.max(Trust::Agent));
        } else if of_repository {
            // Anybody who commits to the repository may have written it.
            (draft.status, draft.trust) = (Status::Pending, draft.trust.max(Trust::Repository));
        }
        if !of_repository {
            self.link(&front, &name, &linked);
        }
        draft.source = match front.one("source") {
            Some(source) if !of_repository || is_from_web(source) => Some(source.to_owned()),
            _ => Some(self.path_in_project(path).filter(|_| of_repository).unwrap_or(name)),
        };
        draft.author = front.one("author").map(str::to_owned);
        if let Some(domain) = front.one("domain").and_then(Domain::from_name) {
            draft.domain = domain;
        }
        self.push(draft, created.as_deref());
    }

    /// Whether a file is in the project's work tree, where others write as well.
    fn is_of_repository(&self, path: &Path) -> bool {
        let has_git = |root: &Path| root.join(".git").exists();
        self.context.root.as_deref().is_some_and(has_git) && self.path_below_root(path).is_some()
    }

    /// The path of a project's file relative to its root: a project may have several of one name.
    fn path_in_project(&self, path: &Path) -> Option<String> {
        // What is in this folder is read from the working tree, and its source says so.
        let is_shared = |inside: &String| Path::new(inside).starts_with(FOLDER);
        self.path_below_root(path).filter(|inside| !is_shared(inside))
    }

    fn path_below_root(&self, path: &Path) -> Option<String> {
        let root = dunce::canonicalize(self.context.root.as_deref()?).ok()?;
        let whole = std::path::absolute(path).ok()?;
        // A link keeps its own name.
        let folder = dunce::canonicalize(whole.parent()?).ok()?;
        let inside = folder.join(whole.file_name()?);
        Some(inside.strip_prefix(&root).ok()?.to_string_lossy().replace('\\', "/"))
    }

    /// Adds the note's entity and its relations, for notes that have links.
    fn link(&mut self, front: &FrontMatter, name: &str, linked: &Linked) {
        let ours = front.one("permalink").is_some() || !linked.relations.is_empty();
        if self.pending || !ours {
            return;
        }
        let title = front.one("title").map_or_else(|| name.trim_end_matches(".md").to_owned(), str::to_owned);
        if entity_id(&title) == "entity" {
            return;
        }
        let kind = front.one("type").and_then(|word| EntityKind::parse(word).ok());
        let entity = |name: &str, kind: EntityKind| NewEntity {
            name: name.to_owned(),
            kind,
            aliases: Vec::new(),
            properties: serde_json::Map::new(),
        };
        self.out.entities.push(entity(&title, kind.unwrap_or(EntityKind::Concept)));
        for (word, other) in &linked.relations {
            // A linked note that doesn't exist yet already has a name.
            if !self.out.entities.iter().any(|known| known.name == *other) && entity_id(other) != "entity" {
                self.out.entities.push(entity(other, EntityKind::Concept));
            }
            self.out.relations.push(StatedRelation {
                from: title.clone(),
                to: other.clone(),
                word: word.clone(),
            });
        }
    }
}

/// The structured lines of a note.
#[derive(Default)]
struct Linked {
    categories: Vec<String>,
    tags: Vec<String>,
    relations: Vec<(String, String)>,
}

impl Linked {
    fn of(body: &str) -> Self {
        let mut out = Self::default();
        let mut fence = false;
        for line in body.lines() {
            let line = line.trim();
            fence ^= line.starts_with("```") || line.starts_with("~~~");
            let Some(point) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).filter(|_| !fence)
            else {
                continue;
            };
            if let Some((category, text)) = point.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
                // A checkbox isn't a category, and neither is a link.
                if category.trim().len() > 1 && !category.contains('[') {
                    out.categories.push(category.trim().to_lowercase());
                    let tags = text.split_whitespace().filter_map(|word| word.strip_prefix('#'));
                    let tags = tags.map(|tag| tag.trim_end_matches([',', '.', ')']).to_owned());
                    out.tags.extend(tags.filter(|tag| tag.chars().any(char::is_alphabetic)));
                }
            } else if let Some((word, rest)) = point.split_once("[[")
                && let Some((other, _)) = rest.split_once("]]")
            {
                let other = other.split('|').next().unwrap_or(other).trim().to_owned();
                let word = word.trim().trim_matches('"');
                let word = if word.is_empty() || word.len() > 40 { "relates_to" } else { word };
                out.relations.push((word.to_owned(), other));
            }
        }
        out.tags.sort();
        out.tags.dedup();
        out
    }

    /// The namespace of most of its observations.
    fn namespace(&self) -> Option<Namespace> {
        let named = |word: &String| match word.as_str() {
            "decision" => Some(Namespace::Decisions),
            "convention" | "pattern" | "preference" | "rule" | "technique" | "method" => {
                Some(Namespace::Patterns)
            }
            "lesson" | "learning" | "insight" | "tip" | "gotcha" | "problem" | "solution" => {
                Some(Namespace::Learnings)
            }
            "todo" | "debt" | "tech-debt" => Some(Namespace::TechDebt),
            "blocker" | "issue" => Some(Namespace::Blockers),
            "status" | "progress" | "milestone" => Some(Namespace::Progress),
            "api" | "endpoint" => Some(Namespace::Apis),
            other => Namespace::from_name(other),
        };
        let all: Vec<Namespace> = self.categories.iter().filter_map(named).collect();
        let count = |one: &Namespace| all.iter().filter(|other| *other == one).count();
        // The first one of equals.
        all.iter().rev().max_by_key(|one| count(one)).copied()
    }
}

/// Whether this folder contains an agent's own memory files.
fn of_agent(path: &Path) -> bool {
    let names: Vec<String> =
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    names.windows(3).any(|part| part[0] == "projects" && part[2] == "memory")
        || names.windows(2).any(|part| part[0] == ".codex" && part[1] == "memories")
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
