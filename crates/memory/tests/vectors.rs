//! Vectors of memories: a model in a folder, an endpoint, and what is reported without one.

#![allow(clippy::unwrap_used, reason = "tests")]

mod endpoint;
mod model2vec;
mod world;

use std::path::Path;
use std::time::{Duration, Instant};

use endpoint::{Answer, Endpoint};
use plimsoll_memory::embedding::Embedder;
use plimsoll_memory::store::{SqliteStore, Store};
use plimsoll_memory::wire::{Keys, Provider};
use proptest::prelude::*;
use serde_json::{Value, json};
use world::{NOW, World};

const TEXTS: [&str; 3] = [
    "We chose PostgreSQL for storage",
    "Every rollout happens on Tuesday",
    "The pet of the team is a hamster",
];

fn folder(columns: usize) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    model2vec::write(dir.path(), columns);
    dir
}

fn by_folder(path: &Path) -> String {
    format!("[memory.vectors]\nprovider = \"folder\"\nfolder = {:?}\n", path.display().to_string())
}

fn by_endpoint(provider: &str, url: &str) -> String {
    format!("[memory.vectors]\nprovider = {provider:?}\nurl = {url:?}\nmodel = \"tiny\"\n")
}

fn filled(world: &World) {
    for text in TEXTS {
        world.data("memory", json!({"action": "capture", "content": text, "namespace": "decisions"}));
    }
}

fn found(world: &World, query: &str, mode: &str) -> Value {
    world.data("memory", json!({"action": "recall", "query": query, "mode": mode}))
}

fn contents(found: &Value) -> Vec<&str> {
    found["results"].as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap()).collect()
}

fn database(world: &World) -> std::path::PathBuf {
    world.host.home.root().join("memory.db")
}

