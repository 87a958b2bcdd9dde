//! After a kill at any moment, or a race with another writer, a config file is complete and nobody's data is lost.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::desk::{Desk, finish, same};

const AGENTS: [&str; 3] = ["claude-code", "codex", "opencode"];

/// How often to kill; more on request.
fn kills() -> u64 {
    std::env::var("PLIMSOLL_TEST_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(20)
}

fn configs(desk: &Desk) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    desk.tree(&[".plimsoll"])
}

#[test]
fn killed_while_connecting_every_file_is_old_or_new() {
    let desk = Desk::new().installed();
    for agent in AGENTS {
        desk.installs(agent);
    }
    let args = ["connect", AGENTS[0], AGENTS[1], AGENTS[2], "--yes"];
    let old = configs(&desk);
    let started = std::time::Instant::now();
    desk.run(&args).ended(0);
    let whole = started.elapsed();
    let new = configs(&desk);
    desk.run(&["disconnect", AGENTS[0], AGENTS[1], AGENTS[2], "--yes"]).ended(0);
    same(&old, &configs(&desk), "before any kill");
    let mut landed = 0;
    for round in 0..kills() {
        let mut child = desk.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Spread over the duration of the write; the moment is varied, not waited for.
        let share = u32::try_from(round * 7919 % 101).unwrap();
        std::thread::sleep(whole * share / 100);
        landed += usize::from(child.kill().is_ok() && !child.wait().unwrap().success());
        for (path, bytes) in configs(&desk) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // A folder, or a temporary file that the next write deletes.
            if bytes.is_none() || name.contains(".plimsoll-") || name.ends_with(".tmp") {
                continue;
            }
            let known = old.get(&path) == Some(&bytes) || new.get(&path) == Some(&bytes);
            assert!(
                known,
                "round {round}: {} is torn:\n{}",
                path.display(),
                String::from_utf8_lossy(&bytes.unwrap())
            );
        }
        desk.run(&args).ended(0);
        same(&new, &configs(&desk), &format!("round {round}, connected again"));
        desk.run(&["disconnect", AGENTS[0], AGENTS[1], AGENTS[2], "--yes"]).ended(0);
        let files = |tree: BTreeMap<PathBuf, Option<Vec<u8>>>| {
            tree.into_iter().filter(|(_, b)| b.is_some()).collect()
        };
        same(&files(old.clone()), &files(configs(&desk)), &format!("round {round}, disconnected"));
    }
    assert!(landed > 0, "no kill came in time to try anything");
}

#[test]
fn somebody_who_writes_the_same_file_all_the_time_loses_nothing() {
    let desk = Desk::new().installed();
    let file = desk.write(".claude.json", "{\n  \"numStartups\": 1\n}\n");
    std::fs::create_dir_all(desk.home().join(".claude")).unwrap();
    let stop = AtomicBool::new(false);
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut count = 0_u32;
            while !stop.load(Ordering::Relaxed) && count < 2_000 {
                let text = std::fs::read_to_string(&file).unwrap();
                let mut value: serde_json::Value = serde_json::from_str(&text).expect("never torn");
                value[format!("key{count}")] = count.into();
                let temp = desk.home().join(".claude.json.theirs");
                std::fs::write(&temp, serde_json::to_string_pretty(&value).unwrap()).unwrap();
                std::fs::rename(&temp, &file).unwrap();
                count += 1;
                std::thread::sleep(Duration::from_millis(5));
            }
            count
        });
        for _ in 0..4 {
            // It may give up after five attempts, but never by removing anything.
            finish(&mut desk.command(&["connect", "claude-code", "--yes"]));
            finish(&mut desk.command(&["disconnect", "claude-code", "--yes"]));
        }
        stop.store(true, Ordering::Relaxed);
        writer.join().unwrap()
    });
    assert!(written > 10, "the writer wrote only {written} times");
    let value: serde_json::Value = serde_json::from_str(&desk.read(".claude.json")).unwrap();
    for key in 0..written {
        assert_eq!(value[format!("key{key}")], key, "key{key} of {written} was lost");
    }
    assert_eq!(value["numStartups"], 1);
}
