//! However a run ends, none of its processes is left.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use plimsoll_sandbox::{Cancel, DEFAULT_MAX_OUTPUT, Language, ProcessMark, Status, lifetime};

use crate::scratch::{Room, block_on};

const LONG: Duration = Duration::from_secs(300);
/// Set for the copy of this program that acts as a server; the value is the folder for its traces.
const PLAYED: &str = "PLIMSOLL_TEST_PLAYED";

/// A shell with a child and a grandchild, all ignoring TERM, that write down their ids.
const FAMILY: &str = "trap '' TERM; echo $$ >> pids; (trap '' TERM; echo $BASHPID >> pids; sleep 600 & echo $! >> pids; echo ready; wait) & wait; wait";

fn pids(folder: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(folder.join("pids")).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// Waits until none of the processes is running; fails if one stays.
fn all_gone(pids: &[u32]) {
    for _ in 0..1000 {
        if pids.iter().all(|pid| ProcessMark::of(*pid).is_none()) {
            return;
        }
        std::thread::yield_now();
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("still there: {pids:?}");
}

#[test]
fn at_the_time_limit_the_whole_family_dies_and_what_was_printed_is_kept() {
    let room = Room::new();
    let mut limit = Duration::from_millis(300);
    loop {
        let _ = std::fs::remove_file(room.at("project").join("pids"));
        let got = room.run(Language::Shell, FAMILY, None, limit, Cancel::never());
        assert_eq!(got.status, Status::TimedOut);
        let family = pids(&room.at("project"));
        all_gone(&family);
        if got.stdout.text == "ready\n" {
            assert_eq!(family.len(), 3);
            break;
        }
        limit *= 2;
    }
    assert!(room.temp_is_empty());
}

#[test]
fn a_cancelled_run_ends_with_its_family() {
    let room = Room::new();
    let project = room.at("project");
    let (handle, cancel) = Cancel::pair();
    let got = block_on(async {
        let when_ready = async {
            while pids(&project).len() < 3 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            handle.cancel();
        };
        let run = room.start(Language::Shell, FAMILY, None, LONG, DEFAULT_MAX_OUTPUT, cancel);
        tokio::join!(run, when_ready).0.unwrap()
    });
    assert_eq!(got.status, Status::Cancelled);
    all_gone(&pids(&project));
}

#[test]
fn a_run_that_nobody_waits_for_ends_too() {
    let room = Room::new();
    let project = room.at("project");
    block_on(async {
        let run = room.start(Language::Shell, FAMILY, None, LONG, DEFAULT_MAX_OUTPUT, Cancel::never());
        tokio::select! {
            _ = run => panic!("it cannot end by itself"),
            () = async { while pids(&project).len() < 3 { tokio::time::sleep(Duration::from_millis(5)).await; } } => {}
        }
    });
    all_gone(&pids(&project));
    assert!(room.temp_is_empty());
}

#[test]
fn a_descendant_that_keeps_the_pipe_open_does_not_delay_the_end() {
    let room = Room::new();
    let got = room.shell("sleep 600 & echo $! > pids; echo done");
    assert_eq!((got.status, got.stdout.text.as_str()), (Status::Exit(0), "done\n"));
    assert!(got.leftovers_ended && !got.leftovers_escaped);
    all_gone(&pids(&room.at("project")));
    let silent = room.shell("sleep 600 >/dev/null 2>&1 & echo $! > pids; echo done");
    assert!(silent.is_success());
    all_gone(&pids(&room.at("project")));
}

#[test]
fn a_process_that_left_the_group_is_left_alone_and_does_not_delay_the_end() {
    let room = Room::new();
    if Command::new("setsid").arg("true").output().is_err() {
        eprintln!("passed over: no setsid here");
        return;
    }
    let got = room.shell("setsid sleep 600 & sleep 0.2; echo $! > pids; echo done");
    assert_eq!((got.status, got.stdout.text.as_str()), (Status::Exit(0), "done\n"));
    // The result reports the process that got away, and no process that was ended.
    assert!(got.leftovers_escaped && !got.leftovers_ended);
    for pid in pids(&room.at("project")) {
        Command::new("kill").arg(pid.to_string()).status().unwrap();
    }
}

#[test]
fn output_after_the_shells_end_is_still_read() {
    let room = Room::new();
    let got = room.shell("(sleep 0.1; echo late) & echo early");
    assert_eq!(got.stdout.text, "early\nlate\n");
    assert!(!got.leftovers_ended);
}

/// Not a test of its own: the server that the next test kills.
#[test]
fn played_server() {
    let Some(folder) = std::env::var_os(PLAYED) else { return };
    let _ = std::env::set_current_dir(&folder);
    let room = Room::new();
    std::fs::remove_dir(room.at("project")).unwrap();
    std::os::unix::fs::symlink(&folder, room.at("project")).unwrap();
    let got = room.run(Language::Shell, FAMILY, None, LONG, Cancel::never());
    panic!("it was to be killed: {got:?}");
}

#[test]
fn when_the_server_is_killed_its_children_go_with_it() {
    let room = Room::new();
    let folder = room.at("project");
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["processes::played_server", "--exact"])
        .env(PLAYED, &folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while pids(&folder).len() < 3 {
        assert!(server.try_wait().unwrap().is_none(), "the server ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    all_gone(&pids(&folder));
}

/// Not a test of its own: reports that it is ready, then waits for its parent's end.
#[test]
fn played_child() {
    if std::env::var_os(PLAYED).is_none() {
        return;
    }
    block_on(async {
        let gone = lifetime::parent_gone();
        eprintln!("ready");
        gone.await;
    });
}

#[test]
fn the_end_of_the_parent_is_noticed() {
    let exe = std::env::current_exe().unwrap();
    let mut parent = Command::new("sh")
        .args(["-c", "\"$0\" processes::played_child --exact --nocapture & echo started >&2; wait"])
        .arg(&exe)
        .env(PLAYED, "yes")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(parent.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("ready") {
        line.clear();
        assert!(printed.read_line(&mut line).unwrap() > 0, "the child ended too early");
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
    // Only the child still has the pipe: its end is the child's end.
    let mut rest = String::new();
    printed.read_to_string(&mut rest).unwrap();
}
