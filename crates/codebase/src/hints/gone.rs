//! After a file or a folder was removed or moved, names who still imports it: by a patch, by a tool that deletes, by a command of the
//! shell.

use std::path::Path;

use system::ModelContext;

use super::edits::{FileEdit, Moment};
use super::touched::word_at;
use super::{LOOKED_INTO, Near, fitting};

/// The most imports of a folder's files that are looked at.
const MOST_IMPORTS: usize = 200;
/// The number of importers that are read.
const READ: usize = 24;
/// The endings of scripts, which imports leave out.
const SCRIPT_ENDINGS: &[&str] = &["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"];
/// The endings of TypeScript.
const TYPESCRIPT_ENDINGS: &[&str] = &["ts", "tsx", "mts", "cts"];
/// The beginnings of imports that are relative to their own file or crate: such an import doesn't find a file that was
/// moved elsewhere.
const RELATIVE: &[&str] = &["./", "from .", "mod ", "crate::", "super::", "self::"];

/// The importers of the files at `path` in the index, which an edit removes or renames.
pub(super) fn tell(near: &Near<'_>, path: &str, edited: &FileEdit, moment: Moment) -> Option<ModelContext> {
    // A command may name many, one after the other.
    if path.is_empty()
        || !near.in_time()
        || !near.store.is_complete().ok()?
        || moment == Moment::After && near.root.join(path).exists()
    {
        return None;
    }
    let is_file = near.store.indexed_file(path).ok()?.is_some();
    let imports: Vec<(String, String, u32)> = if is_file {
        let importers = near.store.first_importers(path).ok()?.into_iter();
        importers.map(|(importer, line)| (path.to_owned(), importer, line)).collect()
    } else {
        near.store.import_lines_below(path, MOST_IMPORTS).ok()?
    };
    let moved_to = edited.moved_to.as_ref().and_then(|to| destination(near, path, to));
    let mut lines: Vec<String> = Vec::new();
    let shown = imports.into_iter().filter(|(_, importer, _)| importer != path && near.shows(importer));
    for (file, importer, line) in shown.take(READ) {
        if !near.in_time() {
            return None;
        }
        let to = moved_to.as_ref().map(|to| format!("{to}{}", file.strip_prefix(path).unwrap_or_default()));
        let place = format!("{importer}:{line}");
        if !lines.contains(&place) && misses(near, &file, to.as_deref(), &importer, line) {
            lines.push(place);
        }
        if lines.len() == LOOKED_INTO {
            break;
        }
    }
    let what = if is_file { path.to_owned() } else { format!("{path}/") };
    let first = match moment {
        Moment::Before => format!("{what}, which this removes, is imported in other files:"),
        Moment::After => format!("{what}, just removed, is imported in other files:"),
    };
    let text = fitting(&first, &lines, "")?;
    near.first_time(&format!("gone {path}")).then_some(ModelContext {
        text,
        reason: "users of what was removed",
        ledger_name: "users",
    })
}

/// The new path within the project: a moving command may name only the target folder.
fn destination(near: &Near<'_>, path: &str, to: &Path) -> Option<String> {
    let to = near.relative(to)?;
    let inside = format!("{to}/{}", path.rsplit('/').next().unwrap_or(path));
    Some(if near.root.join(&inside).exists() { inside } else { to })
}

