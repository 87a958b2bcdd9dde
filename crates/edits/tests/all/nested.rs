//! Plimsoll's hooks inside groups that others joined, and the odd values that a removal must not take for Plimsoll's.

use crate::common::{Scratch, format, names_us, path, server};
use plimsoll_edits::{
    Change, Dialect, Edit, EntryMatcher, EntryState, entry_state, plan, plan_removal, remains,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A handler, or a group of only such handlers.
fn ours() -> EntryMatcher {
    fn is(value: &Value) -> bool {
        match value.get("hooks").and_then(Value::as_array) {
            Some(hooks) => !hooks.is_empty() && hooks.iter().all(is),
            None => names_us(value.get("command")),
        }
    }
    EntryMatcher::new(is)
}

fn handler() -> Value {
    json!({ "command": "/h/.plimsoll/bin/plimsoll hook" })
}

fn hook(event: &str) -> Edit {
    let value = json!({ "matcher": "*", "hooks": [handler()] });
    Edit::Put { path: path(&["hooks", event]), value, ours: ours() }
}

fn sweep(keys: &[&str]) -> Edit {
    Edit::Set { path: path(keys), value: Value::Null, ours: ours(), keep_extra_keys: true }
}

#[test]
fn only_plimsolls_elements_leave_a_shared_value() {
    let us = handler();
    let cases = [
        // In a shared group, in each position; twice; beside one of Plimsoll's groups; in another event; deeper.
        (
            json!({"A": [{"hooks": [us, {"command": "mine"}]}]}),
            json!({"A": [{"hooks": [{"command": "mine"}]}]}),
        ),
        (
            json!({"A": [{"hooks": [{"command": "mine"}, us, us]}]}),
            json!({"A": [{"hooks": [{"command": "mine"}]}]}),
        ),
        (json!({"A": [{"hooks": [us]}, {"hooks": [1, us, null]}, us]}), json!({"A": [{"hooks": [1, null]}]})),
        (json!({"B": [{"hooks": [us]}, null, "x"]}), json!({"B": [null, "x"]})),
        (json!({"B": {"C": [[us, [us, 0]]]}}), json!({"B": {"C": [[[0]]]}})),
        (
            json!({"A": [{"hooks": []}, {"hooks": [null]}, null]}),
            json!({"A": [{"hooks": []}, {"hooks": [null]}, null]}),
        ),
    ];
    for (before, after) in cases {
        let scratch = Scratch::new();
        let edits = [hook("A"), sweep(&["hooks"])];
        for text in [
            json!({"hooks": before}).to_string(),
            serde_json::to_string_pretty(&json!({"hooks": before})).unwrap(),
        ] {
            let file = scratch.file("settings", text.as_bytes());
            let plan = plan_removal(&file, format(Dialect::Json), &edits, None);
            assert_eq!(plan.refusal, None, "{text}");
            let rest: Value = serde_json::from_slice(&plan.after).unwrap();
            assert_eq!(rest, json!({"hooks": after}), "{text}");
            assert!(plan.remains.is_empty(), "{:?}", plan.remains);
        }
    }
}

#[test]
fn a_comment_before_a_container_that_plimsoll_created_keeps_both() {
    for head in
        ["\"mcpServers\": /* mine */ {", "\"mcpServers\" /* mine */: {", "\"mcpServers\":\n  // mine\n  {"]
    {
        let scratch = Scratch::new();
        let file = scratch.file("settings", b"{\n  \"a\": 1\n}\n");
        let (format, edits) = (format(Dialect::Jsonc), [server(true)]);
        let receipt = scratch.apply(&plan(&file, format, &edits));
        let text = std::fs::read_to_string(&file).unwrap();
        let noted = text.replace("\"mcpServers\": {", head);
        assert_ne!(noted, text);
        std::fs::write(&file, noted).unwrap();
        scratch.apply(&plan_removal(&file, format, &edits, Some(&receipt)));
        let rest = std::fs::read_to_string(&file).unwrap();
        assert_eq!(rest, format!("{{\n  \"a\": 1,\n  {head}}}\n}}\n"));
    }
}

#[test]
fn what_no_edit_can_reach_is_reported() {
    let scratch = Scratch::new();
    let text = json!({"hooks": {"A": [handler()]}, "more": [{"x": handler()}, [1, handler()]]}).to_string();
    let file = scratch.file("settings", text.as_bytes());
    let edits = [hook("A")];
    let places = ["more[0].x", "more[1][1]"];
    let plan = plan_removal(&file, format(Dialect::Json), &edits, None);
    assert_eq!(plan.remains, places);
    scratch.apply(&plan);
    assert_eq!(remains(&file, format(Dialect::Json), &edits), places);
}

#[test]
fn a_joined_group_is_connected_and_an_outdated_one_is_mended() {
    let scratch = Scratch::new();
    let state = |group: &Value| {
        let file = scratch.file("settings", json!({"hooks": {"A": [group]}}).to_string().as_bytes());
        (
            entry_state(&file, format(Dialect::Json), &hook("A")),
            plan(&file, format(Dialect::Json), &[hook("A")]),
        )
    };
    let (here, planned) = state(&json!({"matcher": "*", "hooks": [{"command": "mine"}, handler()]}));
    assert_eq!((here, planned.change), (EntryState::OursWithExtras, Change::Unchanged));
    let old = json!({"command": "/old/plimsoll hook"});
    let (here, planned) = state(&json!({"matcher": "*", "hooks": [{"command": "mine"}, old]}));
    assert_eq!(here, EntryState::Differs);
    let now: Value = serde_json::from_slice(&planned.after).unwrap();
    let mine = json!({"matcher": "*", "hooks": [{"command": "mine"}]});
    assert_eq!(now, json!({"hooks": {"A": [mine, {"matcher": "*", "hooks": [handler()]}]}}));
}

/// Values with nulls, empty containers and things that nearly are a hook or a server.
fn odd() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => Just(Value::Null),
        1 => Just(json!({})),
        1 => Just(json!([])),
        1 => Just(json!({"hooks": []})),
        1 => Just(json!({"hooks": null, "command": null})),
        1 => Just(json!({"command": "plimsoll-fork hook"})),
        1 => any::<i8>().prop_map(Value::from),
        1 => Just(json!("plimsoll")),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map("hooks|command|matcher|[a-c]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// With a receipt, without one, and where nothing could be connected.
    #[test]
    fn odd_values_come_back(
        groups in prop::collection::vec(odd(), 0..4),
        event in odd(),
        entry in odd(),
        other in odd(),
        pretty in any::<bool>(),
        connects in any::<bool>(),
    ) {
        let mut document = json!({"hooks": {"A": groups, "B": event}, "mcpServers": {"x": other}, "z": null});
        if !connects {
            document["mcpServers"]["plimsoll"] = entry.clone();
            document["hooks"]["A"] = entry;
        }
        let text = if pretty { serde_json::to_string_pretty(&document).unwrap() } else { document.to_string() };
        let scratch = Scratch::new();
        let file = scratch.file("settings", text.as_bytes());
        let json = format(Dialect::Json);
        let planned = plan(&file, json, &[hook("A"), server(true)]);
        let remove = Edit::Set {
            path: path(&["mcpServers", "plimsoll"]), value: Value::Null, ours: ours(), keep_extra_keys: true,
        };
        let edits = [hook("A"), server(true), sweep(&["hooks"]), sweep(&[]), remove];
        if planned.refusal.is_some() {
            prop_assert!(!connects, "{}", text);
            let removal = plan_removal(&file, json, &edits, None);
            prop_assert_eq!(String::from_utf8(removal.after).unwrap(), text);
            return Ok(());
        }
        let receipt = scratch.apply(&planned);
        for receipt in [Some(&receipt), None] {
            let removal = plan_removal(&file, json, &edits, receipt);
            prop_assert_eq!(&removal.refusal, &None, "{}", text);
            prop_assert_eq!(removal.remains.len(), 0);
            if receipt.is_some() {
                prop_assert_eq!(String::from_utf8(removal.after).unwrap(), text.clone());
            } else {
                let rest: Value = serde_json::from_slice(&removal.after).unwrap();
                prop_assert_eq!(rest, document.clone());
            }
        }
    }
}
