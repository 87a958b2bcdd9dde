//! `plimsoll run` before a command changes nothing but how much of its output is shown. Each case is compared with the same command
//! without Plimsoll.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use plimsoll_tests::process::{alive, processes, running, time_until};
use plimsoll_tests::{Scratch, sidecar};

const LONG: Duration = Duration::from_secs(60);

/// The command by itself, and under `plimsoll run`.
fn both(scratch: &Scratch, words: &[&str]) -> [Command; 2] {
    let (program, arguments) = words.split_first().unwrap();
    let mut alone = scratch.command(program);
    alone.args(arguments);
    let mut behind = scratch.command(sidecar());
    behind.args(["run", "--"]).args(words);
    [alone, behind]
}

#[derive(Debug, PartialEq, Eq)]
struct Ran {
    status: ExitStatus,
    out: Vec<u8>,
    err: Vec<u8>,
}

fn ran(mut command: Command, input: &[u8]) -> Ran {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeding = std::thread::spawn(move || {
        // A command that doesn't read its input isn't a failure.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    Ran { status: output.status, out: output.stdout, err: output.stderr }
}

#[test]
fn the_exit_is_the_commands_own() {
    let scratch = Scratch::new().unwrap();
    for script in [
        "exit 0",
        "exit 1",
        "exit 127",
        "exit 255",
        "kill -TERM $$",
        "kill -INT $$",
        "kill -QUIT $$",
        "kill -HUP $$",
        "kill -USR1 $$",
        "kill -USR2 $$",
        "kill -ALRM $$",
        "kill -PIPE $$",
        "kill -ABRT $$",
        "kill -SEGV $$",
        "echo some; echo more >&2; kill -TERM $$",
    ] {
        let [alone, behind] = both(&scratch, &["sh", "-c", script]).map(|command| ran(command, b""));
        // Whether there is a core depends on a limit, not on Plimsoll.
        let end = |ran: &Ran| (ran.status.code(), ran.status.signal());
        assert_eq!(
            (end(&behind), &behind.out, &behind.err),
            (end(&alone), &alone.out, &alone.err),
            "{script}"
        );
    }
}

#[test]
fn every_byte_arrives_at_its_own_stream() {
    let scratch = Scratch::new().unwrap();
    let file = scratch.project.join("bytes");
    // Every byte there is, in no order, so that none is text; lines of text around and inside.
    let mut state = 1u32;
    let mut noise = |length: usize| -> Vec<u8> {
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        (0..length).map(next).collect()
    };
    let text = b"a line of text\n".repeat(40_000);
    for bytes in [
        b"a\0b".to_vec(),
        b"\xff\xfe".to_vec(),
        b"no end of line".to_vec(),
        b"\r\n \t\n\n".to_vec(),
        noise(400_000),
        noise(9_000_000),
        [text.clone(), noise(10), text.clone()].concat(),
        b"\0\n".repeat(100_000),
    ] {
        std::fs::write(&file, &bytes).unwrap();
        for (script, of) in [("cat bytes", 0), ("cat bytes >&2", 1)] {
            let [_, behind] = both(&scratch, &["sh", "-c", script]).map(|command| ran(command, b""));
            let (wanted, other) =
                if of == 0 { (&behind.out, &behind.err) } else { (&behind.err, &behind.out) };
            assert!(*wanted == bytes && other.is_empty(), "{script}: {} of {}", wanted.len(), bytes.len());
        }
    }
    let input = noise(300_000);
    let [_, behind] = both(&scratch, &["cat"]).map(|command| ran(command, &input));
    assert!(behind.out == input, "the input did not come through");
}

#[test]
fn a_flood_on_one_stream_does_not_reach_the_other() {
    let scratch = Scratch::new().unwrap();
    let script = "echo out; yes 'nothing in particular' | head -n 500000 >&2; echo end";
    let [_, behind] = both(&scratch, &["sh", "-c", script]).map(|command| ran(command, b""));
    assert_eq!(String::from_utf8_lossy(&behind.out), "out\nend\n");
    assert!(behind.err.starts_with(b"nothing in particular\n") && behind.err.len() < 100_000);
}

/// A shell that handles a signal, and continues until one comes; running once the file exists.
fn waiting(scratch: &Scratch, trap: &str) -> Child {
    let ready = scratch.project.join("ready");
    let _ = std::fs::remove_file(&ready);
    // The loop waits in the shell itself: a signal that comes to the shell alone is seen at once.
    let script = format!("{trap}; : > ready; while :; do sleep 0.05; done");
    let mut command = scratch.command(sidecar());
    command.args(["run", "--", "sh", "-c", &script]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    time_until(LONG, || ready.exists()).expect("the command never started");
    child
}

fn send(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([&format!("-{signal}"), &pid.to_string()]).status().unwrap().success());
}

#[test]
fn a_signal_to_plimsoll_alone_reaches_the_command() {
    let scratch = Scratch::new().unwrap();
    for signal in
        ["HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "ALRM", "WINCH", "CONT", "TSTP", "URG", "ABRT"]
    {
        let child = waiting(&scratch, &format!("trap 'echo got {signal}; exit 7' {signal}"));
        send(signal, child.id());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(7), "{signal}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("got {signal}\n"));
    }
    for (signal, number) in [("HUP", 1), ("INT", 2), ("QUIT", 3), ("USR1", 10), ("TERM", 15)] {
        let child = waiting(&scratch, ":");
        let command = only_child(child.id());
        send(signal, child.id());
        let status = child.wait_with_output().unwrap().status;
        assert_eq!(status.signal(), Some(number), "{signal}");
        assert!(!alive(command), "{signal}: the command lives on");
    }
}

fn only_child(of: u32) -> u32 {
    processes().into_iter().find(|process| process.parent == of && !process.zombie).unwrap().pid
}

#[test]
fn when_plimsoll_is_killed_the_command_ends() {
    let scratch = Scratch::new().unwrap();
    let mut child = waiting(&scratch, "trap '' HUP INT QUIT TERM");
    let command = only_child(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(time_until(LONG, || !alive(command)).is_some(), "the command outlives us");
}

fn is_stopped(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('T'))
}

#[test]
fn plimsoll_stops_and_continues_with_the_command() {
    let scratch = Scratch::new().unwrap();
    // Stopped through Plimsoll, and by itself.
    for by_us in [true, false] {
        let child = waiting(&scratch, "trap 'exit 7' USR1");
        let (us, command) = (child.id(), only_child(child.id()));
        send(if by_us { "TSTP" } else { "STOP" }, if by_us { us } else { command });
        time_until(LONG, || is_stopped(command)).expect("the command did not stop");
        time_until(LONG, || is_stopped(us)).expect("we did not stop with it");
        send("CONT", us);
        time_until(LONG, || !is_stopped(us) && !is_stopped(command)).expect("they did not go on");
        send("USR1", us);
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(7));
    }
}

#[test]
fn a_reader_that_stops_ends_an_endless_command() {
    let scratch = Scratch::new().unwrap();
    let us = sidecar();
    for (script, line) in [
        ("\"$0\" run -- yes | head -n 1", "y\n"),
        ("\"$0\" run -- sh -c 'while :; do echo x; done' | head -n 1", "x\n"),
        ("\"$0\" run -- sh -c 'yes >&2' 2>&1 >/dev/null | head -n 1", "y\n"),
        ("\"$0\" run -- cat /dev/zero | head -c 3 | tr '\\0' z", "zzz"),
        ("\"$0\" run -- yes | true", ""),
    ] {
        let mut command = scratch.command("sh");
        let mut child = command
            .args(["-c", script])
            .arg(&us)
            .stdout(Stdio::piped())
            .process_group_of_its_own()
            .spawn()
            .unwrap();
        let ended = time_until(LONG, || child.try_wait().unwrap().is_some());
        if ended.is_none() {
            send("KILL", child.id());
        }
        assert!(ended.is_some(), "{script} goes on");
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        assert_eq!(out, line, "{script}");
    }
}

/// A necessary kill reaches the whole pipeline.
trait OwnGroup {
    fn process_group_of_its_own(&mut self) -> &mut Self;
}

impl OwnGroup for Command {
    fn process_group_of_its_own(&mut self) -> &mut Self {
        std::os::unix::process::CommandExt::process_group(self, 0)
    }
}

#[test]
fn background_processes_go_on_and_their_output_is_read() {
    let scratch = Scratch::new().unwrap();
    let go = scratch.project.join("go");
    let mut command = scratch.command(sidecar());
    let script = "(while [ ! -e go ]; do sleep 0.05; done; echo late) & echo now";
    let mut child = command.args(["run", "--", "sh", "-c", script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    std::fs::write(&go, "").unwrap();
    let mut heard = String::new();
    out.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "now\nlate\n");
}

#[test]
fn an_output_that_cannot_be_written_is_not_a_success() {
    let scratch = Scratch::new().unwrap();
    // A command that failed keeps its exit code, and what it reported is missing all the same.
    for (script, code) in [("echo x", 1), ("echo x; exit 3", 3)] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = scratch.command(sidecar());
        command.args(["run", "--", "sh", "-c", script]).stdout(full).stderr(Stdio::piped());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{script}");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(printed.contains("couldn't be written") && printed.contains("space"), "{script}: {printed}");
    }
}

#[test]
fn the_full_output_is_named_only_if_it_is_kept() {
    let scratch = Scratch::new().unwrap();
    let flood = |scratch: &Scratch| {
        let script = "yes 'information about nothing in particular' | head -n 400000";
        let mut command = scratch.command(sidecar());
        let output = command.args(["run", "--", "sh", "-c", script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = flood(&scratch);
    let id =
        shown.rsplit_once("[full: plimsoll://task/").unwrap().1.trim_end().trim_end_matches(']').to_owned();
    let kept = scratch.home.join(".plimsoll/tasks").join(id).join("output.log");
    assert_eq!(kept.metadata().unwrap().len(), 400_000 * 40);
    let settings = scratch.home.join(".plimsoll/settings.toml");
    std::fs::write(settings, "[sandbox]\nmax_output_bytes = 10000000\n").unwrap();
    let shown = flood(&scratch);
    assert!(!shown.contains("full:"), "{}", &shown[shown.len() - 300..]);
    assert!(
        shown.contains("[only the first 10.0 MB are kept: plimsoll://task/"),
        "{}",
        &shown[shown.len() - 300..]
    );
}

#[test]
fn a_deleted_working_folder_does_not_stop_a_command() {
    let scratch = Scratch::new().unwrap();
    let gone = scratch.project.join("gone");
    let mut command = scratch.command("sh");
    std::fs::create_dir(&gone).unwrap();
    let script = "rmdir ../gone && exec \"$0\" run -- echo here";
    let output = command.args(["-c", script]).arg(sidecar()).current_dir(&gone).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"here\n".as_slice()));
    assert!(!Path::new(&gone).exists() && running("run -- echo here").is_empty());
}
