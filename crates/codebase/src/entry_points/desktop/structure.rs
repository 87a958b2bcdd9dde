//! Window commands on the project's structure: the map by folder, all files in pages, conventions, import cycles.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use code::graph::{Graph, find_cycles as found};
use code::role::Role;
use code::search::File;
use contract::Error;

use super::structure_types::{
    CodeBlock, CodeCategory, CodeCycle, CodeCycles, CodeFiles, CodeFilesQuery, CodeMap, CodeMapQuery,
    CodeNaming, CodePart, CodeWay, CodeWays,
};
use super::types::CodeIn;
use super::window::Window;
use crate::index::{Index, failure, git, git_history};

/// The number of blocks that are drawn.
const BLOCKS: usize = 80;
/// How many drawn folders show their contents, and how many blocks each.
const OPEN_FOLDERS: usize = 12;
const BLOCKS_INSIDE: usize = 24;
/// More rows are never sent at once.
const MOST: usize = 500;
/// A file with more lines is a finding.
const LONG: u32 = 1_000;
/// How long patterns wait for the history; the window asks again.
const SHORT: Duration = Duration::from_millis(300);
/// How often the history is requested again.
const KNOWN_FOR: Duration = Duration::from_secs(60);

type Touched = Arc<HashMap<String, u64>>;
type History = (PathBuf, Instant, Option<Touched>);
static HISTORY: LazyLock<Mutex<Option<History>>> = LazyLock::new(Mutex::default);

/// How often commits of the last year touched each file; none without a repository.
fn touched(root: &Path) -> Option<Touched> {
    let mut kept = HISTORY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, at, counts)) = &*kept
        && of == root
        && at.elapsed() < KNOWN_FOR
    {
        return counts.clone();
    }
    let counts = git::touched(root).map(|paths| {
        let mut out: HashMap<String, u64> = HashMap::new();
        for path in paths {
            *out.entry(path).or_default() += 1;
        }
        Arc::new(out)
    });
    *kept = Some((root.to_owned(), Instant::now(), counts.clone()));
    counts
}

/// Hand-written files.
fn is_ours(file: &File) -> bool {
    ![Role::VENDORED, Role::GENERATED, Role::MINIFIED].iter().any(|role| file.role.is(*role))
}

/// Every file below a folder as a block.
fn blocks(index: &Index<'_>, folder: &str, touched: Option<&Touched>) -> Result<Vec<CodeBlock>, Error> {
    let needs =
        Graph::from_dependencies(index.store, index.reader, is_ours).map_err(|error| failure(&error))?;
    let circled: HashSet<String> = found(&needs).into_iter().flat_map(|one| one.files).collect();
    let below =
        |path: &str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let files = index.reader.files().iter();
    let files = files.filter(|file| is_ours(file) && below(&file.path) && index.shows(&file.path));
    let block = |file: &File| {
        let mut findings = Vec::new();
        if circled.contains(&file.path) {
            findings.push("circle".to_owned());
        }
        if file.lines > LONG {
            findings.push("long".to_owned());
        }
        CodeBlock {
            path: file.path.clone(),
            name: file.path.rsplit('/').next().unwrap_or(&file.path).to_owned(),
            folder: false,
            files: 1,
            lines: u64::from(file.lines),
            touched: touched.and_then(|all| all.get(&file.path)).copied().unwrap_or(0),
            ailing: u64::from(!findings.is_empty()),
            findings,
        }
    };
    Ok(files.map(block).collect())
}

/// A folder's contents, the largest first, with the contents of its largest subfolders.
pub(super) fn map(window: &Window, asked: CodeMapQuery) -> Result<CodeMap, Error> {
    let place = window.place(&asked.project)?;
    let touched = touched(&place.root);
    let folder = asked.folder.trim_matches('/').to_owned();
    let files = window.on(&place, |index| blocks(index, &folder, touched.as_ref()))?;
    let mut blocks = children(&files, &folder);
    let more = blocks.len().saturating_sub(BLOCKS) as u64;
    blocks.truncate(BLOCKS);
    let mut open = 0;
    let inside = blocks.iter().map(|block| {
        open += usize::from(block.folder);
        if !block.folder || open > OPEN_FOLDERS {
            return Vec::new();
        }
        let mut inside = children(&files, &block.path);
        inside.truncate(BLOCKS_INSIDE);
        inside
    });
    let inside = inside.collect();
    Ok(CodeMap { blocks, inside, more, history: touched.is_some() })
}

