//! The server's end, however it comes: it ends, and so does everything that it started. Times are printed, and asserted only against
//! limits that a loaded machine meets too.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use plimsoll_tests::process::{alive, resident, running, time_until, zombies_of};
use plimsoll_tests::{Scratch, Server, sidecar};
use serde_json::json;

const LONG: Duration = Duration::from_secs(20);

/// A server with two children: a command that is waited for, and a background task. Returns the marks that identify
/// them.
fn busy_server(scratch: &Scratch, name: u32) -> (Server, [String; 2]) {
    let mut server = Server::start(scratch).unwrap();
    let marks = busy(&mut server, name);
    (server, marks)
}

fn busy(server: &mut Server, name: u32) -> [String; 2] {
    // A length of sleep that nothing else on the machine asks for.
    let mark = |what: u32| format!("sleep 1000.{what}{name}{}", std::process::id());
    let marks = [mark(1), mark(2)];
    let task = server.call(
        "execute",
        json!({"language": "shell", "code": format!("{} & wait", marks[1]), "background": true}),
    );
    assert!(!task.as_ref().unwrap().failed, "{task:?}");
    server
        .send_call("execute", json!({"language": "shell", "code": format!("{} & wait", marks[0])}))
        .unwrap();
    for mark in &marks {
        time_until(LONG, || !running(mark).is_empty()).unwrap_or_else(|| panic!("{mark} never started"));
    }
    marks
}

fn gone_with_it(how: &str, server: &mut Server, marks: &[String; 2]) {
    let ended = server.ended_within(LONG).unwrap();
    let children = time_until(LONG, || marks.iter().all(|mark| running(mark).is_empty()));
    eprintln!("{how}: the server was gone after {ended:?}, its children {children:?} later");
    assert!(ended.is_some(), "{how}: the server is still there");
    assert!(
        children.is_some(),
        "{how}: {:?}",
        marks.iter().flat_map(|mark| running(mark)).collect::<Vec<_>>()
    );
}

#[test]
fn it_ends_when_its_input_closes() {
    let scratch = Scratch::new().unwrap();
    let (mut server, marks) = busy_server(&scratch, 1);
    server.close_input();
    gone_with_it("input closed", &mut server, &marks);
}

/// How long a server may take to end once no one talks to it. Agents kill what is still there after a second or two.
const AT_ONCE: Duration = Duration::from_millis(500);

#[test]
fn an_idle_one_ends_when_its_input_closes() {
    let scratch = Scratch::new().unwrap();
    let end = || {
        let mut server = Server::start(&scratch).unwrap();
        server.call("execute", json!({"language": "shell", "code": "true"})).unwrap();
        server.close_input();
        let ended = server.ended_within(LONG).unwrap();
        eprintln!("idle, input closed: gone after {ended:?}");
        ended.expect("the server is still there")
    };
    // A busy machine may take long once; a server that waits for something takes long every time.
    assert!((0..10).any(|_| end() <= AT_ONCE), "it never ended within {AT_ONCE:?}");
}

#[test]
fn a_busy_one_ends_when_its_input_closes_at_once() {
    let end = |turn: u32| {
        let scratch = Scratch::new().unwrap();
        let (mut server, marks) = busy_server(&scratch, 40 + turn);
        server.close_input();
        let ended = server.ended_within(LONG).unwrap();
        let children = time_until(LONG, || marks.iter().all(|mark| running(mark).is_empty()));
        eprintln!("busy, input closed: gone after {ended:?}, its children {children:?} later");
        ended.expect("the server is still there") + children.expect("its children are still there")
    };
    assert!((0..10).any(|turn| end(turn) <= AT_ONCE), "it never ended within {AT_ONCE:?}");
}

#[test]
fn it_ends_at_a_signal() {
    for (number, signal) in ["TERM", "INT", "HUP"].into_iter().enumerate() {
        let scratch = Scratch::new().unwrap();
        let (mut server, marks) = busy_server(&scratch, 20 + number as u32);
        tell(signal, server.pid());
        gone_with_it(signal, &mut server, &marks);
    }
}

#[test]
fn what_it_started_ends_when_it_is_killed() {
    let scratch = Scratch::new().unwrap();
    let (mut server, marks) = busy_server(&scratch, 3);
    server.kill().unwrap();
    gone_with_it("KILL", &mut server, &marks);
}

