//! Builds a review in the worker: the diff, its definitions, their uses elsewhere, the tests that name them, and what to check.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use code::graph::{Graph, find_cycles};
use code::refs::{self, Confidence};
use code::review::{
    Change, FileChange, Level, Reviewed, Risk, SymbolChange, broken_imports, changed_definitions,
    changed_files, removed_lines, renames, risks, risky_lines, with_renames,
};
use code::role::Role;
use code::search::Reader;
use code::{Kind, Store};
use serde_json::{Value, json};

use super::git::Compared;
use super::{IndexLocation, TestFiles};

/// The number of files in a diff that are reviewed.
const FILES: usize = 300;
/// The number of definitions whose uses are looked for, what others can see first.
const SYMBOLS: usize = 60;
/// The number of uses that are named for each definition.
const NAMED: usize = 12;
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// Of files that the index leaves out, smaller ones have secrets.
const MAX_UNKNOWN: u64 = 256 * 1024;
/// The shortest name whose uses are looked for when it's gone: one or two letters are a word of everything.
const SHORT: usize = 3;

/// The files of a diff, by path.
type Diff<'a> = BTreeMap<&'a str, &'a FileChange>;

/// Makes the review of everything since `base`.
pub(super) fn review(place: &IndexLocation, base: Option<&str>) -> Result<Value, String> {
    let compared = Compared::with(&place.root, base)?;
    let store = Store::open_read_only(&place.db).map_err(|error| error.to_string())?;
    let store = store.ok_or_else(|| "there is no index yet".to_owned())?;
    let reader = Reader::open(&store).map_err(|error| error.to_string())?;
    let (files, removed) = changes_of_files(&compared, &reader, place)?;
    let shown_files = with_renames(&files, &renames(&compared.renamed(), &files));
    let (mut symbols, risky, left) =
        changes_of_definitions(&compared, &reader, place, &shown_files, &removed);
    // Definitions that moved to another file of the diff weren't removed; one that was in the other file before is another.
    let key = |one: &SymbolChange| (one.container.clone(), one.name.clone());
    let mut there: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for one in symbols.iter().filter(|one| one.change == Change::Added) {
        there.entry(key(one)).or_default().push(one.file.clone());
    }
    let has_moved = |one: &SymbolChange| one.change == Change::Removed && there.contains_key(&key(one));
    let moved: Vec<SymbolChange> = symbols.iter().filter(|one| has_moved(one)).cloned().collect();
    symbols.retain(|one| !has_moved(one));
    symbols.retain(|one| one.kind != Kind::Module);
    // What was in a type that's gone went with it.
    let gone: BTreeSet<(String, String)> = symbols
        .iter()
        .filter(|one| one.change == Change::Removed && one.kind.is_type())
        .map(|one| (one.file.clone(), whole_name(one)))
        .collect();
    symbols.retain(|one| {
        let around = one.container.match_indices('.').map(|(at, _)| &one.container[..at]);
        let mut around = around.chain([one.container.as_str()]);
        one.change != Change::Removed
            || !around.any(|container| gone.contains(&(one.file.clone(), container.to_owned())))
    });
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by_key(|at| {
        let one = &symbols[*at];
        (is_test(&reader, &one.file), !one.exported, one.change == Change::Added, *at)
    });
    let in_diff: Diff<'_> = files.iter().map(|file| (file.path.as_str(), file)).collect();
    let (mut reviewed, mut shown) = (Vec::new(), Vec::new());
    for (number, at) in order.into_iter().enumerate() {
        let symbol = symbols[at].clone();
        let is_short = symbol.change == Change::Removed && symbol.name.chars().count() < SHORT;
        let known = number < SYMBOLS && !is_short;
        let mut one = Reviewed { symbol, outside: BTreeSet::new(), users: 0, tests: 0, known };
        let mut data = serde_json::to_value(&one.symbol).map_err(|error| error.to_string())?;
        if is_test(&reader, &one.symbol.file) {
            one.known = false;
        } else if !one.known {
            data["usesKnown"] = false.into();
        } else {
            uses(&store, &reader, place, &in_diff, &mut one, &mut data)?;
        }
        shown.push(data);
        reviewed.push(one);
    }
    let needs = Graph::from_dependencies(&store, &reader, |file| {
        !file.role.is(Role::VENDORED) && !file.role.is(Role::GENERATED)
    })
    .map_err(|error| error.to_string())?;
    let in_circles = find_cycles(&needs).into_iter().flat_map(|circle| circle.files).collect();
    let broken = broken_imports(&store, &place.root, &files, |path| compared.before(path))
        .map_err(|error| error.to_string())?;
    let mut risks = risks(&shown_files, &reviewed, &broken, &in_circles);
    risks.extend(risky);
    for one in moved.iter().filter(|one| one.container.is_empty()).take(SYMBOLS) {
        let to = there.get(&key(one)).map(Vec::as_slice).unwrap_or_default();
        risks.extend(old_imports(&store, &reader, place, &in_diff, one, to)?);
    }
    let what = "it's in a merge whose conflicts aren't resolved";
    let conflicts = compared.unmerged()?.into_iter();
    risks.extend(conflicts.map(|file| Risk { level: Level::High, what: what.to_owned(), file }));
    risks.sort_by(|a, b| (a.level, &a.file).cmp(&(b.level, &b.file)));
    Ok(json!({
        "base": compared.base,
        "files": shown_files,
        "symbols": shown,
        "risks": risks,
        "notLookedInto": left,
    }))
}

