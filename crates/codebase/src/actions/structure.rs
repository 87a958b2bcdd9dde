//! Describes the project's structure: the map, import cycles, and conventions.

use std::collections::BTreeSet;

use code::CodebaseError;
use code::graph::{Graph, find_cycles_through, map as drawn, programs};
use code::language::Language;
use code::role::Role;
use code::search::File;
use contract::Error;
use serde_json::{Map, Value, json};

use super::dependencies::MAX_MANIFEST;
use super::{ActionReply, caveat};
use crate::index::{Index, failure};

/// The default number of lines of each kind.
const LINES: usize = 12;

/// Whether a file belongs to the product, and so to the map.
fn is_product(file: &File) -> bool {
    let none = [Role::TEST, Role::VENDORED, Role::GENERATED, Role::EXAMPLE, Role::DOCS, Role::MINIFIED];
    !none.iter().any(|role| file.role.is(*role))
}

fn below(path: &str, folder: Option<&str>) -> bool {
    folder.is_none_or(|folder| {
        path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Whether a file of the product is below the folder and may be read.
pub(super) fn kept(index: &Index<'_>, folder: Option<&str>, file: &File) -> bool {
    is_product(file) && below(&file.path, folder) && index.shows(&file.path)
}

/// The languages of the product's programs in a folder of which this is true. Build files are programs of the tool that builds.
fn languages(index: &Index<'_>, folder: Option<&str>, wanted: fn(&Language) -> bool) -> Vec<String> {
    let files = index.reader.files().iter().filter(|file| kept(index, folder, file));
    let files = files.filter(|file| !file.path.ends_with(".gradle"));
    let names: BTreeSet<&str> = files.map(|file| file.language.as_str()).collect();
    let known = names.into_iter().filter_map(code::language::by_name);
    known.filter(|one| one.is_program() && wanted(one)).map(|one| one.name.to_owned()).collect()
}

/// The languages of the files whose imports aren't followed, so that nobody knows who needs them.
fn unfollowed(index: &Index<'_>, folder: Option<&str>) -> Vec<String> {
    languages(index, folder, |one| !code::resolve::follows(one.name))
}

/// Says which languages' imports aren't followed.
fn add_unfollowed(data: &mut Value, lines: &mut Vec<String>, languages: &[String]) {
    if !languages.is_empty() {
        data["importsNotFollowed"] = languages.into();
        lines.push(format!(
            "imports of {} aren't followed, so who needs whom isn't known there",
            languages.join(", ")
        ));
    }
}

/// Draws the map.
///
/// # Errors
/// When no file is in the folder.
pub(crate) fn map(
    index: &Index<'_>,
    folder: Option<&str>,
    limit: Option<usize>,
) -> Result<ActionReply, Error> {
    let folder = index.scope(folder)?;
    // Other folders import from this one.
    let graph = Graph::of(index.reader, |file| kept(index, None, file));
    let inside = |path: &str| below(path, folder.as_deref());
    let read = |path: &str| home::read_regular_text(&index.place.file(path), MAX_MANIFEST).ok();
    let programs = programs(index.store, index.reader, &read).map_err(|error| failure(&error))?;
    let drawn = drawn(&graph, &inside, &programs, limit.unwrap_or(LINES).clamp(1, 100));
    let own = Graph::of(index.reader, |file| kept(index, folder.as_deref(), file));
    let folders: Vec<Value> = drawn
        .folders
        .iter()
        .map(|folder| json!({"path": folder.path, "files": folder.files, "hub": folder.hub, "uses": folder.uses}))
        .collect();
    let hubs: Vec<Value> =
        drawn.hubs.iter().map(|(file, count)| json!({"file": file, "importedByCount": count})).collect();
    let stamp = index.status.stamp();
    let mut lines = caveat(&stamp);
    let before = lines.len();
    for folder in &drawn.folders {
        let hub = folder.hub.as_deref().map(|hub| format!("  hub {hub}")).unwrap_or_default();
        let uses =
            if folder.uses.is_empty() { String::new() } else { format!("  uses {}", folder.uses.join(", ")) };
        let files = contract::count(folder.files as u64, "file");
        lines.push(format!("{files:>11}  {}{hub}{uses}", folder.path));
    }
    lines.extend(drawn.entry_points.iter().map(|file| format!("begins in {file}")));
    // Each of these has at least two.
    lines.extend(drawn.hubs.iter().map(|(file, count)| format!("{count} import {file}")));
    let mut data = json!({
        "status": "success",
        "folders": folders,
        "moreFolders": drawn.more_folders,
        "entryPoints": drawn.entry_points,
        "hubs": hubs,
        "graphStats": {"files": own.paths.len(), "edges": own.edges()},
    });
    add_unfollowed(&mut data, &mut lines, &unfollowed(index, folder.as_deref()));
    if lines.len() == before {
        let hint = "nothing to draw: tests, examples, documents and what others made aren't on the map";
        data["hint"] = hint.into();
        lines.push(hint.to_owned());
    }
    if !index.status.is_fresh() {
        data["index"] = stamp;
    }
    Ok(ActionReply { data, lines })
}

/// Finds import cycles.
///
/// # Errors
/// When the index cannot be read.
pub(crate) fn cycles(
    index: &Index<'_>,
    scope: Option<&str>,
    limit: Option<usize>,
    offset: usize,
) -> Result<ActionReply, Error> {
    let scope = index.scope(scope)?;
    // A circle may leave the folder and come back.
    let graph = Graph::from_dependencies(index.store, index.reader, |file| kept(index, None, file))
        .map_err(|error| failure(&error))?;
    let all = find_cycles_through(&graph, |path| below(path, scope.as_deref()));
    let limit = limit.unwrap_or(20).clamp(1, 500);
    let page: Vec<Value> = all
        .iter()
        .skip(offset)
        .take(limit)
        .map(|one| {
            json!({
                "files": one.shortest,
                "length": one.shortest.len(),
                "severity": one.severity,
                "partOf": one.files.len(),
            })
        })
        .collect();
    let stamp = index.status.stamp();
    let mut lines = caveat(&stamp);
    for one in all.iter().skip(offset).take(limit) {
        let more = one.files.len() - one.shortest.len();
        let more = if more > 0 {
            format!("  (of {} files that reach one another)", one.files.len())
        } else {
            String::new()
        };
        lines.push(format!("{:<6} {}{more}", one.severity, one.shortest.join(" → ")));
    }
    let unfollowed = unfollowed(index, scope.as_deref());
    if all.is_empty() {
        lines.push(no_circles(unfollowed.is_empty()).to_owned());
    }
    let advice = match all.first() {
        None if !unfollowed.is_empty() => "no cycles are known".to_owned(),
        None => "no cycles".to_owned(),
        Some(first) => {
            format!("begin with {}: the shortest cycle is the easiest to cut", first.shortest.join(" → "))
        }
    };
    let mut data = json!({
        "status": "success",
        "count": all.len(),
        "graphStats": {"files": graph.paths.len(), "edges": graph.edges()},
        "advice": advice,
    });
    if offset > 0 {
        data["offset"] = offset.into();
    }
    if offset + page.len() < all.len() {
        data["nextOffset"] = (offset + page.len()).into();
    }
    data["cycles"] = page.into();
    add_unfollowed(&mut data, &mut lines, &unfollowed);
    if !index.status.is_fresh() {
        data["index"] = stamp;
    }
    Ok(ActionReply { data, lines })
}

/// What is printed without a circle; `all` if all imports are followed.
fn no_circles(all: bool) -> &'static str {
    if all {
        "no file imports itself through others"
    } else {
        "no file whose imports are followed imports itself through others"
    }
}

/// The specification's category of libraries comprises several categories here.
const LIBRARIES: &[&str] = &["errors", "logging", "async", "http", "data"];
/// What has no libraries: how files import one another, and how names are written.
const WITHOUT_LIBRARIES: &[&str] = &["imports", "naming"];

/// Every category that [`patterns`] can be asked for.
pub(crate) fn categories() -> Vec<&'static str> {
    let of_ways = code::patterns::CATEGORIES.iter().copied();
    let further = WITHOUT_LIBRARIES.iter().copied();
    std::iter::once("all").chain(of_ways).chain(["libraries"]).chain(further).collect()
}

/// Counts how the project does things; `category` is one of [`categories`].
///
/// # Errors
/// When the category is unknown, or the index cannot be read.
pub(crate) fn patterns(index: &Index<'_>, category: Option<&str>) -> Result<ActionReply, Error> {
    if let Some(wrong) = category.filter(|asked| !categories().contains(asked)) {
        let (value, known) = (wrong.to_owned(), categories().join(", "));
        return Err(failure(&CodebaseError::Unknown { what: "category", value, known }));
    }
    let whole = crate::index::git_history::bring_up_to_date(index, index.patience())?;
    let libraries = category == Some("libraries");
    let without = category.is_some_and(|asked| WITHOUT_LIBRARIES.contains(&asked));
    let only = category.filter(|_| !libraries && !without);
    let known = code::patterns::patterns(index.store, only).map_err(|error| failure(&error))?;
    let among = |of: &str| !without && (!libraries || LIBRARIES.contains(&of));
    let ways = known.patterns.iter().filter(|one| among(&one.category));
    let (mut patterns, mut conflicts, mut lines) = (Map::new(), Vec::new(), caveat(&index.status.stamp()));
    let before = lines.len();
    for one in ways {
        let adoption = |way: &code::patterns::Adoption| {
            let example = index.shows(&way.example).then(|| way.example.clone());
            let mut out = json!({
                "name": way.name,
                "files": way.files,
                "frequency": format!("{} %", (way.share * 100.0).round()),
                "example": example,
            });
            if let Some(growth) = &way.growth {
                out["newUses"] = json!({"lastSixMonths": growth.lately, "before": growth.before});
                if let Some(trend) = growth.trend {
                    out["trend"] = trend.name().into();
                }
            }
            out
        };
        let goes = |way: &code::patterns::Adoption| match way.growth.as_ref().and_then(|growth| growth.trend)
        {
            Some(code::patterns::Trend::Rising) => ", rising",
            Some(code::patterns::Trend::Declining) => ", declining",
            _ => "",
        };
        let also: Vec<Value> = one.also.iter().map(adoption).collect();
        let others: Vec<String> =
            one.also.iter().map(|way| format!("{} {}{}", way.name, way.files, goes(way))).collect();
        let others = if others.is_empty() { String::new() } else { format!("  also {}", others.join(", ")) };
        let first = &one.primary;
        lines.push(format!(
            "{:<8} {} in {}{}{others}",
            one.category,
            first.name,
            contract::count(first.files, "file"),
            goes(first)
        ));
        if let Some((first, second)) = &one.conflict {
            conflicts.push(json!({
                "category": one.category,
                "primary": first,
                "alternative": second,
                "note": super::conventions::conflict_note(one),
            }));
        }
        patterns
            .insert(one.category.clone(), json!({"primary": adoption(&one.primary), "alsoDetected": also}));
    }
    let golden: Vec<&String> = known.golden_files.iter().filter(|file| index.shows(file)).collect();
    lines.extend(golden.iter().map(|file| format!("a good example: {file}")));
    let naming: Vec<Value> = known
        .naming
        .iter()
        .map(|(what, form, share)| json!({"what": what, "form": form, "share": share}))
        .collect();
    if category == Some("naming") {
        let line = |(what, form, share): &(String, String, f64)| {
            format!("naming   {what}: {form}, {} %", (share * 100.0).round())
        };
        lines.extend(known.naming.iter().map(line));
    }
    let styles = styles(index, category)?;
    lines.extend(styles.iter().map(|one| {
        let evidence = one["evidence"].as_str().map(|place| format!("  ({place})")).unwrap_or_default();
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        format!(
            "{:<8} {}: {} in {}{evidence}",
            text("category"),
            text("language"),
            text("name"),
            contract::count(one["files"].as_u64().unwrap_or(0), "file")
        )
    }));
    let unread = languages(index, None, |one| one.grammar().is_none());
    let nothing = (lines.len() == before).then(|| nothing_known(category, &unread));
    lines.extend(nothing.clone());
    let mostly_unread = nothing.is_none() && is_mostly_unread(index);
    if mostly_unread {
        lines.push(format!("files in {} aren't read for that", unread.join(", ")));
    }
    let mut data = json!({
        "status": "success",
        "patterns": patterns,
        "goldenFiles": golden,
        "conflicts": conflicts,
        "naming": naming,
        "styles": styles,
    });
    if let Some(hint) = nothing {
        data["hint"] = hint.into();
    }
    if mostly_unread {
        data["notRead"] = unread.into();
    }
    if !whole {
        data["history"] = "what commits added is being read; ask again for trends".into();
    }
    if !index.status.is_fresh() {
        data["index"] = index.status.stamp();
    }
    Ok(ActionReply { data, lines })
}

/// Whether more of the product's programs are in languages without a grammar than in others.
fn is_mostly_unread(index: &Index<'_>) -> bool {
    let product = index.reader.files().iter().filter(|file| kept(index, None, file));
    let languages = product.filter_map(|file| code::language::by_name(&file.language));
    let (read, unread): (Vec<_>, Vec<_>) =
        languages.filter(|one| one.is_program()).partition(|one| one.grammar().is_some());
    unread.len() > read.len()
}

/// What is reported about a category of which the project has nothing; `unread` are its languages that nobody reads for that.
fn nothing_known(category: Option<&str>, unread: &[String]) -> String {
    let nothing = match category {
        None | Some("all") => "no known library, import style or error style is used here".to_owned(),
        Some("libraries") => "no known library is used here".to_owned(),
        Some("imports") => "no known import style is used here".to_owned(),
        Some("naming") => {
            "too few names to tell how they are written: it takes ten of one kind in one language".to_owned()
        }
        Some(category) => format!("no known library for {category} is used here"),
    };
    if unread.is_empty() {
        return nothing;
    }
    format!("{nothing}; files in {} aren't read for that", unread.join(", "))
}

/// The ways of writing of a category that no library names, each with a place that shows it.
fn styles(index: &Index<'_>, category: Option<&str>) -> Result<Vec<Value>, Error> {
    let all = code::styles::styles(index.store, &index.place.root, &|path| index.shows(path))
        .map_err(|error| failure(&error))?;
    let asked =
        |one: &code::styles::Style| category.is_none_or(|asked| asked == "all" || asked == one.category);
    let shown = |one: code::styles::Style| {
        let mut out = json!({
            "category": one.category,
            "language": one.language,
            "name": one.name,
            "files": one.files,
            "frequency": format!("{} %", (one.share * 100.0).round()),
        });
        if index.shows(&one.path) {
            out["evidence"] = format!("{}:{}", one.path, one.line).into();
        }
        out
    };
    Ok(all.into_iter().filter(asked).map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_whose_imports_are_not_followed_are_named() {
        let (mut data, mut lines) = (json!({}), Vec::new());
        add_unfollowed(&mut data, &mut lines, &[]);
        assert!(data.get("importsNotFollowed").is_none() && lines.is_empty());
        add_unfollowed(&mut data, &mut lines, &["csharp".to_owned(), "swift".to_owned()]);
        assert_eq!(data["importsNotFollowed"], json!(["csharp", "swift"]));
        assert_eq!(lines, ["imports of csharp, swift aren't followed, so who needs whom isn't known there"]);
        // Each language that has a grammar is either followed or named.
        let followed = |name: &str| code::resolve::follows(name);
        let left: Vec<&str> = code::language::LANGUAGES
            .iter()
            .filter(|l| l.grammar().is_some() && !followed(l.name))
            .map(|l| l.name)
            .collect();
        assert_eq!(left, [""; 0]);
    }
}
