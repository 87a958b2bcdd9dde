//! `kill -9` at any moment, many writers at once, a full disk, a damaged file: what was answered for stays
//! searchable, and no file of anybody is torn.
//!
//! `PLIMSOLL_CRASH_ROUNDS` sets how often each thing is killed (15 when it is not set). The moments are spread
//! over the time that the thing takes when it is left alone.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use plimsoll_tests::{Scratch, Server, Tree, next_answer, said, sidecar};
use serde_json::{Value, json};

fn rounds() -> u32 {
    std::env::var("PLIMSOLL_CRASH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(15)
}

/// When to kill: moments spread over the time that the thing takes, which is corrected as the machine gets
/// busier or idler.
struct Pace(Duration);

impl Pace {
    /// The moment of a round's kill: steps of the golden section visit every part of the time, in no order.
    fn moment(&self, round: u32) -> Duration {
        self.0.mul_f64((f64::from(round) * 0.618_034).fract() * 1.2)
    }

    /// Learns from a round in which this many of so many things were done.
    fn learn(&mut self, done: usize, of: usize) {
        if done == 0 {
            self.0 = self.0.mul_f64(1.25);
        } else if done == of {
            self.0 = self.0.mul_f64(0.9);
        }
    }
}

/// A sentence that says which source it is from, and nothing else says.
fn sentence(word: &str) -> String {
    format!("The keel of this one is {word}.")
}

fn text(word: &str) -> String {
    let mut text = format!("# Ship {word}\n\n{}\n\n", sentence(word));
    for number in 0..12 {
        text += &format!(
            "## Deck {number}\n\nDeck {number} of {word} has {} ports and a rail.\n\n",
            number * 3 + 1
        );
    }
    text
}

/// Whether a search by its word finds the source.
fn finds(server: &mut Server, word: &str) -> bool {
    let said = server.call("search", json!({"queries": [word], "limit": 5})).unwrap();
    assert!(!said.failed, "{}", said.text);
    said.text.contains(&sentence(word))
}

/// Sends the calls without waiting, kills the server at the moment, and returns which calls were answered
/// (by their place) with what they said.
fn kill_during(mut server: Server, calls: &[(&str, Value)], after: Duration) -> BTreeMap<usize, Value> {
    let mut stdout = server.take_output().unwrap();
    let reader = std::thread::spawn(move || {
        let mut answers = Vec::new();
        while let Ok(Some(answer)) = next_answer(&mut stdout) {
            answers.push(answer);
        }
        answers
    });
    let mut places = BTreeMap::new();
    for (place, (tool, arguments)) in calls.iter().enumerate() {
        places.insert(server.send_call(tool, arguments.clone()).unwrap(), place);
    }
    std::thread::sleep(after);
    server.kill().unwrap();
    let answers = reader.join().unwrap();
    let answers = answers.into_iter().filter(|answer| answer.get("error").is_none());
    answers
        .filter_map(|answer| Some((*places.get(&answer["id"].as_u64()?)?, answer["result"].clone())))
        .collect()
}

/// How long the calls take when nobody interferes.
fn undisturbed(server: &mut Server, calls: &[(&str, Value)]) -> Duration {
    let since = Instant::now();
    for (tool, arguments) in calls {
        server.send_call(tool, arguments.clone()).unwrap();
    }
    for _ in calls {
        let answer = server.next_answer().unwrap().unwrap();
        assert!(!said(&answer["result"]).failed, "{answer}");
    }
    since.elapsed()
}

fn data(scratch: &Scratch) -> PathBuf {
    scratch.home.join(".plimsoll")
}

fn files_below(root: &Path) -> Vec<PathBuf> {
    Tree::of(root, &["."]).0.into_keys().map(|path| root.join(path)).collect()
}

/// Every database is sound, and none had to be salvaged. A server should be running, so that closing here is
/// not what tidies up.
fn databases_are_sound(scratch: &Scratch) {
    let files = files_below(&data(scratch));
    let mut seen = 0;
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(!name.contains(".damaged-"), "{} was found damaged", file.display());
        if name.ends_with(".db") {
            let db = rusqlite::Connection::open(&file).unwrap();
            db.busy_timeout(Duration::from_secs(10)).unwrap();
            let answer: String = db.query_row("PRAGMA quick_check", [], |row| row.get(0)).unwrap();
            assert_eq!(answer, "ok", "{}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn killed_while_indexing_texts() {
    let scratch = Scratch::new().unwrap();
    let calls = |round: u32| -> Vec<(&'static str, Value)> {
        let one = |number: u32| {
            let word = format!("w{round}x{number}");
            ("index", json!({"content": text(&word), "source": format!("ship {word}")}))
        };
        let mut calls: Vec<(&str, Value)> = (0..10).map(one).collect();
        // One source that every round replaces: it is the old one or the new one, never a mixture.
        calls.insert(
            5,
            ("index", json!({"content": text(&format!("replaced{round}")), "source": "contested"})),
        );
        calls
    };
    let mut pace = Pace(undisturbed(&mut Server::start(&scratch).unwrap(), &calls(9999)));
    let (mut kept, mut cut, mut contested) = (Vec::new(), 0, 9999);
    for round in 0..rounds() {
        let answered = kill_during(Server::start(&scratch).unwrap(), &calls(round), pace.moment(round));
        pace.learn(answered.len(), 11);
        cut += usize::from(answered.len() < 11);
        let mut server = Server::start(&scratch).unwrap();
        for place in answered.keys().filter(|place| **place != 5) {
            let word = format!("w{round}x{}", place - usize::from(*place > 5));
            assert!(finds(&mut server, &word), "round {round}: {word} was answered for and is gone");
            kept.push(word);
        }
        let stored = stored_text(&mut server, "contested");
        let allowed = [contested, round].map(|round| text(&format!("replaced{round}")));
        if stored.trim() == allowed[1].trim() {
            contested = round;
        } else {
            assert!(!answered.contains_key(&5), "round {round}: the new text was answered for");
            assert_eq!(stored.trim(), allowed[0].trim(), "round {round}: a mixture");
        }
        databases_are_sound(&scratch);
    }
    let mut server = Server::start(&scratch).unwrap();
    for word in &kept {
        assert!(finds(&mut server, word), "{word} was answered for and is gone");
    }
    eprintln!(
        "texts: {} kills over {:?}, {cut} of them before everything was answered; all {} sources answered for are searchable",
        rounds(),
        pace.0,
        kept.len()
    );
    assert!(cut > 0 && !kept.is_empty(), "every kill came too early, or every one too late");
}

/// The text of the source with this label.
fn stored_text(server: &mut Server, label: &str) -> String {
    let uri = resources(server).into_iter().find(|(name, _)| name == label).map(|(_, uri)| uri);
    let uri = uri.unwrap_or_else(|| panic!("there is no source {label}"));
    let read = server.ask("resources/read", json!({"uri": uri})).unwrap();
    read["contents"][0]["text"].as_str().unwrap().to_owned()
}

/// Every source: label and address.
fn resources(server: &mut Server) -> Vec<(String, String)> {
    let (mut all, mut cursor) = (Vec::new(), json!({}));
    loop {
        let page = server.ask("resources/list", cursor).unwrap();
        let word = |resource: &Value, key: &str| resource[key].as_str().unwrap().to_owned();
        all.extend(
            page["resources"].as_array().unwrap().iter().map(|it| (word(it, "name"), word(it, "uri"))),
        );
        match page.get("nextCursor") {
            Some(next) => cursor = json!({"cursor": next}),
            None => return all,
        }
    }
}

#[test]
fn killed_while_indexing_a_folder() {
    let scratch = Scratch::new().unwrap();
    let lay_out = |round: u32| {
        let dir = scratch.project.join(format!("fleet{round}"));
        std::fs::create_dir_all(&dir).unwrap();
        for number in 0..40 {
            std::fs::write(dir.join(format!("{number}.md")), text(&format!("f{round}x{number}"))).unwrap();
        }
        ("index", json!({"path": dir, "source": format!("fleet {round}")}))
    };
    let mut pace = Pace(undisturbed(&mut Server::start(&scratch).unwrap(), &[lay_out(9999)]));
    let (mut kept, mut cut) = (Vec::new(), 0);
    for round in 0..rounds() {
        let call = lay_out(round);
        let answered =
            kill_during(Server::start(&scratch).unwrap(), std::slice::from_ref(&call), pace.moment(round));
        pace.learn(answered.len(), 1);
        let mut server = Server::start(&scratch).unwrap();
        if answered.is_empty() {
            cut += 1;
            // The same again finishes what was begun.
            let said = server.call(call.0, call.1).unwrap();
            assert!(!said.failed, "{}", said.text);
        }
        for number in [0, 7, 19, 39] {
            let word = format!("f{round}x{number}");
            assert!(finds(&mut server, &word), "round {round}: {word} is gone");
            kept.push(word);
        }
        databases_are_sound(&scratch);
    }
    let mut server = Server::start(&scratch).unwrap();
    let gone: Vec<&String> = kept.iter().filter(|word| !finds(&mut server, word)).collect();
    assert!(gone.is_empty(), "{gone:?}");
    eprintln!(
        "folders: {} kills over {:?}, {cut} of them before the answer; everything is searchable",
        rounds(),
        pace.0
    );
}

#[test]
fn killed_while_purging() {
    let scratch = Scratch::new().unwrap();
    let lay_out = |server: &mut Server, round: u32| {
        for number in 0..6 {
            let word = format!("p{round}x{number}");
            let call = json!({"content": text(&word), "source": format!("ship {word}")});
            assert!(!server.call("index", call).unwrap().failed);
        }
    };
    let purges = |round: u32| -> Vec<(&'static str, Value)> {
        let one = |number: u32| {
            let scope = format!("source:ship p{round}x{number}");
            ("manage", json!({"action": "purge", "scope": scope, "confirm": true}))
        };
        (0..3).map(one).collect()
    };
    let mut server = Server::start(&scratch).unwrap();
    lay_out(&mut server, 9999);
    let mut pace = Pace(undisturbed(&mut server, &purges(9999)));
    drop(server);
    let (mut kept, mut cut, mut purged) = (Vec::new(), 0, 0);
    for round in 0..rounds() {
        let mut server = Server::start(&scratch).unwrap();
        lay_out(&mut server, round);
        let answered = kill_during(server, &purges(round), pace.moment(round));
        pace.learn(answered.len(), 3);
        cut += usize::from(answered.len() < 3);
        let mut server = Server::start(&scratch).unwrap();
        for number in 0..6 {
            let word = format!("p{round}x{number}");
            let found = finds(&mut server, &word);
            match answered.get(&(number as usize)) {
                Some(answer) => {
                    assert!(!said(answer).failed, "{answer}");
                    assert!(!found, "round {round}: {word} was purged and is still found");
                    assert!(in_trash(&scratch, &word), "round {round}: {word} is not in the trash");
                    purged += 1;
                }
                None if number < 3 => {
                    assert!(found || in_trash(&scratch, &word), "round {round}: {word} is nowhere");
                }
                None => {
                    assert!(found, "round {round}: {word} was not purged and is gone");
                    kept.push(word);
                }
            }
        }
        databases_are_sound(&scratch);
    }
    let mut server = Server::start(&scratch).unwrap();
    assert!(kept.iter().all(|word| finds(&mut server, word)));
    eprintln!(
        "purges: {} kills over {:?}, {cut} of them before everything was answered; {purged} sources are in the trash, {} are searchable",
        rounds(),
        pace.0,
        kept.len()
    );
}

fn in_trash(scratch: &Scratch, word: &str) -> bool {
    let sentence = sentence(word).into_bytes();
    let holds = |path: PathBuf| {
        std::fs::read(path).is_ok_and(|bytes| bytes.windows(sentence.len()).any(|part| part == sentence))
    };
    files_below(&data(scratch).join("trash")).into_iter().any(holds)
}

/// What people have in their agents' files, with comments, hooks and servers of their own.
const CONFIGS: [(&str, &str); 6] = [
    (".claude.json", "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\"mine\": {\"command\": \"true\"}}\n}\n"),
    (
        ".claude/settings.json",
        "{\n    \"permissions\": { \"deny\": [\"Bash(shred:*)\"] },\n    \"hooks\": {\n        \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"true # mine\" } ] } ]\n    }\n}",
    ),
    (".codex/config.toml", "# my own choices\r\nhide_agent_reasoning = true   # quiet\r\n"),
    (
        ".codex/hooks.json",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}]}}",
    ),
    (".gemini/settings.json", "{\n\t// mine\n\t\"ui\": { \"hideBanner\": true }\n}\n"),
    (".copilot/mcp-config.json", "{ \"mcpServers\": {} }\n"),
];

