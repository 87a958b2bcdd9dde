//! Members in TypeScript and JavaScript by inferred types. The fixtures are marked with what TypeScript's own service says, or with `?`
//! where that takes more than is followed; and texts that programs write are answered in time.

use std::time::{Duration, Instant};

use plimsoll_code::refs::{Confidence, Use, references};

use crate::common::Project;
use crate::receiver_types::check;

#[test]
fn a_member_is_told_from_its_namesakes_by_what_its_value_is() {
    let files = [
        ("add.ts", include_str!("../fixtures/references/script_types/add.ts")),
        ("barrel.ts", include_str!("../fixtures/references/script_types/barrel.ts")),
        ("circle.ts", include_str!("../fixtures/references/script_types/circle.ts")),
        ("conditionals.ts", include_str!("../fixtures/references/script_types/conditionals.ts")),
        ("defaults.ts", include_str!("../fixtures/references/script_types/defaults.ts")),
        ("documented.js", include_str!("../fixtures/references/script_types/documented.js")),
        ("guards.ts", include_str!("../fixtures/references/script_types/guards.ts")),
        ("hooks.tsx", include_str!("../fixtures/references/script_types/hooks.tsx")),
        ("inline.ts", include_str!("../fixtures/references/script_types/inline.ts")),
        ("plain.js", include_str!("../fixtures/references/script_types/plain.js")),
        ("props.vue", include_str!("../fixtures/references/script_types/props.vue")),
        ("shapes.ts", include_str!("../fixtures/references/script_types/shapes.ts")),
        ("standard.ts", include_str!("../fixtures/references/script_types/standard.ts")),
        ("state.svelte", include_str!("../fixtures/references/script_types/state.svelte")),
        ("types.ts", include_str!("../fixtures/references/script_types/types.ts")),
        ("uses.ts", include_str!("../fixtures/references/script_types/uses.ts")),
        ("view.tsx", include_str!("../fixtures/references/script_types/view.tsx")),
    ];
    check(&files, "signal", "uses.ts");
    check(&files, "signal", "shapes.ts");
    check(&files, "signal", "conditionals.ts");
    check(&files, "signal", "documented.js");
    check(&files, "signal", "guards.ts");
    check(&files, "signal", "inline.ts");
    check(&files, "signal", "standard.ts");
    check(&files, "signal", "hooks.tsx");
    check(&files, "signal", "props.vue");
    check(&files, "signal", "state.svelte");
    check(&files, "signal", "plain.js");
    check(&files, "signal", "view.tsx");
}

/// How many uses of `signal` are certain in a text, which must be told in time.
fn certain_in_time(text: &str) -> usize {
    certain_in_time_of("a.ts", text)
}

fn certain_in_time_of(path: &str, text: &str) -> usize {
    let project = Project::new(&[(path, text)]);
    let (store, reader) = project.indexed();
    let began = Instant::now();
    let found = references(&store, &reader, &project.root(), "signal").unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let is_certain = |one: &&Use| one.confidence == Confidence::Resolved;
    found.uses.iter().filter(is_certain).count()
}

const TYPES: &str = "interface Cart { signal: string }\ninterface Line { signal: number }\n";

/// For each variable the block was read from its beginning, for what declares it and for the ways out before it.
#[test]
fn thousands_of_variables_and_conditions_in_one_block_are_read_in_time() {
    let count = 3_000;
    let lines: String =
        (0..count).map(|i| format!("  const v{i} = of[{i}];\n  if (!v{i}.signal) return;\n")).collect();
    assert_eq!(certain_in_time(&format!("{TYPES}export function a(of: Cart[]) {{\n{lines}}}\n")), count);
}

/// For each element the list was read from its beginning.
#[test]
fn a_list_of_thousands_of_literals_is_read_in_time() {
    let count = 8_000;
    let rows = "  { signal: 1 },\n".repeat(count);
    assert_eq!(certain_in_time(&format!("{TYPES}export const rows: Line[] = [\n{rows}];\n")), count);
}

/// For each name the class was read from its beginning, with all that its methods set.
#[test]
fn a_class_of_thousands_of_methods_is_read_in_time() {
    let count = 3_000;
    let methods: String = (0..count)
        .map(|i| format!("  m{i}() {{\n    this.v{i} = new Cart();\n    return this.v{i}.signal;\n  }}\n"))
        .collect();
    let cart = "class Cart {\n  signal = 1;\n}\n";
    let certain = certain_in_time_of("a.js", &format!("{cart}class Shop {{\n{methods}}}\n"));
    assert_eq!(certain, count);
}

