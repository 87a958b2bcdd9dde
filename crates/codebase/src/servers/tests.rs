//! Running and asking a server, with a scripted one.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use home::{Home, Project};

use super::host::{recent_failure, record_failure, serve};
use super::kinds::{Kind, Ready, Server};
use super::mailbox::{self, Definition, Reply, Request};
use crate::index::IndexLocation;
use crate::index::worker_process::{UpdateScope, update};

/// A kind whose only argument says what the scripted server does.
const fn kind(words: &'static [&'static str]) -> Kind {
    Kind {
        name: "fake",
        words,
        languages: &[("rust", "rust")],
        ready: Ready::Status,
        marks: &[],
        own_settings: &[],
    }
}

static ANSWERS: Kind = kind(&["answers"]);
static READS: Kind = kind(&["reads"]);
static SLEEPS: Kind = kind(&["sleeps"]);
static CRASHES: Kind = kind(&["crashes"]);
static BABBLES: Kind = kind(&["babbles"]);
static FLOODS: Kind = kind(&["floods"]);
static CHATTERS: Kind = kind(&["chatters"]);
static AILS: Kind = kind(&["ails"]);
static DEAF: Kind = kind(&["deaf"]);
static REFUSES: Kind = kind(&["refuses"]);

struct Kept {
    _dir: tempfile::TempDir,
    place: IndexLocation,
    server: Server,
}

impl Kept {
    fn new(kind: &'static Kind) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("p");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("a.rs"), "fn name() {}\n").unwrap();
        std::fs::write(root.join("b.rs"), "äö name()\nname();\n").unwrap();
        let program: PathBuf = dir.path().join("fake");
        std::fs::write(&program, include_str!("fake.py")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let place = IndexLocation::new(&Home::at(dir.path().join("data")), &Project::at(&root).unwrap());
        Self { _dir: dir, place, server: Server { kind, program } }
    }

    /// Runs the server while `asking` runs, and returns why it ended early.
    fn during<T: Send>(&self, asking: impl FnOnce() -> T + Send) -> (T, Option<String>) {
        std::thread::scope(|scope| {
            let host =
                scope.spawn(|| serve(&self.place, &self.server, Duration::from_millis(1_500), &|| true));
            let answer = asking();
            (answer, host.join().unwrap())
        })
    }

    fn ask(&self, wait: Duration) -> Reply {
        self.ask_in(&["rust"], wait)
    }

    /// Asks about the same definition in each of the languages.
    fn ask_in(&self, languages: &[&str], wait: Duration) -> Reply {
        let definition = |language: &&str| Definition {
            language: (*language).to_owned(),
            location: ("a.rs".to_owned(), 1, 4),
        };
        let request = Request {
            asked_ms: mailbox::now_ms(),
            wait_ms: u64::try_from(wait.as_millis()).unwrap(),
            definitions: languages.iter().map(definition).collect(),
        };
        mailbox::send(&mailbox::folder(&self.place, self.server.kind), &request, || false)
    }

    /// Asks until the server has started; returns its reply, and how long the last question took.
    fn ask_when_ready(&self, wait: Duration) -> (Reply, Duration) {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let began = Instant::now();
            let told = self.ask(wait);
            if told != Reply::Reading || Instant::now() > end {
                return (told, began.elapsed());
            }
        }
    }
}

const LONG: Duration = Duration::from_secs(20);