const CONFIG_FOLDERS: [&str; 5] = [".claude.json", ".claude", ".codex", ".gemini", ".copilot"];

#[test]
fn killed_while_connecting() {
    let scratch = Scratch::new().unwrap();
    for (path, text) in CONFIGS {
        let path = scratch.home.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let configs = || Tree::of(&scratch.home, &CONFIG_FOLDERS);
    let agents = ["claude-code", "codex", "gemini-cli", "copilot-cli"];
    let arguments = |command: &'static str| {
        let mut arguments = vec![command];
        arguments.extend(agents);
        arguments.push("--yes");
        arguments
    };
    let before = configs();
    let since = Instant::now();
    scratch.plimsoll(&arguments("connect")).unwrap();
    let mut pace = Pace(since.elapsed());
    let connected = configs();
    assert!(
        CONFIGS.iter().all(|(path, _)| connected.0[Path::new(path)] != before.0[Path::new(path)]),
        "{connected:?}"
    );
    scratch.plimsoll(&arguments("disconnect")).unwrap();
    assert_eq!(configs().changed(&before), Vec::<PathBuf>::new());

    let (mut half, mut left) = (0, 0);
    for round in 0..rounds() {
        for (command, from, to) in [("connect", &before, &connected), ("disconnect", &connected, &before)] {
            let mut child = scratch
                .command(sidecar())
                .args(arguments(command))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(pace.moment(round));
            child.kill().unwrap();
            child.wait().unwrap();
            let now = configs();
            for path in from.0.keys().chain(to.0.keys()) {
                let bytes = now.0.get(path);
                assert!(
                    bytes == from.0.get(path) || bytes == to.0.get(path),
                    "round {round}: {} is torn after {command}: {}",
                    path.display(),
                    bytes.map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default()
                );
            }
            let changed = now.changed(from).len();
            pace.learn(changed, from.changed(to).len());
            half += usize::from(changed > 0 && now.changed(to).iter().any(|path| to.0.contains_key(path)));
            left +=
                now.0.keys().filter(|path| !from.0.contains_key(*path) && !to.0.contains_key(*path)).count();
            // The same again finishes it.
            scratch.plimsoll(&arguments(command)).unwrap();
            let now = configs();
            let differs: Vec<PathBuf> = now
                .changed(to)
                .into_iter()
                .filter(|path| from.0.contains_key(path) || to.0.contains_key(path))
                .collect();
            assert_eq!(differs, Vec::<PathBuf>::new(), "round {round}: {command} again does not finish it");
        }
        let mut server = Server::start(&scratch).unwrap();
        server.call("manage", json!({"action": "stats"})).unwrap();
        databases_are_sound(&scratch);
    }
    let stray: Vec<PathBuf> = configs()
        .0
        .into_keys()
        .filter(|path| !before.0.contains_key(path) && !connected.0.contains_key(path))
        .collect();
    eprintln!(
        "connecting and disconnecting: {} kills over {:?}, {half} between two files; {left} passing files seen, {} left: {stray:?}",
        2 * rounds(),
        pace.0,
        stray.len()
    );
}

