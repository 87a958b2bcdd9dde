//! OpenCode's plugin file, run under Node as OpenCode would run it, with a scripted sidecar. Skipped without Node.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use edits::Edit;
use home::Env;
use plimsoll_agents::{EntryContext, Installation, Parts, Role, Scope, by_id};

fn fixture(name: &str) -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("tests/fixtures/opencode/plugin")
        .join(name)
}

/// The plugin for a launcher, as `connect` would write it.
fn plugin_text(launcher: &Path) -> String {
    let agent = by_id("opencode").unwrap();
    let env = Env::for_test("/nowhere");
    let found = agent.assumed_installation(&env);
    let context = EntryContext {
        launcher,
        scope: &Scope::User,
        installation: &found,
        parts: Parts::default(),
        env: &env,
    };
    let file = agent.files(&context).into_iter().find(|file| file.role == Role::Plugin).unwrap();
    match &file.edits[..] {
        [Edit::Whole { text }] => text.clone(),
        other => panic!("one whole file, not {other:?}"),
    }
}

/// Runs the driver with the plugin; returns the results and the requests to the sidecar.
fn drive(text: &str, dir: &Path, case: &str) -> Option<(String, String)> {
    let plugin = dir.join("plimsoll.mjs");
    std::fs::write(&plugin, text).unwrap();
    let log = dir.join("asked.jsonl");
    let mut run = Command::new("node");
    run.arg(fixture("driver.mjs")).arg(&plugin).arg(case).current_dir(dir).env("SIDECAR_LOG", &log);
    let output = match run.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            skipped::without("node", "the plugin runs under Node.js, which is not installed");
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let here = std::fs::canonicalize(dir).unwrap();
    let asked = std::fs::read_to_string(&log).unwrap_or_default().replace(&*here.to_string_lossy(), "<dir>");
    Some((String::from_utf8(output.stdout).unwrap(), asked))
}

/// A fake sidecar under the launcher's name, in a folder with a blank and a quote.
fn sidecar(dir: &Path) -> PathBuf {
    let bin = dir.join("it's a \"bin\"");
    std::fs::create_dir(&bin).unwrap();
    let path = bin.join("plimsoll.mjs");
    std::fs::copy(fixture("sidecar.mjs"), &path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn every_event_is_handed_over_and_every_answer_applied() {
    let dir = tempfile::tempdir().unwrap();
    // Starting Node for the stand-in may take long on a busy computer; the deadline has its own test.
    let text = plugin_text(&sidecar(dir.path())).replace("DEADLINE_MS = 2000", "DEADLINE_MS = 60000");
    let Some((results, asked)) = drive(&text, dir.path(), "all") else { return };
    insta::assert_snapshot!("opencode_plugin_results", results);
    insta::assert_snapshot!("opencode_plugin_asked", asked);
}

#[test]
fn a_sidecar_that_hangs_or_is_gone_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let text = plugin_text(&sidecar(dir.path()));
    let short = text.replace("DEADLINE_MS = 2000", "DEADLINE_MS = 200");
    assert_ne!(text, short);
    let Some((results, _)) = drive(&short, dir.path(), "hang") else { return };
    assert_eq!(results.trim(), "{\n \"a sidecar that hangs\": {\n  \"command\": \"please-hang\"\n }\n}");
    let gone = plugin_text(Path::new("/no/such/plimsoll"));
    let Some((results, asked)) = drive(&gone, tempfile::tempdir().unwrap().path(), "all") else { return };
    assert!(asked.is_empty());
    assert!(!results.contains("threw"), "{results}");
}

#[test]
fn the_users_file_and_the_projects_serve_a_folder_once() {
    let dir = tempfile::tempdir().unwrap();
    let text = plugin_text(&sidecar(dir.path()));
    std::fs::write(dir.path().join("project.mjs"), &text).unwrap();
    let Some((results, _)) = drive(&text, dir.path(), "twice") else { return };
    let counts: serde_json::Value = serde_json::from_str(&results).unwrap();
    for (case, serves) in [
        ("the first file again", true),
        ("the second file", false),
        ("the second file in its own folder", true),
        ("the first file there", false),
        ("2.x, the second file", false),
    ] {
        assert_eq!(counts[case].as_u64().map(|hooks| hooks > 0), Some(serves), "{case}: {results}");
    }
}

#[test]
fn an_event_of_another_shape_fails_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let text = plugin_text(&sidecar(dir.path())).replace("DEADLINE_MS = 2000", "DEADLINE_MS = 60000");
    let Some((results, _)) = drive(&text, dir.path(), "shapes") else { return };
    assert!(results.contains("Use plimsoll_execute instead."), "a denial reaches the agent: {results}");
    assert_eq!(results.matches("threw").count(), 1, "{results}");
}

#[test]
fn the_plugin_is_short_asynchronous_and_marked() {
    let text = plugin_text(Path::new("/home/ana/.plimsoll/bin/plimsoll"));
    assert!(text.lines().count() <= 100);
    assert!(!text.contains("Sync("));
    assert!(!text.contains('@'), "a placeholder was left");
    assert!(text.contains("const SIDECAR = \"/home/ana/.plimsoll/bin/plimsoll\""));
    assert!(text.lines().next().unwrap().contains(edits::OWNED_MARK));
    let windows = plugin_text(Path::new(r"C:\Users\ana\.plimsoll\bin\plimsoll.exe"));
    assert!(windows.contains(r#"const SIDECAR = "C:\\Users\\ana\\.plimsoll\\bin\\plimsoll.exe""#));
}

/// Who isn't told takes OpenCode's first start for one that hangs.
#[test]
fn the_first_plugin_of_opencode_has_a_slow_start() {
    let agent = by_id("opencode").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let installation = Installation::assumed("opencode", dir.path().to_owned());
    let steps = |hooks: bool| -> Vec<String> {
        agent.next_steps(&installation, hooks).iter().map(|step| step.text().to_owned()).collect()
    };
    assert_eq!(steps(false).len(), 1);
    assert!(steps(true).iter().any(|step| step.contains("from npm")), "{:?}", steps(true));
    std::fs::create_dir(dir.path().join("node_modules")).unwrap();
    assert_eq!(steps(true), steps(false));
}
