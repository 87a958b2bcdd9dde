//! A team's memories on a real PostgreSQL server, with real sidecars on two scratch computers: what one captures reaches the other,
//! even if processes are killed midway, and a hook reads it without a connection.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use plimsoll_tests::{Scratch, Server};
use postgres::{Postgres, SUPERUSER};
use serde_json::{Value, json};

/// A team member's computer with a clone of the project.
fn computer(url: &str) -> Scratch {
    let scratch = Scratch::new().unwrap();
    let remote = ["remote", "add", "origin", "git@github.com:acme/shop.git"];
    let added = Command::new("git").args(remote).current_dir(&scratch.project).status();
    assert!(added.unwrap().success());
    point(&scratch, url);
    scratch
}

fn point(scratch: &Scratch, url: &str) {
    let settings = scratch.home.join(".plimsoll/settings.toml");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(settings, format!("[memory.org]\nurl = \"{url}\"\n")).unwrap();
}

fn team() -> Option<Postgres> {
    let postgres = Postgres::start()?;
    postgres.make("team", &["ana", "bo"]);
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    owner.plimsoll(&["memory", "org", "init"]).unwrap();
    for person in ["ana", "bo"] {
        owner.plimsoll(&["memory", "org", "grant", person, "writer"]).unwrap();
    }
    Some(postgres)
}

fn org(scratch: &Scratch, action: &str) -> Value {
    let text = scratch.plimsoll(&["memory", "org", action, "--json"]).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn captured(server: &mut Server, content: &str) -> bool {
    let given = json!({"action": "capture", "namespace": "decisions", "content": content});
    match server.call("memory", given) {
        Ok(printed) if !printed.failed => true,
        other => {
            eprintln!("{content}: {:?}", other.map(|printed| printed.text));
            false
        }
    }
}

fn count(postgres: &Postgres, like: &str) -> u64 {
    let sql =
        format!("SELECT count(*) FROM plimsoll.memories WHERE status = 'active' AND content LIKE '{like}'");
    postgres.sql("team", &sql).parse().unwrap()
}

/// Waits for something that must happen without a request.
fn until(what: &str, mut done: impl FnMut() -> bool) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < limit, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn captures_reach_another_computer_and_its_hooks_work_offline() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    let mut server = Server::start(&ana).unwrap();
    assert!(captured(&mut server, "The invoice service owns the numbering of invoices"));
    // Nothing asked for it to be sent.
    until("the capture reaches the server", || count(&postgres, "The invoice%") == 1);
    // A server that starts there asks for what is new, and so does a recall.
    let mut other = Server::start(&bo).unwrap();
    until("the other computer has it", || {
        let asked = json!({"action": "recall", "query": "invoice numbering"});
        let printed = other.call("memory", asked).unwrap();
        printed.text.contains("owns the numbering") && !printed.text.contains("\"from\":\"org\"")
    });
    drop((server, other));
    // A hook has it now, without a network call.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    point(&bo, &format!("postgres://bo:secret@{}/team", listener.local_addr().unwrap()));
    let event = json!({"session_id": "s9", "cwd": bo.project, "hook_event_name": "SessionStart", "source": "startup"});
    let mut hook = bo.command(plimsoll_tests::sidecar());
    hook.args(["hook", "claude-code", "SessionStart"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut hook = hook.spawn().unwrap();
    std::io::Write::write_all(&mut hook.stdin.take().unwrap(), event.to_string().as_bytes()).unwrap();
    let output = hook.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("owns the numbering"), "{text}");
    assert!(listener.accept().is_err(), "a hook called the server");
}

#[test]
fn sixteen_writers_on_two_computers_lose_nothing_when_the_server_is_killed() {
    const EACH: usize = 12;
    let Some(postgres) = team() else { return };
    let computers = [computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team"))];
    let killed = AtomicBool::new(false);
    let printed: usize = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..16)
            .map(|writer| {
                let (computer, killed) = (&computers[writer % 2], &killed);
                scope.spawn(move || {
                    let mut server = Server::start(computer).unwrap();
                    let mut printed = 0;
                    for n in 0..EACH {
                        // Half before the server is killed, half from then on, however quick this computer is.
                        if n == EACH / 2 {
                            until("the server was killed", || killed.load(Ordering::Acquire));
                        }
                        printed += usize::from(captured(
                            &mut server,
                            &format!("Writer {writer} decided number {n}"),
                        ));
                        // The same statement from several people is one memory.
                        captured(&mut server, &format!("Everybody decided number {n}"));
                    }
                    printed
                })
            })
            .collect();
        until("something has arrived", || count(&postgres, "Writer%") > 5);
        postgres.kill().unwrap();
        killed.store(true, Ordering::Release);
        postgres.restart().unwrap();
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    });
    assert_eq!(printed, 16 * EACH, "a capture never waits for the server");
    for computer in computers.iter().chain(&computers) {
        org(computer, "sync");
    }
    assert_eq!(count(&postgres, "Writer%"), 16 * EACH as u64);
    assert_eq!(count(&postgres, "Everybody%"), EACH as u64);
    for computer in &computers {
        let status = org(computer, "status");
        assert_eq!((&status["waiting"], &status["status"]), (&json!(0), &json!("reachable")), "{status}");
        let all =
            computer.plimsoll(&["memory", "recall", "--filter", "ns:decisions", "--limit", "1000", "--json"]);
        let all: Value = serde_json::from_str(&all.unwrap()).unwrap();
        assert_eq!(all["total"], json!(17 * EACH), "each computer has all of it, once");
    }
}

