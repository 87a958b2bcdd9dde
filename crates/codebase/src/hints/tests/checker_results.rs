//! Hints about new checker results.

use super::*;

/// The last results, as the worker writes them: found in the run at `since` and not in the one at `before`.
fn news(world: &World, path: &str, message: &str, before: i64, since: i64) {
    let db = world.db();
    let entry = json!([{
        "short": "tsc --noEmit", "run_ms": i64::MAX / 2_000_000, "file": path, "line": 3, "column": 1, "severity": "error",
        "code": "TS2322", "message": message, "before_ms": before, "since_ms": since
    }]);
    std::fs::write(db.with_extension("news"), entry.to_string()).unwrap();
}

#[test]
fn new_checker_results_are_given_once_to_the_editing_session() {
    let mut world = World::new();
    world.set("[codebase]\ndiagnostics = true\n");
    world.write("tsconfig.json", "{}");
    let start = || EventKind::SessionStart { source: Some("startup".into()) };
    world.tell_main("s", start());
    let wanted = || {
        crate::diagnose::results::requested_check(&world.db(), crate::diagnose::kinds::Language::TypeScript)
    };
    assert_eq!(wanted().map(|one| one.path), Some(String::new()), "what is there before is known");
    let run = |name: &str| world.after(ToolKind::Other, "Other", json!({"n": name}), "ok");
    news(&world, "src/a.ts", "before any edit", 1, 2);
    assert_eq!(run("1"), None, "nothing was edited yet");
    world.edit("src/d.ts", "d = 4", "d = 5");
    assert_eq!(wanted().map(|one| (one.path, one.agent)), Some(("src/d.ts".into(), "claude-code".into())));
    // Before the session, or found by a run that began before the edit.
    news(&world, "src/a.ts", "somebody else's", 0, 5);
    assert_eq!(run("2"), None);
    news(&world, "src/secret.ts", "hidden", 1, 5);
    assert_eq!(run("3"), None, "its rules keep the file from the agent");
    news(&world, "src/a.ts", "Type 'string' is not assignable to type 'number'.", 1, 5);
    let told = run("4").unwrap();
    assert_eq!(
        told.text,
        "New since your edits, by `tsc --noEmit`:\nsrc/a.ts:3 error TS2322: Type 'string' is not assignable to type 'number'."
    );
    assert_eq!(told.ledger_name, "diagnostics");
    assert_eq!(run("5"), None, "once");
    assert_eq!(world.after_in("other", ToolKind::Other, "Other", json!({}), "ok"), None, "it edited nothing");
    // A file that changed since the run may be fixed.
    let entry = json!([{"short": "tsc", "run_ms": 5, "file": "src/a.ts", "line": 1, "column": 1, "severity": "error",
        "code": "TS1", "message": "another", "before_ms": 1, "since_ms": 5}]);
    std::fs::write(world.db().with_extension("news"), entry.to_string()).unwrap();
    assert_eq!(run("6"), None);
}

#[test]
fn without_the_setting_nothing_is_noted_and_nothing_read() {
    let world = World::new();
    world.write("tsconfig.json", "{}");
    world.tell_main("s", EventKind::SessionStart { source: Some("startup".into()) });
    world.edit("src/d.ts", "d = 4", "d = 5");
    news(&world, "src/a.ts", "new", 1, 5);
    assert_eq!(world.after(ToolKind::Other, "Other", json!({}), "ok"), None);
    let folder = world.db().parent().unwrap().to_owned();
    let noted = std::fs::read_dir(folder).unwrap().flatten();
    assert!(!noted.map(|one| one.file_name()).any(|name| name.to_string_lossy().contains("wanted")));
}
