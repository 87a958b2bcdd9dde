//! What is exported comes in again, in every format and whatever is in it.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{NOW, Place};
use plimsoll_memory::actions::{ActionContext, Import, export, import};
use plimsoll_memory::domain::{Domain, LinkKind, Namespace, Status, Trust};
use plimsoll_memory::store::{Actor, Draft, Secrets, SqliteStore, Store};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Lines that mean something in one of the formats.
const LINES: [&str; 22] = [
    "plain words",
    "",
    "---",
    "\\---",
    "\\\\--- ",
    "...",
    "id: entry",
    "namespace: decisions",
    "domain: project",
    "---\nid: 1\nnamespace: apis\ndomain: user\n---",
    "\\---\r\nid: 1\r\nnamespace: apis\r\ndomain: user",
    "title: \"x\"",
    "  indented",
    "=1+1",
    "'=1+1",
    "'quoted'",
    "\"a\", \"b\"",
    "- [decision] take it #now",
    "- uses [[Other]]",
    "中文 🦀 e\u{301}",
    "\u{feff}mark",
    "carriage\rreturn",
];
const TAGS: [&str; 8] = ["db", "a b", "x;y", "=1", "'=1", "\"q\"", "[a]", "ünïcode"];
const FIELDS: [&str; 9] = ["src/a.rs", "a: b", "- x", "@me", "[x]", "'y'", "\"z\"", "=cmd", "true"];

#[derive(Debug, Clone)]
struct Made {
    lines: Vec<usize>,
    ends: (bool, usize, usize),
    tags: Vec<usize>,
    fields: [Option<usize>; 4],
    kinds: (usize, usize, usize, usize),
    hours: (i64, Option<i64>),
    links: Vec<(usize, usize)>,
}

fn made() -> impl Strategy<Value = Made> {
    let field = || proptest::option::of(0..FIELDS.len());
    (
        proptest::collection::vec(0..LINES.len(), 0..6),
        (any::<bool>(), 0..3usize, 0..3usize),
        proptest::collection::vec(0..TAGS.len(), 0..4),
        [field(), field(), field(), field()],
        (0..Domain::ALL.len(), 0..4usize, 0..4usize, 0..Trust::ALL.len()),
        (1..200i64, proptest::option::of(1..400i64)),
        proptest::collection::vec((0..4usize, 0..LinkKind::ALL.len()), 0..3),
    )
        .prop_map(|(lines, ends, tags, fields, kinds, hours, links)| Made {
            lines,
            ends,
            tags,
            fields,
            kinds,
            hours,
            links,
        })
}

impl Made {
    /// The draft of the `n`th, whose text is like no other's.
    fn draft(&self, n: usize, project: &str) -> Draft {
        let end = if self.ends.0 { "\r\n" } else { "\n" };
        let mut lines: Vec<String> = self.lines.iter().map(|line| LINES[*line].to_owned()).collect();
        lines.insert(self.lines.len() / 2, format!("the {n}th"));
        let (before, after) = (end.repeat(self.ends.1), end.repeat(self.ends.2));
        let field = |at: usize| self.fields[at].map(|field| FIELDS[field].to_owned());
        let domain = Domain::ALL[self.kinds.0].0;
        Draft {
            project: Some(project.to_owned()),
            branch: field(0),
            file: field(1),
            source: field(2),
            author: field(3),
            tags: self.tags.iter().map(|tag| TAGS[*tag].to_owned()).collect(),
            status: [Status::Active, Status::Archived, Status::Superseded, Status::Pending][self.kinds.2],
            trust: Trust::ALL[self.kinds.3].0,
            ttl_ms: self.hours.1.map(|hours| hours * 3_600_000),
            ..Draft::new(
                format!("{before}{}{after}", lines.join(end)),
                [Namespace::Decisions, Namespace::Apis, Namespace::Learnings, Namespace::Context]
                    [self.kinds.1],
                domain,
            )
        }
    }
}

