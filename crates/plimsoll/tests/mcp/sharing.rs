//! Many servers at once, and no network.

use std::process::Command;

use serde_json::json;

use crate::client::{Client, Place};

#[test]
fn sixteen_servers_share_one_knowledge_base() {
    let place = Place::new();
    let mut clients: Vec<Client> = (0..16).map(|_| place.session()).collect();
    for round in 0..4 {
        let asked: Vec<i64> = clients
            .iter_mut()
            .enumerate()
            .map(|(number, client)| {
                let content = format!("# Report\n\nship{number} round{round} is afloat\n");
                let arguments = json!({"content": content, "source": format!("report {number}-{round}")});
                client.ask("tools/call", json!({"name": "index", "arguments": arguments}))
            })
            .collect();
        for (client, id) in clients.iter_mut().zip(asked) {
            let (text, failed) = crate::client::outcome(&client.answer(id));
            assert!(!failed, "{text}");
        }
    }
    for number in 0..16 {
        for round in 0..4 {
            let reader = &mut clients[(number + 1) % 16];
            let found =
                reader.good("search", json!({"queries": [format!("ship{number} round{round}")], "limit": 1}));
            assert!(found.contains(&format!("ship{number} round{round} is afloat")), "{found}");
        }
    }
    let stats = clients[0].good("stats", json!({}));
    assert!(stats.contains("64 sources"), "{stats}");
}

/// Only if this user may create network namespaces.
#[test]
#[cfg(target_os = "linux")]
fn without_a_network_everything_but_pages_works() {
    let cut_off = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    if !cut_off(Command::new("unshare").args(["-n", "true"])) {
        skipped::without("unshare", "this system does not let us cut the network (unshare -n)");
        return;
    }
    let place = Place::new();
    let inner = place.command(&["--agent", "claude-code"]);
    let mut command = Command::new("unshare");
    command
        .arg("-n")
        .arg(inner.get_program())
        .args(inner.get_args())
        .env_clear()
        .current_dir(place.project());
    for (name, value) in inner.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    let mut client = Client::start(command);
    client.handshake("2025-06-18");
    assert_eq!(client.printed(json!({"language": "shell", "code": "echo hello"})), "hello");
    client.good("index", json!({"content": "afloat", "source": "a"}));
    assert!(client.good("search", json!({"queries": ["afloat"]})).contains("afloat"));
    client.good("batch", json!({"commands": ["echo a"]}));
    client.good("doctor", json!({}));
    client.good("stats", json!({}));
    let page = client.bad("index", json!({"url": "https://docs.example/"}));
    assert!(page.starts_with("error network"), "{page}");
}
