//! Updates an index from its project: compares the walk with the index by size and time, then by hash, and reads, parses and
//! writes only what changed. A large update is written in self-contained steps, so that a killed process loses one step and
//! readers see each file either before or after its change.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

use crate::analyse::{self, Analysis};
use crate::edges;
use crate::error::Result;
use crate::folder_entries;
use crate::generation;
use crate::journal::Journal;
use crate::postings::Builder;
use crate::resolve;
use crate::stamp;
use crate::store::{FileRecord, Store};
use crate::walk::{self, FoundFile, SkipReason, Walk};
use crate::word_lists;
use crate::write;

/// The number of bytes of words after which a step is written.
const STEP_BYTES: usize = 96 * 1024 * 1024;
/// The number of files after which a step is written.
const STEP_FILES: usize = 4_000;

/// What to look at, and how.
pub struct Options<'a> {
    /// Whether the user's rules forbid reading a path.
    pub deny_read: &'a (dyn Fn(&Path) -> bool + 'a),
    /// How many files are parsed at once.
    pub threads: usize,
    /// The time now, in nanoseconds since 1970. A file that was changed just before it was looked at may change again
    /// without another time; with 0, all files count as such and are read.
    pub now_ns: i64,
    /// Is told how many files of how many were read.
    pub progress: &'a (dyn Fn(u64, u64) + 'a),
    /// Reads every file again, even if it is unchanged.
    pub again: bool,
    /// Where is written what is being read, for the next run to know what ended this one.
    pub reading: Option<PathBuf>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        Options {
            deny_read: &|_| false,
            threads,
            now_ns: 0,
            progress: &|_, _| {},
            again: false,
            reading: None,
        }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// The result of an update.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct Report {
    /// New files.
    pub added: u64,
    /// Files whose text changed.
    pub changed: u64,
    /// Files that are gone.
    pub removed: u64,
    /// Unchanged files.
    pub unchanged: u64,
    /// What was left out, with the reason.
    pub left_out: std::collections::BTreeMap<SkipReason, walk::Skipped>,
    /// How long it took.
    pub took_ms: u64,
}

/// The files to read, and those that are gone.
struct Plan {
    read: Vec<(FoundFile, Option<FileRecord>)>,
    gone: Vec<String>,
    unchanged: u64,
}

/// `before_ns` is when the files were looked at the last time.
fn plan(
    walk: &Walk,
    mut known: std::collections::BTreeMap<String, FileRecord>,
    before_ns: i64,
    again: bool,
) -> Plan {
    let mut plan = Plan { read: Vec::new(), gone: Vec::new(), unchanged: 0 };
    for found in &walk.files {
        match known.remove(&found.path) {
            Some(old)
                if !again
                    && old.size == found.size
                    && old.mtime_ns == found.mtime_ns
                    && stamp::is_settled(found.mtime_ns, before_ns) =>
            {
                plan.unchanged += 1;
            }
            old => plan.read.push((found.clone(), old)),
        }
    }
    plan.gone = known.into_keys().collect();
    plan
}

enum FileOutcome {
    Text {
        found: FoundFile,
        new: bool,
        hash: [u8; 32],
        analysis: Box<Analysis>,
    },
    /// The time changed, the bytes didn't.
    Same(FoundFile),
    /// Not text after all, or gone meanwhile.
    Skipped {
        found: FoundFile,
        why: SkipReason,
    },
}

