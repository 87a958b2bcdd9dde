//! References: definitions of the same name, scopes, imports, evident types, and undefined names.

use plimsoll_code::refs::{Confidence, References, references};

use crate::common::Project;

fn ask(project: &Project, name: &str) -> References {
    let (store, reader) = project.indexed();
    references(&store, &reader, &project.root(), name).unwrap()
}

/// `path:line role confidence` of every use, in order.
fn summary(found: &References) -> Vec<String> {
    let mut out: Vec<String> =
        found.uses.iter().map(|u| format!("{}:{} {:?} {:?}", u.path, u.line, u.role, u.confidence)).collect();
    out.sort();
    out
}

#[test]
fn typescript_imports_scopes_and_types_decide() {
    let project = Project::new(&[
        ("src/a.ts", "export function load(id: string) {}\nexport class Store { load() {} }\n"),
        (
            "src/b.ts",
            "import { load, Store } from './a';\nload('x');\nconst s = new Store();\ns.load();\n// load it\nfunction f(load: any) { load(); }\n",
        ),
        ("src/c.ts", "import { load } from 'elsewhere';\nload();\n"),
        ("src/d.ts", "function g(x) { x.load(); }\n"),
    ]);
    let found = ask(&project, "load");
    assert_eq!(found.definitions.len(), 2);
    assert_eq!(
        summary(&found),
        [
            "src/b.ts:1 Import Resolved",
            "src/b.ts:2 Call Resolved",
            "src/b.ts:4 Call Resolved",
            "src/b.ts:5 Text Textual",
            "src/c.ts:1 Import Textual",
            "src/c.ts:2 Call Textual",
            "src/d.ts:1 Call Textual",
        ]
    );
    let call = found.uses.iter().find(|u| u.path == "src/b.ts" && u.line == 4).unwrap();
    assert_eq!(found.definitions[call.of[0]].container, "Store");
    let of_store = ask(&project, "Store.load");
    assert_eq!(of_store.definitions.len(), 1);
}

