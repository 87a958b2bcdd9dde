//! What files export as the default without a name, and components that are a file.

use plimsoll_code::refs::{Confidence, references};

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
