//! Stores the results of a project's checkers beside its index: all of them (`code.checked`), the new ones (`code.news`, all that a
//! hook reads), and requests for a check (`code.wanted-*`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::kinds::Language;
use super::parse::{Diagnostic, Severity};

/// More are counted by file and not kept.
const MOST: usize = 2_000;
/// The number of earlier diagnostics that are remembered.
const SEEN: usize = 4_000;
/// The number of new diagnostics that a hook gets.
const NEWS: usize = 40;
const MAX_FILE: u64 = 16 * 1024 * 1024;
/// A hook reads no more.
const MAX_NEWS: u64 = 64 * 1024;

/// The last run of one checker in one folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) checker: String,
    /// The command's short form.
    pub(crate) short: String,
    /// Within the project; empty for the project's own.
    pub(crate) folder: String,
    pub(crate) started_ms: i64,
    pub(crate) took_ms: u64,
    /// Why the last run failed; the diagnostics are then from the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// When the run began that the diagnostics are of; 0 where there was none.
    #[serde(default)]
    pub(crate) good_ms: i64,
    #[serde(default)]
    pub(crate) errors: usize,
    #[serde(default)]
    pub(crate) warnings: usize,
    #[serde(default)]
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many of each file were counted and not kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) not_kept: BTreeMap<String, usize>,
    /// How often each was there at once, in any run since the last one without an error: a compiler that stops early hides what comes
    /// back later.
    #[serde(default)]
    seen: BTreeMap<String, u32>,
}

/// The runs by checker and folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) runs: BTreeMap<String, Run>,
}

/// Something new, as a hook needs it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct News {
    pub(crate) short: String,
    pub(crate) run_ms: i64,
    #[serde(flatten)]
    pub(crate) what: Diagnostic,
}

