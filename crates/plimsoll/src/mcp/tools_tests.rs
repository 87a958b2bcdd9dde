//! What every client must be able to read, and what every session pays for.

use std::collections::BTreeSet;

use agents::offer::{CORE, LEAN, TOOLS as TOOLS_OF_OURS, USUAL};

use service::SYSTEMS;

use super::*;

/// The only schema keys that all known hosts and model providers read alike.
const PORTABLE: [&str; 6] = ["type", "description", "properties", "required", "items", "enum"];

fn listed(wanted: &[&str], full: bool) -> Vec<Tool> {
    list(SYSTEMS, |name| wanted.contains(&name), full)
}

fn walk(at: &str, schema: &Value) {
    let Value::Object(schema) = schema else { panic!("{at}: a schema must be an object, not {schema}") };
    for (key, value) in schema {
        assert!(PORTABLE.contains(&key.as_str()), "{at}: the key {key} is not portable");
        match key.as_str() {
            "type" => {
                let kind =
                    value.as_str().unwrap_or_else(|| panic!("{at}: type must be one string, not {value}"));
                assert!(
                    ["object", "array", "string", "integer", "number", "boolean"].contains(&kind),
                    "{at}: type {kind} is not used"
                );
                assert_eq!(
                    kind == "object",
                    schema.contains_key("properties"),
                    "{at}: an object lists its properties"
                );
                assert_eq!(kind == "array", schema.contains_key("items"), "{at}: a list says of what");
            }
            "properties" => {
                for (name, inner) in value.as_object().expect("properties is an object") {
                    walk(&format!("{at}.{name}"), inner);
                }
            }
            "items" => walk(&format!("{at}[]"), value),
            "enum" => assert!(value.as_array().expect("enum is a list").iter().all(Value::is_string), "{at}"),
            "required" => {
                for name in value.as_array().expect("required is a list") {
                    let name = name.as_str().expect("a name");
                    assert!(schema["properties"].get(name).is_some(), "{at}: required {name} has no schema");
                }
            }
            _ => assert!(value.is_string(), "{at}.{key}"),
        }
    }
    assert!(schema.contains_key("type"), "{at}: no type");
}

/// The names of a system's tools, today's and older ones; with a prefix, those that an older product has with its own.
fn names(system: &System, prefixed: bool) -> BTreeSet<&'static str> {
    let own = system.tools.iter().filter(|tool| !prefixed || tool.has_legacy_name).map(|tool| tool.name);
    own.chain(system.legacy_tools.iter().map(|older| older.name)).collect()
}

#[test]
fn every_schema_is_portable_and_every_name_fits() {
    let tools = listed(TOOLS_OF_OURS, true);
    let ours: usize = SYSTEMS.iter().map(|system| system.tools.len()).sum();
    let bare: usize = SYSTEMS.iter().map(|system| names(system, false).len()).sum();
    let with_prefix = SYSTEMS.iter().filter(|system| !system.legacy_prefix.is_empty());
    let prefixed: usize = with_prefix.map(|system| names(system, true).len()).sum();
    assert_eq!(tools.len(), bare + prefixed);
    assert!(ours <= 10, "{ours} tools");
    let names: BTreeSet<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names.len(), tools.len(), "a name is listed twice");
    for tool in &tools {
        let name = tool.name.as_ref();
        assert!(name.len() <= 40 && name.starts_with(|c: char| c.is_ascii_lowercase()), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        assert!(tool.title.is_some() && tool.description.is_some() && tool.annotations.is_some(), "{name}");
        walk(name, &Value::Object(tool.input_schema.as_ref().clone()));
        let understood = SYSTEMS.iter().any(|system| system.tool(name).is_some());
        assert!(understood, "{name} is listed but not understood");
    }
}

/// Each tool of the specifications with the arguments that they name; `!` is a required one.
const SPECIFIED: &str = include_str!("specified_arguments.txt");

/// A client of a specification finds its tools, with the arguments that it names.
#[test]
fn the_specifications_names_list_their_arguments() {
    let listed = listed(TOOLS_OF_OURS, true);
    for line in SPECIFIED.lines() {
        let (name, arguments) = line.split_once(':').expect("a name and its arguments");
        let tool = listed.iter().find(|tool| tool.name == name);
        let schema = &tool.unwrap_or_else(|| panic!("{name} isn't listed")).input_schema;
        for argument in arguments.split_whitespace() {
            let (argument, is_required) = match argument.strip_suffix('!') {
                Some(argument) => (argument, true),
                None => (argument, false),
            };
            assert!(schema["properties"].get(argument).is_some(), "{name} doesn't list {argument}");
            let required = schema.get("required").and_then(Value::as_array);
            let does = required.is_some_and(|required| required.contains(&json!(argument)));
            assert!(!is_required || does, "{name} doesn't require {argument}");
        }
    }
}

/// A value that a schema allows.
fn value(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("array") => json!(["x"]),
        Some("boolean") => json!(true),
        Some("integer") => json!(3),
        Some("number") => json!(0.5),
        Some("object") => json!({"language": "rust"}),
        _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("x")),
    }
}

