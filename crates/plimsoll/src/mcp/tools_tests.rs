//! What every client must be able to read, and what every session pays for.

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
                    ["object", "array", "string", "integer", "boolean"].contains(&kind),
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

#[test]
fn every_schema_is_portable_and_every_name_fits() {
    let tools = listed(TOOLS_OF_OURS, true);
    let count = |of: fn(&System) -> usize| -> usize { SYSTEMS.iter().map(|system| of(system)).sum() };
    let (ours, older) = (count(|system| system.tools.len()), count(|system| system.legacy_tools.len()));
    // Every bare name, and those with a prefix.
    let prefixed = count(|system| match system.legacy_prefix {
        "" => 0,
        _ => system.legacy_tools.len() + system.tools.iter().filter(|tool| tool.has_legacy_name).count(),
    });
    assert_eq!(tools.len(), ours + older + prefixed);
    assert!(ours <= 10, "{ours} tools");
    let names: std::collections::BTreeSet<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
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

/// A client that goes by the list is understood: a name's listed actions are its own, and at least one of them takes
/// each listed argument.
#[test]
fn an_older_tool_name_accepts_what_it_lists() {
    let memory = SYSTEMS.iter().find(|system| system.id == "memory").expect("it's a system");
    let listed = listed(TOOLS_OF_OURS, true);
    for older in memory.legacy_tools {
        let tool = listed.iter().find(|tool| tool.name == older.name).expect("it's listed");
        let properties = tool.input_schema["properties"].as_object().expect("properties");
        let words = properties.get("action").and_then(|action| action.get("enum"));
        let Some(words) = words.and_then(Value::as_array) else { continue };
        let actions: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        let refused = |action: &str, argument: Option<&str>| -> String {
            let mut given = json!({"action": action});
            // Most actions on saved texts need one.
            if properties.contains_key("name") {
                given["name"] = "x".into();
            }
            if let Some(argument) = argument {
                given[argument] = match properties[argument]["type"].as_str() {
                    Some("array") => json!(["x"]),
                    Some("boolean") => json!(true),
                    Some("object") => json!({"a": "x"}),
                    _ => json!("x"),
                };
            }
            let given = given.as_object().expect("an object").clone();
            system::find_tool(SYSTEMS, older.name, given)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default()
        };
        for action in &actions {
            assert_eq!(refused(action, None), "", "{} {action}", older.name);
        }
        for argument in properties.keys().filter(|argument| *argument != "action") {
            let is_taken = actions.iter().any(|action| refused(action, Some(argument.as_str())).is_empty());
            assert!(is_taken, "{} lists {argument} and refuses it", older.name);
        }
    }
}

/// A client of the codebase specification finds its tools, with the arguments it names.
#[test]
fn older_codebase_names_list_the_specifications_arguments() {
    let listed = listed(TOOLS_OF_OURS, true);
    for (name, arguments) in [
        ("search_codebase", &["query", "intent", "limit", "filters", "includeSnippets"][..]),
        ("get_team_patterns", &["category"]),
        ("get_symbol_references", &["symbol", "limit"]),
        ("remember", &["type", "category", "memory", "reason"]),
        ("get_memory", &["category", "type", "query", "limit"]),
        ("get_codebase_metadata", &[]),
        ("get_style_guide", &["query", "category"]),
        ("detect_circular_dependencies", &["scope"]),
        ("refresh_index", &["reason", "incrementalOnly"]),
        ("get_indexing_status", &[]),
    ] {
        let tool = listed.iter().find(|tool| tool.name == name).expect("it's listed");
        let properties = tool.input_schema["properties"].as_object().expect("properties");
        assert!(!properties.contains_key("action"), "{name} is one action");
        for argument in arguments {
            assert!(properties.contains_key(*argument), "{name} doesn't list {argument}");
        }
        // Each that is listed is taken.
        for (argument, schema) in properties {
            let mut given = json!({"query": "x", "symbol": "x", "type": "decision", "memory": "x"});
            let given = given.as_object_mut().expect("an object");
            given.retain(|needed, _| properties.contains_key(needed));
            let value = match schema["type"].as_str() {
                Some("array") => json!(["x"]),
                Some("boolean") => json!(true),
                Some("integer") => json!(3),
                Some("object") => json!({"language": "rust"}),
                _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("x")),
            };
            given.insert(argument.clone(), value);
            let refused = system::find_tool(SYSTEMS, name, given.clone()).err();
            assert!(refused.is_none(), "{name} lists {argument} and refuses it: {refused:?}");
        }
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
