//! The router over a real service in a temporary home: every command is served, and what one writes another reads.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use commands::{COMMANDS, Host, RequestedScreen, Router};
use contract::ErrorCode;
use contract::desktop::PickWhat;
use home::{Clock, Env};
use plimsoll_commands as commands;
use serde_json::{Value, json};
use service::Service;

struct Desk(PathBuf);

impl Host for Desk {
    fn kind(&self) -> &'static str {
        "browser"
    }
    fn pick(&self, what: &PickWhat) -> Option<PathBuf> {
        matches!(what, PickWhat::Save { .. }).then(|| self.0.join("plan.diff"))
    }
    fn open_folder(&self, _: &Path) -> Result<(), String> {
        Ok(())
    }
    fn open_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn autostart(&self) -> Option<bool> {
        None
    }
    fn set_autostart(&self, _: bool) -> Result<(), String> {
        Err("this desktop starts nothing by itself".into())
    }
    fn tray(&self) -> bool {
        false
    }
    fn packaged(&self) -> bool {
        false
    }
    fn sidecar(&self) -> Option<PathBuf> {
        None
    }
    fn wanted_screen(&self) -> Option<RequestedScreen> {
        None
    }
    fn crash(&self) -> Option<PathBuf> {
        None
    }
    fn locale(&self) -> String {
        "en".into()
    }
    fn log(&self, _: &str) {}
    fn quit(&self) {}
}

fn router(dir: &Path) -> Arc<Router> {
    let env = Env::for_test(dir).with_cwd(dir);
    Router::new(
        Arc::new(Service::new(env, Clock::fixed(1_700_000_000_000)).unwrap()),
        Arc::new(Desk(dir.to_owned())),
    )
}

async fn call(router: &Arc<Router>, name: &str, args: Value) -> Value {
    router.call(name, args).await.unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_list_is_served_and_bad_arguments_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let router = router(dir.path());
    let (on, off): (Vec<&system::System>, Vec<_>) =
        service::SYSTEMS.iter().copied().partition(|system| system.is_on(&home::Settings::default()));
    let names = |systems: &[&system::System]| -> Vec<&str> {
        systems.iter().flat_map(|system| system.commands).map(|command| command.name).collect()
    };
    for name in COMMANDS.iter().map(|command| command.name).chain(names(&on)) {
        // Every command rejects arguments of the wrong type without doing anything.
        let error = router.call(name, json!("no object")).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{name}");
        assert!(error.message.text().starts_with(name), "{error}");
    }
    // A system that is off has no commands until it's switched on.
    let other = tempfile::tempdir().unwrap();
    std::fs::create_dir(other.path().join(".plimsoll")).unwrap();
    let switches: String = off.iter().map(|system| format!("[{}]\nenabled = true\n", system.id)).collect();
    std::fs::write(other.path().join(".plimsoll/settings.toml"), switches).unwrap();
    let switched = self::router(other.path());
    for name in names(&off) {
        assert_eq!(router.call(name, Value::Null).await.unwrap_err().code, ErrorCode::UnknownTool, "{name}");
        let error = switched.call(name, json!("no object")).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{name}");
    }
    let error = router.call("no_such", Value::Null).await.unwrap_err();
    assert!(error.message.text().contains("no_such"), "{error}");
    assert!(!dir.path().join(".plimsoll").exists(), "looking made a folder");
}

