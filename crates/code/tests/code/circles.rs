//! Which imports make a cycle, and which don't: type-only imports, those of tests, those of libraries.

use plimsoll_code::graph::{Graph, find_cycles};

use crate::common::Project;

/// The files of each circle.
fn circles(project: &Project) -> Vec<String> {
    let (store, reader) = project.indexed();
    let found = find_cycles(&Graph::from_dependencies(&store, &reader, |_| true).unwrap());
    found.iter().map(|one| one.files.join(" ")).collect()
}

#[test]
fn type_only_imports_make_no_cycle() {
    let project = Project::new(&[
        ("a.ts", "import { b } from './b';\nexport type A = 1;\nexport const a = b;\n"),
        ("b.ts", "import type { A } from './a';\nexport const b: A = 1;\n"),
        ("c.ts", "import type { D } from './d';\nimport { d } from './d';\nexport type C = D;\n"),
        ("d.ts", "import { type C, c } from './c';\nexport type D = C;\nexport const d = 1;\n"),
        // What is compiled imports no interface, even if the source doesn't say that it is one.
        ("k.ts", "import { L } from './l';\nexport interface K { l: L }\nexport const k = 1;\n"),
        ("l.ts", "import { k } from './k';\nexport type L = number;\nexport const l = k;\n"),
        ("m.ts", "import n, { N } from './n';\nexport interface M { n: N }\nexport const m = n;\n"),
        ("n.ts", "import { m } from './m';\nexport interface N {}\nexport default m;\n"),
        ("o.ts", "import { P } from './p';\nexport interface O {}\nexport const o = P;\n"),
        ("p.ts", "import { o } from './o';\nexport interface P {}\nexport const P = o;\n"),
        ("e.py", "from f import F\nE = 1\n"),
        ("f.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from e import E\nclass F: pass\n"),
        ("g.py", "from h import H\nG = 1\n"),
        ("h.py", "if DEBUG:\n    from g import G\nH = 1\n"),
        ("i.py", "from j import J\nI = 1\n"),
        ("j.py", "import typing as t\nif t.TYPE_CHECKING:\n    from i import I\nclass J: pass\n"),
    ]);
    assert_eq!(circles(&project), ["c.ts d.ts", "g.py h.py", "m.ts n.ts", "o.ts p.ts"]);
}

#[test]
fn a_header_and_the_file_with_its_bodies_are_no_cycle() {
    let project = Project::new(&[
        ("shop/cart.hpp", "#pragma once\nint total();\n#include \"impl/cart_inl.hpp\"\n"),
        ("shop/impl/cart_inl.hpp", "#include \"../cart.hpp\"\ninline int total() { return 1; }\n"),
        ("shop/till.hpp", "#pragma once\n#include \"box.hpp\"\n"),
        ("shop/box.hpp", "#pragma once\n#include \"till.hpp\"\n"),
    ]);
    assert_eq!(circles(&project), ["shop/box.hpp shop/till.hpp"]);
}

#[test]
fn thousands_of_imports_in_a_file_take_no_time() {
    let imports: String = (0..10_000).map(|i| format!("import {{ A{i} }} from './b';\n")).collect();
    let types: String = (0..10_000).map(|i| format!("export interface A{i} {{ a: number }}\n")).collect();
    let types = format!("import {{ z }} from './a';\n{types}export const c = z;\n");
    let imports = format!("{imports}export const z = 1;\n");
    let project = Project::new(&[("a.ts", imports.as_str()), ("b.ts", types.as_str())]);
    let (store, reader) = project.indexed();
    let began = std::time::Instant::now();
    let graph = Graph::from_dependencies(&store, &reader, |_| true).unwrap();
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(find_cycles(&graph).is_empty());
}

#[test]
fn test_imports_make_no_cycle_and_hide_none() {
    let project = Project::new(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\n"),
        (
            "src/a.rs",
            "use crate::b::B;\n\npub struct A(B);\n\n#[cfg(test)]\nmod tests {\n    use crate::b::make;\n}\n",
        ),
        ("src/b.rs", "use crate::a::A;\n\npub struct B(Box<A>);\n\npub fn make() {}\n"),
        ("src/c.rs", "pub struct C;\n\n#[cfg(test)]\nmod tests {\n    use crate::d::D;\n}\n"),
        ("src/d.rs", "use crate::c::C;\n\npub struct D(C);\n"),
    ]);
    assert_eq!(circles(&project), ["src/a.rs src/b.rs"]);
}

#[test]
fn a_file_named_like_a_library_makes_no_cycle() {
    let project = Project::new(&[
        ("pyproject.toml", "[project]\nname = 'shop'\n"),
        ("src/shop/__init__.py", ""),
        ("src/shop/app.py", "import logging\nimport json\nimport typing as t\nfrom shop import config\n"),
        ("src/shop/config.py", "import shop.app\n"),
        ("src/shop/logging.py", "from . import app\n"),
        ("src/shop/typing.py", "from .app import x\n"),
        ("src/shop/json/__init__.py", "from ..app import x\n"),
        (
            "php/src/App.php",
            "<?php\nnamespace A;\nuse GuzzleHttp\\Client;\nuse InvalidArgumentException;\nuse A\\Log\\Log;\nclass App {}\n",
        ),
        ("php/src/Http/Client.php", "<?php\nnamespace A\\Http;\nuse A\\App;\nclass Client {}\n"),
        (
            "php/src/Errors/InvalidArgumentException.php",
            "<?php\nnamespace A\\Errors;\nuse A\\App;\nclass InvalidArgumentException {}\n",
        ),
        ("php/src/Log/Log.php", "<?php\nnamespace A\\Log { use A\\App; class Log {} }\n"),
        ("rb/lib/app.rb", "require 'app/base'\nrequire 'app/logger'\n"),
        ("rb/lib/app/base.rb", "require 'logger'\n"),
        ("rb/lib/app/logger.rb", "require 'app/base'\n"),
        ("c/compat/time.h", "#include \"../src/a.h\"\n"),
        ("c/src/a.h", "#include <time.h>\n"),
    ]);
    assert_eq!(
        circles(&project),
        ["php/src/App.php php/src/Log/Log.php", "src/shop/app.py src/shop/config.py"]
    );
}

#[test]
fn an_inline_modules_super_is_its_own_file() {
    let project = Project::new(&[
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("src/main.rs", "mod a;\nfn main() {}\n"),
        ("src/a.rs", "pub fn a() {}\nmod tests {\n    use super::*;\n    use super::super::run;\n}\n"),
        ("src/b.rs", "mod tests {\n    use super::*;\n}\n"),
    ]);
    let (store, _) = project.indexed();
    let lines = store.import_lines("src/main.rs").unwrap();
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), [("src/a.rs".to_owned(), 4)]);
}
