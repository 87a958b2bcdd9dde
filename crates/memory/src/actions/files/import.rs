//! Imports one file or folder in any known format (`json`, `csv`, `markdown`, `claude_mem` and `commits` read them) into
//! the store. Text that nobody chose word by word waits for review.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use contract::ErrorCode;
use serde_json::json;
use system::Readable;

use super::graph_import::{GraphImport, StatedRelation};
use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::domain::{Domain, LinkKind, Namespace, Status, Trust, moment, quoted_beginning};
use crate::store::{Actor, Draft, NewEntity, SqliteStore, Store, StoreError};

/// Larger files are refused.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum number of files read from a folder.
const MAX_FILES: usize = 20_000;
/// Number of memories captured in one transaction.
const BATCH: usize = 500;
/// Maximum number of problems listed.
const MAX_PROBLEMS: usize = 20;
/// Maximum number of samples in a preview.
const MAX_SAMPLES: usize = 3;
/// Maximum length of a sample, in characters.
const SAMPLE_CHARS: usize = 100;

/// Why a file isn't read.
pub(super) const HIDDEN: &str = "the user's rules don't let it be read, at least not without asking them";

/// Arguments of an import.
#[derive(Debug, Clone, Default)]
pub struct Import {
    /// The file or folder.
    pub path: PathBuf,
    /// The namespace for items that don't name one.
    pub namespace: Option<String>,
    /// The domain for items that don't name one.
    pub domain: Option<String>,
    /// Whether everything waits for review.
    pub pending: bool,
    /// Report what would be imported without importing it.
    pub dry_run: bool,
    /// What the caller's own rules let it read; `None` for everything.
    pub readable: Option<Readable>,
}

/// One item to import.
pub(super) struct Item {
    pub(super) draft: Draft,
    pub(super) at_ms: i64,
    /// Its id in the file, by which others of the file link to it.
    pub(super) id: Option<String>,
    /// Its links to others of the file.
    pub(super) links: Vec<(LinkKind, String)>,
}

/// Everything that a reader found.
#[derive(Default)]
pub(super) struct ImportBatch {
    pub(super) items: Vec<Item>,
    pub(super) entities: Vec<NewEntity>,
    pub(super) relations: Vec<StatedRelation>,
    pub(super) problems: Vec<String>,
}

pub(super) struct Reader<'a> {
    pub(super) context: &'a ActionContext,
    pub(super) namespace: Option<Namespace>,
    pub(super) domain: Domain,
    /// Whether everything waits for review. Then nothing goes into the graph, which has no review.
    pub(super) pending: bool,
    readable: Option<&'a Readable>,
    pub(super) out: ImportBatch,
}