#[test]
fn sixteen_at_once_lose_nothing() {
    const EACH: usize = 8;
    let scratch = Scratch::new().unwrap();
    let scratch = &scratch;
    std::thread::scope(|scope| {
        for number in 0..16 {
            scope.spawn(move || {
                let mut server = Server::start(scratch).unwrap();
                for turn in 0..EACH {
                    let word = format!("s{number}x{turn}");
                    let said = server
                        .call("index", json!({"content": text(&word), "source": format!("ship {word}")}));
                    assert!(!said.as_ref().unwrap().failed, "{said:?}");
                    let code = format!("echo {word}");
                    let said = server.call("execute", json!({"language": "shell", "code": code})).unwrap();
                    assert_eq!(said.text, word);
                    let said = server.call("manage", json!({"action": "stats"})).unwrap();
                    assert!(!said.failed, "{}", said.text);
                    // Everybody writes this one.
                    let said =
                        server.call("index", json!({"content": text(&word), "source": "contested"})).unwrap();
                    assert!(!said.failed, "{}", said.text);
                }
                server.close_input();
                assert!(server.ended_within(Duration::from_secs(30)).unwrap().is_some());
            });
        }
    });
    let mut server = Server::start(scratch).unwrap();
    let mut possible = Vec::new();
    for number in 0..16 {
        for turn in 0..EACH {
            let word = format!("s{number}x{turn}");
            assert!(finds(&mut server, &word), "{word} is gone");
            possible.push(text(&word).trim().to_owned());
        }
    }
    let contested = stored_text(&mut server, "contested");
    assert!(possible.contains(&contested.trim().to_owned()), "a mixture: {contested}");
    databases_are_sound(scratch);
    // Each call has its line in the ledger.
    let db = rusqlite::Connection::open(data(scratch).join("plimsoll.db")).unwrap();
    for (tool, calls) in [("index", 2 * 16 * EACH), ("execute", 16 * EACH), ("manage", 16 * EACH)] {
        let lines: i64 =
            db.query_row("SELECT count(*) FROM ledger WHERE tool = ?1", [tool], |row| row.get(0)).unwrap();
        assert_eq!(lines, calls as i64, "{tool}");
    }
}

