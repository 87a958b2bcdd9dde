//! What `execute` and related tools leave behind: nothing that others may read, nothing after a kill, no address of something missing;
//! and they report what keeps them from running before they run.
#![cfg(target_os = "linux")]

use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use plimsoll_tests::process::{running, time_until};
use plimsoll_tests::{Scratch, Server};
use serde_json::json;

const LONG: Duration = Duration::from_secs(60);

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files_below(&entry.path()));
        }
        found.push(entry.path());
    }
    found
}

#[test]
fn a_runs_folder_is_private_to_its_owner() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    let code = "umask 022; find \"$TMPDIR\" -printf '%m %y\\n'; stat -c '%a parent' \"$TMPDIR/..\"";
    for background in [false, true] {
        let printed = server
            .call("execute", json!({"language": "shell", "code": code, "background": background}))
            .unwrap()
            .text;
        let text = if background {
            let id = printed.split_whitespace().nth(2).unwrap().trim_end_matches('.').to_owned();
            let output = || scratch.home.join(".plimsoll/tasks").join(&id).join("output.log");
            let there = || std::fs::read_to_string(output()).is_ok_and(|text| text.contains("parent"));
            time_until(LONG, there).expect("the task printed nothing");
            std::fs::read_to_string(output()).unwrap()
        } else {
            printed
        };
        assert!(
            text.contains("700 d\n") && text.contains("600 f\n") && text.contains("700 parent"),
            "{text}"
        );
    }
    assert!(
        time_until(LONG, || files_below(&scratch.tmp).is_empty()).is_some(),
        "{:?}",
        files_below(&scratch.tmp)
    );
}

#[test]
fn a_killed_servers_leftovers_are_removed_at_the_next_start() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    let mark = format!("sleep 1000.7{}", std::process::id());
    for background in [true, false] {
        let code = format!("{mark}; true");
        server
            .send_call("execute", json!({"language": "shell", "code": code, "background": background}))
            .unwrap();
    }
    time_until(LONG, || running(&mark).len() >= 2).expect("the runs never started");
    let mut other = Server::start(&scratch).unwrap();
    other.send_call("execute", json!({"language": "shell", "code": format!("{mark}9; true")})).unwrap();
    time_until(LONG, || !running(&format!("{mark}9")).is_empty()).expect("the other run never started");
    let scripts = || files_below(&scratch.tmp).iter().filter(|path| path.ends_with("script.sh")).count();
    assert_eq!(scripts(), 3);
    server.kill().unwrap();
    let mut next = Server::start(&scratch).unwrap();
    assert!(time_until(LONG, || scripts() == 1).is_some(), "{:?}", files_below(&scratch.tmp));
    // A living server's files aren't touched.
    next.call("execute", json!({"language": "shell", "code": "true"})).unwrap();
    assert_eq!(scripts(), 1);
}

#[test]
fn an_output_of_white_space_has_no_address() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    for code in ["yes '' | head -c 300000", "head -c 200000 /dev/zero | tr '\\0' ' '"] {
        let printed = server.call("execute", json!({"language": "shell", "code": code})).unwrap();
        assert!(
            printed.text.contains("white space only") && !printed.text.contains("plimsoll://"),
            "{}",
            printed.text
        );
        let commands = json!([{"label": "blank", "command": code}]);
        let printed = server.call("batch", json!({"commands": commands})).unwrap();
        assert!(!printed.text.contains("stored"), "{}", printed.text);
    }
    let listed = server.ask("resources/list", json!({})).unwrap();
    assert_eq!(listed["resources"], json!([]));
}

#[test]
fn a_folder_that_is_gone_or_closed_is_reported_before_anything_runs() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    let witness = scratch.home.join("it-ran");
    let code = format!("touch '{}'", witness.display());
    let closed = scratch.home.join("closed");
    std::fs::DirBuilder::new().mode(0o000).create(&closed).unwrap();
    let cases = [("/no/such/folder", "doesn't exist"), (closed.to_str().unwrap(), "can't be entered")];
    for (cwd, why) in cases {
        if cwd.ends_with("closed") && std::fs::read_dir(&closed).is_ok() {
            skipped::without("no-root", "a closed folder is open to root");
            continue;
        }
        for (tool, arguments) in [
            ("execute", json!({"language": "shell", "code": code, "cwd": cwd})),
            ("execute", json!({"language": "shell", "code": code, "cwd": cwd, "background": true})),
            ("batch", json!({"commands": [{"label": "x", "command": code}], "cwd": cwd})),
        ] {
            let printed = server.call(tool, arguments).unwrap();
            assert!(
                printed.failed && printed.text.contains(why) && printed.text.contains(cwd),
                "{}",
                printed.text
            );
        }
    }
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
    // The project itself goes while the session is open.
    std::fs::remove_dir_all(&scratch.project).unwrap();
    let printed = server.call("execute", json!({"language": "shell", "code": code})).unwrap();
    assert!(printed.failed && printed.text.contains("folder"), "{}", printed.text);
    // And one that is gone from the start is not taken for the home folder.
    let gone = scratch.home.join("gone");
    std::fs::create_dir(&gone).unwrap();
    let mut command = scratch.command("sh");
    command
        .args(["-c", "rmdir ../gone && exec \"$0\" mcp"])
        .arg(plimsoll_tests::sidecar())
        .current_dir(&gone);
    let mut server = Server::of(command).unwrap();
    let printed = server.call("execute", json!({"language": "shell", "code": code})).unwrap();
    assert!(printed.failed && printed.text.contains("was deleted"), "{}", printed.text);
    assert!(!witness.exists(), "it ran all the same");
    let printed =
        server.call("execute", json!({"language": "shell", "code": code, "cwd": scratch.home})).unwrap();
    assert!(!printed.failed && witness.exists(), "{}", printed.text);
}

#[test]
fn a_time_limit_applies_to_an_endless_command() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    let since = Instant::now();
    let code = "yes 'information about nothing in particular'";
    let printed =
        server.call("execute", json!({"language": "shell", "code": code, "timeout_ms": 500})).unwrap();
    eprintln!("the answer came after {:?}", since.elapsed());
    assert!(
        printed.failed && (printed.text.starts_with("error timeout") || printed.text.contains("more than")),
        "{}",
        printed.text
    );
    assert!(!printed.text.contains("everything it started"), "{}", printed.text);
    // The stored output of a runaway is bounded, whatever it printed.
    let listed = server.ask("resources/list", json!({})).unwrap();
    let stored: u64 =
        listed["resources"].as_array().unwrap().iter().map(|source| source["size"].as_u64().unwrap()).sum();
    assert!(stored <= 6 * 1024 * 1024, "{stored}");
    assert!(running("yes information about nothing").is_empty());
}
