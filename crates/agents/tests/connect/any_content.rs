//! The laws, with any other content in the file.

use edits::Edit;
use plimsoll_agents::{self as agents};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::files::{Style, render, users_value};
use crate::laws::round_trip;
use crate::scratch::{Scratch, is_whole};

fn styles() -> impl Strategy<Value = Style> {
    prop::sample::select(Style::ALL.to_vec())
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(|b| json!(b)),
        any::<i32>().prop_map(|n| json!(n)),
        "[ -~äß漢\u{1f600}\\\\\"/#{}]{0,12}".prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map("[a-zA-Z][a-zA-Z0-9_.-]{0,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The laws apply with any other content in the file.
    #[test]
    fn the_laws_hold_for_any_content(
        which in any::<prop::sample::Index>(),
        file in any::<prop::sample::Index>(),
        style in styles(),
        keys in prop::collection::btree_map("[a-zA-Z][a-zA-Z0-9_ -]{0,10}", json_value(), 0..5),
    ) {
        let agent = *which.get(agents::all());
        let scratch = Scratch::new(agent);
        let file = file.get(&scratch.files);
        prop_assume!(!is_whole(file));
        let mut value = users_value(file);
        for (key, extra) in keys {
            let ours = file.edits.iter().any(|edit| matches!(edit,
                Edit::Set { path, .. } | Edit::Put { path, .. } | Edit::SetIfAbsent { path, .. } if path[0] == key));
            if !ours {
                value[key.as_str()] = extra;
            }
        }
        let what = format!("{} {}", agent.id(), file.path.display());
        if let Some(text) = render(&value, file.format.dialect, style).filter(|_| style.accepted_by(file.format)) {
            round_trip(&scratch, file, text.as_bytes(), &what);
        }
    }
}