/// The files that changed, by path (those of the diff, and those that git doesn't track yet), and the lines that went from own files.
fn changes_of_files(
    compared: &Compared<'_>,
    reader: &Reader,
    place: &IndexLocation,
) -> Result<(Vec<FileChange>, HashSet<String>), String> {
    let (names, patch) = compared.diff()?;
    let mut files = changed_files(&names, &patch);
    for path in compared.untracked()? {
        let lines =
            home::read_regular_text(&place.file(&path), MAX_FILE).map_or(0, |text| text.lines().count());
        let last = u32::try_from(lines).unwrap_or(u32::MAX);
        let now = if lines == 0 { Vec::new() } else { vec![(1, last)] };
        files.push(FileChange {
            path,
            change: Change::Added,
            added: lines as u64,
            now,
            ..FileChange::default()
        });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((files, removed_lines(&patch, |path| is_own(reader, path))))
}

/// The definitions that changed in these files, in the files' order, the risky lines that came, and how many files are too many to
/// look into.
fn changes_of_definitions(
    compared: &Compared<'_>,
    reader: &Reader,
    place: &IndexLocation,
    files: &[FileChange],
    removed: &HashSet<String>,
) -> (Vec<SymbolChange>, Vec<Risk>, usize) {
    let mut looked_into: Vec<&FileChange> = files
        .iter()
        // What is in a file that only has another name is as it was.
        .filter(|file| file.change != Change::Renamed)
        .filter(|file| file.change == Change::Removed || at(reader, &file.path).is_some())
        .collect();
    // The product's code comes first.
    looked_into.sort_by_key(|file| is_aside(reader, &file.path));
    let left = looked_into.len().saturating_sub(FILES);
    looked_into.truncate(FILES);
    looked_into.sort_by(|a, b| a.path.cmp(&b.path));
    let (mut symbols, mut risky) = (Vec::new(), Vec::new());
    for file in looked_into {
        let before = (file.change != Change::Added).then(|| compared.before(&file.path)).flatten();
        let now = text_of(place, &file.path, MAX_FILE);
        symbols.extend(changed_definitions(file, before.as_deref(), now.as_deref()));
        if let Some(now) = now.as_deref().filter(|_| is_own(reader, &file.path)) {
            risky.extend(risky_lines(file, before.as_deref(), now, removed));
        }
    }
    // What the index leaves out may have a secret: `.env`, a key.
    let unknown = files.iter().filter(|file| {
        let is_there = matches!(file.change, Change::Added | Change::Changed) && !file.now.is_empty();
        is_there && at(reader, &file.path).is_none() && is_own(reader, &file.path)
    });
    for file in unknown.take(FILES) {
        let Some(now) = text_of(place, &file.path, MAX_UNKNOWN) else { continue };
        let found = |before: Option<&str>| risky_lines(file, before, &now, removed);
        if !found(None).is_empty() {
            risky.extend(found(compared.before(&file.path).as_deref()));
        }
    }
    (symbols, risky, left)
}

/// A file's text as it is now, if it has at most so many bytes.
fn text_of(place: &IndexLocation, path: &str, most: u64) -> Option<String> {
    let bytes = home::read_regular(&place.file(path), most).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a file is the product's own, and no test.
fn is_own(reader: &Reader, path: &str) -> bool {
    let role = role(reader, path);
    let others = [Role::TEST, Role::EXAMPLE, Role::VENDORED, Role::GENERATED, Role::MINIFIED];
    !others.iter().any(|one| role.is(*one))
}

/// A file's place in the index.
fn at(reader: &Reader, path: &str) -> Option<usize> {
    reader.files().binary_search_by(|one| one.path.as_str().cmp(path)).ok()
}

fn role(reader: &Reader, path: &str) -> Role {
    at(reader, path).map_or_else(|| code::role::of(path, None, ""), |at| reader.files()[at].role)
}

fn is_test(reader: &Reader, path: &str) -> bool {
    role(reader, path).is(Role::TEST)
}

/// Whether a file is looked into after the product's own code: tests and examples, then what has no definitions to follow or
/// what others made.
fn is_aside(reader: &Reader, path: &str) -> (bool, bool) {
    let role = role(reader, path);
    let any = |roles: &[Role]| roles.iter().any(|one| role.is(*one));
    let followed = code::language::of(path, "").is_some_and(|language| language.grammar().is_some());
    (!followed || any(&[Role::VENDORED, Role::GENERATED, Role::MINIFIED]), any(&[Role::TEST, Role::EXAMPLE]))
}

/// Whether a line is one that a diff has: what it leaves as it was in a file that it changes is outside.
fn has_line(diff: &Diff<'_>, path: &str, line: u32) -> bool {
    diff.get(path).is_some_and(|file| file.now.iter().any(|(first, last)| (*first..=*last).contains(&line)))
}

/// A definition's name behind what it is in.
fn whole_name(one: &SymbolChange) -> String {
    if one.container.is_empty() { one.name.clone() } else { format!("{}.{}", one.container, one.name) }
}

/// The names of constructors in languages where that isn't the name of their type.
fn constructors(language: &str) -> &'static [&'static str] {
    match language {
        "python" => &["__init__", "__new__"],
        "php" => &["__construct"],
        "ruby" => &["initialize"],
        "swift" => &["init"],
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "kotlin" => &["constructor"],
        _ => &[],
    }
}

/// The type that a definition is the constructor of: whoever calls it names that. In C++ and C# some don't: `Cart one(1)`, `new(1)`.
fn constructed(symbol: &SymbolChange) -> Option<&str> {
    let owner = symbol.container.rsplit('.').next().filter(|owner| !owner.is_empty())?;
    let language = code::language::of(&symbol.file, "")?.name;
    let is_one = constructors(language).contains(&symbol.name.as_str())
        || language == "java" && symbol.name == owner && symbol.kind == Kind::Method;
    (symbol.change != Change::Removed && is_one).then_some(owner)
}

/// Whether a use of a type gives something to its constructor: a call, `Cart.new`, `Cart::new`, or the head of a type that inherits it.
fn constructs(usage: &refs::Use, of: &str) -> bool {
    let has = |ending: &str, mark: &str| {
        let whole = format!("{of}{mark}new");
        let mut places = usage.text.match_indices(&whole);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        usage.path.ends_with(ending)
            && places.any(|(at, _)| {
                let (before, behind) = (&usage.text[..at], &usage.text[at + whole.len()..]);
                !before.ends_with(is_word) && !behind.starts_with(is_word)
            })
    };
    // In Ruby a method is called on the type: `Cart.newest` is a call, too.
    let is_called = usage.role == refs::Role::Call && !usage.path.ends_with(".rb");
    is_called || usage.base_of.is_some() || has(".rb", ".") || has(".java", "::")
}

/// The uses of a definition, and the tests that name it.
fn uses(
    store: &Store,
    reader: &Reader,
    place: &IndexLocation,
    in_diff: &Diff<'_>,
    one: &mut Reviewed,
    data: &mut Value,
) -> Result<(), String> {
    let symbol = &one.symbol;
    let owner = symbol.container.rsplit('.').next().unwrap_or_default();
    let gone = symbol.change == Change::Removed;
    let whole = if owner.is_empty() { symbol.name.clone() } else { format!("{owner}.{}", symbol.name) };
    let mut tests = TestFiles::of(store, &whole, &symbol.name).map_err(|error| error.to_string())?;
    let made = constructed(symbol);
    let name = match made {
        Some(of) => of.to_owned(),
        None if gone => symbol.name.clone(),
        None => whole,
    };
    let found = refs::references(store, reader, &place.root, &name).map_err(|error| error.to_string())?;
    // If another definition has a removed one's name, the uses are the other's, but for those that nothing is found for in files
    // that import the one it's gone from, and in that itself.
    let others = gone && !found.definitions.is_empty();
    let importers: HashSet<&str> = if others {
        let files = reader.files();
        let importers = at(reader, &symbol.file).into_iter().flat_map(|at| &files[at].imported_by);
        importers.map(|at| files[*at as usize].path.as_str()).chain([symbol.file.as_str()]).collect()
    } else {
        HashSet::new()
    };
    let mine: Vec<usize> =
        (0..found.definitions.len()).filter(|at| found.definitions[*at].path == symbol.file).collect();
    let (mut callers, mut users) = (Vec::new(), BTreeSet::new());
    for usage in &found.uses {
        let meant = usage.of.is_empty() || usage.of.iter().any(|at| mine.contains(at));
        let sure = usage.confidence != Confidence::Textual || gone && usage.role != refs::Role::Text;
        let other = others && !(usage.of.is_empty() && importers.contains(usage.path.as_str()));
        if !meant || other || usage.path == symbol.file && usage.inside.as_deref() == Some(&symbol.name) {
            continue;
        }
        if made.is_some_and(|of| !constructs(usage, of)) {
            continue;
        }
        let inside = usage.inside.as_deref().unwrap_or_default();
        let in_test =
            inside.split('.').any(|part| matches!(part, "tests" | "test") || part.starts_with("test_"));
        if is_test(reader, &usage.path) || in_test {
            tests.add(&usage.path, usage.confidence);
        } else if sure && usage.role != refs::Role::Import {
            users.insert(usage.path.clone());
            if !has_line(in_diff, &usage.path, usage.line) {
                one.outside.insert(usage.path.clone());
                callers.push(json!({"file": usage.path, "line": usage.line, "preview": usage.text}));
            }
        }
    }
    (one.users, one.tests) = (users.len(), tests.count());
    let more = callers.len().saturating_sub(NAMED);
    callers.truncate(NAMED);
    data["callers"] = callers.into();
    if more > 0 {
        data["moreCallers"] = more.into();
    }
    data["tests"] = json!(tests.tests().iter().take(NAMED).collect::<Vec<_>>());
    let (reached, more) = second_hop(store, reader, &symbol.file, &users)?;
    if !reached.is_empty() {
        data["reached"] = reached.into();
    }
    if more > 0 {
        data["moreReached"] = more.into();
    }
    Ok(())
}

/// The imports outside the diff that name a definition where it was before it moved to the files `to`. None where the old file
/// still names it or imports something of the diff: it may pass it on.
fn old_imports(
    store: &Store,
    reader: &Reader,
    place: &IndexLocation,
    in_diff: &Diff<'_>,
    moved: &SymbolChange,
    to: &[String],
) -> Result<Vec<Risk>, String> {
    let Ok(text) = home::read_regular_text(&place.file(&moved.file), MAX_FILE) else {
        return Ok(Vec::new());
    };
    let mut names = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    let passes_on =
        |imports: &BTreeMap<String, u32>| imports.keys().any(|path| in_diff.contains_key(path.as_str()));
    let imported = |path: &str| store.imported_lines(path).map_err(|error| error.to_string());
    if names.any(|name| name == moved.name) || passes_on(&imported(&moved.file)?) {
        return Ok(Vec::new());
    }
    let importers = store.import_lines(&moved.file).map_err(|error| error.to_string())?;
    let found =
        refs::references(store, reader, &place.root, &moved.name).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    for usage in found.uses {
        let names_it = usage.role == refs::Role::Import && usage.confidence == Confidence::Textual;
        let is_outside = importers.contains_key(&usage.path) && !in_diff.contains_key(usage.path.as_str());
        if names_it && is_outside && !imported(&usage.path)?.keys().any(|path| to.contains(path)) {
            // Where it is now isn't named: whoever reads this may not be allowed to read that.
            let what =
                format!("line {} imports `{}` from a file that it moved out of", usage.line, moved.name);
            out.push(Risk { level: Level::High, what, file: usage.path });
        }
    }
    Ok(out)
}

/// The files that import one of the `users` of a definition, each with the line of that import, and how many more there are.
fn second_hop(
    store: &Store,
    reader: &Reader,
    file: &str,
    users: &BTreeSet<String>,
) -> Result<(Vec<Value>, usize), String> {
    let files = reader.files();
    let importers = users.iter().filter_map(|path| at(reader, path)).flat_map(|at| &files[at].imported_by);
    let reached: BTreeSet<&str> = importers
        .map(|at| files[*at as usize].path.as_str())
        .filter(|path| *path != file && !users.contains(*path) && !is_test(reader, path))
        .collect();
    let more = reached.len().saturating_sub(NAMED);
    let mut named = Vec::new();
    for path in reached.into_iter().take(NAMED) {
        let imports = store.imported_lines(path).map_err(|error| error.to_string())?;
        let line = imports.into_iter().filter(|(to, _)| users.contains(to)).map(|(_, line)| line).min();
        named.push(json!({"file": path, "line": line, "hop": 2}));
    }
    Ok((named, more))
}