/// Brings `store` up to date with the project at `root`.
///
/// # Errors
/// When `root` cannot be read or the database not be written; what was written until then stays.
pub fn update(store: &mut Store, root: &Path, options: &Options<'_>) -> Result<Report> {
    let began = Instant::now();
    if !is_of(store, root)? {
        // Times of another checkout say nothing here, and neither does what its imports meant. Concurrent readers are
        // told so.
        home::write(&mut store.db, |tx| {
            write::put_fact(tx, "complete", "false")?;
            tx.execute("DELETE FROM facts WHERE name = 'looked_ns'", [])?;
            write::put_fact(tx, "root", &root.to_string_lossy())
        })?;
    }
    let mut walk = walk::walk(root, options.deny_read)?;
    let before_ns = store.fact("looked_ns")?.and_then(|ns| ns.parse().ok()).unwrap_or(0);
    let plan = plan(&walk, store.file_records()?, before_ns, options.again);
    let mut report = Report { unchanged: plan.unchanged, ..Report::default() };
    let total = plan.read.len() as u64;
    let changes = !plan.read.is_empty() || !plan.gone.is_empty();
    // Whoever was killed between two steps left files whose imports mean nothing yet.
    let unfinished = store.fact("complete")?.as_deref() != Some("true");
    if changes && !unfinished {
        home::write(&mut store.db, |tx| write::put_fact(tx, "complete", "false"))?;
    }
    let manifest = plan.read.iter().any(|(found, _)| resolve::is_manifest(&found.path));
    if !plan.gone.is_empty() {
        home::write(&mut store.db, |tx| {
            plan.gone.iter().try_for_each(|path| write::forget(tx, path).map(drop))?;
            generation::advance(tx, None)
        })?;
        report.removed = plan.gone.len() as u64;
    }
    let journal = Journal::begin(options.reading.as_deref(), options.again);
    let work = std::sync::Mutex::new(plan.read.into_iter());
    let next = || work.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let mut touched = Touched::default();
    std::thread::scope(|scope| -> Result<()> {
        let again = options.again;
        let (send, answers) = mpsc::sync_channel::<FileOutcome>(64);
        let threads = journal.threads(options.threads).clamp(1, 16);
        for thread in 0..threads.min(usize::try_from(total.max(1)).unwrap_or(1)) {
            let (send, next, journal) = (send.clone(), &next, &journal);
            scope.spawn(move || {
                while let Some((found, known)) = next() {
                    journal.note_reading(thread, &found.path);
                    let fatal = journal.crashes.has(&found);
                    if send.send(look(root, found, known.as_ref(), again, fatal)).is_err() {
                        break;
                    }
                }
                journal.note_reading(thread, "");
            });
        }
        drop(send);
        let mut read = 0;
        let mut open = true;
        while open {
            // One step: as much as fits, in one transaction.
            home::write(&mut store.db, |tx| {
                let mut words = Builder::default();
                let mut files = 0;
                loop {
                    let Ok(answer) = answers.recv() else {
                        open = false;
                        break;
                    };
                    read += 1;
                    (options.progress)(read, total);
                    take(tx, answer, &mut words, &mut report, &mut walk, &mut touched)?;
                    files += 1;
                    if files % 64 == 0 && (files >= STEP_FILES || words.weight() > STEP_BYTES) {
                        break;
                    }
                }
                if files > 0 {
                    generation::advance(tx, None)?;
                }
                word_lists::put_words(tx, words).map(drop)
            })?;
        }
        Ok(())
    })?;
    // Which files and types there are, and what manifests say, may change what any import means.
    let all =
        unfinished || options.again || report.added > 0 || report.removed > 0 || manifest || touched.types;
    if all || !touched.files.is_empty() {
        home::write(&mut store.db, |tx| {
            generation::advance(tx, None)?;
            edges::rebuild(tx, root, (!all).then_some(touched.files.as_slice()))
        })?;
    }
    if changes || report.removed > 0 {
        home::write(&mut store.db, word_lists::drop_stale)?;
    }
    journal.end();
    report.left_out = walk.left_out;
    report.took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let left_out = serde_json::to_string(&report.left_out).unwrap_or_default();
    home::write(&mut store.db, |tx| {
        write::put_fact(tx, "complete", "true")?;
        write::put_fact(tx, "looked_ns", &options.now_ns.to_string())?;
        write::put_fact(tx, "left_out", &left_out)?;
        write::put_fact(tx, "root", &root.to_string_lossy())?;
        if write::put_watched(tx, walk.watched)? {
            generation::advance(tx, Some(&[generation::WATCHED]))?;
        }
        Ok(())
    })?;
    Ok(report)
}

/// Whether the index was made from this folder, as opposed to another checkout that it was copied from.
fn is_of(store: &Store, root: &Path) -> Result<bool> {
    Ok(store.fact("root")?.is_none_or(|known| known == root.to_string_lossy()))
}

/// Up to this number, changed files are read without checking all others.
const FEW: usize = 64;

/// Updates `store` when the changes are known: files with changed contents, and folders whose time changed because an editor
/// replaced a file. The caller asserts that no file was added or removed and that no ignore rule and no other file changed.
/// If that turns out to be wrong, everything is checked as in [`update`].
///
/// # Errors
/// As [`update`].
pub fn update_only(
    store: &mut Store,
    root: &Path,
    paths: &[String],
    options: &Options<'_>,
) -> Result<Report> {
    match try_update_only(store, root, paths, options)? {
        Some(report) => Ok(report),
        None => update(store, root, options),
    }
}

