//! The health of files, and the exports that no other file mentions.

use plimsoll_code::health::{health, health_of};
use plimsoll_code::role::Role;

use crate::common::Project;

#[test]
fn unmentioned_definitions_are_hints_unless_they_are_used_without_their_name() {
    let long = "// a line\n".repeat(1_001);
    let project = Project::new(&[
        (
            "src/a.ts",
            "import { two } from './b';\nexport function usedHere() { lonelyHelper(); two(); }\nexport function lonelyHelper() {}\n",
        ),
        (
            "src/b.ts",
            "import { usedHere } from './a';\nexport const two = () => usedHere();\nexport default function Unnamed() {}\n",
        ),
        ("src/api.ts", "export function publicCall() {}\n"),
        ("src/barrel.ts", "export * from './api';\n"),
        ("src/index.ts", "export function startAll() {}\n"),
        ("src/a.test.ts", "import { two } from './b';\ntwo();\n"),
        ("src/long.ts", &long),
        // A framework finds these where they are.
        ("app/controllers/carts_controller.rb", "class CartsController < ApplicationController\nend\n"),
        ("shop/migrations/0001_initial.py", "class FirstMigration:\n    pass\n"),
        ("Shop/Controllers/CartController.cs", "public class CartController {}\n"),
        ("src/migrations/1715028537217-carts.ts", "export class Carts1715028537217 {}\n"),
        ("benches/read.rs", "pub struct BenchBuffer;\nfn main() {}\n"),
        // Data isn't split for its length.
        ("api/open.json", &long),
        (
            "web/views.py",
            "@route('/x')\ndef decorated_view():\n    pass\n\n\ndef forgotten_view():\n    pass\n\n\ndef _private_view():\n    pass\n",
        ),
        (
            "c/pool.h",
            "#ifndef POOL_H_\n#define POOL_H_\n#ifdef A\n#define POOL_DLL __declspec(dllimport)\n#else\n#define POOL_DLL __attribute__((visibility(\"default\")))\n#endif\n#endif\n",
        ),
        // Nobody can use its types and macros.
        (
            "c/ini.c",
            "#define MAX_PARTS 50\n\ntypedef struct { int at; } reader_state;\n\nint read_lonely(reader_state *of) { return MAX_PARTS; }\n",
        ),
        ("cs/A.cs", "public class Broken { void F( { }\n"),
        ("sh/start", "#!/bin/sh\nAPP_HOME=/x\nfind_java() { :; }\nfind_java\n"),
    ]);
    let (store, reader) = project.indexed();
    let all = health(&store, &reader, |file| !file.role.is(Role::TEST)).unwrap();
    let told: Vec<String> = all
        .iter()
        .filter(|one| one.signs() > 0)
        .map(|one| {
            let names: Vec<&str> = one.unmentioned.iter().map(|d| d.name.as_str()).collect();
            format!(
                "{} long {} errors {} circle {} by {:?} tests {:?} {}",
                one.path,
                one.long,
                one.parse_errors,
                one.in_circle,
                one.dependants,
                one.tests,
                names.join(" ")
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "src/a.ts long false errors false circle true by Some(1) tests Some(0) lonelyHelper",
            "cs/A.cs long false errors true circle false by Some(0) tests Some(0) Broken",
            "src/long.ts long true errors false circle false by Some(0) tests Some(0) ",
            "web/views.py long false errors false circle false by Some(0) tests Some(0) forgotten_view",
            "c/pool.h long false errors false circle false by Some(0) tests Some(0) POOL_DLL",
            "c/ini.c long false errors false circle false by Some(0) tests Some(0) read_lonely",
            "src/b.ts long false errors false circle true by Some(2) tests Some(1) ",
        ]
    );
}

#[test]
fn a_test_counts_for_the_file_whose_name_another_one_passes_on() {
    let project = Project::new(&[
        ("shop/__init__.py", "from shop.cart import Cart\nfrom shop.till import Till\n"),
        ("shop/cart.py", "class Cart:\n    pass\n"),
        ("shop/till.py", "class Till:\n    pass\n"),
        ("tests/test_cart.py", "from shop import Cart\n\ndef test_cart():\n    assert Cart()\n"),
        ("tests/test_both.py", "from shop import Cart\nfrom shop.cart import Cart as Own\n"),
        ("src/index.ts", "export { one } from './one';\nexport * from './two';\n"),
        ("src/one.ts", "export const one = 1;\n"),
        ("src/two.ts", "export const two = 2;\n"),
        ("src/all.test.ts", "import { two } from './index';\ntwo;\n"),
    ]);
    let (store, reader) = project.indexed();
    let all = health(&store, &reader, |file| !file.role.is(Role::TEST)).unwrap();
    let mut counted: Vec<(&str, Option<usize>)> =
        all.iter().map(|one| (one.path.as_str(), one.tests)).collect();
    counted.sort();
    let expected = [
        ("shop/__init__.py", 2),
        ("shop/cart.py", 2),
        ("shop/till.py", 0),
        ("src/index.ts", 1),
        ("src/one.ts", 0),
        ("src/two.ts", 1),
    ];
    assert_eq!(counted, expected.map(|(path, tests)| (path, Some(tests))));
    let one = health_of(&store, &reader, "shop/cart.py", false).unwrap().unwrap();
    assert_eq!(one.tests, Some(2));
}

#[test]
fn a_test_that_includes_all_counts_for_the_header_that_it_names() {
    let project = Project::new(&[
        ("include/shop.hpp", "#pragma once\n#include \"cart.hpp\"\n#include \"till.hpp\"\n"),
        ("include/cart.hpp", "#pragma once\nnamespace shop {\nclass Cart {};\n}\n"),
        ("include/till.hpp", "#pragma once\nnamespace shop {\nclass Till {};\n}\n"),
        ("tests/cart_test.cpp", "#include \"../include/shop.hpp\"\nvoid test_cart() { shop::Cart cart; }\n"),
    ]);
    let (store, reader) = project.indexed();
    let all = health(&store, &reader, |file| !file.role.is(Role::TEST)).unwrap();
    let mut counted: Vec<(&str, Option<usize>)> =
        all.iter().map(|one| (one.path.as_str(), one.tests)).collect();
    counted.sort();
    let expected = [("include/cart.hpp", 1), ("include/shop.hpp", 1), ("include/till.hpp", 0)];
    assert_eq!(counted, expected.map(|(path, tests)| (path, Some(tests))));
}
