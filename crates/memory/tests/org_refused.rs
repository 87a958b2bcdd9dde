//! A change that the organisation's server refuses waits until it's allowed, like a memory that the server never had.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod team;
mod world;

use postgres::SUPERUSER;
use serde_json::json;
use team::{capture, computer, contents, org, recalled, team};

#[test]
fn a_refused_change_waits_until_the_server_allows_it() {
    let Some(postgres) = team() else { return };
    let (ana, bo) = (computer(&postgres.url("ana", "team")), computer(&postgres.url("bo", "team")));
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    let (queue, gate) = (capture(&ana, "The queue is RabbitMQ"), capture(&ana, "The gate opens at seven"));
    org(&ana, &["sync"]);
    assert_eq!(org(&bo, &["sync"])["received"], 2);
    // Bo may no longer write, and changes their copies of what the server has.
    org(&owner, &["grant", "bo", "reader"]);
    bo.data("memory", json!({"action": "update", "id": queue, "content": "The queue is NATS"}));
    bo.data("memory", json!({"action": "delete", "id": gate}));
    for _ in 0..2 {
        let done = org(&bo, &["sync"]);
        assert_eq!((&done["sent"], &done["waiting"]), (&json!(0), &json!(2)), "{done}");
        assert_eq!(org(&bo, &["status"])["waiting"], 2);
    }
    org(&ana, &["sync"]);
    assert_eq!(contents(&recalled(&ana, "queue")), ["The queue is RabbitMQ"]);
    org(&owner, &["grant", "bo", "writer"]);
    let done = org(&bo, &["sync"]);
    assert_eq!((&done["sent"], &done["waiting"]), (&json!(2), &json!(0)), "{done}");
    org(&ana, &["sync"]);
    assert_eq!(contents(&recalled(&ana, "queue")), ["The queue is NATS"]);
    assert!(contents(&recalled(&ana, "gate")).is_empty());
    for computer in [&ana, &bo] {
        let done = org(computer, &["sync"]);
        assert_eq!((&done["sent"], &done["received"]), (&json!(0), &json!(0)), "{done}");
    }
}
