//! Which definitions of a name a decision is about, where several have it: the project's own before those of tests and examples, and
//! those before vendored and generated ones. A caller who names a file or folder means what is in it.

use std::collections::{BTreeMap, BTreeSet};

use code::language;
use code::role::Role;
use serde_json::Value;

use crate::index::Index;

/// How far a definition in this file is from what a project's authors would change; the nearest are meant.
pub(super) fn distance(index: &Index<'_>, path: &str) -> u8 {
    let Some(file) = index.file(path) else { return 0 };
    let has = |role: &Role| file.role.is(*role);
    if [Role::VENDORED, Role::GENERATED, Role::MINIFIED].iter().any(has) {
        2
    } else {
        u8::from([Role::TEST, Role::EXAMPLE].iter().any(has))
    }
}

/// Whether a file is in a folder, or is that file.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Which of these files' definitions are meant: those in `folder`, if any are, and of them the nearest.
pub(super) fn meant(paths: &[&str], folder: Option<&str>, distance: impl Fn(&str) -> u8) -> Vec<bool> {
    let is_inside = |path: &str| folder.is_some_and(|folder| is_within(path, folder));
    let narrowed = paths.iter().any(|path| is_inside(path));
    let counts = |path: &str| !narrowed || is_inside(path);
    let nearest = paths.iter().filter(|path| counts(path)).map(|path| distance(path)).min();
    paths.iter().map(|path| counts(path) && Some(distance(path)) == nearest).collect()
}

/// The same for what the worker found: by the places of its definitions, which uses count as well.
pub(super) fn meant_of(found: &Value, folder: Option<&str>, distance: impl Fn(&str) -> u8) -> Vec<bool> {
    let all = found["definitions"].as_array().into_iter().flatten();
    let paths: Vec<&str> = all.map(|one| one["path"].as_str().unwrap_or_default()).collect();
    meant(&paths, folder, distance)
}

/// Whether a use is known to mean only definitions that aren't meant.
pub(super) fn is_of_others(one: &Value, meant: &[bool]) -> bool {
    let mut places = one["of"].as_array().into_iter().flatten().filter_map(Value::as_u64).peekable();
    let is_meant = |at: u64| usize::try_from(at).ok().and_then(|at| meant.get(at)).copied().unwrap_or(true);
    places.peek().is_some() && !places.any(is_meant)
}

/// The other things of a name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Namesakes {
    /// How many there are.
    pub(super) count: usize,
    /// The file of one of them, where no type tells them apart.
    pub(super) elsewhere: Option<String>,
}

/// The other things that have the name of the definition in `file`, of those that are meant. A field is told from a function by how
/// it's used.
pub(super) fn namesakes(found: &Value, meant: &[bool], name: &str, file: &str) -> Namesakes {
    let mut all: Vec<&Value> =
        definitions(found, meant).filter(|(_, meant)| *meant).map(|(one, _)| one).collect();
    if !all.iter().all(|one| says(one, name, "extension")) {
        all.retain(|one| !says(one, name, "extension"));
    }
    let is_part = |one: &Value| one["kind"] == "field" || one["kind"] == "variant";
    let only_parts = all.iter().all(|one| is_part(one));
    let counts = |one: &&Value| only_parts || !is_part(one);
    let mut things: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for one in all.into_iter().filter(counts) {
        if let Some(thing) = thing(one, name) {
            things.entry(thing).or_insert(one["path"].as_str().unwrap_or_default());
        }
    }
    let here = unit(file);
    let own = things.keys().find(|(_, unit)| *unit == here).map(|(container, _)| *container);
    let mut others = things.iter().filter(|((_, unit), _)| !unit.is_empty() && *unit != here);
    let alike = others.clone().all(|((container, _), _)| Some(*container) == own);
    let elsewhere = others.next().filter(|_| alike || own == Some(""));
    Namesakes {
        count: things.len().saturating_sub(1),
        elsewhere: elsewhere.map(|(_, path)| (*path).to_owned()),
    }
}