/// Imports a file or a folder. Known memories aren't duplicated.
///
/// # Errors
/// [`Failure`]. Unreadable parts are listed in the reply and don't stop the rest.
pub fn import(context: &ActionContext, given: &Import) -> crate::actions::Reply {
    let usual = if context.project.is_some() { Domain::Project } else { Domain::User };
    let mut reader = Reader {
        context,
        namespace: given.namespace.as_deref().map(super::super::read::parse_namespace).transpose()?,
        domain: given.domain.as_deref().map(Domain::parse).transpose()?.unwrap_or(usual),
        pending: given.pending,
        readable: given.readable.as_ref(),
        out: ImportBatch::default(),
    };
    reader.path(&given.path)?;
    let harvest = reader.out;
    let (mut imported, mut duplicates, mut pending) = (0_u64, 0_u64, 0_u64);
    let (mut redacted, mut refused) = (0_u64, 0_u64);
    let (mut problems, mut samples) = (harvest.problems, Vec::new());
    let known = context.reader()?;
    let mut links = FileLinks::default();
    let (mut ready, mut ids) = (Vec::new(), Vec::new());
    for item in harvest.items {
        let mut draft = item.draft;
        if given.pending {
            draft.status = Status::Pending;
        }
        let waits = draft.status == Status::Pending;
        let content = draft.content.clone();
        match draft.check(context.secrets) {
            Ok(new) => {
                // A memory that was dropped once isn't proposed again.
                let met = match &known {
                    Some(known) => known.with_same_text(&new)?,
                    None => None,
                };
                let kept = new.draft().status;
                if let Some((id, _)) =
                    met.filter(|(_, status)| waits || *status == Status::Active || *status == kept)
                {
                    duplicates += 1;
                    links.add(item.id, item.links, &id, false);
                    continue;
                }
                if samples.len() < MAX_SAMPLES {
                    samples.push(new.draft().content.chars().take(SAMPLE_CHARS).collect::<String>());
                }
                ready.push((new, Actor { at_ms: item.at_ms, ..context.who.clone() }));
                ids.push((item.id, item.links));
            }
            Err(error) => {
                refused += u64::from(matches!(error, StoreError::Secret { .. }));
                // A refused secret isn't repeated.
                let begin: String = text::redact(&content).chars().take(60).collect();
                problems.push(format!("{begin:?}: {error}"));
            }
        }
    }
    let mut store = if given.dry_run || ready.is_empty() { None } else { Some(context.writer()?) };
    let mut ids = ids.into_iter();
    for some in ready.chunks(BATCH) {
        let done = store.as_mut().map(|store| store.capture_all(some)).transpose()?;
        for (at, (new, _)) in some.iter().enumerate() {
            let done = done.as_ref().map(|done| &done[at]);
            if let (Some(done), Some((id, to))) = (done, ids.next()) {
                links.add(id, to, &done.memory.id, !done.duplicate);
            }
            if done.is_some_and(|done| done.duplicate) {
                duplicates += 1;
                continue;
            }
            imported += 1;
            redacted += u64::from(new.redacted());
            pending += u64::from(new.draft().status == Status::Pending);
        }
    }
    if let Some(store) = &mut store {
        links.keep(store, &context.who)?;
    }
    drop(store);
    let mut graph = GraphImport::default();
    for (name, checked) in graph.check(context, harvest.entities, harvest.relations) {
        refused += u64::from(matches!(checked, StoreError::Secret { .. }));
        problems.push(format!("{name:?}: {checked}"));
    }
    let related = if given.dry_run { graph.storable(context)? } else { graph.keep(context)? };
    let more = problems.len().saturating_sub(MAX_PROBLEMS);
    problems.truncate(MAX_PROBLEMS);
    let mut out = json!({
        "imported": imported, "duplicates": duplicates, "pending_review": pending, "dry_run": given.dry_run,
        "problems": problems,
    });
    if given.dry_run {
        out["samples"] = samples.into();
    }
    if imported + duplicates + refused == 0 && problems.is_empty() && graph.is_empty() {
        out["note"] = "no memory was found in it".into();
    }
    let unrelated = graph.relations.len().saturating_sub(related) as u64;
    for (name, count) in [
        ("more_problems", more as u64),
        ("redacted", redacted),
        ("refused_secrets", refused),
        // One of their ends is nowhere.
        ("relationships_left_out", unrelated),
    ] {
        if count > 0 {
            out[name] = count.into();
        }
    }
    if !graph.is_empty() {
        out["entities"] = graph.entities.len().into();
        out["relationships"] = related.into();
    }
    Ok(out)
}

/// The links between memories of a file, whose ids are others here.
#[derive(Default)]
struct FileLinks {
    /// The id here of each one in the file, and whether it is new.
    ids: HashMap<String, (String, bool)>,
    links: Vec<(String, LinkKind, String)>,
}

impl FileLinks {
    fn add(&mut self, there: Option<String>, links: Vec<(LinkKind, String)>, here: &str, new: bool) {
        self.links.extend(links.into_iter().map(|(kind, to)| (here.to_owned(), kind, to)));
        if let Some(there) = there {
            self.ids.insert(there, (here.to_owned(), new));
        }
    }

    /// Stores them. What was here before the import isn't put out of use by it.
    fn keep(&self, store: &mut SqliteStore, who: &Actor) -> Result<(), Failure> {
        for (from, kind, to) in &self.links {
            let Some((to, new)) = self.ids.get(to) else { continue };
            if from != to && (*new || *kind != LinkKind::Supersedes) {
                store.link(from, to, *kind, who)?;
            }
        }
        Ok(())
    }
}