/// What of the memories must be the same on another computer.
fn exported(context: &ActionContext) -> Vec<Value> {
    let out = export(context, "status:any", "json").unwrap();
    let out: Value = serde_json::from_str(out["content"].as_str().unwrap()).unwrap();
    let mut all = out["memories"].as_array().unwrap().clone();
    let texts: Vec<(String, String)> = all
        .iter()
        .map(|one| (one["id"].as_str().unwrap().to_owned(), one["content"].as_str().unwrap().to_owned()))
        .collect();
    for one in &mut all {
        // Ids are others, so that links are told by the texts of their ends.
        if let Some(links) = one.get_mut("links") {
            let mut told: Vec<Value> = links
                .as_array()
                .unwrap()
                .iter()
                .map(|link| {
                    let (kind, to) = link.as_str().unwrap().split_once(' ').unwrap();
                    json!([kind, texts.iter().find(|(id, _)| id == to).unwrap().1])
                })
                .collect();
            told.sort_by_key(Value::to_string);
            *links = told.into();
        }
        for key in ["id", "urn", "version", "updated_at"] {
            one.as_object_mut().unwrap().remove(key);
        }
    }
    all.sort_by_key(|one| one["content"].to_string());
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_export_is_the_same_on_another_computer(all in proptest::collection::vec(made(), 1..6)) {
        let place = Place::new();
        let one = ActionContext { who: Actor::local_user(NOW), ..place.context() };
        let mut store = SqliteStore::open(&one.database).unwrap();
        let mut ids = Vec::new();
        for (n, made) in all.iter().enumerate() {
            let new = made.draft(n, one.project.as_deref().unwrap()).check(Secrets::Redact).unwrap();
            let who = Actor::local_user(NOW - made.hours.0 * 3_600_000);
            ids.push(store.capture(&new, &who).unwrap().memory.id);
        }
        for (from, made) in all.iter().enumerate() {
            for (to, kind) in &made.links {
                if let Some(to) = ids.get(*to).filter(|to| **to != ids[from]) {
                    store.link(&ids[from], to, LinkKind::ALL[*kind].0, &one.who).unwrap();
                }
            }
        }
        drop(store);
        let before = exported(&one);
        prop_assert_eq!(before.len(), all.len());
        for format in ["json", "markdown", "csv"] {
            let text = export(&one, "status:any", format).unwrap()["content"].as_str().unwrap().to_owned();
            let ending = if format == "markdown" { "md" } else { format };
            let path = place.write(&format!("out.{ending}"), &text);
            let two = ActionContext { database: place.path(&format!("{format}/memory.db")), ..one.clone() };
            std::fs::create_dir_all(two.database.parent().unwrap()).unwrap();
            let given = Import { path, ..Import::default() };
            let reply = import(&two, &given).unwrap();
            prop_assert_eq!(&reply["problems"], &json!([]), "{}", format);
            prop_assert_eq!(exported(&two), before.clone(), "{}:\n{}", format, text);
            // A second time changes nothing.
            let again = import(&two, &given).unwrap();
            prop_assert_eq!((&again["imported"], &again["duplicates"]), (&json!(0), &json!(all.len())), "{}", format);
            prop_assert_eq!(exported(&two), before.clone());
        }
    }
}

/// Exports of earlier versions have neither marks nor the line that is always added.
#[test]
fn an_older_export_is_imported() {
    let place = Place::new();
    let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
    let text = "---\nid: 01\nnamespace: decisions\ndomain: project\ntags: [\"db\"]\ncreated: 2026-01-31T18:00:05Z\n---\n\nUse PostgreSQL\n
---\nid: 02\nnamespace: patterns\ndomain: user\ncreated: 2026-02-01T18:00:05Z\nexpires: 2030-01-01T00:00:00Z\n---\n\nTabs\n\n---\n\nnever spaces\n";
    let path = place.write("old.md", text);
    assert_eq!(import(&context, &Import { path, ..Import::default() }).unwrap()["imported"], 2);
    let all = exported(&context);
    let of = |key: &str| all.iter().map(|one| one[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("content"), [json!("Tabs\n\n---\n\nnever spaces"), json!("Use PostgreSQL")]);
    assert_eq!(of("domain"), [json!("user"), json!("project")]);
    assert_eq!(of("expires_at"), [json!("2030-01-01T00:00:00Z"), Value::Null]);
    assert_eq!(of("created_at"), [json!("2026-02-01T18:00:05Z"), json!("2026-01-31T18:00:05Z")]);
}

/// Who imports a file gives its memories no more trust than the file says, and no more than their own.
#[test]
fn no_import_raises_trust() {
    let place = Place::new();
    let entry =
        |trust: &str| json!({"content": format!("from {trust}"), "namespace": "apis", "trust": trust});
    let all: Vec<Value> = Trust::ALL.iter().map(|(_, word)| entry(word)).collect();
    let path = place.write("all.json", &json!(all).to_string());
    for (name, who, expected) in [
        ("person", Actor::local_user(NOW), ["agent", "repository", "untrusted", "user"]),
        ("agent", place.context().who, ["agent", "repository", "untrusted", "agent"]),
    ] {
        let context = ActionContext { who, database: place.path(&format!("{name}.db")), ..place.context() };
        import(&context, &Import { path: path.clone(), ..Import::default() }).unwrap();
        let trust: Vec<Value> = exported(&context).iter().map(|one| one["trust"].clone()).collect();
        assert_eq!(trust, expected, "{name}");
    }
}