fn lengths(world: &World) -> Vec<(String, i64)> {
    let db = rusqlite::Connection::open(database(world)).unwrap();
    let mut all = db.prepare("SELECT model, length(vector) FROM vectors").unwrap();
    all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

#[test]
fn without_a_model_vector_says_what_it_needs_and_hybrid_is_by_words() {
    let world = World::new();
    filled(&world);
    let error = world.call("memory", json!({"action": "recall", "query": "database", "mode": "vector"}));
    let error = error.unwrap_err();
    assert!(error.message.text().contains("memory.vectors.provider"), "{error:?}");
    assert!(format!("{error:?}").contains("-32606"), "{error:?}");
    assert_eq!(contents(&found(&world, "PostgreSQL storage", "hybrid"))[0], TEXTS[0]);
    let status = world.data("memory", json!({"action": "status"}));
    assert_eq!((&status["storage"]["vector"], status.get("vectors")), (&json!("none"), None));
}

#[test]
fn meaning_finds_memories_of_a_folder_without_the_questions_words() {
    let model = folder(8);
    let world = World::at(NOW, &by_folder(model.path()));
    filled(&world);
    assert_eq!(contents(&found(&world, "which database", "text")), [""; 0]);
    for mode in ["vector", "hybrid"] {
        let by_meaning = found(&world, "which database", mode);
        assert_eq!(contents(&by_meaning), [TEXTS[0]], "{mode} {by_meaning}");
        assert_eq!(by_meaning.get("vectors"), None);
    }
    // Unless it's asked for, only words count.
    let plain = world.data("memory", json!({"action": "recall", "query": "which database"}));
    assert_eq!(plain["total"], 0);
    let status = world.data("memory", json!({"action": "status"}));
    assert_eq!(status["storage"]["vector"], "sqlite");
    assert_eq!((&status["vectors"]["made"], &status["vectors"]["of"]), (&json!(3), &json!(3)));
    // What is deleted for good leaves no vector, what has another text isn't found by the old one.
    let id = found(&world, "PostgreSQL", "text")["results"][0]["id"].clone();
    world.data("memory", json!({"action": "update", "id": id, "content": "We chose a hamster"}));
    assert_eq!(found(&world, "which database", "vector")["total"], 0);
    world.data("memory", json!({"action": "delete", "id": id, "hard": true}));
    assert_eq!(lengths(&world).len(), 2);
}

#[test]
fn another_model_makes_all_vectors_again_and_mixes_none() {
    let (one, two) = (folder(8), folder(12));
    let world = World::at(NOW, &by_folder(one.path()));
    filled(&world);
    assert!(lengths(&world).iter().all(|(_, length)| *length == 32));
    let changed = world.with_settings(&by_folder(two.path()));
    let status = changed.data("memory", json!({"action": "status"}));
    let problem = status["vectors"]["problem"].as_str().unwrap();
    assert!(problem.contains("another one than before") && problem.contains("reindex"), "{problem}");
    let before = found(&changed, "which database", "vector");
    assert_eq!(before["total"], 0, "{before}");
    assert!(before["vectors"].as_str().unwrap().contains("3 of 3"), "{before}");
    let made = changed.data("memory", json!({"action": "reindex"}));
    assert_eq!(made["vectors"], json!({"made": 3}));
    assert_eq!(contents(&found(&changed, "which database", "vector")), [TEXTS[0]]);
    let all = lengths(&changed);
    assert!(
        all.len() == 3 && all.iter().all(|(model, length)| *model == all[0].0 && *length == 48),
        "{all:?}"
    );
}

#[test]
fn vectors_of_a_new_length_are_all_requested_again() {
    let longer = |text: &str| [model2vec::by_groups(text), vec![0.0; 3]].concat();
    let server = Endpoint::new(vec![Answer::Vectors(model2vec::by_groups)]);
    let world = World::at(NOW, &by_endpoint("openai", &server.url));
    for text in TEXTS {
        world.typed("memory", &["capture", text], json!({"namespace": "decisions"})).unwrap();
    }
    assert_eq!(lengths(&world).iter().map(|(_, length)| *length).collect::<Vec<_>>(), [20, 20, 20]);
    // The same address and name, another model behind it.
    let other = Endpoint::new(vec![Answer::Vectors(longer)]);
    let db = rusqlite::Connection::open(database(&world)).unwrap();
    db.execute("UPDATE vectors SET model = replace(model, ?1, ?2)", (&server.url, &other.url)).unwrap();
    drop(db);
    let world = world.with_settings(&by_endpoint("openai", &other.url));
    assert_eq!(found(&world, "which database", "vector")["total"], 0);
    assert_eq!(world.data("memory", json!({"action": "reindex"}))["vectors"], json!({"made": 3}));
    assert_eq!(lengths(&world).iter().map(|(_, length)| *length).collect::<Vec<_>>(), [32, 32, 32]);
    assert_eq!(contents(&found(&world, "which database", "vector")), [TEXTS[0]]);
}

#[test]
fn an_endpoint_gets_texts_without_secrets_and_the_key_only_in_its_header() {
    for (provider, path) in [("openai", "/embeddings"), ("ollama", "/api/embed")] {
        let server = Endpoint::new(vec![Answer::Vectors(model2vec::by_groups)]);
        let world = World::at(NOW, &by_endpoint(provider, &server.url));
        let named = Provider::from_name(provider).unwrap();
        Keys::of(&world.host.home).set(named, "key-of-the-test").unwrap();
        let text = "The database token is ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        world.typed("memory", &["capture", text], json!({"namespace": "security"})).unwrap();
        let question = "database ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        assert_eq!(found(&world, question, "vector")["total"], 1);
        let asked = server.requests();
        assert_eq!(asked.len(), 2);
        for request in &asked {
            assert_eq!(request.path, path);
            assert!(request.text.contains("database") && !request.text.contains("ghp_"), "{}", request.text);
            assert!(request.headers.contains("authorization: bearer key-of-the-test"), "{}", request.headers);
            assert_eq!(request.body["model"], "tiny");
        }
        let status = world.data("memory", json!({"action": "status"})).to_string();
        assert!(status.contains("\"key\":\"set\"") && !status.contains("key-of-the-test"), "{status}");
    }
}

#[test]
fn an_endpoint_that_fails_is_named_and_nothing_is_lost() {
    let long = "x".repeat(300);
    for (answer, word) in [
        (Answer::Says(500, "{\"error\": {\"message\": \"out of memory\"}}".into()), "answered 500"),
        (Answer::Says(429, "{}".into()), "too many requests"),
        (
            Answer::Says(401, format!("{{\"error\": \"bad key key-of-the-test {long}\"}}")),
            "the key was refused",
        ),
        (Answer::Says(302, "{}".into()), "sends elsewhere"),
        (Answer::Says(200, "<html>".into()), "isn't JSON"),
        (Answer::Says(200, "{\"data\": []}".into()), "not one vector for each text"),
        (
            Answer::Says(200, "{\"data\": [{\"index\": 0, \"embedding\": [1, \"a\"]}]}".into()),
            "list of numbers",
        ),
        (Answer::Says(200, "{\"data\": [{\"index\": 0, \"embedding\": [1e400]}]}".into()), "JSON"),
        (Answer::Says(200, "{\"data\": [{\"index\": 7, \"embedding\": [1]}]}".into()), "not one vector"),
        (Answer::Cut, "can't be reached"),
        (Answer::Long(40 << 20), "more than"),
    ] {
        let server = Endpoint::new(vec![answer]);
        let world = World::at(NOW, &by_endpoint("openai", &server.url));
        Keys::of(&world.host.home).set(Provider::OpenAi, "key-of-the-test").unwrap();
        let captured =
            world.typed("memory", &["capture", TEXTS[0]], json!({"namespace": "decisions"})).unwrap();
        let why = captured.data["vectors"].as_str().unwrap();
        assert!(why.contains(word) && why.contains("reindex") && !why.contains("key-of"), "{word}: {why}");
        let hybrid = found(&world, "PostgreSQL storage", "hybrid");
        assert_eq!(contents(&hybrid), [TEXTS[0]], "{hybrid}");
        assert!(hybrid["vectors"].as_str().unwrap().contains("words alone"), "{hybrid}");
        let error =
            world.call("memory", json!({"action": "recall", "query": "PostgreSQL", "mode": "vector"}));
        assert!(format!("{:?}", error.unwrap_err()).contains("-32606"));
    }
}

#[test]
fn an_endpoint_that_keeps_failing_is_left_alone_and_the_status_says_so() {
    let server = Endpoint::saying(500, "{}");
    let world = World::at(NOW, &by_endpoint("ollama", &server.url));
    world.typed("memory", &["capture", TEXTS[0]], json!({"namespace": "decisions"})).unwrap();
    for _ in 0..6 {
        found(&world, "PostgreSQL", "hybrid");
    }
    assert_eq!(server.requests().len(), 5);
    let why = found(&world, "PostgreSQL", "hybrid")["vectors"].as_str().unwrap().to_owned();
    assert!(why.contains("left alone"), "{why}");
    let wire = world.data("memory", json!({"action": "status"}))["vectors"]["wire"].clone();
    assert!(wire["left_alone_s"].as_u64().unwrap() > 20 && wire["key"] == "none needed", "{wire}");
}

#[test]
fn an_agents_capture_does_not_wait_for_an_endpoint() {
    let server = Endpoint::new(vec![Answer::Slow(Duration::from_secs(5))]);
    let world = World::at(NOW, &by_endpoint("ollama", &server.url));
    let began = Instant::now();
    let captured =
        world.call("memory", json!({"action": "capture", "content": TEXTS[0], "namespace": "decisions"}));
    assert!(captured.unwrap().data.get("vectors").is_none());
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

#[test]
fn one_text_that_is_refused_keeps_no_other_waiting() {
    let picky: fn(&str) -> Vec<f32> = model2vec::by_groups;
    let refuses = Answer::Says(400, "{\"error\": \"too long\"}".into());
    // The three together are refused, then the newest alone.
    let script = vec![Answer::Vectors(picky), refuses.clone(), refuses, Answer::Vectors(picky)];
    let server = Endpoint::new(script);
    let world = World::new();
    filled(&world);
    let world = world.with_settings(&by_endpoint("openai", &server.url));
    let made = world.data("memory", json!({"action": "reindex"}))["vectors"].clone();
    assert_eq!((&made["made"], &made["missing"]), (&json!(2), &json!(1)), "{made}");
}

#[test]
fn settings_that_say_too_little_are_named() {
    for (settings, word) in [
        ("provider = \"cloud\"", "folder, openai, ollama"),
        ("provider = \"folder\"", "memory.vectors.folder"),
        ("provider = \"folder\"\nfolder = \"models/x\"", "whole path"),
        ("provider = \"folder\"\nfolder = \"/nowhere/model\"", "tokenizer.json"),
        ("provider = \"openai\"", "memory.vectors.model"),
        ("provider = \"openai\"\nmodel = \"m\"\nurl = \"ftp://x\"", "https://"),
        ("provider = \"openai\"\nmodel = \"m\"\nurl = \"https://a:b@host/\"", "plimsoll memory key set"),
        ("provider = \"openai\"\nmodel = \"m\"", "wants a key"),
    ] {
        let world = World::at(NOW, &format!("[memory.vectors]\n{settings}\n"));
        let captured =
            world.typed("memory", &["capture", TEXTS[0]], json!({"namespace": "decisions"})).unwrap();
        let why = captured.data["vectors"].as_str().unwrap();
        assert!(why.contains(word) && !why.contains("a:b@"), "{why}");
        let error =
            world.call("memory", json!({"action": "recall", "query": "x", "mode": "vector"})).unwrap_err();
        assert!(error.message.text().contains(word), "{error:?}");
    }
}

#[test]
fn a_key_is_not_sent_unencrypted() {
    let world = World::at(NOW, &by_endpoint("openai", "http://192.0.2.1:9"));
    Keys::of(&world.host.home).set(Provider::OpenAi, "key-of-the-test").unwrap();
    let began = Instant::now();
    let captured = world.typed("memory", &["capture", TEXTS[0]], json!({"namespace": "decisions"})).unwrap();
    assert!(captured.data["vectors"].as_str().unwrap().contains("without encryption"), "{}", captured.data);
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_salvaged_database_keeps_the_owners_of_its_vectors() {
    let model = folder(8);
    let world = World::at(NOW, &by_folder(model.path()));
    filled(&world);
    let db = rusqlite::Connection::open(database(&world)).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF; DROP TABLE vectors;").unwrap();
    drop(db);
    // A file that has no such table, as another version wrote it, is read as it is.
    let store = SqliteStore::open_read_only(&database(&world)).unwrap().unwrap();
    let model_id = Embedder::in_folder(model.path()).model().unwrap();
    assert_eq!(store.count_vectors(&model_id, None).unwrap().of, 3);
    assert_eq!(store.without_vector(&model_id, i64::MAX, 10).unwrap().len(), 3);
    assert_eq!(store.statistics(&Default::default()).unwrap().total, 0);
}

#[test]
fn files_of_a_model_that_are_damaged_or_hostile_are_errors_that_name_them() {
    let good = folder(8);
    let (model, words) = ("model.safetensors", "tokenizer.json");
    let bytes = std::fs::read(good.path().join(model)).unwrap();
    let deep = format!("{{\"model\": {}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let wide = format!("{{\"normalizer\": [{}0], \"model\": {{}}}}", "0,".repeat(1 << 20));
    let many = format!(
        "{{\"model\": {{\"type\": \"Unigram\", \"vocab\": [{}[\"a\", 0]]}}}}",
        "[\"a\",0],".repeat(1_100_000)
    );
    let definition = format!("{{\"model\": {{\"vocab\": {:?}}}}}", "x".repeat(1 << 20));
    let far = br#"{"embeddings":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,18446744073709551615]}}"#;
    let mut overflow = (far.len() as u64).to_le_bytes().to_vec();
    overflow.extend(far);
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        (model, Vec::new(), "shorter than its header"),
        (model, bytes[..bytes.len() - 1].to_vec(), "cut off"),
        (model, vec![0xff; 64], "cut off, or not a safetensors"),
        (model, overflow, "size"),
        (words, b"{".to_vec(), "valid JSON"),
        (words, vec![0xff; 10], "valid JSON"),
        (words, b"{}".to_vec(), "model"),
        (words, deep.into_bytes(), "invalid type"),
        (words, wide.into_bytes(), "too long"),
        (words, many.into_bytes(), "longer than any"),
        (words, definition.into_bytes(), "invalid type"),
        (
            words,
            model2vec::tokenizer().replace("\"hamster\":15", "\"hamster\":999").into_bytes(),
            "fewer rows",
        ),
        ("config.json", b"{".to_vec(), "valid JSON"),
    ];
    for (name, bytes, word) in cases {
        let other = folder(8);
        std::fs::write(other.path().join(name), bytes).unwrap();
        let error = Embedder::in_folder(other.path()).model().unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(word) && error.len() < 600, "{name} {word}: {error}");
    }
    for (name, limit) in [(model, 513_u64 << 20), (words, 33 << 20)] {
        let other = folder(8);
        std::fs::File::options().write(true).open(other.path().join(name)).unwrap().set_len(limit).unwrap();
        let error = Embedder::in_folder(other.path()).model().unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("larger than"), "{error}");
    }
    // Rows that aren't numbers are damage, too.
    let other = folder(8);
    let mut bytes = bytes;
    let end = bytes.len();
    bytes[end - 32..].copy_from_slice(&f32::NAN.to_le_bytes().repeat(8));
    std::fs::write(other.path().join(model), bytes).unwrap();
    let error = Embedder::in_folder(other.path()).vectors(&["credential"]).unwrap_err().to_string();
    assert!(error.contains("aren't numbers"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whatever happens to the files, reading them is an error or vectors that are numbers, and never a panic.
    #[test]
    fn any_change_to_a_models_files_gives_a_result_or_an_error(
        which in 0..2usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
        text in "(\\PC|database |DEPLOY-|中|🦀|\n){0,60}",
    ) {
        let dir = folder(6);
        let file = dir.path().join(["model.safetensors", "tokenizer.json"][which]);
        let mut bytes = std::fs::read(&file).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        std::fs::write(&file, bytes).unwrap();
        let embedder = Embedder::in_folder(dir.path());
        if let Ok(vectors) = embedder.vectors(&[&text]) {
            prop_assert!(vectors[0].iter().all(|one| one.is_finite()));
        }
        let _ = embedder.question_vector(&text);
    }

    /// Any text has a vector of length 1 or none at all.
    #[test]
    fn any_text_has_a_vector(text in "(\\PC|database |Rollout|中|🦀|\u{0301}|\n){0,80}") {
        let dir = folder(6);
        let vector = Embedder::in_folder(dir.path()).vectors(&[&text]).unwrap().remove(0);
        let length: f32 = vector.iter().map(|one| one * one).sum();
        prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-4, "{length}");
    }
}
