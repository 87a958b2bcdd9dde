//! Limits the size of replies: first removes what can be read elsewhere (lines of code, hints), then supplementary fields, then the
//! end of each list, with the next page's offset. Pure.

use serde_json::{Map, Value, json};

/// Bytes to a token, for every limit of this system. Paths, names and JSON have fewer bytes to a token than prose, so that the
/// estimate for figures would let more through than a limit promises.
pub(crate) const BYTES_PER_TOKEN: usize = 3;

/// The default cap, in tokens.
pub(crate) const PLAIN: usize = 1_500;
/// The highest cap.
pub(crate) const MOST: usize = 8_000;
/// The least that says anything.
const LEAST: usize = 100;

/// Removed first, from every entry of every list.
const SPARED: &[&[&str]] = &[
    &["snippet"],
    &["hints", "relationships", "imports", "exports"],
    &["preview", "signaturePreview", "signature", "uses"],
    &["summary", "relevanceReason", "type", "inside", "layer"],
];
/// Removed next, from the reply itself.
const ASIDE: &[&str] =
    &["nextHops", "relatedMemories", "leftOut", "languages", "naming", "styles", "unread", "goldenFiles"];
/// Removed once a single entry is left: of the reply, what it says of itself, then of the entry, what only helps to choose.
const OF_THE_LAST: (&str, &[&str]) = ("budget", &["importedByCount", "symbolKind", "score"]);
/// Lists that can be read on from where they end.
const PAGED: &[&str] =
    &["results", "usages", "callers", "callees", "implementations", "cycles", "diagnostics"];
/// What is paged together with one of those, at the same offset.
const BESIDE: &str = "definitions";
/// Texts within an answer are cut to these lengths, one after the other, …
const LONG: &[usize] = &[3_000, 1_000, 400];
/// … and to this one as a last resort.
const SHORT: usize = 120;