fn locations(reply: Reply) -> Vec<(String, u32, u32)> {
    match reply {
        Reply::Answered(mut uses) => uses.remove(0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_come_in_bytes_and_only_of_the_projects_files() {
    let kept = Kept::new(&ANSWERS);
    let spot = |path: &str, line, column| (path.to_owned(), line, column);
    let (told, ended) = kept.during(|| kept.ask_when_ready(LONG).0);
    assert_eq!(locations(told), [spot("a.rs", 1, 4), spot("b.rs", 1, 6), spot("b.rs", 2, 1)]);
    assert_eq!(ended, None, "it ends by itself when nobody asks");
}

#[test]
fn each_file_is_opened_in_its_own_language() {
    let kept = Kept::new(&ANSWERS);
    kept.during(|| {
        kept.ask_when_ready(LONG);
        assert!(
            matches!(kept.ask_in(&["typescriptreact", "typescript"], LONG), Reply::Answered(uses) if uses.len() == 2)
        );
    });
    let opened = std::fs::read_to_string(kept.server.program.with_file_name("opened")).unwrap();
    assert_eq!(opened, "rust\ntypescriptreact\ntypescript\n");
}

#[test]
fn changes_are_sent_to_the_server_before_a_question() {
    let kept = Kept::new(&ANSWERS);
    update(&kept.place, UpdateScope::Changed).unwrap();
    let (columns, _) = kept.during(|| {
        let column = |told: Reply| locations(told).last().unwrap().2;
        let before = column(kept.ask_when_ready(LONG).0);
        std::fs::write(kept.place.root.join("c.rs"), "fn other() {}\n").unwrap();
        std::fs::remove_file(kept.place.root.join("a.rs")).unwrap();
        update(&kept.place, UpdateScope::Changed).unwrap();
        (before, column(kept.ask(LONG)))
    });
    assert_eq!(columns, (1, 3), "one file is new and one is gone");
}

#[test]
fn a_reading_or_silent_server_is_not_waited_for() {
    let kept = Kept::new(&READS);
    let (told, _) = kept.during(|| kept.ask(LONG));
    assert_eq!(told, Reply::Reading);
    let kept = Kept::new(&SLEEPS);
    let ((told, took), ended) = kept.during(|| kept.ask_when_ready(Duration::from_secs(2)));
    assert_eq!(told, Reply::Late);
    assert!(took < Duration::from_secs(6), "{took:?}");
    assert_eq!(ended, None);
}

#[test]
fn a_server_that_never_stops_talking_is_abandoned() {
    let kept = Kept::new(&CHATTERS);
    let ((told, _), ended) = kept.during(|| kept.ask_when_ready(Duration::from_secs(2)));
    assert_eq!(told, Reply::Late);
    assert_eq!(ended, None, "it ends when nobody asks");
}

#[test]
fn a_server_that_reads_nothing_is_abandoned() {
    let kept = Kept::new(&DEAF);
    // More than a pipe takes.
    let long = format!("fn name() {{}}\n{}", "// and so on\n".repeat(20_000));
    std::fs::write(kept.place.root.join("a.rs"), long).unwrap();
    let wait = Duration::from_millis(100);
    let (told, ended) = kept.during(|| {
        kept.ask_when_ready(wait);
        (0..200).map(|_| kept.ask(wait)).find(|told| matches!(told, Reply::Failed(_)))
    });
    let why = "it reads nothing of what it's sent";
    assert_eq!(told, Some(Reply::Failed(why.to_owned())));
    assert_eq!(ended.as_deref(), Some(why));
}

#[test]
fn a_failing_server_is_ended_and_paused() {
    for (kind, expected) in [
        (&CRASHES, "it ended: error: no such toolchain"),
        (&BABBLES, "isn't of the protocol"),
        (&FLOODS, "a message of 4000000000 bytes"),
    ] {
        let kept = Kept::new(kind);
        let (told, ended) = kept.during(|| kept.ask_when_ready(LONG).0);
        assert!(matches!(&told, Reply::Failed(why) if why.contains(expected)), "{told:?}");
        assert!(ended.is_some_and(|why| why.contains(expected)));
    }
    for (kind, why) in [(&REFUSES, "not today"), (&AILS, "Failed to load workspaces.")] {
        let kept = Kept::new(kind);
        let (told, ended) = kept.during(|| kept.ask_when_ready(LONG).0);
        assert_eq!(told, Reply::Failed(why.to_owned()));
        assert_eq!(ended, None, "an error is an answer");
    }
    let mut gone = Kept::new(&ANSWERS);
    gone.server.program = gone.place.root.join("nothing");
    let (_, ended) = gone.during(|| ());
    assert!(ended.is_some_and(|why| why.contains("can't be started")));
}

#[test]
fn a_failure_is_remembered_for_a_while() {
    let kept = Kept::new(&ANSWERS);
    let folder = mailbox::folder(&kept.place, kept.server.kind);
    assert_eq!(recent_failure(&folder), None);
    for (age, expected) in [(1_000, Some("it fell".to_owned())), (100_000, None)] {
        record_failure(&folder, "it fell", mailbox::now_ms() - age).unwrap();
        assert_eq!(recent_failure(&folder), expected);
    }
}

#[test]
fn rustups_proxy_is_passed_over_where_there_is_a_server() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("p");
    for folder in ["p", "cargo", "bin"] {
        std::fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    std::fs::write(root.join("Cargo.toml"), "").unwrap();
    for (name, text) in
        [("cargo/rustup", "one"), ("cargo/rust-analyzer", "one"), ("bin/rust-analyzer", "another")]
    {
        let program = dir.path().join(name);
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let found = |folders: &[&str]| {
        let search = std::env::join_paths(folders.iter().map(|folder| dir.path().join(folder))).unwrap();
        super::kinds::find(&root, Some(&search), home::Os::Linux)[0].program.clone()
    };
    assert_eq!(found(&["cargo", "bin"]), dir.path().join("bin/rust-analyzer"));
    assert_eq!(found(&["cargo"]), dir.path().join("cargo/rust-analyzer"), "its component may be installed");
    // A project may tell it to run build scripts.
    std::fs::write(root.join("rust-analyzer.toml"), "").unwrap();
    let search = dir.path().join("bin").into_os_string();
    assert!(super::kinds::find(&root, Some(&search), home::Os::Linux).is_empty());
}