/// The files and folders directly in a folder, the largest first; a folder is the sum of its files.
fn children(files: &[CodeBlock], folder: &str) -> Vec<CodeBlock> {
    let mut children: BTreeMap<String, CodeBlock> = BTreeMap::new();
    for file in files {
        let within = match folder {
            "" => Some(file.path.as_str()),
            folder => file.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
        };
        let Some(within) = within else { continue };
        let Some((name, _)) = within.split_once('/') else {
            children.insert(file.path.clone(), file.clone());
            continue;
        };
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let all = children.entry(path.clone()).or_insert_with(|| CodeBlock {
            name: name.to_owned(),
            path,
            folder: true,
            ..CodeBlock::default()
        });
        all.files += 1;
        all.lines += file.lines;
        all.touched += file.touched;
        all.ailing += file.ailing;
    }
    let mut children: Vec<CodeBlock> = children.into_values().collect();
    children.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.path.cmp(&b.path)));
    children
}

/// A page of the list of all files.
pub(super) fn files(window: &Window, asked: CodeFilesQuery) -> Result<CodeFiles, Error> {
    let place = window.place(&asked.project)?;
    let touched = touched(&place.root);
    let folder = asked.folder.trim_matches('/').to_owned();
    let mut rows = window.on(&place, |index| blocks(index, &folder, touched.as_ref()))?;
    match asked.sort.as_str() {
        "lines" => rows.sort_by_key(|row| std::cmp::Reverse(row.lines)),
        "touched" => rows.sort_by_key(|row| std::cmp::Reverse(row.touched)),
        "findings" => rows.sort_by_key(|row| std::cmp::Reverse(row.findings.len())),
        _ => {}
    }
    let total = rows.len() as u64;
    Ok(CodeFiles { rows: rows.into_iter().skip(asked.offset).take(asked.limit.min(MOST)).collect(), total })
}

/// How the project does things.
pub(super) fn patterns(window: &Window, asked: CodeIn) -> Result<CodeWays, Error> {
    window.on(&window.place(&asked.project)?, |index| {
        let whole = git_history::bring_up_to_date(index, SHORT)?;
        let known = code::patterns::patterns(index.store, None).map_err(|error| failure(&error))?;
        let way = |one: code::patterns::Adoption| {
            let (lately, before) =
                one.growth.as_ref().map_or((0, 0), |growth| (growth.lately, growth.before));
            let trend = one.growth.as_ref().and_then(|growth| growth.trend);
            CodeWay {
                example: index.shows(&one.example).then_some(one.example),
                name: one.name,
                files: one.files,
                share: one.share,
                trend: trend.map(|trend| trend.name().to_owned()),
                curve: one.growth.map(|growth| growth.curve).unwrap_or_default(),
                lately,
                before,
            }
        };
        let category = |one: code::patterns::Pattern| CodeCategory {
            category: one.category,
            ways: std::iter::once(one.primary).chain(one.also).map(way).collect(),
            conflict: one.conflict.is_some(),
        };
        let naming = |(what, form, share)| CodeNaming { what, form, share };
        Ok(CodeWays {
            categories: known.patterns.into_iter().map(category).collect(),
            golden: known.golden_files.into_iter().filter(|file| index.shows(file)).collect(),
            naming: known.naming.into_iter().map(naming).collect(),
            reading: !whole,
        })
    })
}

/// Import cycles among hand-written files, including tests.
pub(super) fn cycles(window: &Window, asked: CodePart) -> Result<CodeCycles, Error> {
    window.on(&window.place(&asked.project)?, |index| {
        let kept = |file: &File| is_ours(file) && index.shows(&file.path);
        let graph =
            Graph::from_dependencies(index.store, index.reader, kept).map_err(|error| failure(&error))?;
        let all = found(&graph);
        let total = all.len() as u64;
        let page = all.into_iter().skip(asked.offset).take(asked.limit.min(MOST));
        let row = |one: code::graph::Cycle| CodeCycle {
            files: one.shortest,
            part_of: one.files.len() as u64,
            severity: one.severity.to_owned(),
        };
        Ok(CodeCycles { rows: page.map(row).collect(), total, files: graph.paths.len() as u64 })
    })
}

#[cfg(test)]
mod tests {
    use super::{CodeBlock, children};

    fn file(path: &str, lines: u64, touched: u64) -> CodeBlock {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        CodeBlock { path: path.to_owned(), name, files: 1, lines, touched, ..CodeBlock::default() }
    }

    #[test]
    fn a_folder_is_the_sum_of_its_files_and_the_largest_comes_first() {
        let files = [
            file("src/a/one.rs", 10, 1),
            file("src/a/two.rs", 20, 2),
            file("src/b.rs", 5, 0),
            file("srcs/x.rs", 9, 9),
        ];
        let top: Vec<_> = children(&files, "")
            .into_iter()
            .map(|one| (one.path, one.folder, one.files, one.lines))
            .collect();
        assert_eq!(top, [("src".to_owned(), true, 3, 35), ("srcs".to_owned(), true, 1, 9)]);
        let src: Vec<_> =
            children(&files, "src").into_iter().map(|one| (one.path, one.folder, one.touched)).collect();
        assert_eq!(src, [("src/a".to_owned(), true, 3), ("src/b.rs".to_owned(), false, 0)]);
        assert_eq!(children(&files, "none"), []);
    }
}