/// The most tokens that this many bytes count as.
fn tokens_at_most(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// The requested cap within the limits, or the default.
pub(crate) fn cap_or_default(tokens: Option<u64>) -> usize {
    tokens.map_or(PLAIN, |tokens| usize::try_from(tokens).unwrap_or(MOST).clamp(LEAST, MOST))
}

/// The answer as it is shown, in at most `tokens` tokens of [`BYTES_PER_TOKEN`] bytes.
pub(crate) fn fit_to_cap(mut data: Value, tokens: usize) -> (Value, String) {
    let fits = |data: &Value| {
        let text = data.to_string();
        (tokens_at_most(text.len()) <= tokens).then_some(text)
    };
    if let Some(text) = fits(&data) {
        return (data, text);
    }
    for keys in SPARED {
        remove_keys(&mut data, keys);
        if let Some(text) = fits(&data) {
            return (data, text);
        }
    }
    for key in ASIDE {
        if data.as_object_mut().is_some_and(|object| object.remove(*key).is_some())
            && let Some(text) = fits(&data)
        {
            return (data, text);
        }
    }
    for most in LONG {
        truncate_texts(&mut data, *most);
        if let Some(text) = fits(&data) {
            return (data, text);
        }
    }
    while shorten_longest_list(&mut data) {
        if let Some(text) = fits(&data) {
            return (data, text);
        }
    }
    let (of_reply, of_entry) = OF_THE_LAST;
    if data.as_object_mut().is_some_and(|object| object.remove(of_reply).is_some())
        && let Some(text) = fits(&data)
    {
        return (data, text);
    }
    remove_keys(&mut data, of_entry);
    truncate_texts(&mut data, SHORT);
    if let Some(text) = fits(&data) {
        return (data, text);
    }
    let mut least = json!({"truncated": true});
    if let Some(status) = data.get("status").filter(|status| status.is_string()) {
        least["status"] = status.clone();
    }
    // This much is what is left now, so it would fit.
    let enough = tokens_at_most(data.to_string().len()).div_ceil(100) * 100;
    let mut told = least.clone();
    told["hint"] = if enough <= MOST {
        format!("nothing fits into {tokens} tokens; max_tokens {enough} would do").into()
    } else {
        format!("nothing fits into {tokens} tokens; ask for less").into()
    };
    if let Some(text) = fits(&told) {
        return (told, text);
    }
    let text = least.to_string();
    (least, text)
}

/// Takes these keys out of all objects in lists.
fn remove_keys(data: &mut Value, keys: &[&str]) {
    match data {
        Value::Array(all) => {
            for one in all {
                if let Value::Object(object) = one {
                    keys.iter().for_each(|key| drop(object.remove(*key)));
                }
                remove_keys(one, keys);
            }
        }
        Value::Object(object) => object.values_mut().for_each(|value| remove_keys(value, keys)),
        _ => {}
    }
}

/// Cuts the last quarter of the longest list and sets the next page's offset; `false` if no list has two entries.
fn shorten_longest_list(data: &mut Value) -> bool {
    let Value::Object(object) = data else { return false };
    let longest = longest(object);
    let Some(key) = longest else { return false };
    let from = object.get("offset").and_then(Value::as_u64).unwrap_or(0);
    let beside = object.contains_key(BESIDE) && PAGED.iter().any(|list| object.contains_key(*list));
    let paged = matches!(key.as_slice(), [one] if PAGED.contains(&one.as_str()) || beside && one == BESIDE);
    let Some(list) = at(object, &key) else { return false };
    let before = list.len();
    list.truncate(before * 3 / 4);
    let kept = list.len() as u64;
    let cut = (before as u64).saturating_sub(kept);
    if key == ["folders"]
        && let Some(more) = object.get_mut("moreFolders")
    {
        *more = (more.as_u64().unwrap_or(0) + cut).into();
    }
    object.insert("truncated".into(), true.into());
    if key == ["results"]
        && let Some(count) = object.get_mut("budget").and_then(|budget| budget.get_mut("resultCount"))
    {
        *count = kept.into();
    }
    if paged {
        // Both end at the same place, so that the next page repeats nothing.
        for other in PAGED.iter().copied().filter(|_| beside).chain([BESIDE]) {
            if let Some(Value::Array(list)) = object.get_mut(other) {
                list.truncate(usize::try_from(kept).unwrap_or(usize::MAX));
            }
        }
        object.insert("nextOffset".into(), (from + kept).into());
        // What's left is on the next page.
        if let Some(complete) = object.get_mut("isComplete") {
            *complete = false.into();
        }
    }
    true
}

/// The path of the longest list with two or more entries, up to two keys deep.
fn longest(object: &Map<String, Value>) -> Option<Vec<String>> {
    let mut best: Option<(usize, Vec<String>)> = None;
    let mut see = |key: Vec<String>, list: &Vec<Value>| {
        if list.len() > 1 {
            let size = Value::from(list.clone()).to_string().len();
            if best.as_ref().is_none_or(|(most, _)| size > *most) {
                best = Some((size, key));
            }
        }
    };
    for (name, value) in object {
        match value {
            Value::Array(list) => see(vec![name.clone()], list),
            Value::Object(inner) => {
                for (second, value) in inner {
                    match value {
                        Value::Array(list) => see(vec![name.clone(), second.clone()], list),
                        Value::Object(deep) => {
                            for (third, value) in deep {
                                if let Value::Array(list) = value {
                                    see(vec![name.clone(), second.clone(), third.clone()], list);
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    best.map(|(_, key)| key)
}

fn at<'o>(object: &'o mut Map<String, Value>, key: &[String]) -> Option<&'o mut Vec<Value>> {
    let (last, path) = key.split_last()?;
    let mut here = object;
    for name in path {
        here = here.get_mut(name)?.as_object_mut()?;
    }
    here.get_mut(last)?.as_array_mut()
}

/// Cuts every text.
fn truncate_texts(data: &mut Value, most: usize) {
    match data {
        Value::String(text) if text.len() > most => {
            text.truncate(text.floor_char_boundary(most));
            text.push('…');
        }
        Value::Array(all) => all.iter_mut().for_each(|one| truncate_texts(one, most)),
        Value::Object(object) => object.values_mut().for_each(|value| truncate_texts(value, most)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<u32>().prop_map(Value::from),
            "\\PC{0,300}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 256, 24, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..24).prop_map(Value::from),
                prop::collection::vec(
                    ("(results|usages|summary|snippet|hints|status|offset|[a-z]{1,40})", inner),
                    0..12
                )
                .prop_map(|all| Value::Object(all.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn a_too_small_cap_names_a_sufficient_one() {
        let patterns: Map<String, Value> =
            (0..20).map(|n| (format!("category{n}"), json!({"primary": {"name": "x".repeat(40)}}))).collect();
        let reply = json!({"status": "success", "patterns": patterns});
        let (least, _) = fit_to_cap(reply.clone(), LEAST);
        assert_eq!((&least["truncated"], &least["status"]), (&json!(true), &json!("success")));
        let hint = least["hint"].as_str().unwrap();
        let enough = hint.split("max_tokens ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        let (shown, _) = fit_to_cap(reply, enough.parse().unwrap());
        assert!(shown["patterns"].is_object(), "{hint}");
    }

    #[test]
    fn the_smallest_cap_still_has_room_for_a_place() {
        let result = |file: &str| {
            json!({
                "file": file, "summary": "struct CachedDate in date.rs", "score": 0.97, "type": "struct:common",
                "relevanceReason": "defines what is asked for", "importedByCount": 3, "symbol": "CachedDate",
                "symbolKind": "struct", "signaturePreview": "struct CachedDate",
            })
        };
        for (file, symbol_kind) in [
            ("src/common/date.rs:36-42", Some("struct")),
            ("packages/server/src/unstable-core/http/date.rs:1236-1242", None),
        ] {
            let reply = json!({
                "status": "success", "searchQuality": {"status": "ok", "confidence": 0.92},
                "budget": {"mode": "compact", "resultCount": 5}, "nextOffset": 5,
                "results": vec![result(file); 5], "nextHops": [{"action": "references", "symbol": "CachedDate"}],
                "index": {"status": "ready", "confidence": "high"},
            });
            let (shown, _) = fit_to_cap(reply, LEAST);
            let first = &shown["results"][0];
            assert_eq!(first["file"], file, "{shown}");
            assert_eq!(first["symbol"], "CachedDate", "{shown}");
            assert_eq!(first["symbolKind"].as_str(), symbol_kind, "{shown}");
            assert_eq!(shown["nextOffset"], 1, "{shown}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_larger_than_its_cap(data in any_value(), tokens in LEAST..MOST) {
            let (shown, text) = fit_to_cap(data, tokens);
            prop_assert!(text.len() <= tokens * BYTES_PER_TOKEN);
            prop_assert_eq!(shown.to_string(), text);
        }

        #[test]
        fn definitions_are_paged_with_uses(
            uses in prop::collection::vec(0usize..300, 0..60),
            definitions in prop::collection::vec(0usize..300, 0..60),
            tokens in 300usize..900,
        ) {
            let list = |sizes: &[usize]| -> Vec<Value> {
                sizes.iter().enumerate().map(|(i, n)| json!({"file": i, "kind": "x".repeat(*n % 100)})).collect()
            };
            let (uses, definitions) = (list(&uses), list(&definitions));
            let (mut seen_uses, mut seen_definitions, mut from) = (Vec::new(), Vec::new(), 0usize);
            loop {
                let page = |all: &[Value]| -> Vec<Value> { all.iter().skip(from).cloned().collect() };
                let reply = json!({
                    "status": "success", "offset": from, "usages": page(&uses), "definitions": page(&definitions),
                });
                let (shown, _) = fit_to_cap(reply, tokens);
                let files = |key: &str| -> Vec<u64> {
                    shown[key].as_array().unwrap().iter().map(|one| one["file"].as_u64().unwrap()).collect()
                };
                seen_uses.extend(files("usages"));
                seen_definitions.extend(files("definitions"));
                match shown["nextOffset"].as_u64() {
                    Some(next) => { prop_assert!(next as usize > from); from = next as usize; }
                    None => break,
                }
            }
            prop_assert_eq!(seen_uses, (0..uses.len() as u64).collect::<Vec<_>>());
            prop_assert_eq!(seen_definitions, (0..definitions.len() as u64).collect::<Vec<_>>());
        }

        #[test]
        fn pages_that_were_cut_visit_all_once(
            sizes in prop::collection::vec(0usize..400, 1..80),
            others in 0usize..30,
            tokens in 300usize..900,
        ) {
            let all: Vec<Value> = sizes.iter().enumerate().map(|(i, n)| json!({"file": i, "summary": "x".repeat(*n)})).collect();
            let (mut seen, mut from) = (Vec::new(), 0usize);
            loop {
                let page: Vec<Value> = all[from..].to_vec();
                let budget = json!({"resultCount": page.len()});
                // A list that is only beside the pages.
                let folders = vec![json!({"path": "a/rather/long/folder/name"}); others];
                let reply = json!({"status": "success", "offset": from, "budget": budget, "folders": folders, "results": page});
                let (shown, _) = fit_to_cap(reply, tokens);
                prop_assert_eq!(shown["budget"]["resultCount"].as_u64(), shown["results"].as_array().map(|all| all.len() as u64));
                seen.extend(shown["results"].as_array().unwrap().iter().map(|one| one["file"].as_u64().unwrap()));
                match shown["nextOffset"].as_u64() {
                    Some(next) => { prop_assert!(next as usize > from); from = next as usize; }
                    None => break,
                }
            }
            prop_assert_eq!(seen, (0..all.len() as u64).collect::<Vec<_>>());
        }
    }
}
