//! Laws over generated files: twice is once; adding and removing restores the bytes; the user's content survives; no bytes at
//! all cause a panic.

use crate::common::{Scratch, edits, format, hook, path, server, visible};
use plimsoll_edits::{Change, Dialect, Edit, EntryMatcher, FileReceipt, plan, plan_removal};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Values as an agent's file contains them.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z\"\\\\/ é🔑]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec(("[a-zé{},:\"]{1,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A whole file: other members, other servers and hooks, in some order.
fn document() -> impl Strategy<Value = Value> {
    let servers =
        prop_oneof![Just(None), prop::collection::vec(("[a-z]{1,5}", value()), 0..3).prop_map(Some),];
    let hooks = prop_oneof![Just(None), prop::collection::vec(value(), 0..3).prop_map(Some)];
    (prop::collection::vec(("[a-z]{1,6}_", value()), 0..4), servers, hooks, any::<bool>()).prop_map(
        |(members, servers, hooks, first)| {
            let mut map = Map::new();
            let extra = |map: &mut Map<String, Value>| {
                if let Some(servers) = &servers {
                    map.insert("mcpServers".to_owned(), Value::Object(servers.iter().cloned().collect()));
                }
                if let Some(groups) = &hooks {
                    map.insert("hooks".to_owned(), json!({ "PreToolUse": groups, "Stop": [] }));
                }
            };
            if first {
                extra(&mut map);
            }
            map.extend(members);
            if !first {
                extra(&mut map);
            }
            Value::Object(map)
        },
    )
}

/// The file's formatting: a choice per gap between two tokens.
#[derive(Debug, Clone)]
struct Layout {
    eol: &'static str,
    unit: &'static str,
    lines: bool,
    comments: bool,
    trailing: bool,
    dice: Vec<u8>,
}

fn layout(comments: bool) -> impl Strategy<Value = Layout> {
    (
        prop_oneof![Just("\n"), Just("\r\n")],
        prop_oneof![Just("  "), Just("\t"), Just("    "), Just("")],
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec(any::<u8>(), 16),
    )
        .prop_map(move |(eol, unit, lines, trailing, dice)| Layout {
            eol,
            unit,
            lines,
            comments,
            trailing: comments && trailing,
            dice,
        })
}

impl Layout {
    fn roll(&self, at: &mut usize) -> u8 {
        *at += 1;
        self.dice[*at % self.dice.len()]
    }

    fn gap(&self, depth: usize, at: &mut usize) -> String {
        let roll = self.roll(at);
        let mut gap = String::new();
        if self.comments && roll.is_multiple_of(5) {
            gap.push_str(" /* , } \" */ ");
        }
        if self.comments && roll.is_multiple_of(7) {
            gap.push_str("// mine, \"x\" ]");
            gap.push_str(self.eol);
        }
        if self.lines && !roll.is_multiple_of(11) {
            gap.push_str(self.eol);
            gap.push_str(&self.unit.repeat(depth));
        } else if roll.is_multiple_of(3) {
            gap.push(' ');
        }
        gap
    }

    fn write(&self, value: &Value, depth: usize, at: &mut usize) -> String {
        let (items, open, close): (Vec<String>, char, char) = match value {
            Value::Object(map) => {
                let member = |(key, value): (&String, &Value)| {
                    let colon = if self.roll(at).is_multiple_of(2) { ": " } else { ":" };
                    let value = self.write(value, depth + 1, at);
                    format!("{}{}{colon}{value}", self.gap(depth + 1, at), Value::from(key.as_str()))
                };
                (map.iter().map(member).collect(), '{', '}')
            }
            Value::Array(items) => {
                let element = |value: &Value| {
                    let value = self.write(value, depth + 1, at);
                    format!("{}{value}", self.gap(depth + 1, at))
                };
                (items.iter().map(element).collect(), '[', ']')
            }
            other => return other.to_string(),
        };
        let tail = if self.trailing && !items.is_empty() { "," } else { "" };
        let roll = self.roll(at);
        let blank =
            if items.is_empty() && roll.is_multiple_of(2) { String::new() } else { self.gap(depth, at) };
        format!("{open}{}{tail}{blank}{close}", items.join(","))
    }

    fn file(&self, value: &Value) -> String {
        let mut at = 0;
        let tail = if self.lines { self.eol } else { "" };
        format!("{}{tail}", self.write(value, 0, &mut at))
    }
}

