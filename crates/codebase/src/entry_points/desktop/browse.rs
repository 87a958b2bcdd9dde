//! Window commands to browse: the projects, an index's state, search as you type, a part of a file, and reindexing.

use std::path::Path;
use std::time::{Duration, Instant};

use code::Store;
use code::role::Role;
use contract::desktop::Nothing;
use contract::{Error, ErrorCode, Fault};
use home::Project;

use super::types::{
    CodeHit, CodeIn, CodeLanguage, CodePage, CodePreview, CodeProject, CodeProjects, CodeQuery, CodeReindex,
    CodeReindexed, CodeSpot, CodeStatusView, CodeSymbol,
};
use super::window::Window;
use crate::actions::{SearchRequest, SearchResults, defines, neighbours, retrieve};
use crate::index::location::all;
use crate::index::{Index, IndexLocation, Outcome, Task, failure, run, worker_progress};
use crate::messages;

/// More are never sent at once.
const MOST: usize = 100;
/// The number of a file's lines, and of each line's characters.
const LINES: usize = 2_000;
const LINE: usize = 500;
/// A larger file isn't code.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// The number of definitions that are listed for a file.
const OUTLINE: usize = 500;
/// A full reindex waits for the end; meanwhile the window polls the progress.
const TO_THE_END: Duration = Duration::from_secs(3_600);

/// The projects with sessions, then others that have an index.
pub(super) fn projects(window: &Window, _: Nothing) -> Result<CodeProjects, Error> {
    let mut found = system::folders(&*window.host);
    for db in all(window.host.home()) {
        let root =
            Store::open_read_only(&db).ok().flatten().and_then(|store| store.fact("root").ok().flatten());
        found.extend(root.and_then(|root| Project::at(Path::new(&root)).ok()));
    }
    let mut rows: Vec<CodeProject> = Vec::new();
    for project in found {
        if rows.iter().all(|row| row.root != project.root) {
            let indexed = window.of(&project).db.is_file();
            rows.push(CodeProject { root: project.root, name: project.name, indexed });
        }
    }
    Ok(CodeProjects { rows })
}

/// The state of an index; starts nothing.
pub(super) fn status(window: &Window, asked: CodeIn) -> Result<CodeStatusView, Error> {
    let place = window.place(&asked.project)?;
    let git = home::git_root(&place.root).is_some();
    let mut out = CodeStatusView { state: "none".to_owned(), git, ..CodeStatusView::default() };
    let progress = worker_progress(&place);
    let working = progress.is_some();
    if let Some(counts) = progress {
        out.state = "indexing".to_owned();
        (out.done, out.total) = counts;
    }
    if let Err(error) = read_store(&place, &mut out, working) {
        out.state = match error.fault {
            Some(Fault::Damaged) => "damaged".to_owned(),
            Some(Fault::Newer) => "newer".to_owned(),
            _ if working => return Ok(out),
            _ => return Err(error),
        };
    }
    Ok(out)
}

fn read_store(place: &IndexLocation, out: &mut CodeStatusView, working: bool) -> Result<(), Error> {
    let failed = |error| failure(&error);
    let Some(store) = Store::open_read_only(&place.db).map_err(failed)? else { return Ok(()) };
    let stats = store.stats().map_err(failed)?;
    (out.files, out.lines, out.definitions) = (stats.files, stats.lines, stats.symbols);
    let looked = store.fact("looked_ns").map_err(failed)?.and_then(|ns| ns.parse::<i64>().ok());
    out.looked_ms = looked.map(|ns| ns / 1_000_000);
    if !working {
        let complete = store.fact("complete").map_err(failed)?.as_deref() == Some("true");
        out.state = match (complete, looked) {
            (true, _) => "ready",
            (false, Some(_)) => "unfinished",
            (false, None) => "none",
        }
        .to_owned();
    }
    for (name, parsed, files) in store.languages().map_err(failed)? {
        let by_lines = if parsed.is_by_symbols() { 0 } else { files };
        match out.languages.iter_mut().find(|one| one.name == name) {
            Some(one) => (one.files, one.by_lines) = (one.files + files, one.by_lines + by_lines),
            None => out.languages.push(CodeLanguage { name, files, by_lines }),
        }
    }
    Ok(())
}