#[test]
fn names_exported_under_an_alias_are_followed_to_their_uses() {
    macro_rules! renamed {
        ($($file:literal),*) => {
            &[$((concat!("src/", $file), include_str!(concat!("../fixtures/references/renamed/", $file)))),*]
        };
    }
    let project = Project::new(renamed!(
        "mailer.ts",
        "post.ts",
        "same.ts",
        "barrel.ts",
        "far.ts",
        "C.tsx",
        "Page.tsx",
        "exp.js",
        "req.js",
        "hist.ts",
        "route.ts",
        "taken.js",
        "shop.js",
        "till.js"
    ));
    let (store, reader) = project.indexed();
    let mut wrong = Vec::new();
    for (name, expected) in [
        (
            "Mailer",
            "barrel.ts:1 far.ts:1 far.ts:2 far.ts:2 mailer.ts:3 post.ts:1 post.ts:2 post.ts:3 post.ts:5 same.ts:1 same.ts:2",
        ),
        ("Mailer.send", "post.ts:2 post.ts:4 same.ts:2"),
        ("Mailer.of", "post.ts:5"),
        ("Card", "C.tsx:2 Page.tsx:1 Page.tsx:2"),
        ("Exported", "exp.js:3 req.js:2"),
        ("helper", "exp.js:4"),
        ("navigate", "hist.ts:3 route.ts:1 route.ts:2"),
        ("jump", "hist.ts:3 hist.ts:3 route.ts:1 route.ts:1 route.ts:3 route.ts:4"),
        ("others", ""),
        ("Shop", "till.js:2"),
        ("Shop.close", "shop.js:3"),
    ] {
        let found = references(&store, &reader, &project.root(), name).unwrap();
        assert_eq!(found.definitions.len(), 1, "{name}: {:?}", found.definitions);
        let sure = found.uses.iter().filter(|u| u.confidence == Confidence::Resolved);
        let mut told: Vec<String> =
            sure.map(|u| format!("{}:{}", u.path.trim_start_matches("src/"), u.line)).collect();
        told.sort();
        if told.join(" ") != expected {
            wrong.push(format!("{name}: {}\ninstead of {expected}", told.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(references(&store, &reader, &project.root(), "join").unwrap().definitions.is_empty(), "imported");
    let made = plimsoll_code::refs::callees(&store, &reader, &project.root(), "Page").unwrap();
    assert_eq!(made.callees[0].definitions[0].path, "src/C.tsx");
}

#[test]
fn markup_uses_its_scripts_definitions() {
    let project = Project::new(&[
        ("Card.vue", include_str!("../fixtures/references/markup/Card.vue")),
        ("Page.svelte", include_str!("../fixtures/references/markup/Page.svelte")),
        ("panel.ts", include_str!("../fixtures/references/markup/panel.ts")),
    ]);
    for (name, expected) in [
        (
            "doClick",
            &[
                "Card.vue:2 Reference InScope",
                "Card.vue:2 Reference InScope",
                "Card.vue:2 Text Textual",
                "Card.vue:2 Text Textual",
            ][..],
        ),
        (
            "shared",
            &[
                "Card.vue:3 Reference InScope",
                "Card.vue:7 Import Resolved",
                "Page.svelte:2 Import Resolved",
                "Page.svelte:5 Reference InScope",
            ],
        ),
        ("Panel", &["Card.vue:3 Reference InScope", "Card.vue:6 Import Resolved"]),
        ("count", &["Page.svelte:5 Reference InScope", "Page.svelte:5 Reference InScope"]),
    ] {
        assert_eq!(summary(&ask(&project, name)), expected, "{name}");
    }
}

#[test]
fn uses_are_found_in_rust_macros() {
    let project = Project::new(&[
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        ("src/lib.rs", "mod stream;\nmod user;\n"),
        (
            "src/stream.rs",
            "pin_project! {\n    pub struct H2Stream<T> {\n        inner: T,\n    }\n}\nimpl<T> H2Stream<T> {\n    pub fn poll_it(&self) {}\n}\n",
        ),
        ("src/user.rs", "use crate::stream::H2Stream;\nfn f(s: &H2Stream<u8>) {\n    s.poll_it();\n}\n"),
    ]);
    assert_eq!(
        summary(&ask(&project, "H2Stream")),
        [
            "src/stream.rs:6 Reference Resolved",
            "src/user.rs:1 Import Resolved",
            "src/user.rs:2 Reference Resolved",
        ]
    );
    assert_eq!(summary(&ask(&project, "poll_it")), ["src/user.rs:3 Call Resolved"]);
}

#[test]
fn a_definition_is_not_its_own_use_and_is_identified_by_its_full_path() {
    let project = Project::new(&[
        (
            "app.rb",
            "module Rack\n  module Utils\n    def self.load_all\n    end\n    def Utils.other_all\n    end\n  end\nend\nRack::Utils.load_all\n",
        ),
        ("net.h", "namespace net {\nclass Sock { public: int readIt(); };\n}\n"),
        (
            "net.cpp",
            "#include \"net.h\"\nint net::Sock::readIt() { return 1; }\nint use(net::Sock s) { return s.readIt(); }\n",
        ),
        (
            "Two.java",
            "class Two {\n  static class A { static class Builder { void build() {} } }\n  static class B { static class Builder { void build() {} } }\n}\n",
        ),
        (
            "walk.rs",
            "pub trait Walk { fn walk(&self); }\npub struct G;\nimpl<'g> Walk for &'g G { fn walk(&self) {} }\n",
        ),
    ]);
    for (name, definitions, uses) in [
        ("load_all", 1, &["app.rb:9 Call Resolved"][..]),
        ("Rack::Utils.load_all", 1, &["app.rb:9 Call Resolved"]),
        ("Other::Utils.load_all", 0, &["app.rb:3 Text Textual", "app.rb:9 Call Textual"]),
        ("other_all", 1, &[]),
        ("readIt", 2, &["net.cpp:3 Call Resolved"]),
        ("net::Sock::readIt", 2, &["net.cpp:3 Call Resolved"]),
        ("Two.A.Builder.build", 1, &[]),
        ("Builder.build", 2, &[]),
        ("G.walk", 1, &[]),
    ] {
        let found = ask(&project, name);
        assert_eq!(found.definitions.len(), definitions, "{name}: {:?}", found.definitions);
        assert_eq!(summary(&found), uses, "{name}");
    }
}

#[test]
fn packages_and_namespaces_decide_where_imports_name_them() {
    macro_rules! packages {
        ($($file:literal),*) => {
            &[$(($file, include_str!(concat!("../fixtures/references/packages/", $file)))),*]
        };
    }
    let project = Project::new(packages!(
        "src/main/kotlin/a/b/Tools.kt",
        "src/main/kotlin/c/Use.kt",
        "src/main/java/j/Calc.java",
        "src/test/java/j/CalcTest.java",
        "scala/a/b/Things.scala",
        "scala/c/Use.scala",
        "cpp/net.h",
        "cpp/use.cpp",
        "php/App/Mailer.php",
        "php/index.php",
        "cs/Core/Clock.cs",
        "cs/Web/Page.cs",
        "cs/Web/Other.cs"
    ));
    let mut wrong = Vec::new();
    for (name, expected) in [
        ("topHelper", "Use.kt:2 Use.kt:5"),
        ("Sprocket", "Use.kt:3 Use.kt:6"),
        ("Calc", "CalcTest.java:2 CalcTest.java:3 CalcTest.java:5"),
        ("twice", "CalcTest.java:2 CalcTest.java:5"),
        ("thrice", "CalcTest.java:5"),
        ("Widget", "Use.scala:2 Use.scala:3"),
        ("Gadget", "Use.scala:2 Use.scala:3"),
        ("Socket", "use.cpp:3"),
        ("Mailer", "index.php:2 index.php:3"),
        ("Stamp", "index.php:2 index.php:3"),
        ("Clock", "Page.cs:3 Page.cs:3"),
    ] {
        let found = ask(&project, name);
        let sure = found.uses.iter().filter(|u| u.confidence == Confidence::Resolved);
        let mut told: Vec<String> =
            sure.map(|u| format!("{}:{}", u.path.rsplit('/').next().unwrap(), u.line)).collect();
        told.sort();
        if told.join(" ") != expected {
            let others = summary(&found);
            wrong.push(format!("{name}: {}\ninstead of {expected}; {others:?}", told.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_place_of_an_undefined_word_is_listed() {
    let minified = format!("var a={};{}lateWord()", "1+".repeat(9_000), "b();".repeat(2_000));
    let project = Project::new(&[
        ("a.ts", "function f(onlyLocal: any) { return onlyLocal; }\nclass A { member() {} }\n"),
        ("b.ts", "function broken( { brokenWord\n"),
        ("c.c", "#if 0\nint hiddenWord;\n#endif\n"),
        ("dist/app.min.js", &minified),
    ]);
    for (name, expected) in [
        ("onlyLocal", &["a.ts:1 Text Textual", "a.ts:1 Text Textual"][..]),
        ("B.member", &["a.ts:2 Text Textual"]),
        ("lateWord", &["dist/app.min.js:1 Text Textual"]),
        ("nowhere", &[]),
    ] {
        let found = ask(&project, name);
        assert!(found.definitions.is_empty(), "{name}");
        assert_eq!(summary(&found), expected, "{name}");
    }
    for name in ["brokenWord", "hiddenWord"] {
        let found = ask(&project, name);
        assert!(!found.definitions.is_empty() || found.uses.len() == 1, "{name}: {found:?}");
    }
}

#[test]
fn python_self_and_modules_decide() {
    let project = Project::new(&[
        ("pkg/__init__.py", "from .core import Session\n"),
        (
            "pkg/core.py",
            "class Session:\n    def get(self):\n        return self.send()\n\n    def send(self):\n        pass\n",
        ),
        (
            "pkg/use.py",
            "from pkg import Session\n\ndef run():\n    s = Session()\n    s.send()\n    other.send()\n",
        ),
    ]);
    let found = ask(&project, "send");
    assert_eq!(found.definitions.len(), 1);
    assert_eq!(
        summary(&found),
        ["pkg/core.py:3 Call Resolved", "pkg/use.py:5 Call Resolved", "pkg/use.py:6 Call InScope"]
    );
}

#[test]
fn blocks_aliases_barrels_and_bases_decide() {
    let project = Project::new(&[
        ("src/deep.ts", "export function make() {}\nexport interface Shape {}\nexport const Shape = 1;\n"),
        ("src/index.ts", "export * from './deep';\n"),
        (
            "src/use.ts",
            "import { make as build } from './index';\nimport * as all from './index';\nbuild();\nall.make();\n[1].map(() => { const make = 1; return make; });\nlet s: all.Shape = all.Shape;\n",
        ),
        ("py/base.py", "class Base:\n    def run(self):\n        pass\n"),
        (
            "py/one.py",
            "from .base import Base\n\n# Ends with a dot.\n_limit = 1\n\nclass One(Base):\n    def go(self) -> 'One':\n        return self.run(_limit)\n\ndef made() -> One:\n    return One()\n\nx = made()\nx.run()\n",
        ),
    ]);
    assert_eq!(
        summary(&ask(&project, "make")),
        ["src/use.ts:1 Import Resolved", "src/use.ts:3 Call Resolved", "src/use.ts:4 Call Resolved"]
    );
    let shape = ask(&project, "Shape");
    let of: Vec<_> = shape
        .uses
        .iter()
        .map(|u| u.of.iter().map(|i| shape.definitions[*i].line).collect::<Vec<_>>())
        .collect();
    assert_eq!(of, [[2], [3]], "a type and a value of one name");
    assert_eq!(summary(&ask(&project, "run")), ["py/one.py:14 Call Resolved", "py/one.py:8 Call Resolved"]);
    assert_eq!(summary(&ask(&project, "_limit")), ["py/one.py:8 Reference Resolved"]);
    assert!(
        summary(&ask(&project, "One")).contains(&"py/one.py:7 Reference Resolved".to_owned()),
        "a quoted annotation"
    );
}

#[test]
fn rust_and_go_packages_decide() {
    let project = Project::new(&[
        ("rs/src/lib.rs", "mod net;\nmod app;\n"),
        ("rs/src/net.rs", "pub fn open() {}\npub struct Conn;\nimpl Conn { pub fn open(&self) {} }\n"),
        (
            "rs/src/app.rs",
            "use crate::net::{self, Conn};\nfn f(c: &Conn) { c.open(); net::open(); std::fs::File::open(\"x\"); }\n",
        ),
        ("go/go.mod", "module m\n"),
        ("go/a.go", "package m\n\nfunc Open() {}\n"),
        ("go/b.go", "package m\n\nfunc f() { Open() }\n"),
    ]);
    let open = ask(&project, "open");
    let lines = summary(&open);
    assert_eq!(open.definitions.len(), 2);
    assert_eq!(lines.iter().filter(|l| l.ends_with("Call Resolved")).count(), 2, "{lines:?}");
    assert_eq!(summary(&ask(&project, "Open")), ["go/b.go:3 Call Resolved"]);
}

#[test]
fn a_go_local_hides_a_name_only_within_its_scope() {
    let project = Project::new(&[
        ("go.mod", "module example.org/m\n"),
        (
            "a.go",
            "package m\n\nfunc stack(n int) int { return n }\n\nfunc f() int {\n\tstack := stack(3)\n\treturn stack\n}\n",
        ),
        (
            "b.go",
            "package m\n\ntype setter interface{ Set() }\n\nfunc g(setter setter) {\n\tsetter.Set()\n}\n",
        ),
    ]);
    let resolved = |name: &str| {
        let found = ask(&project, name);
        let sure = found.uses.iter().filter(|u| u.confidence == Confidence::Resolved);
        sure.map(|u| (u.path.clone(), u.line, u.column)).collect::<Vec<_>>()
    };
    assert_eq!(resolved("stack"), [("a.go".to_owned(), 6, 11)]);
    assert_eq!(resolved("setter"), [("b.go".to_owned(), 5, 15)]);
}

#[test]
fn an_unknown_name_is_never_replaced() {
    let project = Project::new(&[("a.ts", "export function readFile() {}\nreadFile();\n")]);
    let found = ask(&project, "read_file");
    assert!(found.definitions.is_empty() && found.uses.is_empty());
    assert_eq!(found.similar, ["readFile"]);
    assert!(ask(&project, "nowhere").similar.is_empty());
}

#[test]
fn the_places_of_a_word_that_is_everywhere_are_cut() {
    let many = "total\n".repeat(60_000);
    let project = Project::new(&[("a.lua", many.as_str()), ("b.lua", many.as_str())]);
    let found = ask(&project, "total");
    assert_eq!((found.uses.len(), found.cut), (100_000, true));
    let few = Project::new(&[("a.lua", many.as_str())]);
    let found = ask(&few, "total");
    assert_eq!((found.uses.len(), found.cut), (60_000, false));
}
