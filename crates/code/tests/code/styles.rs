//! Ways of writing, each with the place that shows it.

use plimsoll_code::styles::styles;

use crate::common::Project;

#[test]
fn each_style_names_an_example() {
    let project = Project::new(&[
        ("a/__init__.py", ""),
        ("a/err.py", "\nclass PaymentError(Exception):\n    pass\n"),
        ("a/use.py", "from .err import PaymentError\n"),
        ("main.py", "import os\nfrom a.err import PaymentError\n"),
        ("pay.php", "<?php\nfinal class PayException extends \\RuntimeException\n{\n}\n"),
        ("net.swift", "enum NetError: Error {\n  case down\n}\nfunc load() throws -> Int { 1 }\n"),
        ("run.sh", "#!/bin/sh\n# Ships it.\nset -euo pipefail\necho\n"),
        ("rs/Cargo.toml", "[package]\nname = \"rs\"\n"),
        ("rs/src/lib.rs", "mod a;\nmod b;\nuse crate::a::A;\n"),
        ("rs/src/a.rs", "use super::b::B;\npub struct A;\n"),
        ("rs/src/b.rs", "pub struct B;\n"),
        ("ts/x.ts", "import { y } from './y';\nexport const x = y;\n"),
        ("ts/y.ts", "export const y = 1;\n"),
        ("test/test_err.py", "from a.err import PaymentError\n\n\nclass FakeError(Exception):\n    pass\n"),
    ]);
    let (store, _) = project.indexed();
    let told: Vec<String> = styles(&store, &project.root(), &|_| true)
        .unwrap()
        .into_iter()
        .map(|one| {
            format!("{} {} {} {}:{} {}", one.category, one.language, one.name, one.path, one.line, one.share)
        })
        .collect();
    let expected = [
        "errors php exceptions of its own pay.php:2 1",
        "errors python exceptions of its own a/err.py:2 1",
        "errors shell stops at errors, in pipes as well run.sh:3 1",
        "errors swift error types of its own net.swift:1 1",
        "errors swift throwing functions net.swift:4 1",
        "imports python absolute modules main.py:2 0.5",
        "imports python relative modules a/use.py:1 0.5",
        "imports rust paths from the crate rs/src/lib.rs:3 0.5",
        "imports rust relative paths rs/src/a.rs:1 0.5",
        "imports typescript relative paths ts/x.ts:1 1",
    ];
    assert_eq!(told, expected);
    // A script that the asker may not read isn't read.
    let without = styles(&store, &project.root(), &|path| path != "run.sh").unwrap();
    assert!(without.iter().all(|one| one.language != "shell") && without.len() == told.len() - 1);
}
