//! For each language with a grammar: a sample under `fixtures/languages` and what must be found in it.

use plimsoll_code::analyse::analyse;
use plimsoll_code::language::LANGUAGES;
use plimsoll_code::{Parsed, Symbol};

const EXPECTED: &[(&str, &str, &str)] = &[
    (
        "ts",
        "interface Options, field Options.size, type Id, enum Colour, variant Colour.Red, variant Colour.Green, class Cache, field Cache.items, method Cache.constructor, field Cache.store, method Cache.get, method Cache.flush, constant LIMIT, function double, function hidden, function main",
        "./store",
    ),
    ("tsx", "function Button, function Page", ""),
    (
        "js",
        "variable view, variable app, function app.render, function send, class Router, method Router.route",
        "./view",
    ),
    (
        "py",
        "constant LIMIT, variable logger, class Cache, field Cache.size, method Cache.count, method Cache.fetch, function Cache.fetch.inner, function make",
        ".store",
    ),
    (
        "java",
        "class Cache, constant Cache.LIMIT, method Cache.Cache, method Cache.get, interface Cache.Listener, method Cache.Listener.changed, field Cache.first, field Cache.second, enum Cache.Mode, variant Cache.Mode.FAST, variant Cache.Mode.SLOW, struct Pair, field Pair.a, field Pair.b",
        "java.util.List",
    ),
    (
        "kt",
        "class Cache, field Cache.store, field Cache.limit, method Cache.get, class Registry, method Registry.all, interface Listener, method Listener.changed, enum Mode, variant Mode.FAST, variant Mode.SLOW, function top",
        "a.c.Store",
    ),
    (
        "c",
        "macro LIMIT, struct cache, field cache.size, type cache_t, enum mode, variant mode.FAST, variant mode.SLOW, function cache_get, function cache_put, type point, field point.x, field point.y, field point.read, struct table, variable table, variable tables, struct table.row, field table.first, field table.row.width, field table.depth, variable version, variable verbose, constant MAX_ROWS",
        "store.h",
    ),
    (
        "cpp",
        "module net, class net.Cache, method net.Cache.Cache, method net.Cache.get, field net.Cache.items_, enum net.Cache.Mode, field net.Cache.mode_, variant net.Cache.Mode.Fast, variant net.Cache.Mode.Slow, method net.Cache.count, module outer.inner, struct outer.inner.Made, field outer.inner.Made.size, function CacheTest.IsEmpty, function CacheTest.Grows",
        "<vector>",
    ),
    (
        "cs",
        "module A.B, interface A.B.IStore, method A.B.IStore.Put, class A.B.Cache, field A.B.Cache.limit, field A.B.Cache.size, constant A.B.Cache.MAX, field A.B.Cache.Count, method A.B.Cache.Cache, method A.B.Cache.Put, enum A.B.Mode, variant A.B.Mode.Fast, struct A.B.Pair, field A.B.Pair.A, field A.B.Pair.B",
        "System",
    ),
    (
        "go",
        "constant Limit, interface Store, method Store.Put, struct Cache, field Cache.size, field Cache.width, variable first, variable second, function New, method Cache.Get, struct Pair, field Pair.key, method Pair.Key",
        "fmt",
    ),
    (
        "rs",
        "constant LIMIT, struct Cache, field Cache.items, interface Keep, method Keep.put, method Cache.put, enum Mode, variant Mode.Fast, variant Mode.Sized, field Mode.Sized.width, module inner, function inner.helper, macro made",
        "crate::store::Store",
    ),
    (
        "php",
        "module App\\Cache, interface Keep, method Keep.put, class Cache, constant Cache.LIMIT, field Cache.items, field Cache.names, method Cache.__construct, field Cache.store, method Cache.put, enum Mode, variant Mode.Fast, function make",
        "App\\Store",
    ),
    (
        "rb",
        "module App, constant App.LIMIT, class App.Cache, method App.Cache.key, method App.Cache.size, method App.Cache.get, method App.Cache.make",
        "./store",
    ),
    (
        "swift",
        "interface Keep, method Keep.put, struct Cache, field Cache.limit, method Cache.put, enum Mode, variant Mode.fast, variant Mode.slow, class Store, variable shared, function make",
        "Foundation",
    ),
    (
        "scala",
        "interface Keep, method Keep.put, class Cache, field Cache.store, field Cache.limit, method Cache.put, class Pair, field Pair.a, field Pair.b, enum Mode, variant Mode.Fast, variant Mode.Slow, class Cache, method Cache.make",
        "a.c.Store",
    ),
    ("sh", "constant LIMIT, function make_cache, function drop_cache", "./lib.sh"),
    ("vue", "class sample, function greet", "./store"),
];

fn sample(ending: &str) -> Vec<u8> {
    fixture(&format!("languages/sample.{ending}"))
}

fn fixture(name: &str) -> Vec<u8> {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    std::fs::read(format!("{folder}/tests/fixtures/{name}")).unwrap()
}