/// Linux allows any byte in a name; JSON doesn't.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_home_whose_name_isnt_utf8_opens() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join(std::ffi::OsStr::from_bytes(b"ke\xffel"));
    std::fs::create_dir(&odd).unwrap();
    let router = router(&odd);
    let host = call(&router, "host", Value::Null).await;
    assert!(host["user_home"].as_str().unwrap().ends_with("/ke\u{fffd}el"), "{host}");
    for (name, args) in [
        ("settings", Value::Null),
        ("overview", json!({"since_ms": 0, "utc_offset_min": 60})),
        ("agents", json!({"thorough": false})),
        ("plan_uninstall", Value::Null),
    ] {
        call(&router, name, args).await;
    }
    let refused = router.call("pick", json!({"what": "save", "name": "plan.diff"})).await.unwrap_err();
    assert!(refused.message.text().contains("isn't UTF-8"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_computer_has_an_empty_screen_everywhere_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let router = router(dir.path());
    let overview = call(&router, "overview", json!({"since_ms": 0, "utc_offset_min": 60})).await;
    assert_eq!((&overview["first_run"], &overview["sources"]), (&json!(true), &json!(0)));
    assert_eq!(call(&router, "projects", Value::Null).await, json!([]));
    assert_eq!(call(&router, "sessions", json!({"limit": 10})).await, json!({"rows": [], "total": 0}));
    assert_eq!(call(&router, "activity", json!({"limit": 10})).await["total"], 0);
    assert_eq!(call(&router, "calls", json!({"limit": 10})).await["total"], 0);
    assert_eq!(call(&router, "stats", Value::Null).await["sums"]["calls"], 0);
    assert!(!call(&router, "agents", Value::Null).await.as_array().unwrap().is_empty());
    assert!(!call(&router, "settings", Value::Null).await["settings"].as_array().unwrap().is_empty());
    assert!(!dir.path().join(".plimsoll").exists());
    assert_eq!(router.call("autostart", json!({"on": true})).await.unwrap_err().code, ErrorCode::Failed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_is_added_searched_read_deleted_and_brought_back() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("shop");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(project.join("notes.md"), "# Effects\n\nThe cleanup runs first.\n\n# Other\n\nNothing.\n")
        .unwrap();
    let router = router(dir.path());
    // Outside every project, because the window knows none yet.
    call(&router, "add_path", json!({"project": "", "path": project.join("notes.md")})).await;
    let projects = call(&router, "projects", Value::Null).await;
    let key = projects[0]["key"].as_str().unwrap().to_owned();
    let found = call(&router, "search", json!({"project": key, "query": "cleanup", "limit": 5})).await;
    let hit = &found["hits"][0];
    let (from, to) =
        (hit["marks"][0][0].as_u64().unwrap() as usize, hit["marks"][0][1].as_u64().unwrap() as usize);
    assert_eq!(&hit["snippet"].as_str().unwrap()[from..to], "cleanup");
    let page = call(&router, "sources", json!({"project": key, "limit": 10, "contains": "NOTES"})).await;
    let source = page["rows"][0]["id"].clone();
    let text = call(
        &router,
        "read_source",
        json!({"project": key, "source": source, "limit": 10, "around": hit["section"]}),
    )
    .await;
    assert_eq!((&text["markdown"], &text["total"]), (&json!(true), &json!(2)));
    let removed = call(&router, "delete_source", json!({"project": key, "source": source})).await;
    assert_eq!(removed["sources"], 1);
    assert_eq!(call(&router, "sources", json!({"project": key, "limit": 10})).await["total"], 0);
    let outside = json!({"project": key, "trash": "/etc/passwd"});
    assert_eq!(router.call("restore", outside).await.unwrap_err().code, ErrorCode::NotFound);
    let back = call(&router, "restore", removed["trash"][0].clone()).await;
    assert_eq!(back["sources"], 1);
    let everything = json!({"scope": {"what": "everything"}, "now": false, "typed": "yes"});
    assert_eq!(router.call("purge", everything).await.unwrap_err().code, ErrorCode::ConfirmationNeeded);
    let everything = json!({"scope": {"what": "everything"}, "now": true, "typed": "everything"});
    assert_eq!(call(&router, "purge", everything).await["sources"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_are_paths_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let router = router(dir.path());
    for key in ["../..", "/etc", "a/b", "..", ".", "C:\\x"] {
        let error = router.call("sources", json!({"project": key, "limit": 1})).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::NotFound, "{key}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_is_carried_out_only_as_it_was_shown() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(".claude.json"), "{\n  \"numStartups\": 3\n}\n").unwrap();
    std::fs::create_dir(dir.path().join(".claude")).unwrap();
    let router = router(dir.path());
    let wanted = json!({"agents": ["claude-code"], "hooks": true, "instructions": false});
    let first = call(&router, "plan_connect", wanted.clone()).await;
    let second = call(&router, "plan_connect", wanted).await;
    let stale = json!({"plan": first["plan"], "agent": "claude-code"});
    assert_eq!(router.call("apply_plan", stale).await.unwrap_err().code, ErrorCode::NotFound);
    // This desktop has no sidecar, so nothing may be written.
    let apply = json!({"plan": second["plan"], "agent": "claude-code"});
    assert!(router.call("apply_plan", apply).await.unwrap_err().message.text().contains("sidecar"));
    assert_eq!(
        std::fs::read_to_string(dir.path().join(".claude.json")).unwrap(),
        "{\n  \"numStartups\": 3\n}\n"
    );
    let diff = dir.path().join("plan.diff");
    let save = json!({"plan": second["plan"], "path": diff});
    // Only where the user chose, and once.
    assert_eq!(router.call("save_diff", save.clone()).await.unwrap_err().code, ErrorCode::Denied);
    call(&router, "pick", json!({"what": "save", "name": "plan.diff"})).await;
    call(&router, "save_diff", save.clone()).await;
    assert!(std::fs::read_to_string(&diff).unwrap().contains("+    \"plimsoll\": {"));
    assert_eq!(router.call("save_diff", save).await.unwrap_err().code, ErrorCode::Denied);
    let export = json!({"path": dir.path().join(".bashrc")});
    assert_eq!(router.call("export_settings", export).await.unwrap_err().code, ErrorCode::Denied);
}