/// A search as the user types it.
pub(super) fn search(window: &Window, asked: CodeQuery) -> Result<CodePage, Error> {
    let began = Instant::now();
    let find = SearchRequest {
        query: asked.text,
        limit: Some(asked.limit.clamp(1, MOST)),
        offset: asked.offset,
        ..SearchRequest::default()
    };
    let page = window.on(&window.place(&asked.project)?, |index| {
        let found = retrieve(index, &find)?;
        let first = found.answers.first().map(|answer| answer.path.clone()).unwrap_or_default();
        Ok(CodePage {
            rows: found.answers.iter().map(|answer| hit(index, &found, answer, &first)).collect(),
            more: found.more,
            sure: found.quality.status == "ok",
            elapsed_us: 0,
            fresh: index.status.is_fresh(),
            partial: index.status.partial,
        })
    })?;
    Ok(CodePage { elapsed_us: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX), ..page })
}

fn hit(index: &Index<'_>, found: &SearchResults, answer: &code::search::Answer, first: &str) -> CodeHit {
    let files = index.reader.files();
    let place = |path: &str| files.binary_search_by(|file| file.path.as_str().cmp(path)).ok();
    let own = place(&answer.path).map(|at| &files[at]);
    let imports_first = answer.path != first
        && place(first)
            .is_some_and(|at| own.is_some_and(|own| own.imports.iter().any(|to| *to as usize == at)));
    CodeHit {
        path: answer.path.clone(),
        start: answer.start_line,
        end: answer.end_line,
        symbol: answer.symbol.clone(),
        kind: answer.kind.map_or_else(|| answer.language.clone(), |kind| kind.name().to_owned()),
        signature: answer.signature.clone().filter(|signature| !signature.is_empty()),
        defines: defines(&found.query, answer),
        importers: answer.importers,
        tested: own.is_some_and(|own| !own.role.is(Role::TEST) && !neighbours(index, own).1.is_empty()),
        roles: answer.role.names().into_iter().map(str::to_owned).collect(),
        imports_first,
        changed: index.status.changes.has(&answer.path),
    }
}

/// A part of a file that is in the index, as text.
pub(super) fn preview(window: &Window, asked: CodeSpot) -> Result<CodePreview, Error> {
    let place = window.place(&asked.project)?;
    let missing = || Error::new(ErrorCode::NotFound, messages::no_file(asked.path.as_str()));
    let (language, outline) = window.on(&place, |index| {
        let file = index.file(&asked.path).filter(|file| index.shows(&file.path)).ok_or_else(missing)?;
        let known = index.store.definitions_of(&file.path).map_err(|error| failure(&error))?;
        Ok((file.language.clone(), known.map(|known| known.definitions).unwrap_or_default()))
    })?;
    let text = home::read_regular_text(&place.file(&asked.path), MAX_FILE).map_err(|_| missing())?;
    let first = asked.start.max(1);
    let count = (asked.end.max(first) - first) as usize + 1;
    let lines = text.lines().skip(first as usize - 1).take(count.min(LINES));
    let outline = outline.into_iter().take(OUTLINE).map(|one| CodeSymbol {
        name: one.name,
        kind: one.kind.name().to_owned(),
        container: one.container,
        line: one.line,
    });
    Ok(CodePreview {
        language,
        first,
        lines: lines.map(|line| line.chars().take(LINE).collect()).collect(),
        total: u32::try_from(text.lines().count()).unwrap_or(u32::MAX),
        outline: outline.collect(),
        path: asked.path,
    })
}

/// Has the worker index the changed files, or everything into a new index.
pub(super) fn reindex(window: &Window, asked: CodeReindex) -> Result<CodeReindexed, Error> {
    let place = window.place(&asked.project)?;
    let task = if asked.fresh { Task::Fresh } else { Task::Update };
    match run(&place, task, TO_THE_END, &window.call.cancelled) {
        Outcome::Answer(report) => {
            let count = |key: &str| report[key].as_u64().unwrap_or(0);
            Ok(CodeReindexed { read: count("added") + count("changed") })
        }
        Outcome::Failed(problem) => {
            Err(Error::new(ErrorCode::Storage, messages::cannot_be_made(place.root.display(), problem)))
        }
        Outcome::Working => Ok(CodeReindexed::default()),
    }
}