/// A client that goes by the list is understood: a name's listed actions are its own, and at least one of them takes
/// each listed argument.
#[test]
fn an_older_tool_name_accepts_what_it_lists() {
    let listed = listed(TOOLS_OF_OURS, true);
    let mut checked = 0;
    for system in SYSTEMS.iter().filter(|system| ["memory", "codebase"].contains(&system.id)) {
        for older in system.legacy_tools {
            // The tool of today has its bare name.
            let is_own = system.tools.iter().any(|tool| tool.name == older.name);
            let prefix = if is_own { system.legacy_prefix } else { "" };
            let name = format!("{prefix}{}", older.name);
            let tool = listed.iter().find(|tool| tool.name == name).expect("it's listed");
            let properties = tool.input_schema["properties"].as_object().expect("properties");
            // Each of its actions with what each of its calls needs.
            let by = ["action", "operation"].into_iter().find(|by| properties.contains_key(*by));
            let words = by.map_or(Vec::new(), |by| properties[by]["enum"].as_array().expect("words").clone());
            let mut call = Map::new();
            for (argument, schema) in properties {
                let is_required = older.required.contains(&argument.as_str());
                // Most actions on saved texts need one.
                if is_required || older.tool == "prompt" && argument == "name" {
                    call.insert(argument.clone(), value(schema));
                }
            }
            let mut calls: Vec<Map<String, Value>> = Vec::new();
            for word in words {
                let mut call = call.clone();
                call.insert(by.unwrap_or_default().to_owned(), word);
                calls.push(call);
            }
            if calls.is_empty() {
                calls.push(call);
            }
            let refused = |mut call: Map<String, Value>, further: Option<(&String, &Value)>| {
                if let Some((argument, schema)) = further {
                    call.entry(argument.clone()).or_insert_with(|| value(schema));
                }
                system::find_tool(SYSTEMS, &name, call).err().map(|error| error.to_string())
            };
            for call in &calls {
                assert_eq!(refused(call.clone(), None), None, "{name} {call:?}");
            }
            for further in properties {
                let errors: Vec<_> = calls.iter().map(|call| refused(call.clone(), Some(further))).collect();
                assert!(errors.contains(&None), "{name} lists {} and refuses it: {errors:?}", further.0);
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked} arguments");
}

/// A name that does one thing doesn't list the actions of the tool that does it.
#[test]
fn an_older_name_for_one_action_lists_no_others() {
    let listed = listed(TOOLS_OF_OURS, true);
    for older in SYSTEMS.iter().flat_map(|system| system.legacy_tools) {
        if older.required.contains(&"action") || older.tool == older.name {
            continue;
        }
        let tool = listed.iter().find(|tool| tool.name == older.name).expect("it's listed");
        let action = tool.input_schema["properties"].get("action");
        let is_its_own = action.is_none_or(|action| action["enum"] == json!([older.name]));
        assert!(is_its_own, "{}: {action:?}", older.name);
    }
}

#[test]
fn only_tools_that_just_read_are_annotated_as_such() {
    for tool in list(SYSTEMS, |_| true, false) {
        let annotations = tool.annotations.expect("checked above");
        assert_eq!(annotations.read_only_hint, Some(tool.name == "search"), "{}", tool.name);
        assert!(
            annotations.destructive_hint.is_some() && annotations.open_world_hint.is_some(),
            "{}",
            tool.name
        );
    }
}

#[test]
fn exactly_the_chosen_tools_are_listed() {
    let names = |wanted: &[&str]| -> Vec<String> {
        listed(wanted, false).iter().map(|tool| tool.name.to_string()).collect()
    };
    assert_eq!(names(TOOLS_OF_OURS), TOOLS_OF_OURS);
    assert_eq!((names(USUAL), names(LEAN)), (owned(USUAL), owned(LEAN)));
    assert_eq!(names(CORE), CORE);
    let has_background = |wanted: &[&str]| {
        listed(wanted, false)[0].input_schema["properties"]
            .as_object()
            .expect("properties")
            .contains_key("background")
    };
    assert!(has_background(TOOLS_OF_OURS) && !has_background(CORE));
}

/// Rare arguments are in the full list only.
#[test]
fn an_argument_about_another_tool_is_listed_only_with_it() {
    for ours in SYSTEMS.iter().flat_map(|system| system.tools) {
        let has = |wanted: &[&str], argument: &str| {
            let listed =
                listed(wanted, false).into_iter().find(|tool| tool.name == ours.name).expect("listed");
            listed.input_schema["properties"].get(argument).is_some()
        };
        for (argument, other) in ours.needs {
            assert!(
                has(&[ours.name, other], argument) && !has(&[ours.name], argument),
                "{} {argument}",
                ours.name
            );
        }
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// What every session pays for, as sent.
#[test]
fn the_lists_keep_within_their_budgets() {
    let bytes = |wanted: &[&str]| serde_json::to_string(&listed(wanted, false)).expect("JSON").len();
    let (first_six, all) = (bytes(&TOOLS_OF_OURS[..6]), bytes(TOOLS_OF_OURS));
    assert!(first_six <= 4_500, "the first six: {first_six}");
    assert!(all <= 8_000, "all: {all}");
    let (usual, lean) = (bytes(USUAL), bytes(LEAN));
    assert!(usual <= 4_500 && lean <= 3_200, "the usual: {usual}, the lean: {lean}");
}

#[test]
fn the_instructions_are_one_line_and_name_what_is_on() {
    let all = instructions(SYSTEMS);
    assert!(all.lines().count() == 1 && all.chars().count() <= 250 && all.ends_with('.'), "{all}");
    assert!(all.contains("(execute, batch)") && all.contains("(memory)"), "{all}");
    let less: Vec<_> = SYSTEMS.iter().copied().filter(|system| system.id != "memory").collect();
    assert!(!instructions(&less).contains("memory"));
    assert!(instructions(&[]).contains("nothing"));
}
