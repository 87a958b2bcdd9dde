//! The computers of a team and its server, for tests of what they exchange.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::Path;

use postgres::{Postgres, SUPERUSER};
use serde_json::{Value, json};

use crate::world::{NOW, World};

pub(crate) const PROJECT: &str = "github.com/acme/shop";

/// A computer of somebody's with the project on it.
pub(crate) fn computer(url: &str) -> World {
    computer_at(url, NOW)
}

/// The same at another time.
pub(crate) fn computer_at(url: &str, now_ms: i64) -> World {
    with_remote(World::at(now_ms, &server(url)))
}

/// A computer whose files are in this folder, and that has no server yet.
pub(crate) fn alone_in(folder: &Path) -> World {
    with_remote(World::in_folder(folder, NOW, ""))
}

/// The same computer with a server.
pub(crate) fn computer_in(folder: &Path, url: &str) -> World {
    with_remote(World::in_folder(folder, NOW, &server(url)))
}

fn server(url: &str) -> String {
    format!("[memory.org]\nurl = \"{url}\"\n")
}

fn with_remote(world: World) -> World {
    let config = "[remote \"origin\"]\n\turl = git@github.com:acme/shop.git\n";
    std::fs::write(world.host.root.join(".git/config"), config).unwrap();
    world
}

/// What `plimsoll memory org …` answers.
pub(crate) fn org(world: &World, words: &[&str]) -> Value {
    let mut all = vec!["org"];
    all.extend(words);
    world.typed("memory", &all, json!({})).unwrap().data
}

/// Captures a decision; its id.
pub(crate) fn capture(world: &World, content: &str) -> String {
    let given = json!({"action": "capture", "content": content, "namespace": "decisions"});
    world.data("memory", given)["id"].as_str().unwrap().to_owned()
}

pub(crate) fn recalled(world: &World, query: &str) -> Value {
    world.data("memory", json!({"action": "recall", "query": query, "detail": "everything"}))
}

pub(crate) fn contents(found: &Value) -> Vec<&str> {
    found["results"].as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap()).collect()
}

/// A server with a database for Ana and Bo, who write everywhere, and Cy, who has no right yet.
pub(crate) fn team() -> Option<Postgres> {
    Postgres::start().map(team_on)
}

/// The same on this server.
pub(crate) fn team_on(postgres: Postgres) -> Postgres {
    postgres.make("team", &["ana", "bo", "cy"]);
    let owner = computer(&postgres.url(SUPERUSER, "team"));
    assert_eq!(org(&owner, &["init"])["status"], "set up");
    assert_eq!(org(&owner, &["init"])["status"], "was set up already");
    for person in ["ana", "bo"] {
        assert_eq!(org(&owner, &["grant", person, "writer"])["role"], "writer");
    }
    postgres
}
