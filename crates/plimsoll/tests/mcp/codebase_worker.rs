//! The process that reads code for the servers: one index however many of them there are, and no reading in a server itself.

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::client::Client;
use crate::codebase::{found, place};

#[test]
fn two_servers_at_once_make_one_index() {
    let place = place();
    let mut clients: Vec<Client> = (0..3).map(|_| place.session()).collect();
    let asking = json!({"name": "codebase", "arguments": {"action": "search", "query": "readConfig"}});
    let ids: Vec<i64> = clients.iter_mut().map(|client| client.ask("tools/call", asking.clone())).collect();
    for (client, id) in clients.iter_mut().zip(ids) {
        client.answer(id);
        assert_eq!(found(client, "readConfig")[0], "src/config.ts");
    }
    let indexes: Vec<PathBuf> = std::fs::read_dir(place.data().join("projects"))
        .expect("projects")
        .map(|entry| entry.expect("a folder").path().join("code.db"))
        .filter(|db| db.exists())
        .collect();
    assert_eq!(indexes.len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn only_the_worker_reads_code() {
    let place = place();
    let program = place.home().join("plimsoll");
    let own = env!("CARGO_BIN_EXE_plimsoll");
    if std::fs::hard_link(own, &program).is_err() {
        std::fs::copy(own, &program).expect("a copy of the program");
    }
    let command = place.command(&["--agent", "claude-code"]);
    let mut moved = Command::new(&program);
    moved.args(command.get_args()).env_clear().current_dir(place.project());
    moved.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut client = Client::start(moved);
    client.handshake("2025-06-18");
    // Without its program no worker starts, and a server that could read code itself would still find the function.
    std::fs::remove_file(&program).expect("the program is removed");
    for action in ["search", "references", "card"] {
        let refused = client.bad("codebase", json!({"action": action, "query": "readConfig"}));
        assert!(refused.contains("the worker can't be started"), "{refused}");
    }
}

/// Somebody who interrupts a long question is answered by nobody.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_whose_caller_is_gone_ends() {
    let place = place();
    let mut client = place.session();
    found(&mut client, "readConfig");
    let worker = |stdout: std::process::Stdio| {
        let command = place.command(&[]);
        let mut worker = Command::new(command.get_program());
        worker.arg("code-worker").arg("references").arg(place.project()).arg("readConfig");
        worker.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        worker.current_dir(place.project()).stdout(stdout).status().expect("the worker runs")
    };
    assert!(worker(std::process::Stdio::null()).success());
    let (reader, answer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert!(!worker(answer.into()).success());
}
