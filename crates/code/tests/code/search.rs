//! What a question finds first.

use plimsoll_code::search::reply::{Detail, quality, reply};
use plimsoll_code::search::{Evidence, Query, Reader, Request, search};

use crate::common::{Project, found};

fn project() -> Project {
    Project::new(&[
        (
            "src/router.rs",
            "//! Matches paths to handlers.\npub struct Router { routes: Vec<Route> }\nimpl Router {\n    pub fn match_path(&self, path: &str) -> Option<&Route> { None }\n}\n",
        ),
        (
            "src/handler.rs",
            "use crate::router::Router;\npub fn handle(router: &Router) { router.match_path(\"/\"); }\n",
        ),
        (
            "src/main.rs",
            "mod router;\nmod handler;\nuse router::Router;\nfn main() { let router = Router::default(); }\n",
        ),
        (
            "tests/router_test.rs",
            "fn router_matches_path() { let router = Router::new(); router.match_path(\"/a\"); router.match_path(\"/b\"); }\n",
        ),
        ("vendor/router/lib.rs", "pub struct Router; impl Router { pub fn match_path(&self) {} }\n"),
        ("docs/router.md", "# Router\n\nThe router matches a path.\n"),
    ])
}

#[test]
fn the_definition_comes_first_and_tests_only_on_request() {
    let project = project();
    let (store, reader) = project.indexed();
    let files = found(&store, &reader, "Router");
    assert_eq!(files[0], "src/router.rs", "{files:?}");
    let files = found(&store, &reader, "how does the router match a path");
    assert_eq!(files[0], "src/router.rs", "{files:?}");
    let files = found(&store, &reader, "where is a path matched");
    assert_eq!(files[0], "src/router.rs", "{files:?}");
    let files = found(&store, &reader, "tests of the router");
    assert_eq!(files[0], "tests/router_test.rs", "{files:?}");
}

#[test]
fn filters_are_kept() {
    let project = project();
    let (store, reader) = project.indexed();
    let ask = |language: Option<&str>, folder: Option<&str>| {
        let request = Request {
            query: "router".to_owned(),
            language: language.map(str::to_owned),
            folder: folder.map(str::to_owned),
            limit: 20,
        };
        search(&store, &reader, &request).unwrap()
    };
    assert!(ask(Some("md"), None).iter().all(|a| a.path == "docs/router.md"));
    assert_eq!(ask(None, Some("src")).len(), 3);
}

#[test]
fn an_answer_shows_place_and_text() {
    let project = project();
    let (store, reader) = project.indexed();
    let request = Request { query: "match_path".to_owned(), limit: 3, ..Request::default() };
    let answers = search(&store, &reader, &request).unwrap();
    let text = reply(&answers, &[], Detail::Compact, 500);
    // The part has the struct as well; the method is what was asked for.
    assert!(text.starts_with("src/router.rs:4-4  method Router.match_path"), "{text}");
    assert_eq!(quality(&Query::parse("match_path"), &Evidence::default(), &answers).status, "ok");
    let nothing = quality(&Query::parse("quantum teleportation"), &Evidence::default(), &[]);
    assert_eq!(nothing.status, "low_confidence");
    assert!(nothing.hint.is_some());
}

#[test]
fn a_name_with_digits_in_the_middle_is_found() {
    let project = Project::new(&[
        ("src/cart.ts", "export const cart = 1;\n"),
        ("src/words.ts", "import { i18n } from './setup';\nexport const title = i18n('title');\n"),
    ]);
    let (store, reader) = project.indexed();
    assert_eq!(found(&store, &reader, "i18n"), ["src/words.ts"]);
}

#[test]
fn the_only_definition_of_a_name_comes_before_the_files_that_use_it() {
    let signer = include_str!("../fixtures/definition_first/signer.py");
    let exceptions = include_str!("../fixtures/definition_first/exc.py");
    let project = Project::new(&[("src/exc.py", exceptions), ("src/time_signature/bad.py", signer)]);
    let (store, reader) = project.indexed();
    let request = Request { query: "BadTimeSignature".to_owned(), limit: 5, ..Request::default() };
    let answers = search(&store, &reader, &request).unwrap();
    let paths: Vec<&str> = answers.iter().map(|answer| answer.path.as_str()).collect();
    assert_eq!(paths, ["src/exc.py", "src/time_signature/bad.py"]);
    assert!(answers[0].score >= answers[1].score, "the scores are in the order of the answers");
    // A question in words is the same question.
    for asked in ["where is BadTimeSignature defined", "the class BadTimeSignature"] {
        assert_eq!(found(&store, &reader, asked)[0], "src/exc.py", "{asked}");
    }
    // A question about it is ranked as any other.
    let asked = found(&store, &reader, "where is BadTimeSignature raised when a timestamp is malformed");
    assert_eq!(asked[0], "src/time_signature/bad.py");
    // If two files define it, neither gets a bonus.
    let copy = "class BadTimeSignature(Exception):\n    pass\n";
    let project = Project::new(&[
        ("src/copy.py", copy),
        ("src/exc.py", exceptions),
        ("src/time_signature/bad.py", signer),
    ]);
    let (store, reader) = project.indexed();
    assert_eq!(found(&store, &reader, "BadTimeSignature")[0], "src/time_signature/bad.py");
    // A name with another spelling isn't meant.
    let project = Project::new(&[
        ("src/copy.py", "def badTimeSignature():\n    pass\n"),
        ("src/exc.py", exceptions),
        ("src/time_signature/bad.py", signer),
    ]);
    let (store, reader) = project.indexed();
    assert_eq!(found(&store, &reader, "BadTimeSignature")[0], "src/exc.py");
}