fn try_update_only(
    store: &mut Store,
    root: &Path,
    paths: &[String],
    options: &Options<'_>,
) -> Result<Option<Report>> {
    let began = Instant::now();
    let finished = store.fact("complete")?.as_deref() == Some("true") && is_of(store, root)?;
    let is_more = |path: &String| resolve::is_manifest(path) || (options.deny_read)(&root.join(path));
    if !finished || options.again || paths.len() > FEW || paths.iter().any(is_more) {
        return Ok(None);
    }
    let journal = Journal::begin(options.reading.as_deref(), false);
    let (mut answers, mut edited, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let Ok(meta) = std::fs::symlink_metadata(root.join(path)) else { return Ok(None) };
        if meta.is_dir() {
            let stamp = store.read(|db| folder_entries::same_entries(db, root, path, options.deny_read))?;
            let Some(stamp) = stamp else { return Ok(None) };
            folders.push(stamp);
            continue;
        }
        let Some(known) = store.file_record(path)?.filter(|_| meta.is_file()) else { return Ok(None) };
        let found = FoundFile { path: path.clone(), size: meta.len(), mtime_ns: stamp::mtime_ns(&meta) };
        journal.note_reading(0, path);
        let fatal = journal.crashes.has(&found);
        match look(root, found, Some(&known), false, fatal) {
            FileOutcome::Skipped { .. } => return Ok(None),
            answer => answers.push(answer),
        }
        edited.push(known.id);
    }
    if !folders.is_empty() {
        edited.push(generation::WATCHED);
    }
    journal.note_reading(0, "");
    let (mut report, mut walk, mut touched) = (Report::default(), Walk::default(), Touched::default());
    // One transaction, so that no reader sees a file with unresolved imports.
    home::write(&mut store.db, |tx| {
        let mut words = Builder::default();
        for answer in answers {
            take(tx, answer, &mut words, &mut report, &mut walk, &mut touched)?;
        }
        if word_lists::put_words(tx, words)? {
            word_lists::drop_stale(tx)?;
        }
        if touched.types || !touched.files.is_empty() {
            edges::rebuild(tx, root, (!touched.types).then_some(touched.files.as_slice()))?;
        }
        folders.iter().try_for_each(|stamp| write::put_stamp(tx, stamp))?;
        // Only the own rows of other files are read again, so what they need must not have changed.
        generation::advance(tx, (!touched.types).then_some(edited.as_slice()))?;
        write::put_fact(tx, "looked_ns", &options.now_ns.to_string())
    })?;
    journal.end();
    report.took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Some(report))
}

/// What was written that other files may depend on.
#[derive(Default)]
struct Touched {
    /// Files that import or mention something else than before.
    files: Vec<String>,
    /// Types that others may mention were added or removed.
    types: bool,
}

fn take(
    tx: &rusqlite::Transaction<'_>,
    answer: FileOutcome,
    words: &mut Builder,
    report: &mut Report,
    walk: &mut Walk,
    touched: &mut Touched,
) -> rusqlite::Result<()> {
    match answer {
        FileOutcome::Text { found, new, hash, analysis } => {
            let relinks = write::put_file(tx, &found, &hash, &analysis, words)?;
            touched.types |= relinks.others;
            if relinks.own {
                touched.files.push(found.path);
            }
            if new { report.added += 1 } else { report.changed += 1 }
        }
        FileOutcome::Same(found) => {
            tx.prepare_cached("UPDATE files SET size = ?2, mtime_ns = ?3 WHERE path = ?1")?.execute(
                rusqlite::params![found.path, i64::try_from(found.size).unwrap_or(i64::MAX), found.mtime_ns],
            )?;
            report.unchanged += 1;
        }
        FileOutcome::Skipped { found, why } => {
            report.removed += u64::from(write::forget(tx, &found.path)?);
            // A later save may turn it into text.
            let (path, size, mtime_ns) = (found.path.clone(), found.size, found.mtime_ns);
            walk.watched.push(stamp::Stamp { path, size, mtime_ns });
            let left = walk.left_out.entry(why).or_default();
            left.count += 1;
            left.first.push(found.path);
            left.first.truncate(8);
        }
    }
    Ok(())
}

fn look(root: &Path, found: FoundFile, known: Option<&FileRecord>, again: bool, fatal: bool) -> FileOutcome {
    let Ok(bytes) = home::read_regular(&root.join(&found.path), walk::MAX_FILE_BYTES) else {
        return FileOutcome::Skipped { found, why: SkipReason::Unreadable };
    };
    if !walk::is_text(&bytes) {
        return FileOutcome::Skipped { found, why: SkipReason::Binary };
    }
    let hash = *blake3::hash(&bytes).as_bytes();
    if !again && known.is_some_and(|known| known.hash == hash) {
        return FileOutcome::Same(found);
    }
    let analysis = if fatal {
        analyse::without_grammar(&found.path, &bytes)
    } else {
        analyse::analyse(&found.path, &bytes)
    };
    if analysis.language.is_none() {
        return FileOutcome::Skipped { found, why: SkipReason::Unknown };
    }
    FileOutcome::Text { found, new: known.is_none(), hash, analysis: Box::new(analysis) }
}