/// Each of these is all of the others at once, and so is each member of each.
#[test]
fn aliases_in_a_ring_are_asked_in_time() {
    let count = 500;
    let ring: String = (0..count)
        .map(|i| format!("type A{i} = A{} & {{ k: A{} }};\n", (i + 1) % count, (i + 7) % count))
        .collect();
    let uses: String =
        (0..100).map(|i| format!("declare const a{i}: A{i};\na{i}.k.k.k.k.k.k.signal;\n")).collect();
    certain_in_time(&format!("{TYPES}{ring}{uses}"));
}

/// What such a type comes to asks for itself again, for ever.
#[test]
fn a_conditional_type_that_names_itself_ends() {
    let types = "type Same<T> = T extends Cart ? Same<Cart> : T;\ntype Wide<T> = T extends any ? Wide<[T]> : never;\n";
    let uses = "declare const a: Same<Cart>;\na.signal;\ndeclare const b: Wide<Cart>;\nb.signal;\n";
    assert_eq!(certain_in_time(&format!("{TYPES}{types}{uses}")), 0);
}

/// Each name in such a type was read with all that are in it, again and again; and a type without an end was read up to the end of the
/// file, each of thousands.
#[test]
fn types_in_comments_are_read_once() {
    let of = "class Cart {\n  signal = 1;\n}\nfunction make() {}\n";
    let ring = format!("/** @typedef {{{}Cart}} Odd */\n", "Odd |\n ".repeat(200));
    let odd = "/** @type {Odd} */\nconst odd = make();\nodd.signal;\n";
    assert_eq!(certain_in_time_of("a.js", &format!("{of}{ring}{odd}")), 0);
    let open = "/* @typedef {\n */\n".repeat(30_000);
    let cart = "/** @type {Cart} */\nconst cart = make();\ncart.signal;\n";
    // What nothing declares may be the name of such a type.
    let gone = "/** @type {Gone} */\nconst gone = make();\ngone.signal;\n";
    assert_eq!(certain_in_time_of("a.js", &format!("{of}{open}{cart}{gone}")), 1);
}

/// Each of these is read with everything in front inside.
#[test]
fn a_condition_about_thousands_of_values_is_answered() {
    let values: Vec<String> = (0..20_000).map(|i| format!("'k{i}'")).collect();
    let condition = format!("type Of<T> = T extends {} ? Cart : Line;\n", values.join(" |\n  "));
    assert_eq!(certain_in_time(&format!("{TYPES}{condition}declare const a: Of<Cart>;\na.signal;\n")), 1);
}

/// Each argument was looked for among all of them.
#[test]
fn a_call_with_thousands_of_arguments_is_read_in_time() {
    let given = "  { signal: 1 },\n".repeat(8_000);
    certain_in_time(&format!("{TYPES}declare function a(...of: Line[]): void;\na(\n{given});\n"));
}

/// Each call compared all heads with each other.
#[test]
fn a_function_of_thousands_of_heads_is_asked_in_time() {
    let heads: String = (0..3_000).map(|i| format!("declare function a(of: '{i}'): Cart;\n")).collect();
    let calls = "a('1').signal;\n".repeat(300);
    certain_in_time(&format!("{TYPES}{heads}{calls}"));
}

/// Files that pass on all of each other were asked by every way between them.
#[test]
fn files_that_pass_each_other_on_are_asked_once() {
    let names: Vec<String> = (0..12).map(|i| format!("f{i}")).collect();
    let all: String = names.iter().map(|name| format!("export * from './{name}';\n")).collect();
    let paths: Vec<String> = names.iter().map(|name| format!("{name}.ts")).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), all.as_str())).collect();
    files.push(("use.ts", "import { none } from './f0';\nimport { Cart } from './cart';\nnone.signal;\n"));
    files.push(("cart.ts", "export interface Cart { signal: string }\n"));
    let project = Project::new(&files);
    let (store, reader) = project.indexed();
    let began = Instant::now();
    assert_eq!(references(&store, &reader, &project.root(), "signal").unwrap().uses.len(), 1);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
