//! Arguments that models really send, and the resulting requests.

use serde_json::json;

use super::*;
use crate::context::SYSTEM;

fn read(name: &str, arguments: Value) -> Result<Request, Error> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let Some((_, plain)) = SYSTEM.tool(name) else {
        return Err(system::find_tool(&[&SYSTEM], name, arguments).err().expect("there is no such tool"));
    };
    let mut arguments = Arguments::new(plain, arguments);
    let request = Request::read(&mut arguments)?;
    arguments.finish()?;
    Ok(request)
}

fn message(name: &str, arguments: Value) -> String {
    read(name, arguments).unwrap_err().to_string()
}

#[test]
fn strings_are_accepted_for_numbers_and_switches() {
    let Ok(Request::Execute(execute)) = read(
        "execute",
        json!({"language": "shell", "code": "ls", "timeout_ms": "5000", "background": "true", "intent": " ", "path": null}),
    ) else {
        panic!("understood")
    };
    assert_eq!(
        (execute.timeout_ms, execute.background, execute.intent, execute.path),
        (Some(5000), true, None, None)
    );
}

#[test]
fn lists_arrive_in_many_shapes() {
    for queries in [json!(["a", "b"]), json!("[\"a\", \"b\"]")] {
        let Ok(Request::Search(search)) = read("search", json!({ "queries": queries })) else {
            panic!("understood")
        };
        assert_eq!(search.queries, ["a", "b"]);
    }
    for one in [json!(5), json!([5]), json!("5")] {
        let Ok(Request::Search(search)) = read("search", json!({ "queries": one })) else {
            panic!("understood: {one}")
        };
        assert_eq!(search.queries, ["5"]);
    }
    let Ok(Request::Search(search)) =
        read("ctx_search", json!({"query": "[unclosed", "limit": 5.0, "sort": "timeline"}))
    else {
        panic!("understood")
    };
    assert_eq!((search.queries, search.limit, search.order), (vec!["[unclosed".to_owned()], 5, Order::Time));
}

#[test]
fn commands_arrive_in_many_shapes() {
    let expected = [Command { label: "git log".into(), command: "git log".into() }];
    for commands in [
        json!("git log"),
        json!(["git log"]),
        json!({"command": "git log"}),
        json!([{"label": "", "command": "git log"}]),
        json!("[{\"label\":\"git log\",\"command\":\"git log\"}]"),
        json!(["{\"command\":\"git log\"}"]),
    ] {
        let Ok(Request::Batch(batch)) = read("batch_execute", json!({ "commands": commands })) else {
            panic!("understood: {commands}")
        };
        assert_eq!(batch.commands, expected);
    }
}

#[test]
fn a_blank_query_is_ignored_and_one_label_covers_every_page() {
    let Ok(Request::Batch(batch)) = read("batch", json!({"commands": "ls", "queries": ["", " ", "a"]}))
    else {
        panic!("understood")
    };
    assert_eq!(batch.queries, ["a"]);
    let sources = |urls: Value| {
        let Ok(Request::Index(Index { input: Input::Web(pages), .. })) =
            read("index", json!({"urls": urls, "source": "docs"}))
        else {
            panic!("understood")
        };
        pages.into_iter().map(|page| page.source.unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(sources(json!(["https://a.example"])), ["docs"]);
    assert_eq!(
        sources(json!(["https://a.example", " https://b.example"])),
        ["docs https://a.example", "docs https://b.example"]
    );
}

#[test]
fn older_names_mean_the_same() {
    assert!(matches!(
        read("ctx_execute_file", json!({"path": "a.log", "language": "python", "code": "1", "timeout": 9})),
        Ok(Request::Execute(Execute { timeout_ms: Some(9), path: Some(_), .. }))
    ));
    assert!(matches!(
        read("fetch_and_index", json!({"requests": [{"url": "https://a.example", "source": "a"}, "https://b.example"]})),
        Ok(Request::Index(Index { input: Input::Web(pages), .. })) if pages.len() == 2
    ));
    for (name, action) in [
        ("stats", ManageAction::Stats),
        ("ctx_doctor", ManageAction::Doctor),
        ("ctx_upgrade", ManageAction::Upgrade),
        ("purge", ManageAction::Purge),
    ] {
        assert!(matches!(read(name, json!({})), Ok(Request::Manage(manage)) if manage.action == action));
    }
    assert!(matches!(
        read("ctx_purge", json!({"confirm": "yes", "scope": "session", "sessionId": "s1"})),
        Ok(Request::Manage(Manage { confirm: true, scope: Some(PurgeScope::Session(Some(_))), .. }))
    ));
}

#[test]
fn every_name_is_understood_with_and_without_prefix() {
    let plain_name = |name: &str| SYSTEM.tool(name).map(|(_, plain)| plain);
    let names =
        SYSTEM.tools.iter().map(|tool| tool.name).chain(SYSTEM.legacy_tools.iter().map(|older| older.name));
    for name in names {
        assert_eq!(plain_name(name), Some(name));
        assert_eq!(plain_name(&format!("ctx_{name}")), Some(name));
    }
    assert_eq!(plain_name("ctx_ctx_search"), None);
}

#[test]
fn errors_name_the_argument_and_the_allowed_ones() {
    let printed = [
        message("execute", json!({"code": "ls"})),
        message("execute", json!({"language": "shell", "code": "ls", "shell": true, "cmd": 1})),
        message("execute", json!({"language": "shell", "code": "ls", "timeout_ms": "soon"})),
        message("execute", json!({"language": "shell", "code": "ls", "timeout_ms": 3_600_001})),
        message("execute", json!({"language": {"name": "shell"}, "code": "ls"})),
        message("batch", json!({"commands": []})),
        message("batch", json!({"commands": [5]})),
        message("batch", json!({"commands": [{"command": "ls", "cwd": "/"}]})),
        message("index", json!({})),
        message("index", json!({"content": "a", "url": "https://a.example"})),
        message("search", json!({"queries": []})),
        message("search", json!({"queries": "x", "in": "web"})),
        message("search", json!({"queries": "x", "kind": "text"})),
        message("task", json!({"action": "stop"})),
        message("manage", json!({"action": "reset"})),
        message("manage", json!({"action": "purge", "scope": "mine"})),
        message("subcog_recall", json!({})),
        message("execute", json!({"command": "ls"})),
        message("batch", json!({"command": "ls"})),
        message("batch", json!({"commands": ["ls", {"label": "a", "command": " "}]})),
        message("batch", json!({"commands": ["ls", " "]})),
        message("search", json!({"q": "x"})),
        message("task", json!({"action": "stop", "task_id": "t1"})),
        message("task", json!({"action": "output", "id": "plimsoll://source/3"})),
        message("manage", json!({})),
    ]
    .join("\n");
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!(printed) });
}
