//! What may not be stored is in no column of `memory.db` and in no byte of its files, whichever way it came.

#![allow(clippy::unwrap_used, reason = "tests")]

mod place;

use place::{NOW, Place, noted};
use plimsoll_memory::actions::{
    ActionContext, Capture, DeleteAll, EntityArgs, Failure, Gc, Import, PromptArgs, RecallArgs, RelationArgs,
    Update, capture, create_entity, create_relation, delete, delete_all, delete_prompt, gc, import,
    merge_entities, read_shared, recall_memories, restore_prompt, save_prompt, update,
};
use plimsoll_memory::domain::{Domain, Record, RecordKind};
use plimsoll_memory::prompts::{Kind, Saved, Variable};
use plimsoll_memory::store::{Actor, Secrets, SqliteStore, Store as _};
use serde_json::{Map, Value, json};

const TOKEN: &str = concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
const SISTER: &str = "Zebulonia";

fn texts(sample: &str) -> [String; 2] {
    [sample.replace("{}", TOKEN), sample.replace("{}", &format!("<private>{SISTER}</private>"))]
}

/// A way into the database, with a text that has to lose something on it.
type Way = (&'static str, fn(&Place, &ActionContext, &str) -> Result<Value, Failure>);

fn draft(content: &str) -> Capture {
    Capture { content: content.into(), namespace: "config".into(), ..Capture::default() }
}

fn properties(text: &str) -> Map<String, Value> {
    [("note".to_owned(), json!(["x", text]))].into_iter().collect()
}

fn entity(name: &str) -> EntityArgs {
    EntityArgs { name: Some(name.into()), entity_type: Some("Concept".into()), ..EntityArgs::default() }
}

fn prompt() -> PromptArgs {
    PromptArgs { name: "p".into(), content: Some("say {{x}}".into()), ..PromptArgs::default() }
}

fn file(place: &Place, context: &ActionContext, name: &str, text: &str) -> Result<Value, Failure> {
    import(context, &Import { path: place.write(name, text), ..Import::default() })
}

const WAYS: &[Way] = &[
    ("captured", |_, context, text| capture(context, &draft(text))),
    ("a tag", |_, context, text| capture(context, &Capture { tags: vec![text.into()], ..draft("tagged") })),
    ("a source", |_, context, text| {
        capture(context, &Capture { source: Some(text.into()), ..draft("sourced") })
    }),
    ("an author", |_, context, text| {
        capture(context, &Capture { author: Some(text.into()), ..draft("authored") })
    }),
    ("an update", |_, context, text| {
        let id = noted(context, "to be changed", "config");
        let tags = Some(vec![text.to_owned()]);
        update(context, &id, &Update { content: Some(text.into()), tags, ..Update::default() })
    }),
    ("an entity", |_, context, text| create_entity(context, &entity(text))),
    ("an alias", |_, context, text| {
        create_entity(context, &EntityArgs { aliases: vec![text.into()], ..entity("Heron") })
    }),
    ("a property", |_, context, text| {
        create_entity(context, &EntityArgs { properties: properties(text), ..entity("Egret") })
    }),
    ("a merge", |_, context, text| {
        let ids: Vec<String> = ["Stork", "Crane"]
            .iter()
            .map(|name| create_entity(context, &entity(name)).unwrap()["id"].as_str().unwrap().to_owned())
            .collect();
        let named = Some(text.to_owned());
        merge_entities(
            context,
            &EntityArgs { entity_ids: ids, canonical_name: named, ..EntityArgs::default() },
        )
    }),
    ("a relation", |_, context, text| {
        for name in ["Ibis", "Bittern"] {
            create_entity(context, &entity(name))?;
        }
        let given = RelationArgs {
            from: Some("Ibis".into()),
            to: Some("Bittern".into()),
            relationship_type: Some("Uses".into()),
            properties: properties(text),
            ..RelationArgs::default()
        };
        create_relation(context, &given)
    }),
    ("a prompt", |_, context, text| {
        save_prompt(context, Kind::Prompt, &PromptArgs { content: Some(text.into()), ..prompt() })
    }),
    ("a prompt's tag", |_, context, text| {
        save_prompt(context, Kind::Prompt, &PromptArgs { tags: vec![text.into()], ..prompt() })
    }),
    ("a prompt's variable", |_, context, text| {
        let one = Variable {
            name: "x".into(),
            description: Some(text.into()),
            default: Some(text.into()),
            required: false,
        };
        save_prompt(context, Kind::Prompt, &PromptArgs { variables_def: vec![one], ..prompt() })
    }),
    ("a restored prompt", |_, context, text| {
        let saved = Saved {
            kind: Kind::Template,
            domain: Domain::Project,
            name: "t".into(),
            version: 1,
            description: Some(text.into()),
            content: text.into(),
            variables: Vec::new(),
            tags: vec![text.into()],
            format: None,
            created_ms: NOW,
        };
        restore_prompt(context, vec![saved]).map(|()| Value::Null)
    }),
    ("an export", |place, context, text| {
        let one = json!({"content": format!("exported {text}"), "namespace": "apis", "tags": [text],
            "project": format!("github.com/acme/{text}"), "branch": text, "file": text, "author": text});
        file(place, context, "out.json", &json!([one]).to_string())
    }),
    ("a table", |place, context, text| {
        file(place, context, "out.csv", &format!("content,tags\n\"in a table {text}\",\"{text}\"\n"))
    }),
    ("instructions", |place, context, text| {
        file(
            place,
            context,
            "CLAUDE.md",
            &format!("# Rules\n\n- Use the right one, {text}\n- Another rule of ours\n"),
        )
    }),
    ("private over several statements", |place, context, text| {
        let text = text.replace("</private>", "\n- more of this\n- Zebulonia again\n</private>");
        file(place, context, "AGENTS.md", &format!("- Use the right one, {text}\n- And another rule here\n"))
    }),
    ("a note", |place, context, text| {
        let note = format!(
            "---\ntitle: Roosting\npermalink: roosting\ntags: [\"{text}\"]\n---\nText {text}\n\n- uses [[{text}]]\n- {text} [[Perch]]\n"
        );
        file(place, context, "note.md", &note)
    }),
    ("the reference server", |place, context, text| {
        let lines = [
            json!({"type": "entity", "name": format!("Ana {text}"), "entityType": text, "observations": [text]}),
            json!({"type": "entity", "name": "Acme", "entityType": "company", "observations": []}),
            json!({"type": "relation", "from": format!("Ana {text}"), "to": "Acme", "relationType": text}),
        ];
        file(place, context, "memory.jsonl", &lines.map(|line| line.to_string()).join("\n"))
    }),
    ("a shared file", |place, context, text| {
        let note =
            format!("---\nnamespace: apis\ntags: [\"{text}\"]\nauthor: \"{text}\"\n---\nShared {text}\n");
        place.write("shop/.plimsoll/memories/a.md", &note);
        read_shared(context)
    }),
];

/// Every text in every table, and the bytes of the database's files.
fn stored(context: &ActionContext) -> Vec<String> {
    let db = rusqlite::Connection::open(&context.database).unwrap();
    let tables: Vec<String> = db
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
        .unwrap()
        .query_map([], |r| r.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let mut all = Vec::new();
    for table in tables {
        let mut read = db.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let columns = read.column_count();
        let mut rows = read.query([]).unwrap();
        while let Ok(Some(row)) = rows.next() {
            for column in 0..columns {
                if let Ok(text) = row.get_ref(column).unwrap().as_bytes() {
                    all.push(format!("{table}: {}", String::from_utf8_lossy(text)));
                }
            }
        }
    }
    for ending in ["", "-wal"] {
        let path = format!("{}{ending}", context.database.display());
        all.push(String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned());
    }
    all
}

fn is_in(all: &[String], word: &str) -> Option<String> {
    let word = word.to_lowercase();
    all.iter().map(|text| text.to_lowercase()).find(|text| text.contains(&word)).map(|text| {
        let at = text.find(&word).unwrap();
        let from = text.floor_char_boundary(at.saturating_sub(60));
        text[from..text.floor_char_boundary(at + 60)].to_owned()
    })
}

#[test]
fn secrets_and_what_is_private_reach_no_column() {
    for (what, way) in WAYS {
        for sample in texts("{} of it all") {
            let place = Place::new();
            let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
            way(&place, &context, &sample).unwrap_or_else(|error| panic!("{what}: {error}"));
            let all = stored(&context);
            for word in [TOKEN, SISTER] {
                assert_eq!(is_in(&all, word), None, "{what}: {sample}");
            }
            assert!(all.len() > 3, "{what} stored nothing");
        }
    }
}

/// A way to delete a memory for good.
type End = (&'static str, fn(&ActionContext, &str) -> Result<Value, Failure>);

const ENDS: &[End] = &[
    ("delete --hard", |context, id| delete(context, id, true)),
    ("delete --hard after a while in the trash", |context, id| {
        delete(context, id, false)?;
        delete(context, id, true)
    }),
    ("gc --purge", |context, id| {
        delete(context, id, false)?;
        gc(context, &Gc { purge: true, ..Gc::default() })
    }),
    ("delete_all", |context, _| {
        let filter = Some("tag:sister".to_owned());
        delete_all(context, &DeleteAll { filter, hard: true, confirmed: true, ..DeleteAll::default() })
    }),
];

/// What is deleted for good is in no byte of the files, though it was changed before, is in several parts of the index,
/// was in the context of others, and another process has the database open.
#[test]
fn a_purged_memory_leaves_no_byte_in_the_file() {
    for (what, end) in ENDS {
        let place = Place::new();
        let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
        let context =
            ActionContext { who: Actor { session: Some("s".into()), ..context.who.clone() }, ..context };
        let others = |from: usize| {
            for n in from..from + 8 {
                noted(
                    &context,
                    &format!("Decision {n} about apples: {}", "pears and plums ".repeat(40)),
                    "decisions",
                );
            }
        };
        others(0);
        let text =
            format!("Ask {SISTER} about the letters. {}", format!("{SISTER} knows more. ").repeat(400));
        let id = noted(&context, &text, "context");
        others(40);
        for (n, content) in ["short", &text, "shorter again", &text].into_iter().enumerate() {
            let change = Update {
                content: Some(format!("{n} {content}")),
                tags: Some(vec!["sister".into(), SISTER.into()]),
                source: Some(SISTER.into()),
                ..Update::default()
            };
            update(&context, &id, &change).unwrap();
            others(80 + 8 * n);
        }
        let other = rusqlite::Connection::open(&context.database).unwrap();
        other.query_row("SELECT count(*) FROM memories", [], |r| r.get::<_, i64>(0)).unwrap();
        assert!(is_in(&stored(&context), SISTER).is_some());
        end(&context, &id).unwrap();
        assert_eq!(is_in(&stored(&context), SISTER), None, "{what}");
        let found = RecallArgs { query: Some("apples".into()), ..RecallArgs::default() };
        assert!(recall_memories(&context, &found).unwrap()["total"].as_u64().unwrap() > 0, "{what}");
    }
}

#[test]
fn a_deleted_prompt_leaves_no_byte_in_the_file() {
    let place = Place::new();
    let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
    for n in 0..3 {
        let content = Some(format!("version {n} for {SISTER}: {}", format!("{SISTER} ").repeat(300)));
        save_prompt(&context, Kind::Prompt, &PromptArgs { content, ..prompt() }).unwrap();
    }
    assert!(is_in(&stored(&context), SISTER).is_some());
    let domain = Some("project".to_owned());
    delete_prompt(&context, Kind::Prompt, &PromptArgs { domain, ..prompt() }).unwrap();
    assert_eq!(is_in(&stored(&context), SISTER), None);
}

/// What a colleague deletes is deleted here, too, and stays in no byte, whether others ever had it by hand or only rules found it.
#[test]
fn a_colleagues_deletion_leaves_no_byte_either() {
    let place = Place::new();
    let context = ActionContext { who: Actor::local_user(NOW), ..place.context() };
    let long = format!("{SISTER} ").repeat(300);
    let project = context.project.clone().unwrap();
    type Make = fn(&ActionContext, &str);
    let deletions: [(RecordKind, Make); 3] = [
        (RecordKind::Prompt, |context, long| {
            for n in 0..3 {
                let content = Some(format!("version {n} for {long}"));
                save_prompt(context, Kind::Prompt, &PromptArgs { content, ..prompt() }).unwrap();
            }
        }),
        (RecordKind::Relation, |context, long| {
            for name in ["Heron", "Egret"] {
                create_entity(context, &entity(name)).unwrap();
            }
            let given = RelationArgs {
                from: Some("Heron".into()),
                to: Some("Egret".into()),
                relationship_type: Some("Uses".into()),
                properties: properties(long),
                ..RelationArgs::default()
            };
            create_relation(context, &given).unwrap();
        }),
        (RecordKind::Entity, |context, long| {
            create_entity(context, &EntityArgs { properties: properties(long), ..entity("Bittern") })
                .unwrap();
        }),
    ];
    for (kind, make) in deletions {
        make(&context, &long);
        assert!(is_in(&stored(&context), SISTER).is_some(), "{kind:?}");
        let mut store = SqliteStore::open(&context.database).unwrap();
        let gone: Vec<Record> = store
            .records(&project, kind)
            .unwrap()
            .into_iter()
            .map(|record| Record { body: None, at_ms: record.at_ms + 1, ..record })
            .collect();
        assert!(!gone.is_empty(), "{kind:?}");
        assert_eq!(store.put_records(&gone).unwrap(), gone.len() as u64, "{kind:?}");
        drop(store);
        assert_eq!(is_in(&stored(&context), SISTER), None, "{kind:?}");
    }
}

/// Where the settings refuse secrets, a text that has one isn't stored at all.
#[test]
fn a_refused_secret_is_stored_nowhere() {
    for (what, way) in WAYS {
        let place = Place::new();
        let context =
            ActionContext { who: Actor::local_user(NOW), secrets: Secrets::Refuse, ..place.context() };
        let text = &texts("{} of it all")[0];
        match way(&place, &context, text) {
            Ok(reply) => assert!(!reply.to_string().contains(TOKEN), "{what}: {reply}"),
            Err(error) => assert!(!error.message.contains(TOKEN), "{what}: {error}"),
        }
        if context.database.exists() {
            assert_eq!(is_in(&stored(&context), TOKEN), None, "{what}");
        }
    }
}

/// A text of which nothing may be stored isn't captured as an empty one.
#[test]
fn a_completely_private_text_is_not_a_memory() {
    let place = Place::new();
    let context = place.context();
    let all = format!("<private>{SISTER}</private>\n");
    assert!(capture(&context, &draft(&all)).unwrap_err().message.contains("empty"));
    let id = noted(&context, "stays as it is", "config");
    let change = Update { content: Some(all), ..Update::default() };
    assert!(update(&context, &id, &change).unwrap_err().message.contains("empty"));
    let reply = capture(&context, &draft("part <private>x</private> stays")).unwrap();
    assert_eq!(reply["redacted"], true);
    assert!(delete(&context, &id, false).is_ok());
}