/// Add, again, remove: by the receipt and by meaning.
fn round_trip(text: &str, dialect: Dialect, edits: &[Edit]) -> Result<(), TestCaseError> {
    let scratch = Scratch::new();
    let file = scratch.file("settings", text.as_bytes());
    let format = format(dialect);
    let planned = plan(&file, format, edits);
    prop_assert_eq!(&planned.refusal, &None, "{}", text);
    let receipt = scratch.apply(&planned);
    let again = plan(&file, format, edits);
    prop_assert_eq!(again.change, Change::Unchanged, "{}\n{}", text, again.diff);
    let whole = plan_removal(&file, format, edits, Some(&receipt));
    prop_assert_eq!(visible(&whole.after), visible(text.as_bytes()));
    let stale = FileReceipt { hash_after: Some("0".to_owned()), ..receipt };
    let by_meaning = plan_removal(&file, format, edits, Some(&stale));
    prop_assert_eq!(&by_meaning.refusal, &None, "{}", text);
    prop_assert_eq!(visible(&by_meaning.after), visible(text.as_bytes()), "{}", visible(&planned.after));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strict_json_comes_back(document in document(), layout in layout(false)) {
        let text = layout.file(&document);
        for dialect in [Dialect::Json, Dialect::JsonComments, Dialect::Jsonc] {
            round_trip(&text, dialect, &edits(dialect))?;
        }
    }

    #[test]
    fn commented_json_comes_back(document in document(), layout in layout(true)) {
        let text = layout.file(&document);
        round_trip(&text, Dialect::Jsonc, &edits(Dialect::Jsonc))?;
        if !layout.trailing {
            round_trip(&text, Dialect::JsonComments, &edits(Dialect::JsonComments))?;
        }
    }

    #[test]
    fn what_is_foreign_survives_a_rewrite_by_the_host(document in document(), layout in layout(false)) {
        let scratch = Scratch::new();
        let file = scratch.file("settings", layout.file(&document).as_bytes());
        let (format, edits) = (format(Dialect::Json), [server(true), hook("PreToolUse"), hook("New")]);
        let receipt = scratch.apply(&plan(&file, format, &edits));
        // The agent reads everything and rewrites it in its own layout, with one more key.
        let mut now: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        now.as_object_mut().unwrap().insert("later".to_owned(), json!(1));
        std::fs::write(&file, serde_json::to_string(&now).unwrap()).unwrap();
        let removal = plan_removal(&file, format, &edits, Some(&receipt));
        scratch.apply(&removal);
        let mut rest: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        rest.as_object_mut().unwrap().shift_remove("later");
        prop_assert_eq!(rest, document);
    }

    #[test]
    fn toml_comes_back(
        lines in prop::collection::vec(prop_oneof![
            "[a-c]{1,2}[0-9]{4} = (1|\"x\"|\\[1, 2,\\]|\\{ b = 2 \\}|'''q\n w''')( # note)?",
            "", "# words = \\[", "[ \t]",
        ], 0..6),
        table in prop_oneof![
            Just(""), Just("[mcp_servers]\n"), Just("[mcp_servers.other]\ncommand = 'x'\n[z]\n"),
            Just("[features]\nweb = true # on\n\n[z]\n"), Just("[[list]]\nx = 1\n[[list]]\n"),
            Just("mcp_servers = { a = {} }\n"), Just("mcp_servers.a.b = 1\n"),
        ],
        crlf in any::<bool>(), newline in any::<bool>(),
    ) {
        let unique: Vec<String> = lines.iter().enumerate()
            .map(|(i, line)| if line.contains(" = ") && !line.starts_with('#') { format!("k{i}{line}") } else { line.clone() })
            .collect();
        let mut text = format!("{}\n{table}", unique.join("\n"));
        if !newline {
            text = text.trim_end_matches('\n').to_owned();
        }
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        round_trip(&text, Dialect::Toml, &edits(Dialect::Toml))?;
    }

    #[test]
    fn words_come_back(text in "([a-z# ]{0,6}(\r?\n)?){0,6}") {
        round_trip(&text, Dialect::Markdown, &edits(Dialect::Markdown))?;
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), text in "[\\[\\]{}\",:\\\\/*# \n\r\ta=.'u\\-0-9é]{0,48}") {
        let scratch = Scratch::new();
        for content in [bytes.as_slice(), text.as_bytes()] {
            let file = scratch.file("settings", content);
            for dialect in [Dialect::Json, Dialect::JsonComments, Dialect::Jsonc, Dialect::Toml, Dialect::Markdown] {
                let planned = plan(&file, format(dialect), &edits(dialect));
                if planned.refusal.is_some() {
                    prop_assert_eq!(&planned.after, content);
                }
                let removal = plan_removal(&file, format(dialect), &edits(dialect), None);
                prop_assert!(removal.change != Change::Delete);
            }
        }
    }

    #[test]
    fn an_update_touches_only_what_changed(document in document(), layout in layout(false), other in value()) {
        let scratch = Scratch::new();
        let mut document = document;
        let servers = document.as_object_mut().unwrap().entry("mcpServers").or_insert_with(|| json!({}));
        let entry = json!({ "command": "/old/plimsoll", "mine": other, "args": ["x"] });
        servers.as_object_mut().unwrap().insert("plimsoll".to_owned(), entry);
        let file = scratch.file("settings", layout.file(&document).as_bytes());
        let planned = plan(&file, format(Dialect::Json), &[server(true)]);
        prop_assert_eq!(&planned.refusal, &None);
        let now: Value = serde_json::from_slice(&planned.after).unwrap();
        let place = document.pointer_mut("/mcpServers/plimsoll").unwrap();
        place["command"] = json!("/h/.plimsoll/bin/plimsoll");
        place["args"] = json!(["mcp"]);
        prop_assert_eq!(now, document);
    }
}

#[test]
fn a_value_that_only_looks_like_plimsolls_is_left_alone() {
    let scratch = Scratch::new();
    let text = r#"{ "hooks": { "PreToolUse": [ { "matcher": "plimsoll", "hooks": [] } ] } }"#;
    let file = scratch.file("settings", text.as_bytes());
    let removal = plan_removal(&file, format(Dialect::Json), &[hook("PreToolUse"), server(true)], None);
    assert_eq!(removal.change, Change::Unchanged);
    let never = Edit::Set {
        path: path(&["hooks"]),
        value: json!(1),
        ours: EntryMatcher::new(|_| false),
        keep_extra_keys: true,
    };
    assert_eq!(plan(&file, format(Dialect::Json), &[never]).refusal.unwrap().code(), "foreign");
    assert_eq!(scratch.store.receipt(&file), None);
}
