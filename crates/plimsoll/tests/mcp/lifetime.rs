//! A server ends when its agent does, with everything it started.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::client::{Place, is_running, until};

/// Starts something that would run for ten minutes and returns its process ID.
fn long_call(place: &Place, client: &mut crate::client::Client) -> u32 {
    let file = place.project().join("pid");
    let code = format!("echo $$ > '{}'; sleep 600", file.display());
    client.ask("tools/call", json!({"name": "execute", "arguments": {"language": "shell", "code": code}}));
    until("the child runs", || std::fs::read_to_string(&file).ok()?.trim().parse::<u32>().ok())
}

fn background(client: &mut crate::client::Client) -> u32 {
    let code = "echo pid $$; sleep 600";
    let started = client.good("execute", json!({"language": "shell", "code": code, "background": true}));
    let id = started.split_whitespace().nth(2).expect("an id").trim_end_matches('.').to_owned();
    until("the task runs", || {
        let output = client.good("task", json!({"action": "output", "id": id}));
        output.lines().find_map(|line| line.strip_prefix("pid ")?.parse().ok())
    })
}

#[test]
fn it_ends_with_its_input_and_so_do_call_and_task() {
    let place = Place::new();
    let mut client = place.session();
    let task = background(&mut client);
    let call = long_call(&place, &mut client);
    client.hang_up();
    assert!(client.ended().success());
    for pid in [task, call] {
        until("the child is gone", || (!is_running(pid)).then_some(()));
    }
    let left: Vec<_> = std::fs::read_dir(place.data().join("run")).expect("a run folder").flatten().collect();
    assert!(left.is_empty(), "the sign of life is gone: {left:?}");
}

#[test]
fn it_ends_by_signal() {
    for signal in ["TERM", "INT", "HUP"] {
        let place = Place::new();
        let mut client = place.session();
        let call = long_call(&place, &mut client);
        let killed =
            Command::new("kill").args([&format!("-{signal}"), &client.child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        assert!(client.ended().success(), "{signal}");
        until("the child is gone", || (!is_running(call)).then_some(()));
    }
}

#[test]
fn its_children_do_not_outlive_a_killed_server() {
    let place = Place::new();
    let mut client = place.session();
    let task = background(&mut client);
    let call = long_call(&place, &mut client);
    client.child.kill().expect("it is killed");
    client.ended();
    for pid in [task, call] {
        until("the child is gone", || (!is_running(pid)).then_some(()));
    }
    // The next server records the end of the task and shows its output.
    let listed = place.session().good("task", json!({"action": "list"}));
    assert!(listed.contains("ended with its session"), "{listed}");
}

#[test]
fn it_ends_with_its_parent_although_its_input_stays_open() {
    let place = Place::new();
    let fifo = place.project().join("input");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
    // The test keeps the input open; the parent is a shell that ends on request.
    let mut held =
        std::fs::OpenOptions::new().read(true).write(true).open(&fifo).expect("the input is held open");
    let script = "\"$2\" mcp < \"$1\" > /dev/null 2>&1 & echo $!; read gone";
    let server = place.command(&[]);
    let mut parent = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(&fifo)
        .arg(server.get_program())
        .env("HOME", place.home())
        .current_dir(place.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut line = String::new();
    BufReader::new(parent.stdout.take().expect("stdout")).read_line(&mut line).expect("a process id");
    let pid: u32 = line.trim().parse().expect("a process id");
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    });
    writeln!(held, "{initialize}").expect("the server reads");
    writeln!(held, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .expect("the server reads");
    // Its heartbeat shows that it is serving, and so that it knows its parent.
    let beat = place.data().join("run").join(format!("{pid}.json"));
    until("the server serves", || beat.exists().then_some(()));
    drop(parent.stdin.take());
    parent.wait().expect("the parent ends");
    until("the server is gone", || (!is_running(pid)).then_some(()));
}

#[test]
fn requests_in_a_pipe_that_closes_are_still_answered() {
    let place = Place::new();
    let mut client = place.session();
    let id = client.ask("tools/list", json!({}));
    client.hang_up();
    assert!(client.answer(id)["result"]["tools"].is_array());
    assert!(client.ended().success());
}