/// Definitions that conditions, annotations, macros and members without an end split; the parts that must be found in the files below `torn`.
const TORN: &[(&str, &str)] = &[
    (
        "macros.rs",
        "struct H2Stream, field H2Stream.state, field H2Stream.service, enum State, variant State.Idle, field State.Idle.f, variant State.Done, interface GraphRef, type GraphRef.EdgeRef, method GraphRef.node_count, struct Flags, constant HERE, constant HASHES, function open_it, function open_other",
    ),
    ("annotated.kt", "class AppK, method AppK.one, class Lock, method Lock.lock, class After"),
    (
        "properties.kt",
        "class Config, field Config.rate, class Names, field Names.all, class Cart, method Cart.total, class After, function last, class Box, method Box.open, class Tin, method Tin.open, interface Lid, method Lid.lift, class Till, method Till.go, class Jar, method Jar.open, method Jar.shut, class Lid2",
    ),
    (
        "conditions.cs",
        "interface A.ILogger, method A.ILogger.Is, method A.ILogger.Write, class A.After, method A.After.Go",
    ),
    ("conditions.c", "function open_wide, function always, struct after, field after.x"),
    (
        "api.hpp",
        "function shop.name, class shop.Cart, method shop.Cart.empty, method shop.Cart.label, method shop.Cart.as, method shop.Cart.amount, field shop.Cart.total_, field shop.Cart.label_, method shop.Cart.count, method shop.Cart.Cart, method shop.Cart.clear",
    ),
    (
        "inside.h",
        "function open_shop, function run, function make, function size, function log_it, struct till, field till.hook, field till.total, function compare",
    ),
    (
        "inside.cpp",
        "function shop.open_it, class shop.Cart, method shop.Cart.empty, method shop.Cart.count, method shop.Cart.query, field shop.Cart.total_, method shop.Cart.clear, method shop.Cart.is_open",
    ),
    ("conditions.swift", "struct Box, method Box.open, method Box.log, function after"),
    (
        "members.ts",
        "interface Factory, field Factory.named, constant plain, function make, class Box, field Box.value",
    ),
];

#[test]
fn definitions_split_by_syntax_errors_are_found() {
    let mut wrong = Vec::new();
    for (name, expected) in TORN {
        let text = fixture(&format!("torn/{name}"));
        let analysis = analyse(name, &text);
        let found: Vec<String> = analysis.outline.symbols.iter().map(summary).collect();
        let lost: Vec<&str> = expected.split(", ").filter(|one| !found.iter().any(|f| f == one)).collect();
        if !lost.is_empty() {
            wrong.push(format!("{name}: {lost:?} of {found:?}"));
        }
        let text = String::from_utf8(text).unwrap();
        for symbol in &analysis.outline.symbols {
            let line = text.lines().nth(symbol.line as usize - 1).unwrap_or("");
            if !line.contains(&symbol.name) || !text[symbol.start..symbol.end].contains(&symbol.name) {
                wrong.push(format!("{name}: {} isn't on line {}", symbol.name, symbol.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn summary(symbol: &Symbol) -> String {
    format!("{} {}", symbol.kind.name(), symbol.path())
}

#[test]
fn every_language_gives_its_definitions_and_imports() {
    let mut wrong = Vec::new();
    for (ending, expected, import) in EXPECTED {
        let analysis = analyse(&format!("sample.{ending}"), &sample(ending));
        let found: Vec<String> = analysis.outline.symbols.iter().map(summary).collect();
        let found = found.join(", ");
        if found != *expected {
            wrong.push(format!("{ending}: {found}\ninstead of {expected}"));
        }
        if !import.is_empty() && !analysis.outline.imports.iter().any(|i| i.target == *import) {
            wrong.push(format!("{ending}: {import} is not imported: {:?}", analysis.outline.imports));
        }
        if analysis.parsed != Parsed::Whole {
            wrong.push(format!("{ending}: {:?}", analysis.parsed));
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
fn what_a_test_of_a_macro_declares_is_its_local() {
    let text = "TEST_CASE(\"adds up\") {\n  int count{0};\n  Cart cart;\n  CHECK(count == 0);\n}\n\nint total = 0;\n\nnamespace shop {\nSCENARIO(\"more\", \"[cart]\") {\n  auto *one = make();\n}\nint sum() { return total; }\n}\n";
    for path in ["cart_test.cpp", "cart.hpp"] {
        let analysis = analyse(path, text.as_bytes());
        let found: Vec<String> = analysis.outline.symbols.iter().map(summary).collect();
        assert_eq!(found, ["variable total", "module shop", "function shop.sum"], "{path}");
    }
}

#[test]
fn a_name_in_brackets_behind_a_macro_and_a_type_is_a_functions() {
    let analysis =
        analyse("shop.h", b"SHOP_API int (size) (void);\nSHOP_API void (*hook)(int);\nint after(void);\n");
    let found: Vec<String> = analysis.outline.symbols.iter().map(summary).collect();
    assert_eq!(found, ["function size", "variable hook", "function after"]);
}

#[test]
fn a_language_without_grammar_says_so() {
    let analysis = analyse("a.dart", b"class A { void b() {} }\n");
    assert_eq!(analysis.parsed, Parsed::NoGrammar);
    assert_eq!(analysis.chunks.len(), 1);
}

#[test]
fn a_template_named_like_its_output_is_not_broken_code() {
    let template =
        "class <%= class_name %> < Base\n<% if keyed? -%>\n  def <%= key %>; end\n<% end -%>\nend\n";
    let ruby = "class Mail\n  BODY = '<%= name %>'\nend\n";
    for (path, text, parsed, language) in [
        ("lib/generators/shop/templates/model.rb", template, Parsed::NoGrammar, "html"),
        ("template/index.ts", "import { <%= name %> } from './a';\n", Parsed::NoGrammar, "html"),
        ("lib/templates/mail.rb", ruby, Parsed::Whole, "ruby"),
        ("lib/templates/broken.rb", "class Mail\n  def (\n", Parsed::WithErrors, "ruby"),
        // Elsewhere it's code that the grammar doesn't understand.
        ("lib/model.rb", template, Parsed::WithErrors, "ruby"),
    ] {
        let analysis = analyse(path, text.as_bytes());
        assert_eq!((analysis.parsed, analysis.language), (parsed, Some(language)), "{path}");
        let is_template = parsed == Parsed::NoGrammar;
        assert!(!is_template || analysis.outline.symbols.is_empty(), "{path}");
        assert!(!analysis.chunks.is_empty(), "{path}: it's found all the same");
    }
}