impl Reader<'_> {
    fn path(&mut self, path: &Path) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure {
            code: if home::is_missing(&error) { ErrorCode::NotFound } else { ErrorCode::Failed },
            ..Failure::translated(-32602, home::file_problem(quoted(path), &error))
        };
        if !self.may_read(path) {
            return Err(Failure {
                number: -32605,
                code: ErrorCode::Denied,
                ..Failure::invalid(format!("{}: {HIDDEN}; nothing was taken in", quoted(path)))
            });
        }
        if path.file_name().is_some_and(|name| name == ".git") {
            let root = dunce::canonicalize(path).map_err(failed)?;
            return self.commits(root.parent().unwrap_or(&root));
        }
        if path.is_dir() {
            if std::fs::canonicalize(path).is_ok_and(|real| home::is_made_up(&real)) {
                return Err(Failure::invalid(format!(
                    "{}: the system generates its files as they are read; name a folder with files of your own",
                    quoted(path)
                )));
            }
            let mut files = Vec::new();
            collect(path, 0, &mut files);
            files.sort();
            if files.is_empty() {
                return Err(Failure::invalid(format!("there is no Markdown in {}", quoted(path))));
            }
            for file in files {
                if !self.may_read(&file) {
                    self.out.problems.push(format!("{}: {HIDDEN}", quoted(&file)));
                    continue;
                }
                match home::read_regular_text(&file, MAX_BYTES) {
                    Ok(text) => self.markdown(&file, &text),
                    Err(error) => self.out.problems.push(home::file_problem(&file, &error).to_string()),
                }
            }
            return Ok(());
        }
        let ending =
            path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        if is_database(path) {
            return self.claude_mem(path);
        }
        let whole = match String::from_utf8(home::read_regular(path, MAX_BYTES).map_err(failed)?) {
            Ok(whole) => whole,
            // A line that was cut off in the middle of a character costs no other line.
            Err(error) => {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                let lossy = String::from_utf8_lossy(error.as_bytes());
                let text = without_mark(&lossy);
                let not_text = lines_not_text(error.as_bytes());
                let is_lines = text.trim_start().starts_with('{')
                    && self.lines(&name.unwrap_or_default(), text, &not_text).is_ok();
                let no_text = || std::io::Error::new(std::io::ErrorKind::InvalidData, "it is not UTF-8");
                return if is_lines { Ok(()) } else { Err(failed(no_text())) };
            }
        };
        let text = without_mark(&whole);
        match ending.as_str() {
            "csv" => self.csv(path, text)?,
            "md" | "mdc" | "markdown" | "txt" => self.markdown(path, text),
            _ if text.trim_start().starts_with(['{', '[']) => self.json(path, text)?,
            _ if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) => {
                self.markdown(path, text);
            }
            _ => {
                return Err(Failure::invalid(format!(
                    "{} can't be taken in; Plimsoll reads exports (JSON, CSV), the reference memory server's JSONL, claude-mem's database, Markdown files and folders, and the commits of a `.git`",
                    quoted(path)
                )));
            }
        }
        Ok(())
    }

    /// Whether the caller's own rules let it read a file or folder.
    fn may_read(&self, path: &Path) -> bool {
        let Some(readable) = self.readable else { return true };
        std::path::absolute(path).is_ok_and(|whole| readable.allows(&whole))
    }

    pub(super) fn namespace_or_problem(&mut self, word: Option<&str>, name: &str) -> Option<Namespace> {
        let Some(word) = word else { return Some(self.namespace.unwrap_or(Namespace::Context)) };
        match Namespace::parse(word) {
            Ok(namespace) => Some(namespace),
            Err(unknown) => {
                self.out.problems.push(format!("{name}: {unknown}"));
                None
            }
        }
    }

    pub(super) fn draft(&self, content: impl Into<String>, namespace: Namespace) -> Draft {
        Draft {
            project: self.context.project.clone(),
            client: self.context.who.client.clone(),
            trust: if self.context.who.client.is_some() { Trust::Agent } else { Trust::User },
            ..Draft::new(content, namespace, self.domain)
        }
    }

    /// When a memory was captured; never later than now.
    fn captured_ms(&self, created: Option<&str>) -> i64 {
        let now = self.context.who.at_ms;
        created.and_then(|text| moment(text, now).ok()).map_or(now, |at| at.min(now))
    }

    /// How long a memory lasts from then on that has this end.
    pub(super) fn lasts_ms(&self, created: Option<&str>, end_ms: i64) -> i64 {
        end_ms.saturating_sub(self.captured_ms(created)).max(1)
    }

    pub(super) fn push(&mut self, draft: Draft, created: Option<&str>) {
        let at_ms = self.captured_ms(created);
        self.out.items.push(Item { draft, at_ms, id: None, links: Vec::new() });
    }
}

/// The path as an error names it.
fn quoted(path: &Path) -> String {
    quoted_beginning(&path.to_string_lossy())
}

/// The numbers of the lines that aren't UTF-8. A line may have the sign for that and be whole.
fn lines_not_text(bytes: &[u8]) -> Vec<usize> {
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    lines.filter(|(_, line)| std::str::from_utf8(line).is_err()).map(|(number, _)| number).collect()
}

/// A file's text without the mark with which editors and shells of Windows begin it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Whether a file has an extension that rules and memories use.
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
            Ok(kind) if kind.is_file() && out.len() < MAX_FILES && is_text(&path) => out.push(path),
            _ => {}
        }
    }
}

/// Whether the file is an SQLite database.
fn is_database(path: &Path) -> bool {
    use std::io::Read as _;
    let regular = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    let mut begin = [0_u8; 16];
    regular
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
        && begin == *b"SQLite format 3\0"
}