/// Which of these definitions is the same thing as the one in `file`, so that its uses are that one's.
pub(super) fn same_thing(found: &Value, meant: &[bool], name: &str, file: &str) -> Vec<bool> {
    let is_there = |one: &Value| one["path"] == file;
    let there = definitions(found, meant).filter(|(one, _)| is_there(one));
    let own: BTreeSet<(&str, &str)> = there.filter_map(|(one, _)| thing(one, name)).collect();
    let is_same = |one: &Value| {
        let thing = thing(one, name);
        is_there(one) || says(one, name, "extension") || thing.is_none_or(|thing| own.contains(&thing))
    };
    // Who names one file of a pair means what is in the other as well.
    let is_paired =
        |one: &Value| thing(one, name).is_some_and(|thing| !thing.1.is_empty() && own.contains(&thing));
    let is_meant = |one: &Value, meant: bool| meant && (own.is_empty() || is_same(one));
    definitions(found, meant).map(|(one, meant)| is_paired(one) || is_meant(one, meant)).collect()
}

fn definitions<'v>(found: &'v Value, meant: &[bool]) -> impl Iterator<Item = (&'v Value, bool)> {
    found["definitions"].as_array().into_iter().flatten().zip(meant.iter().copied())
}

/// Whether a word comes before the name in a definition's signature.
fn says(one: &Value, name: &str, word: &str) -> bool {
    let head = one["signature"].as_str().and_then(|signature| signature.split(name).next());
    head.unwrap_or_default().split_whitespace().any(|one| one == word)
}

/// What a definition is one of: its container and its unit. Overloads are one thing, and so are a prototype and the further parts of a
/// type, wherever they are; a constructor isn't a thing of its own.
fn thing<'v>(one: &'v Value, name: &str) -> Option<(&'v str, &'v str)> {
    let (container, path) = (one["container"].as_str()?, one["path"].as_str()?);
    let constructs = one["kind"] == "method" && container.rsplit('.').next() == Some(name);
    // `partial` of C#, `expect` and `actual` of Kotlin; a class of Ruby is opened again.
    let reopened = path.ends_with(".rb") && (one["kind"] == "class" || one["kind"] == "module");
    let in_parts = reopened || ["partial", "expect", "actual"].iter().any(|word| says(one, name, word));
    (!constructs).then_some((container, if in_parts { "" } else { unit(path) }))
}