/// Whether an import on this line of `importer` meant `file` and finds it no longer.
fn misses(near: &Near<'_>, file: &str, to: Option<&str>, importer: &str, line: u32) -> bool {
    let row = || {
        let text = near.text(importer)?;
        text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
    };
    let (Some(own), Some(row)) = (module_name(file), row()) else { return false };
    let is_now = |place: &String| near.root.join(place).is_file() || to == Some(place.as_str());
    // Then it is missing only for importers that name the file itself.
    let is_elsewhere = || other_places(file).iter().any(is_now);
    let name = file.rsplit('/').next().unwrap_or(file);
    if word_at(&row, &own).is_none() || is_elsewhere() && !row.contains(name) {
        return false;
    }
    // TypeScript names the compiled file: `./cart.js` is `cart.ts`.
    if has_ending(importer, TYPESCRIPT_ENDINGS) && made_from(file).iter().any(is_now) {
        return false;
    }
    let is_go = has_ending(file, &["go"]);
    if is_go && is_package_left(near, file) {
        return false;
    }
    let is_as_read = || {
        let known = near.store.indexed_file(importer).ok().flatten();
        let meta = std::fs::metadata(near.root.join(importer)).ok();
        known.zip(meta).is_some_and(|(known, meta)| known.is_unchanged(&meta))
    };
    match to {
        // An importer edited since then may have the same word on this line without the module: its contents may come
        // from elsewhere now.
        None => is_quoted(&row, &own) || is_as_read(),
        // It may name the new place already. A Go package is only found by its complete path.
        Some(to) => (is_go || !finds(&row, file, to)) && is_as_read(),
    }
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

/// The files that a TypeScript compiler produces this script from.
fn made_from(script: &str) -> Vec<String> {
    let Some((stem, ending)) = script.rsplit_once('.') else { return Vec::new() };
    let sources: &[&str] = match ending {
        "js" => &["ts", "tsx"],
        "jsx" => &["tsx"],
        "mjs" => &["mts"],
        "cjs" => &["cts"],
        _ => &[],
    };
    sources.iter().map(|source| format!("{stem}.{source}")).collect()
}

/// Whether a folder still provides the package that a Go file was part of: importers name the folder.
fn is_package_left(near: &Near<'_>, file: &str) -> bool {
    let (folder, own) = file.rsplit_once('/').unwrap_or(("", file));
    let names = std::fs::read_dir(near.root.join(folder)).into_iter().flatten().flatten();
    let mut names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.any(|name| name != own && name.ends_with(".go") && !name.ends_with("_test.go"))
}

/// Whether a line has a word in quotes, where most languages name a module.
fn is_quoted(row: &str, word: &str) -> bool {
    row.split(['"', '\'', '`']).skip(1).step_by(2).any(|part| word_at(part, word).is_some())
}

/// Whether a line that imports `from` may find it at `to` by the same words: a search path or a root of sources may have both.
fn finds(row: &str, from: &str, to: &str) -> bool {
    let parts = |path: &str| {
        let mut parts = path.rsplit('/').map(|name| name.split('.').next().unwrap_or_default().to_owned());
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    };
    let ((stem, folder), (new_stem, new_folder)) = (parts(from), parts(to));
    let names_folder = || !folder.is_empty() && word_at(row, &folder).is_some();
    stem == new_stem
        && !RELATIVE.iter().any(|mark| row.contains(mark))
        && (folder == new_folder || !names_folder())
}

/// The name of a module in imports: its file, or the folder of `mod.rs`, `index.ts`, `__init__.py` and all Go files.
fn module_name(path: &str) -> Option<String> {
    if has_ending(path, &["go"]) {
        return path.rsplit('/').nth(1).map(str::to_owned);
    }
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let mut names = path.rsplit('/').map(stem);
    let own = names.next().filter(|own| !["mod", "index", "__init__"].contains(&own.as_str()));
    own.or_else(|| names.next()).filter(|own| !own.is_empty())
}

/// The other places that a module may have while its imports stay as they are: `cart.tsx` and `cart/index.ts` for `cart.ts`, and
/// back.
fn other_places(path: &str) -> Vec<String> {
    let Some((stem, ending)) = path.rsplit_once('.') else { return Vec::new() };
    let (whole, endings): (&str, &[&str]) = match ending {
        "rs" => ("mod", &["rs"][..]),
        "py" => ("__init__", &["py"][..]),
        _ if SCRIPT_ENDINGS.contains(&ending) => ("index", SCRIPT_ENDINGS),
        _ => return Vec::new(),
    };
    let module = stem.strip_suffix(whole).and_then(|folder| folder.strip_suffix('/')).unwrap_or(stem);
    let both = endings
        .iter()
        .flat_map(|ending| [format!("{module}.{ending}"), format!("{module}/{whole}.{ending}")]);
    both.filter(|place| place != path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_may_be_a_file_or_a_folder() {
        for (path, expected) in [
            ("src/shelf.rs", "src/shelf/mod.rs"),
            ("src/shelf/mod.rs", "src/shelf.rs"),
            ("shop/cart/__init__.py", "shop/cart.py"),
            ("src/amod.rs", "src/amod/mod.rs"),
            ("src/Cart.java", ""),
            ("Makefile", ""),
        ] {
            assert_eq!(other_places(path).join(" "), expected, "{path}");
        }
        let places = other_places("web/cart/index.ts");
        assert!(places.len() == 15 && !places.contains(&"web/cart/index.ts".to_owned()), "{places:?}");
        assert!(
            ["web/cart.ts", "web/cart.jsx", "web/cart/index.js"]
                .map(str::to_owned)
                .iter()
                .all(|one| places.contains(one))
        );
    }

    #[test]
    fn a_line_names_a_module_in_quotes() {
        for (row, word, expected) in [
            ("import { total } from './total';", "total", true),
            ("import { total } from './cart';", "total", false),
            ("import \"example.com/g/http\"", "http", true),
            ("const total = require(`./total`);", "total", true),
            ("from shop.total import total", "total", false),
            ("use crate::total;", "total", false),
            ("it's a total of 'x", "total", true),
            ("", "total", false),
        ] {
            assert_eq!(is_quoted(row, word), expected, "{row}");
        }
        assert_eq!(made_from("src/cart.js"), ["src/cart.ts", "src/cart.tsx"]);
        assert_eq!(made_from("src/cart.ts"), [""; 0]);
    }

    #[test]
    fn search_path_imports_may_find_a_moved_file_and_relative_ones_do_not() {
        for (row, from, to, expected) in [
            ("import com.shop.Cart;", "app/java/com/shop/Cart.java", "core/java/com/shop/Cart.java", true),
            ("import com.shop.Cart;", "app/com/shop/Cart.java", "app/com/store/Cart.java", false),
            ("import com.shop.Cart;", "app/com/shop/Cart.java", "app/com/shop/Bag.java", false),
            ("#include \"cart.h\"", "src/cart.h", "include/cart.h", true),
            ("#include \"util/cart.h\"", "util/cart.h", "include/cart.h", false),
            ("import { x } from './cart';", "src/cart.ts", "lib/cart.ts", false),
            ("from .cart import x", "shop/cart.py", "store/cart.py", false),
            ("use crate::cart::Cart;", "src/cart.rs", "src/shop/cart.rs", false),
            ("import cart", "cart.py", "lib/cart.py", true),
        ] {
            assert_eq!(finds(row, from, to), expected, "{row}: {from} > {to}");
        }
    }
}