#[test]
fn the_shown_part_of_a_file_contains_the_words() {
    let comment = "/// Says in many words what is done in there.\n".repeat(30);
    let method = |n: usize| {
        let body = "        Count(a, \"some more of them\");\n".repeat(12);
        format!("    public int Step{n}(int a)\n    {{\n{body}    }}\n\n")
    };
    let class = |name: &str| {
        let methods: String = (0..8).map(method).collect();
        format!("namespace Water;\n\n{comment}public class {name}\n{{\n{methods}}}\n")
    };
    let (named, other) = (class("PumpHouse"), class("Works"));
    let project = Project::new(&[("src/PumpHouse.cs", named.as_str()), ("src/Station.cs", other.as_str())]);
    let (store, reader) = project.indexed();
    let first = |query: &str| {
        let request = Request { query: query.to_owned(), limit: 1, ..Request::default() };
        search(&store, &reader, &request).unwrap().remove(0)
    };
    // The closing brace is the shortest part of a file that is called so.
    let line = 33;
    let house = first("where is the pump house");
    assert_eq!(house.path, "src/PumpHouse.cs");
    assert!((house.start_line..=house.end_line).contains(&line), "{house:?}");
    // No part has the word: the file's beginning is shown.
    let station = first("station");
    assert_eq!((station.path.as_str(), station.start_line), ("src/Station.cs", 1), "{station:?}");
}

#[test]
fn a_file_of_types_comes_behind_one_that_does_the_same() {
    let text = "export function addTotal(items) {\n  // Twice.\n  return items.total + items.total;\n}\n";
    let project = Project::new(&[("src/cart.ts", text), ("src/types.ts", text)]);
    let (store, reader) = project.indexed();
    let files = found(&store, &reader, "add the total of all items twice");
    assert_eq!(files, ["src/cart.ts", "src/types.ts"]);
}

#[test]
fn words_of_the_same_family_are_found_while_the_index_has_them() {
    let project = Project::new(&[("src/queue.rs", "pub struct Job {\n    pub priority: u8,\n}\n")]);
    for n in 0..20 {
        project.write(
            &format!("src/part{n}.rs"),
            format!("pub fn part{n}() -> u8 {{\n    {n}\n}}\n").as_bytes(),
        );
    }
    let mut store = project.store("families");
    project.update(&mut store);
    let reader = Reader::open(&store).unwrap();
    assert_eq!(found(&store, &reader, "prioritize"), ["src/queue.rs"]);
    // A name is meant as it's spelt.
    assert!(found(&store, &reader, "Prioritize").is_empty());
    project.write("src/queue.rs", b"pub struct Job {\n    pub size: u8,\n}\n");
    project.write("src/part0.rs", b"pub fn colorize() -> u8 {\n    0\n}\n");
    project.update(&mut store);
    let reader = Reader::open(&store).unwrap();
    assert!(found(&store, &reader, "prioritize").is_empty());
    assert_eq!(found(&store, &reader, "dependencies and coloring"), ["src/part0.rs"]);
}

#[test]
fn a_name_is_shown_where_it_is_defined_and_a_file_s_own_tests_only_on_request() {
    let clock = "pub fn render(all: &[Stamp]) -> usize {\n    let mut sum = 0;\n    for one in all {\n        sum += one.0;\n    }\n    sum\n}\n\npub struct Stamp(usize);\n";
    let check = "        assert_eq!(render(&[Stamp(1)]), 1, \"stamps are rendered: render, stamp, render, stamp\");\n".repeat(6);
    let tests = format!(
        "\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    #[test]\n    fn stamps() {{\n{check}    }}\n}}\n"
    );
    let project = Project::new(&[("src/clock.rs", format!("{clock}{tests}").as_str())]);
    let (store, reader) = project.indexed();
    let first = |query: &str| {
        let request = Request { query: query.to_owned(), limit: 1, ..Request::default() };
        search(&store, &reader, &request).unwrap().remove(0)
    };
    let stamp = first("Stamp");
    assert_eq!(
        (stamp.symbol.as_deref(), stamp.start_line, stamp.end_line),
        (Some("Stamp"), 9, 9),
        "{stamp:?}"
    );
    assert_eq!(first("how is a stamp rendered").symbol.as_deref(), Some("render"));
    let asked_for = first("tests of rendered stamps");
    assert!(asked_for.start_line > 9, "{asked_for:?}");
}
