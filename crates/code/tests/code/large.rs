//! Names that are in a text very often are answered in time.

use std::time::{Duration, Instant};

use plimsoll_code::refs::{Confidence, Use, references};

use crate::common::Project;

/// What a grammar doesn't understand is one node whose children are all side by side, and each step up from one went through all before it.
#[test]
fn very_many_heads_without_a_body_are_read_in_time() {
    let count = 20_000;
    let text = format!("export const total = 1;\nuse(total);\n{}", "function total(\n".repeat(count));
    let project = Project::new(&[("a.ts", text.as_str())]);
    let (store, reader) = project.indexed();
    let began = Instant::now();
    let found = references(&store, &reader, &project.root(), "total").unwrap();
    assert!(found.uses.len() >= count, "{}", found.uses.len());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Each use was compared with all definitions for each that it's bound to, and listed all of them.
#[test]
fn a_name_that_a_file_defines_thousands_of_times_is_answered_in_time() {
    let count = 4_000;
    let text = format!("{}{}", "function total() {}\n".repeat(count), "total();\n".repeat(count));
    let project = Project::new(&[("a.js", text.as_str())]);
    let (store, reader) = project.indexed();
    let began = Instant::now();
    let found = references(&store, &reader, &project.root(), "total").unwrap();
    assert_eq!((found.definitions.len(), found.uses.len()), (count, count));
    let most = found.uses.iter().map(|one| one.of.len()).max();
    assert!(most.is_some_and(|most| (1..=400).contains(&most)), "{most:?}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// The class was read from its beginning to its end for each use of its variable.
#[test]
fn an_instance_variable_that_a_class_uses_thousands_of_times_is_answered_in_time() {
    let count = 10_000;
    let uses = "    @cart.pay\n".repeat(count);
    let ruby = format!(
        "class Cart\n  def pay; end\nend\nclass Use\n  def initialize\n    @cart = Cart.new\n  end\n\n  def a\n{uses}  end\nend\n"
    );
    let project = Project::new(&[("a.rb", ruby.as_str())]);
    let (store, reader) = project.indexed();
    let began = Instant::now();
    let found = references(&store, &reader, &project.root(), "pay").unwrap();
    let is_sure = |one: &&Use| one.confidence == Confidence::Resolved;
    assert_eq!(found.uses.iter().filter(is_sure).count(), count);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// The types of all fields of a struct were read for each field that was asked for.
#[test]
fn a_struct_of_thousands_of_fields_is_answered_in_time() {
    let count = 3_000;
    let fields: String = (0..count).map(|i| format!("\tF{i} Cart\n")).collect();
    let uses: String = (0..count).map(|i| format!("\ts.F{i}.Total()\n")).collect();
    let go = format!(
        "package a\n\ntype Cart struct{{}}\n\ntype Line struct{{}}\n\nfunc (c Cart) Total() int {{ return 1 }}\n\nfunc (l Line) Total() int {{ return 1 }}\n\ntype Shop struct {{\n{fields}}}\n\nfunc f(s Shop) {{\n{uses}}}\n"
    );
    let project = Project::new(&[("go.mod", "module a\n"), ("a.go", go.as_str())]);
    let (store, reader) = project.indexed();
    let began = Instant::now();
    let found = references(&store, &reader, &project.root(), "Total").unwrap();
    let is_sure = |one: &&Use| one.confidence == Confidence::Resolved;
    assert_eq!(found.uses.iter().filter(is_sure).count(), count);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// For each use, all statements before it were walked, and for each field of Rust all fields of its struct.
#[test]
fn a_block_of_thousands_of_statements_is_answered_in_time() {
    let count = 4_000;
    let lines = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let go_head = "package a\n\ntype Cart struct{}\n\ntype Line struct{}\n\nfunc (c Cart) Total() int { return 1 }\n\nfunc (l Line) Total() int { return 1 }\n\n";
    let go = lines(&|i| format!("\tc{i} := Cart{{}}\n\tc{i}.Total()\n"));
    let go = format!("{go_head}func f() {{\n{go}}}\n");
    let rust_head = "pub struct Cart;\npub struct Line;\nimpl Cart { pub fn Total(&self) {} }\nimpl Line { pub fn Total(&self) {} }\n";
    let rust = lines(&|i| format!("    let c{i} = Cart;\n    c{i}.Total();\n"));
    let rust = format!("{rust_head}pub fn f() {{\n{rust}}}\n");
    let fields = lines(&|i| format!("    f{i}: Cart,\n"));
    let uses = lines(&|i| format!("    s.f{i}.Total();\n"));
    let struct_ = format!("{rust_head}pub struct Shop {{\n{fields}}}\npub fn f(s: Shop) {{\n{uses}}}\n");
    for files in [
        [("go.mod", "module a\n"), ("a.go", go.as_str())],
        [("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", rust.as_str())],
        [("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", struct_.as_str())],
    ] {
        let project = Project::new(&files);
        let (store, reader) = project.indexed();
        let began = Instant::now();
        let found = references(&store, &reader, &project.root(), "Total").unwrap();
        let is_sure = |one: &&Use| one.confidence == Confidence::Resolved && one.of.len() == 1;
        assert_eq!(found.uses.iter().filter(is_sure).count(), count, "{}", files[1].0);
        assert!(began.elapsed() < Duration::from_secs(20), "{} {:?}", files[1].0, began.elapsed());
    }
}

/// Each of these was reached from the root of the tree, for each thing that was asked about it; and where only a part is so deep, each
/// place counted as if it were there.
#[test]
fn what_is_deep_is_looked_at_less_and_the_rest_as_always() {
    let count = 1_500;
    let certain = |shallow: usize, uses: &str| {
        let shallow = "  total();\n".repeat(shallow);
        let blocks: String = (0..count).map(|i| format!("if (x > {i}) {{\n{uses}")).collect();
        let text = format!(
            "export function total() {{}}\nexport function a(x: any) {{\n{shallow}{blocks}{}}}\n",
            "}".repeat(count)
        );
        let project = Project::new(&[("a.ts", text.as_str())]);
        let (store, reader) = project.indexed();
        let found = references(&store, &reader, &project.root(), "total").unwrap();
        let is_sure = |one: &&Use| one.confidence == Confidence::Resolved;
        found.uses.iter().filter(is_sure).count()
    };
    let deep = certain(0, "total();\n");
    assert!((300..800).contains(&deep), "{deep}");
    assert_eq!(certain(4_000, ""), 4_000);
}