/// The agent is killed, and another process keeps the pipes open: the input never ends.
#[test]
fn it_ends_when_its_parent_is_killed() {
    let scratch = Scratch::new().unwrap();
    // A shell gives its background jobs an empty input by default.
    let mut command = scratch.command("/bin/sh");
    command.args(["-c", "\"$0\" mcp <&3 & wait"]).arg(sidecar());
    let mut parent = with_input_as_three(command);
    let mut stdin = parent.stdin.take().unwrap();
    let mut stdout = BufReader::new(parent.stdout.take().unwrap());
    let mut line = String::new();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "scripted", "version": "1"}}});
    writeln!(stdin, "{hello}").unwrap();
    stdout.read_line(&mut line).unwrap();
    assert!(line.contains("serverInfo"), "{line}");
    writeln!(stdin, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    let mark = format!("sleep 1000.4{}", std::process::id());
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "execute",
        "arguments": {"language": "shell", "code": format!("{mark} & wait")}}});
    writeln!(stdin, "{call}").unwrap();
    time_until(LONG, || !running(&mark).is_empty()).expect("the command never started");
    let server = plimsoll_tests::process::processes()
        .into_iter()
        .find(|process| process.parent == parent.id() && process.words.ends_with(" mcp"))
        .expect("the server is a child of the shell");
    parent.kill().unwrap();
    parent.wait().unwrap();
    let ended = time_until(LONG, || !alive(server.pid));
    let children = time_until(LONG, || running(&mark).is_empty());
    eprintln!("parent killed: the server was gone after {ended:?}, its child {children:?} later");
    assert!(ended.is_some(), "the server outlives its agent");
    assert!(children.is_some(), "the command outlives its server");
    drop((stdin, stdout));
}

/// Spawns with a piped standard input that is also descriptor 3.
fn with_input_as_three(command: Command) -> std::process::Child {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "exec \"$@\" 3<&0", "sh"]).arg(command.get_program()).args(command.get_args());
    shell.env_clear().current_dir(command.get_current_dir().unwrap());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn no_zombie_is_left() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    let mark = format!("sleep 1000.5{}", std::process::id());
    let leaves = format!("({mark} >/dev/null 2>&1 &) ; true");
    for code in ["true", "sleep 0.01 & sleep 0.01 & exit 3", "kill -9 $$", &leaves] {
        server.call("execute", json!({"language": "shell", "code": code, "timeout_ms": 5000})).unwrap();
    }
    server.call("execute", json!({"language": "shell", "code": "sleep 60", "timeout_ms": 50})).unwrap();
    server.call("execute", json!({"language": "shell", "code": "true", "background": true})).unwrap();
    let id = server.send_call("execute", json!({"language": "shell", "code": "sleep 60"})).unwrap();
    server.send("ping", json!({})).unwrap();
    cancel(&mut server, id);
    let none = time_until(LONG, || zombies_of(server.pid()).is_empty());
    assert!(none.is_some(), "{:?}", zombies_of(server.pid()));
    // Processes that a command left in the background of its shell end with the server, too.
    server.close_input();
    assert!(server.ended_within(LONG).unwrap().is_some());
    let gone = time_until(LONG, || running(&mark).is_empty());
    assert!(gone.is_some(), "{:?}", running(&mark));
}

fn cancel(server: &mut Server, id: u64) {
    server.notify("notifications/cancelled", json!({"requestId": id, "reason": "no longer wanted"})).unwrap();
    // Answers come in order of their end; the next one shows that the server still works.
    let printed = server.call("execute", json!({"language": "shell", "code": "echo on"})).unwrap();
    assert_eq!(printed.text, "on\nexit code 0");
}

#[test]
fn many_servers_answer_at_once() {
    let scratch = Scratch::new().unwrap();
    let mut servers: Vec<Server> = (0..26).map(|_| Server::start(&scratch).unwrap()).collect();
    for (number, server) in servers.iter_mut().enumerate() {
        server
            .send_call("execute", json!({"language": "shell", "code": format!("echo one of {number}")}))
            .unwrap();
    }
    for (number, server) in servers.iter_mut().enumerate() {
        let answer = server.next_answer().unwrap().unwrap();
        assert_eq!(plimsoll_tests::printed(&answer["result"]).text, format!("one of {number}\nexit code 0"));
    }
    let together: u64 = servers.iter().filter_map(|server| resident(server.pid())).sum();
    eprintln!("26 servers hold {} MB together", together / 1_000_000);
    for server in &mut servers {
        server.close_input();
    }
    for server in &mut servers {
        assert!(server.ended_within(LONG).unwrap().is_some());
    }
}

#[test]
fn an_idle_server_gives_back_what_its_start_needed() {
    let scratch = Scratch::new().unwrap();
    let mut server = Server::start(&scratch).unwrap();
    let started = resident(server.pid()).unwrap();
    let gave_back = time_until(LONG, || resident(server.pid()).unwrap() < started * 2 / 3);
    assert!(gave_back.is_some(), "{started} bytes when it started, {:?} now", resident(server.pid()));
    // Also what an agent asks for later that isn't a call.
    let rest = resident(server.pid()).unwrap();
    server.ask("tools/list", json!({})).unwrap();
    let listed = resident(server.pid()).unwrap();
    let gave_back = time_until(LONG, || resident(server.pid()).unwrap() < (rest + listed) / 2);
    assert!(gave_back.is_some(), "{rest} bytes, {listed} with the list, {:?} now", resident(server.pid()));
    // What it still needs is mapped again.
    let printed = server.call("execute", json!({"language": "shell", "code": "echo on"})).unwrap();
    assert_eq!(printed.text, "on\nexit code 0");
    server.close_input();
    assert!(server.ended_within(LONG).unwrap().is_some());
}

fn tell(signal: &str, pid: u32) {
    let told = Command::new("kill").args([format!("-{signal}"), pid.to_string()]).status().unwrap();
    assert!(told.success());
}
