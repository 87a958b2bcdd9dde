//! What files export as the default without a name, components that are a file, and what CommonJS gives out and takes by name.

use plimsoll_code::refs::{Confidence, Use, references};

use crate::common::Project;

#[test]
fn unnamed_defaults_are_named_after_their_file() {
    let project = Project::new(&[
        (
            "src/Card.tsx",
            "import { memo } from 'react';\nconst Card = () => <b/>;\nexport default memo(Card);\n",
        ),
        ("src/Panel.tsx", "export default () => <i/>;\n"),
        ("src/Grid/index.tsx", "export default function () { return <u/>; }\n"),
        ("src/store.ts", "import { reducer } from './reducer';\nexport default createStore(reducer);\n"),
        ("src/reducer.ts", "export const reducer = () => 1;\n"),
        ("src/Side.vue", "<template><p/></template>\n<script>\nexport default {}\n</script>\n"),
        (
            "src/Page.tsx",
            "import Card from './Card';\nimport Panel from './Panel';\nimport Grid from './Grid';\nimport Side from './Side.vue';\nimport store from './store';\nexport const Page = () => <><Card/><Panel/><Grid/><Side/></>;\nstore.get();\n",
        ),
    ]);
    for (name, defined, used) in [
        ("Card", "src/Card.tsx:2", "src/Card.tsx:3 src/Page.tsx:1 src/Page.tsx:6"),
        ("Panel", "src/Panel.tsx:1", "src/Page.tsx:2 src/Page.tsx:6"),
        ("Grid", "src/Grid/index.tsx:1", "src/Page.tsx:3 src/Page.tsx:6"),
        ("Side", "src/Side.vue:1", "src/Page.tsx:4 src/Page.tsx:6"),
        ("store", "src/store.ts:2", "src/Page.tsx:5 src/Page.tsx:7"),
        ("reducer", "src/reducer.ts:1", "src/store.ts:1 src/store.ts:2"),
    ] {
        let (store, reader) = project.indexed();
        let found = references(&store, &reader, &project.root(), name).unwrap();
        let of: Vec<String> = found.definitions.iter().map(|d| format!("{}:{}", d.path, d.line)).collect();
        let sure = found.uses.iter().filter(|u| u.confidence == Confidence::Resolved);
        let mut told: Vec<String> = sure.map(|u| format!("{}:{}", u.path, u.line)).collect();
        told.sort();
        assert_eq!((of.join(" ").as_str(), told.join(" ").as_str()), (defined, used), "{name}");
    }
}

#[test]
fn what_a_file_of_commonjs_makes_and_gives_out_is_defined_there() {
    let project = Project::new(&[
        (
            "lib/symbols.js",
            "module.exports.isClean = Symbol('isClean');\nexports.limit = 1;\nexports.again = limit;\nexports.other = require('./other');\nexports.later = void 0;\nexports.first = exports.second = 2;\n",
        ),
        ("lib/other.js", "module.exports = { again: 1 };\n"),
        ("lib/use.js", "const { isClean, limit } = require('./symbols');\nnode[isClean] = limit;\n"),
    ]);
    let (store, reader) = project.indexed();
    for (name, defined) in [
        ("isClean", "lib/symbols.js:1"),
        ("limit", "lib/symbols.js:2"),
        ("again", ""),
        ("other", ""),
        ("later", ""),
        ("first", ""),
        ("second", "lib/symbols.js:6"),
    ] {
        let found = references(&store, &reader, &project.root(), name).unwrap();
        let of: Vec<String> = found.definitions.iter().map(|d| format!("{}:{}", d.path, d.line)).collect();
        assert_eq!(of.join(" "), defined, "{name}");
        let is_used = |u: &Use| u.path == "lib/use.js" && u.line == 2 && u.confidence == Confidence::Resolved;
        assert_eq!(found.uses.iter().any(is_used), matches!(name, "isClean" | "limit"), "{name}");
    }
}

#[test]
fn what_is_taken_from_a_module_by_name_is_imported() {
    let project = Project::new(&[
        ("lib/run.js", "function run() {}\nfunction go() {}\nmodule.exports = { run, go };\n"),
        (
            "lib/app.js",
            "const { run, go: start } = require('./run');\nrun();\nstart();\nfunction own(run) { return run(); }\n",
        ),
        ("lib/late.mjs", "const { run } = await import('./run.js');\nrun();\n"),
        ("lib/other.js", "const { run } = options;\nrun();\n"),
        ("lib/set.js", "const { run = none, go: begin = none } = require('./run');\nrun();\nbegin();\n"),
    ]);
    let (store, reader) = project.indexed();
    for (name, used) in [
        (
            "lib.run.run",
            "lib/app.js:1 lib/app.js:2 lib/late.mjs:1 lib/late.mjs:2 lib/run.js:3 lib/set.js:1 lib/set.js:2",
        ),
        ("lib.run.go", "lib/app.js:1 lib/app.js:3 lib/run.js:3 lib/set.js:1 lib/set.js:3"),
    ] {
        let found = references(&store, &reader, &project.root(), name).unwrap();
        let sure = found.uses.iter().filter(|u| u.confidence == Confidence::Resolved);
        let mut told: Vec<String> = sure.map(|u| format!("{}:{}", u.path, u.line)).collect();
        told.sort();
        told.dedup();
        assert_eq!(told.join(" "), used, "{name}");
    }
}
