//! For each language with a grammar: a sample under `fixtures/languages` and what must be found in it.

use plimsoll_code::analyse::analyse;
use plimsoll_code::language::LANGUAGES;
use plimsoll_code::{Parsed, Symbol};

const EXPECTED: &[(&str, &str, &str)] = &[
    (
        "ts",
        "interface Options, type Id, enum Colour, class Cache, method Cache.constructor, method Cache.get, method Cache.flush, constant LIMIT, function double, function hidden, function main",
        "./store",
    ),
    ("tsx", "function Button, function Page", ""),
    ("js", "function app.render, function send, class Router, method Router.route", "./view"),
    (
        "py",
        "constant LIMIT, class Cache, constant Cache.size, method Cache.count, method Cache.fetch, function make",
        ".store",
    ),
    (
        "java",
        "class Cache, constant Cache.LIMIT, method Cache.Cache, method Cache.get, interface Cache.Listener, method Cache.Listener.changed, enum Cache.Mode, struct Pair",
        "java.util.List",
    ),
    (
        "kt",
        "class Cache, constant Cache.limit, method Cache.get, class Registry, method Registry.all, interface Listener, function top",
        "a.c.Store",
    ),
    (
        "c",
        "macro LIMIT, struct cache, type cache_t, enum mode, function cache_get, function cache_put",
        "store.h",
    ),
    ("cpp", "module net, class net.Cache, method net.Cache.get, method net.Cache.count", "vector"),
    (
        "cs",
        "module A.B, interface A.B.IStore, method A.B.IStore.Put, class A.B.Cache, constant A.B.Cache.Count, method A.B.Cache.Cache, method A.B.Cache.Put, enum A.B.Mode",
        "System",
    ),
    (
        "go",
        "constant Limit, interface Store, method Store.Put, struct Cache, function New, method Cache.Get",
        "fmt",
    ),
    (
        "rs",
        "constant LIMIT, struct Cache, interface Keep, method Keep.put, method Cache.put, module inner, function inner.helper, macro made",
        "crate::store::Store",
    ),
    (
        "php",
        "interface Keep, method Keep.put, class Cache, constant Cache.LIMIT, method Cache.put, function make",
        "App\\Store",
    ),
    (
        "rb",
        "module App, constant App.LIMIT, class App.Cache, method App.Cache.get, method App.Cache.make",
        "./store",
    ),
    (
        "swift",
        "interface Keep, method Keep.put, struct Cache, constant Cache.limit, method Cache.put, class Store, function make",
        "Foundation",
    ),
    (
        "scala",
        "interface Keep, method Keep.put, class Cache, constant Cache.limit, method Cache.put, method Cache.make",
        "a.c.Store",
    ),
    ("sh", "constant LIMIT, function make_cache, function drop_cache", "./lib.sh"),
    ("vue", "function greet", "./store"),
];

fn sample(ending: &str) -> Vec<u8> {
    let path =
        format!("{}/tests/fixtures/languages/sample.{ending}", &std::env::var("CARGO_MANIFEST_DIR").unwrap());
    std::fs::read(path).unwrap()
}

fn told(symbol: &Symbol) -> String {
    format!("{} {}", symbol.kind.name(), symbol.path())
}

#[test]
fn every_language_gives_its_definitions_and_imports() {
    let mut wrong = Vec::new();
    for (ending, expected, import) in EXPECTED {
        let analysis = analyse(&format!("sample.{ending}"), &sample(ending));
        let found: Vec<String> = analysis.outline.symbols.iter().map(told).collect();
        for one in expected.split(", ").filter(|one| !found.iter().any(|f| f == one)) {
            wrong.push(format!("{ending}: no {one} in {found:?}"));
        }
        if !import.is_empty() && !analysis.outline.imports.iter().any(|i| i.target == *import) {
            wrong.push(format!("{ending}: {import} is not imported: {:?}", analysis.outline.imports));
        }
        if analysis.parsed != Parsed::Whole {
            wrong.push(format!("{ending}: {:?}", analysis.parsed));
        }
        // A local variable isn't a definition.
        if let Some(local) = found
            .iter()
            .find(|f| f.contains("local") || f.contains(" inner") && *ending != "rs" || f.contains("LOCAL"))
        {
            wrong.push(format!("{ending}: {local} is local"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_grammar_has_a_sample_and_fits_the_parser() {
    for language in LANGUAGES.iter().filter(|l| l.grammar().is_some() && l.name != "svelte") {
        let ending = EXPECTED.iter().map(|(ending, _, _)| *ending).find(|ending| {
            plimsoll_code::language::of(&format!("x.{ending}"), "").map(|l| l.name) == Some(language.name)
        });
        assert!(ending.is_some(), "no sample of {}", language.name);
    }
}

#[test]
fn a_language_without_grammar_says_so() {
    let analysis = analyse("a.dart", b"class A { void b() {} }\n");
    assert_eq!(analysis.parsed, Parsed::NoGrammar);
    assert_eq!(analysis.chunks.len(), 1);
}