#[test]
fn a_sidecar_that_is_killed_while_it_sends_loses_nothing_and_sends_nothing_twice() {
    const KILLS: usize = 8;
    let Some(postgres) = team() else { return };
    let ana = computer(&postgres.url("ana", "team"));
    let mut printed = 0_u64;
    for kill in 0..KILLS {
        let mut server = Server::start(&ana).unwrap();
        for n in 0..6 {
            printed += u64::from(captured(&mut server, &format!("Round {kill} decided number {n}")));
        }
        // Somewhere between the capture and the end of the exchange.
        std::thread::sleep(Duration::from_millis(60 + 37 * kill as u64 % 190));
        server.kill().unwrap();
    }
    assert_eq!(printed, 6 * KILLS as u64);
    let done = org(&ana, "sync");
    assert_eq!(done["waiting"], json!(0), "{done}");
    assert_eq!(count(&postgres, "Round%"), printed);
    assert_eq!(postgres.sql("team", "SELECT count(*) FROM plimsoll.memories"), printed.to_string());
}

/// A certificate of an authority that the system doesn't know, and one that it signed for the server: made with `openssl`.
fn certificates(dir: &Path) -> bool {
    let script = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=team-ca -keyout ca.key -out ca.crt \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \
        && openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout server.key -out server.csr \
        && printf 'subjectAltName=DNS:localhost\\nbasicConstraints=CA:FALSE\\nextendedKeyUsage=serverAuth\\n' > ext \
        && openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile ext -out server.crt";
    let made = Command::new("sh").args(["-c", script]).current_dir(dir).output();
    made.is_ok_and(|made| made.status.success())
}

#[test]
fn a_connection_is_encrypted_and_an_untrusted_certificate_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    if !certificates(dir.path()) {
        skipped::without("openssl", "openssl makes no certificates here");
        return;
    }
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let Some(postgres) = Postgres::encrypted(&read("server.crt"), &read("server.key")) else { return };
    postgres.make("team", &["ana"]);
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    owner.plimsoll(&["memory", "org", "init"]).unwrap();
    owner.plimsoll(&["memory", "org", "grant", "ana", "writer"]).unwrap();
    let port = postgres.port().unwrap();
    let ana = computer(&format!("postgres://ana:geheim@localhost:{port}/team?sslmode=require"));
    let status = |trusting: Option<&Path>| -> Value {
        let mut command = ana.command(plimsoll_tests::sidecar());
        command.args(["memory", "org", "status", "--json"]);
        if let Some(path) = trusting {
            command.env("SSL_CERT_FILE", path);
        }
        let output = command.output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("geheim"), "{text}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    let stranger = status(None);
    assert_eq!(stranger["status"], "unreachable", "{stranger}");
    assert!(stranger["problem"].as_str().unwrap().contains("ertificate"), "{stranger}");
    let trusted = status(Some(&dir.path().join("ca.crt")));
    assert_eq!(trusted["status"], "reachable", "{trusted}");
    // The server takes nothing over the network that is not encrypted.
    point(&ana, &format!("postgres://ana:geheim@localhost:{port}/team?sslmode=disable"));
    assert_ne!(status(None)["status"], "reachable");
}