/// Identifies a diagnostic wherever it moves in its file.
fn fingerprint(one: &Diagnostic) -> String {
    let text = format!("{}\0{}\0{}\0{}", one.file, one.severity.name(), one.code, one.message);
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

impl Run {
    /// Records a run's diagnostics and marks those that no earlier run had since the last one without an error.
    pub(super) fn record(&mut self, mut diagnostics: Vec<Diagnostic>, started_ms: i64) {
        let first = self.good_ms == 0;
        let mut before: HashMap<String, Vec<(i64, i64)>> = HashMap::new();
        for one in &self.diagnostics {
            before.entry(fingerprint(one)).or_default().push((one.before_ms, one.since_ms));
        }
        let mut now: HashMap<String, u32> = HashMap::new();
        for one in &mut diagnostics {
            let mark = fingerprint(one);
            let count = now.entry(mark.clone()).or_default();
            let known = before.get(&mark).and_then(|all| all.get(*count as usize));
            *count += 1;
            (one.before_ms, one.since_ms) = match known {
                Some(known) => *known,
                None if first || *count <= self.seen.get(&mark).copied().unwrap_or(0) => (0, 0),
                None => (self.good_ms, started_ms),
            };
        }
        let count = |severity| diagnostics.iter().filter(|one| one.severity == severity).count();
        (self.errors, self.warnings) = (count(Severity::Error), count(Severity::Warning));
        // A run without an error has hidden nothing: what it doesn't have was mended, and is new if it comes back.
        if self.errors == 0 || self.seen.len() > SEEN {
            self.seen.clear();
        }
        for (mark, n) in now {
            let seen = self.seen.entry(mark).or_default();
            *seen = n.max(*seen);
        }
        (self.diagnostics, self.not_kept) = split_kept(diagnostics);
        self.good_ms = started_ms;
        self.problem = None;
    }
}

/// The diagnostics that are kept, and how many of each file aren't: what is new first, then the first ones of every file.
fn split_kept(all: Vec<Diagnostic>) -> (Vec<Diagnostic>, BTreeMap<String, usize>) {
    if all.len() <= MOST {
        return (all, BTreeMap::new());
    }
    let mut before: HashMap<String, usize> = HashMap::new();
    let mut ranked: Vec<(bool, usize, usize)> = Vec::with_capacity(all.len());
    for (at, one) in all.iter().enumerate() {
        let rank = before.entry(one.file.clone()).or_default();
        ranked.push((one.since_ms == 0, *rank, at));
        *rank += 1;
    }
    ranked.sort_unstable();
    let kept: HashSet<usize> = ranked.into_iter().take(MOST).map(|(.., at)| at).collect();
    let mut not_kept: BTreeMap<String, usize> = BTreeMap::new();
    let all = all.into_iter().enumerate().filter_map(|(at, one)| {
        if kept.contains(&at) {
            return Some(one);
        }
        *not_kept.entry(one.file).or_default() += 1;
        None
    });
    (all.collect(), not_kept)
}

fn file(db: &Path) -> PathBuf {
    db.with_extension("checked")
}

fn news_file(db: &Path) -> PathBuf {
    db.with_extension("news")
}

fn wanted_file(db: &Path, language: Language) -> PathBuf {
    db.with_extension(format!("wanted-{}", language.name()))
}

/// The stored results; empty if there are none or they can't be read.
pub(crate) fn load(db: &Path) -> Results {
    let bytes = home::read_regular(&file(db), MAX_FILE).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Stores the results, and the new ones separately.
pub(super) fn save(db: &Path, results: &Results) -> std::io::Result<()> {
    let mut news: Vec<News> = Vec::new();
    for run in results.runs.values() {
        let fresh = run.diagnostics.iter().filter(|one| one.since_ms > 0);
        news.extend(fresh.map(|one| News {
            short: run.short.clone(),
            run_ms: run.good_ms,
            what: one.clone(),
        }));
    }
    news.sort_by_key(|one| (one.what.severity, -one.what.since_ms));
    news.truncate(NEWS);
    // What hooks read comes first, so that a stored run always has its news.
    home::write_private(&news_file(db), &serde_json::to_vec(&news).map_err(std::io::Error::other)?)?;
    home::write_private(&file(db), &serde_json::to_vec(results).map_err(std::io::Error::other)?)
}

/// The new diagnostics of the last runs.
pub(crate) fn news(db: &Path) -> Vec<News> {
    let bytes = home::read_regular(&news_file(db), MAX_NEWS).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// A request for a check after an edit or at the start of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckRequest {
    pub(crate) at_ms: i64,
    /// The agent whose rules count.
    pub(crate) agent: String,
    /// The file within the project; empty for the project itself.
    pub(crate) path: String,
}

/// Notes it for whichever server of the project sees it first. One small file, so that a hook can.
pub(crate) fn request_check(db: &Path, language: Language, wanted: &CheckRequest) {
    let line = format!("{}\t{}\t{}\n", wanted.at_ms, wanted.agent, wanted.path);
    write_note(&wanted_file(db, language), &line);
}

/// Writes a small private file, without waiting for the disk: a hook has no time for that, and nothing is lost with it.
pub(crate) fn write_note(path: &Path, text: &str) {
    let mut options = home::private_options();
    let opened = options.write(true).create(true).truncate(true).open(path);
    let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        log::info!("{}: {error}", path.display());
    }
}

/// What is wanted of a language.
pub(crate) fn requested_check(db: &Path, language: Language) -> Option<CheckRequest> {
    let text = home::read_regular_text(&wanted_file(db, language), 8_192).ok()?;
    let mut parts = text.trim_end_matches('\n').splitn(3, '\t');
    let at_ms = parts.next()?.parse().ok()?;
    Some(CheckRequest { at_ms, agent: parts.next()?.to_owned(), path: parts.next()?.to_owned() })
}

/// Removes the results and the checkers' caches.
pub(crate) fn forget(db: &Path) -> std::io::Result<()> {
    let files = super::kinds::LANGUAGES.iter().map(|language| wanted_file(db, *language));
    for path in files.chain([file(db), news_file(db)]) {
        ignore_missing(std::fs::remove_file(&path))?;
    }
    ignore_missing(std::fs::remove_dir_all(db.with_file_name("check")))
}

fn ignore_missing(done: std::io::Result<()>) -> std::io::Result<()> {
    done.or_else(|error| if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: u64, message: &str) -> Diagnostic {
        Diagnostic {
            file: "src/a.rs".into(),
            line,
            column: 1,
            severity: Severity::Error,
            code: "E1".into(),
            message: message.into(),
            before_ms: 0,
            since_ms: 0,
        }
    }

    fn new(run: &Run) -> Vec<(u64, &str, i64, i64)> {
        let new = run.diagnostics.iter().filter(|one| one.since_ms > 0);
        new.map(|one| (one.line, one.message.as_str(), one.before_ms, one.since_ms)).collect()
    }

    #[test]
    fn only_results_of_no_earlier_run_are_new_wherever_they_moved() {
        let mut run = Run::default();
        run.record(vec![one(1, "old"), one(7, "other")], 10);
        assert_eq!(new(&run), [], "the first run says what was there");
        run.record(vec![one(4, "old"), one(5, "fresh")], 20);
        assert_eq!(new(&run), [(5, "fresh", 10, 20)]);
        // It stays as new as it was, a second of its kind is new, and what was hidden for a while isn't.
        run.record(vec![one(5, "fresh"), one(9, "fresh"), one(7, "other")], 30);
        assert_eq!(new(&run), [(5, "fresh", 10, 20), (9, "fresh", 20, 30)]);
        assert_eq!((run.errors, run.warnings), (3, 0));
        run.record(vec![one(5, "fresh")], 40);
        run.record(vec![one(5, "fresh"), one(9, "fresh")], 50);
        assert_eq!(new(&run), [(5, "fresh", 10, 20)], "hidden for a while, too");
        // Where nothing was wrong in between, it was mended and broken again.
        run.record(Vec::new(), 60);
        run.record(vec![one(5, "fresh")], 70);
        assert_eq!(new(&run), [(5, "fresh", 60, 70)]);
    }

    #[test]
    fn of_very_many_results_new_ones_and_some_per_file_are_kept() {
        let in_file =
            |file: &str, line: u64| Diagnostic { file: file.into(), ..one(line, &format!("{file} {line}")) };
        let mut all: Vec<Diagnostic> = (0..3_000).map(|line| in_file("a.rs", line)).collect();
        all.push(in_file("z.rs", 1));
        let mut run = Run::default();
        run.record(all.clone(), 10);
        assert_eq!(run.errors, 3_001);
        assert_eq!(run.diagnostics.len(), MOST);
        assert_eq!(run.diagnostics.last().unwrap().file, "z.rs");
        assert_eq!(run.not_kept, BTreeMap::from([("a.rs".to_owned(), 3_001 - MOST)]));
        // Behind all the others of its file, and new.
        all.insert(3_000, in_file("a.rs", 9_000));
        run.record(all, 20);
        assert_eq!(new(&run), [(9_000, "a.rs 9000", 10, 20)]);
    }

    #[test]
    fn stored_results_are_read_again_and_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let db = dir.path().join("code.db");
        assert!(news(&db).is_empty() && load(&db).runs.is_empty());
        let mut run = Run { short: "cargo check".into(), ..Run::default() };
        run.record(vec![one(1, "old")], 10);
        run.record(vec![one(1, "old"), one(2, "fresh")], 20);
        let results = Results { runs: BTreeMap::from([("cargo ".to_owned(), run)]) };
        save(&db, &results).unwrap();
        assert_eq!(load(&db).runs["cargo "].diagnostics.len(), 2);
        let told = news(&db);
        assert_eq!((told.len(), told[0].what.message.as_str(), told[0].run_ms), (1, "fresh", 20));
        let asked = CheckRequest { at_ms: 5, agent: "codex".into(), path: "src/a b.rs".into() };
        request_check(&db, Language::Rust, &asked);
        assert_eq!(requested_check(&db, Language::Rust), Some(asked));
        assert_eq!(requested_check(&db, Language::Python), None);
        std::fs::create_dir_all(dir.path().join("check/target")).unwrap();
        forget(&db).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        forget(&db).unwrap();
    }
}
