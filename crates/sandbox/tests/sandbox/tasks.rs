//! Background tasks, from their own server, from another process, and after the server's death.

use std::process::{Command, Stdio};
use std::time::Duration;

use plimsoll_sandbox::task::{TaskInfo, TaskSpec, TaskState, Tasks};
use plimsoll_sandbox::{DEFAULT_MAX_OUTPUT, Language, ProcessMark};

use crate::scratch::{HIDE, Room, block_on};

/// Set for the copy of this program that owns a task; the value is the folder with its tasks.
const OWNER: &str = "PLIMSOLL_TEST_OWNER";

fn spec(room: &Room, code: &str) -> TaskSpec {
    TaskSpec {
        language: Language::Shell,
        code: code.into(),
        cwd: room.at("project"),
        file: None,
        timeout: None,
        env: room.env.clone(),
        temp_root: room.at("temp"),
        max_output: DEFAULT_MAX_OUTPUT,
        session: Some("s1".into()),
        label: None,
        redact: HIDE,
        now_ms: 1000,
        confine: None,
    }
}

async fn until(tasks: &Tasks, id: &str, done: impl Fn(&TaskInfo) -> bool) -> TaskInfo {
    loop {
        let task = tasks.get(id).unwrap();
        if done(&task) {
            return task;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn what_a_task_is_called_and_what_it_prints_is_free_of_secrets() {
    let room = Room::new();
    let tasks = Tasks::new(room.at("tasks"));
    block_on(async {
        // A secret that comes in two pieces, and one that no line end follows.
        let code = format!(
            "true {} hush-12345678; printf 'one hush-1234'; sleep 0.1; echo 5678 two; printf 'end hush-12345678'",
            "x".repeat(65)
        );
        let task = tasks.start(spec(&room, &code), &room.runtimes).unwrap();
        until(&tasks, &task.id, |t| t.state != TaskState::Running).await;
        assert_eq!(tasks.output(&task.id, None).unwrap().text, "one [redacted] two\nend [redacted]");
        let meta = std::fs::read_to_string(room.at("tasks").join(&task.id).join("meta.json")).unwrap();
        assert!(meta.contains("[redac") && !meta.contains("hush"), "{meta}");
    });
}

#[test]
fn a_task_is_listed_while_it_runs_and_its_output_stays() {
    let room = Room::new();
    let tasks = Tasks::new(room.at("tasks"));
    block_on(async {
        let code = "echo one; echo two >&2; while [ ! -e go ]; do sleep 0.02; done; echo three; exit 4";
        let task = tasks.start(spec(&room, code), &room.runtimes).unwrap();
        until(&tasks, &task.id, |t| t.output_bytes >= 8).await;
        let listed = tasks.list();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].state, listed[0].session.as_deref()), (TaskState::Running, Some("s1")));
        assert!(listed[0].label.starts_with("echo one;"));
        std::fs::write(room.at("project").join("go"), "").unwrap();
        let ended = until(&tasks, &task.id, |t| t.state != TaskState::Running).await;
        assert_eq!(ended.state, TaskState::Exited(4));
        assert!(ended.ended_ms.is_some_and(|at| at >= 1000));
        let output = tasks.output(&task.id, Some(1)).unwrap();
        assert_eq!((output.text.as_str(), output.is_cut), ("three\n", true));
        let all = tasks.output(&task.id, None).unwrap();
        assert_eq!((all.text.lines().count(), all.is_cut), (3, false));
        assert_eq!(tasks.forget(i64::MAX, u64::MAX), 1);
        assert!(tasks.list().is_empty());
    });
    assert!(room.temp_is_empty());
}

#[test]
fn a_stopped_task_and_its_family_end() {
    let room = Room::new();
    let tasks = Tasks::new(room.at("tasks"));
    block_on(async {
        let code = "sleep 600 & echo $! > pid; echo up; wait";
        let task = tasks.start(spec(&room, code), &room.runtimes).unwrap();
        until(&tasks, &task.id, |t| t.output_bytes > 0).await;
        let stopped = tasks.stop(&task.id, 2000).await.unwrap();
        assert_eq!(stopped.state, TaskState::Stopped);
        let pid = std::fs::read_to_string(room.at("project").join("pid")).unwrap();
        assert_eq!(ProcessMark::of(pid.trim().parse().unwrap()), None);
        assert_eq!(tasks.stop(&task.id, 3000).await.unwrap(), stopped);
    });
}

#[test]
fn limits_hold_for_tasks_too() {
    let room = Room::new();
    let tasks = Tasks::new(room.at("tasks"));
    block_on(async {
        let mut loud = spec(&room, "yes");
        loud.max_output = 5000;
        let loud = tasks.start(loud, &room.runtimes).unwrap();
        let mut slow = spec(&room, "sleep 600");
        slow.timeout = Some(Duration::from_millis(50));
        let slow = tasks.start(slow, &room.runtimes).unwrap();
        let loud = until(&tasks, &loud.id, |t| t.state != TaskState::Running).await;
        assert_eq!((loud.state, loud.output_bytes), (TaskState::TooMuchOutput, 5000));
        let slow = until(&tasks, &slow.id, |t| t.state != TaskState::Running).await;
        assert_eq!(slow.state, TaskState::TimedOut);
    });
}

#[test]
fn a_task_that_cannot_start_leaves_nothing() {
    let room = Room::new();
    let tasks = Tasks::new(room.at("tasks"));
    let mut spec = spec(&room, "true");
    spec.cwd = room.at("nowhere");
    block_on(async { tasks.start(spec, &room.runtimes).unwrap_err() });
    assert!(tasks.list().is_empty());
    assert!(tasks.get("tNothing1").unwrap_err().to_string().contains("tNothing1"));
}

/// Not a test of its own: a server with one task, to be killed.
#[test]
fn played_owner() {
    let Some(folder) = std::env::var_os(OWNER) else { return };
    let room = Room::new();
    let tasks = Tasks::new(&folder);
    block_on(async {
        let code = "trap '' TERM; echo $$; echo working; sleep 600; sleep 600";
        tasks.start(spec(&room, code), &room.runtimes).unwrap();
        std::future::pending::<()>().await;
    });
}

#[test]
fn other_processes_stop_a_task_and_tasks_of_a_dead_server_end() {
    let room = Room::new();
    let tasks = Tasks::new(room.at("tasks"));
    let own = || {
        let server = Command::new(std::env::current_exe().unwrap())
            .args(["tasks::played_owner", "--exact"])
            .env(OWNER, tasks.dir())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let task = loop {
            let running = tasks.list().into_iter().find(|t| t.state == TaskState::Running);
            match running.filter(|t| tasks.output(&t.id, None).unwrap().text.contains("working")) {
                Some(task) => break task,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        (server, task)
    };

    let (mut server, task) = own();
    let stopped = block_on(tasks.stop(&task.id, 5000)).unwrap();
    assert_eq!(stopped.state, TaskState::Stopped);
    server.kill().unwrap();
    server.wait().unwrap();

    let (mut server, task) = own();
    let leader = task.leader.unwrap();
    assert!(leader.is_alive());
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(tasks.get(&task.id).unwrap().state, TaskState::SessionEnded);
    let reaped = tasks.reap_dead_sessions(9000);
    assert_eq!(reaped.len(), 1);
    assert_eq!((reaped[0].state, reaped[0].ended_ms), (TaskState::SessionEnded, Some(9000)));
    while leader.is_alive() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(tasks.output(&task.id, None).unwrap().text.contains("working"));
    assert!(tasks.reap_dead_sessions(9999).is_empty());
}