/// Whose definitions are one thing: a file's own, those of all files of C and C++, which have prototypes elsewhere, and those of code
/// and of the types beside it (`cart.js` and `cart.d.ts`, `cart.py` and `cart.pyi`).
fn unit(path: &str) -> &str {
    if language::of(path, "").is_some_and(|language| language::family(language.name) == "c") {
        return "";
    }
    let scripts = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx"];
    let script = scripts.iter().find_map(|ending| path.strip_suffix(ending));
    let python = path.strip_suffix('i').filter(|path| path.ends_with(".py"));
    script.or(python).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn definition(path: &str, kind: &str, container: &str, signature: &str) -> Value {
        json!({"path": path, "kind": kind, "container": container, "signature": signature})
    }

    /// Tests are nearer than vendored code.
    fn by_folder(path: &str) -> u8 {
        match path.split('/').next() {
            Some("vendor") => 2,
            Some("test") => 1,
            _ => 0,
        }
    }

    #[test]
    fn the_parts_of_a_type_count_once_and_what_tests_or_others_call_so_does_not() {
        for (rows, expected, elsewhere) in [
            (["a.ts: class Cart", "b.ts: class Cart"], 1, Some("b.ts")),
            (["a.ts: class Cart", "test/b.ts: class Cart"], 0, None),
            (["a.ts: class Cart", "vendor/b.ts: class Cart"], 0, None),
            (["test/a.ts: class Cart", "vendor/b.ts: class Cart"], 0, None),
            (["vendor/a.ts: class Cart", "vendor/b.ts: class Cart"], 1, Some("vendor/b.ts")),
            (["a.swift: class Cart", "b.swift: extension Cart: Box"], 0, None),
            (["a.cs: public partial class Cart", "b.cs: partial class Cart"], 0, None),
            (["a.kt: expect class Cart()", "b.kt: actual class Cart"], 0, None),
            (["a.rb: class Cart", "b.rb: class Cart"], 0, None),
            (["a.d.ts: class Cart", "a.js: class Cart"], 0, None),
            (["a.d.mts: class Cart", "a.mjs: class Cart"], 0, None),
            (["a.d.cts: class Cart", "a.cjs: class Cart"], 0, None),
            (["a.py: class Cart", "a.pyi: class Cart"], 0, None),
            (["a.cuh: class Cart", "a.ipp: class Cart"], 0, None),
            (["a.js: class Cart", "a.py: class Cart"], 1, Some("a.py")),
            (["a.js: class Cart", "b.d.ts: class Cart"], 1, Some("b.d.ts")),
        ] {
            let told = rows.map(|row| row.split_once(": ").unwrap());
            let file = told[0].0;
            let told = told.map(|(path, signature)| definition(path, "class", "", signature));
            let found = json!({"definitions": told.to_vec()});
            let found = namesakes(&found, &meant_of(&found, None, by_folder), "Cart", file);
            assert_eq!((found.count, found.elsewhere.as_deref()), (expected, elsewhere), "{rows:?}");
        }
    }

    #[test]
    fn types_tell_members_apart_and_files_tell_functions_apart() {
        let member = |container: &str, path: &str| definition(path, "method", container, "run()");
        let of = |definitions: Vec<Value>| {
            let found = json!({"definitions": definitions});
            namesakes(&found, &meant_of(&found, None, by_folder), "run", "a.ts")
        };
        let types = of(vec![member("App", "a.ts"), member("Job", "b.ts")]);
        assert_eq!(types, Namesakes { count: 1, elsewhere: None });
        let by_file = Namesakes { count: 1, elsewhere: Some("b.ts".to_owned()) };
        assert_eq!(of(vec![member("", "a.ts"), member("", "b.ts")]), by_file);
        assert_eq!(
            of(vec![member("", "a.ts"), member("Job", "b.ts")]),
            by_file,
            "a function has no type to say"
        );
    }

    #[test]
    fn whoever_names_a_folder_means_what_is_in_it() {
        let paths = ["a/one.ts", "b/two.ts", "b/test.ts", "bc/three.ts"];
        for (folder, expected) in [
            (None, [true, true, true, true]),
            (Some("b"), [false, true, true, false]),
            (Some("b/two.ts"), [false, true, false, false]),
            // Who only uses the name there means it all the same.
            (Some("c"), [true, true, true, true]),
        ] {
            assert_eq!(meant(&paths, folder, by_folder), expected, "{folder:?}");
        }
        let tests = meant(&["src/a.ts", "test/a.ts"], Some("test"), by_folder);
        assert_eq!(tests, [false, true], "a test's own, where its folder is named");
    }

    #[test]
    fn only_what_is_the_same_thing_shares_its_uses() {
        let same = |definitions: Vec<Value>, file: &str| {
            let meant = vec![true; definitions.len()];
            same_thing(&json!({"definitions": definitions}), &meant, "run", file)
        };
        let files = ["a.ts", "b.ts"].map(|path| definition(path, "function", "", "function run()")).to_vec();
        assert_eq!(same(files.clone(), "b.ts"), [false, true]);
        assert_eq!(same(files, "elsewhere.ts"), [true, true], "it isn't known which is meant");
        let typed =
            ["run.d.ts", "run.js"].map(|path| definition(path, "function", "", "function run()")).to_vec();
        assert_eq!(same(typed, "run.js"), [true, true], "who uses it has one of them");
        let three = ["run.d.ts", "run.js", "sub/run.js"]
            .map(|path| definition(path, "function", "", "function run()"));
        let three = json!({"definitions": three.to_vec()});
        assert_eq!(same_thing(&three, &[false, true, false], "run", "run.js"), [true, true, false]);
        assert_eq!(same_thing(&three, &[true, false, false], "run", "run.d.ts"), [true, true, false]);
        let prototype =
            ["run.c", "run.h"].map(|path| definition(path, "function", "", "void run(void)")).to_vec();
        assert_eq!(same(prototype, "run.c"), [true, true]);
    }

    #[test]
    fn a_use_of_another_definition_is_no_use_of_this_one() {
        let meant = [false, true];
        for (of, expected) in
            [(json!([0]), true), (json!([1]), false), (json!([0, 1]), false), (json!([]), false)]
        {
            assert_eq!(is_of_others(&json!({"of": of}), &meant), expected, "{of}");
        }
    }
}