/// A small file system of its own, where we may have one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(scratch: &Scratch, size: &str) -> Option<Self> {
        let dir = tempfile::tempdir_in(&scratch.tmp).unwrap();
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(dir.path())
            .stderr(Stdio::null());
        if mount.status().is_ok_and(|status| status.success()) {
            return Some(Self(dir));
        }
        eprintln!("skipped: only root may mount a small disk");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn server(&self, scratch: &Scratch) -> Server {
        let mut command = scratch.command(sidecar());
        command.arg("mcp").env("PLIMSOLL_HOME", self.path().join("data"));
        Server::of(command).unwrap()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk() {
    let scratch = Scratch::new().unwrap();
    let Some(disk) = SmallDisk::mount(&scratch, "3m") else { return };
    let mut server = disk.server(&scratch);
    assert!(!server.call("index", json!({"content": text("early"), "source": "early"})).unwrap().failed);
    let big: String =
        (0..40_000).map(|number| format!("Paragraph {number} of much text, all of it other.\n\n")).collect();
    let said = server.call("index", json!({"content": big, "source": "big"})).unwrap();
    assert!(said.failed && said.text.contains("disk is full"), "{}", said.text);
    assert!(finds(&mut server, "early"));
    // A command goes on, also one whose output would be kept in full.
    let code =
        "for i in $(seq 1 60000); do echo \"line $i is fine and rather long\"; done; echo 'ERROR: the last'";
    let said = server.call("execute", json!({"language": "shell", "code": code})).unwrap();
    assert!(said.text.contains("ERROR: the last"), "{}", said.text);
    drop(server);

    // Not one byte left, and a server that starts only now.
    let stuffing = disk.path().join("stuffing");
    let mut file = std::fs::File::create(&stuffing).unwrap();
    while std::io::Write::write(&mut file, &[7; 4096]).is_ok_and(|written| written > 0) {}
    drop(file);
    let mut server = disk.server(&scratch);
    assert!(finds(&mut server, "early"));
    let said = server.call("index", json!({"content": big, "source": "big"})).unwrap();
    assert!(said.failed && said.text.contains("disk is full"), "{}", said.text);
    let said = server.call("execute", json!({"language": "shell", "code": "echo on"})).unwrap();
    assert_eq!(said.text, "on");
    assert!(finds(&mut server, "early"));

    // Room again.
    std::fs::remove_file(&stuffing).unwrap();
    let said = server.call("index", json!({"content": text("late"), "source": "late"})).unwrap();
    assert!(!said.failed, "{}", said.text);
    assert!(finds(&mut server, "late") && finds(&mut server, "early"));
}

#[test]
fn a_damaged_database() {
    type Damage = fn(Vec<u8>) -> Vec<u8>;
    let damages: [(&str, Damage); 4] = [
        ("overwritten in the middle", |mut bytes| {
            let (from, to) = (bytes.len() * 2 / 5, bytes.len() * 3 / 5);
            bytes[from..to].fill(0x5a);
            bytes
        }),
        ("cut off", |mut bytes| {
            bytes.truncate(bytes.len() / 2 + 100);
            bytes
        }),
        ("garbage", |_| b"not a database at all ".repeat(3000)),
        ("its head overwritten", |mut bytes| {
            bytes[..200].fill(0xff);
            bytes
        }),
    ];
    for name in ["knowledge.db", "plimsoll.db"] {
        for (how, damage) in damages {
            let what = format!("{name} {how}");
            let scratch = Scratch::new().unwrap();
            let mut server = Server::start(&scratch).unwrap();
            let words: Vec<String> = (0..30).map(|number| format!("d0x{number}")).collect();
            for word in &words {
                let call = json!({"content": text(word), "source": format!("ship {word}")});
                assert!(!server.call("index", call).unwrap().failed);
            }
            server.close_input();
            assert!(server.ended_within(Duration::from_secs(30)).unwrap().is_some());
            let db = files_below(&data(&scratch)).into_iter().find(|file| file.ends_with(name)).unwrap();
            let damaged = damage(std::fs::read(&db).unwrap());
            std::fs::write(&db, &damaged).unwrap();

            let mut server = Server::start(&scratch).unwrap();
            let answers: Vec<_> = words
                .iter()
                .map(|word| (word, server.call("search", json!({"queries": [word]})).unwrap()))
                .collect();
            let found = answers.iter().filter(|(word, said)| said.text.contains(&sentence(word))).count();
            let told = answers.iter().find(|(_, said)| said.failed).map(|(_, said)| said.text.clone());
            let new = server.call("index", json!({"content": text("fresh"), "source": "fresh"})).unwrap();
            eprintln!("{what}: {found} of 30 found; said: {told:?}; a new text: {}", new.text);
            if name == "plimsoll.db" {
                // Sessions and figures are no reason to keep texts from being found.
                assert_eq!(found, 30, "{what}: {told:?}");
                assert!(!new.failed, "{what}: {}", new.text);
            } else {
                // Either it says that the file is damaged and what to do, or it brought back what could be read.
                let clear = |text: &String| {
                    ["damaged", "plimsoll doctor"].iter().any(|way| text.contains(way))
                        && !text.contains("defect")
                };
                assert!(told.iter().all(clear), "{what}: {told:?}");
                assert!(told.is_some() || found == 30 || salvaged(&db), "{what}: texts went without a word");
                if new.failed {
                    assert!(clear(&new.text), "{what}: {}", new.text);
                    // Where to look is said by the one who is asked to look.
                    let doctor = server.call("manage", json!({"action": "doctor"})).unwrap();
                    let line =
                        doctor.text.lines().find(|line| line.contains(name) && line.contains("damaged"));
                    assert!(line.is_some(), "{what}: {}", doctor.text);
                }
            }
            drop(server);
            assert!(kept(&db, &damaged), "{what}: the damaged file is not kept");
        }
    }
}

/// Whether a file beside the database, or the database itself, still has these bytes.
fn kept(db: &Path, bytes: &[u8]) -> bool {
    files_below(db.parent().unwrap())
        .into_iter()
        .any(|file| std::fs::read(file).is_ok_and(|now| now == bytes))
}

/// Whether a damaged file was set aside and what could be read of it was put into its place.
fn salvaged(db: &Path) -> bool {
    files_below(db.parent().unwrap()).iter().any(|file| file.to_string_lossy().contains(".damaged-"))
}
