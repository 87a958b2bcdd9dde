//! Rules that are enforced while a program runs: every route to a denied program or file that the command doesn't show.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plimsoll_sandbox::confine::{Access, Judge, NetworkAccess, Support, support};
use plimsoll_sandbox::{Cancel, Confine, DEFAULT_MAX_OUTPUT, Language, Outcome};

use crate::scratch::{Room, block_on};

/// Denies the program `boom`, reading `.env`, and changing `locked`.
struct Rules;

impl Judge for Rules {
    fn match_program(&self, real: &Path, words: &[String]) -> Option<String> {
        let by_name = words.first().is_some_and(|first| first.rsplit('/').next() == Some("boom"));
        (by_name || real.ends_with("boom")).then(|| "boom is denied".to_owned())
    }

    fn match_file(&self, real: &Path, access: Access) -> Option<String> {
        let name = if access == Access::Read { ".env" } else { "locked" };
        real.ends_with(name).then(|| format!("{name} is denied"))
    }

    fn has_file_rules(&self) -> bool {
        true
    }

    fn programs(&self) -> Vec<String> {
        vec!["boom".to_owned()]
    }
}

/// A scratch folder with the canaries: `boom` leaves a mark, `.env` contains a word.
pub(crate) struct Held {
    room: Room,
}

const WORD: &str = "canary-in-a-coal-mine";

impl Held {
    fn new() -> Option<Held> {
        if let Support::No(why) = support() {
            skipped::without("seccomp", &why.to_string());
            return None;
        }
        let mut room = Room::new();
        let bin = room.at("bin");
        std::fs::create_dir(&bin).unwrap();
        let mark = room.at("mark");
        let script = format!("#!/bin/sh\necho ran >> '{}'\n", mark.display());
        std::fs::write(bin.join("boom"), script).unwrap();
        std::fs::set_permissions(bin.join("boom"), std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(room.at("project/.env"), WORD).unwrap();
        std::fs::write(room.at("project/.env.example"), "harmless").unwrap();
        std::fs::write(room.at("project/locked"), "as it was").unwrap();
        std::fs::create_dir(room.at("project/sub")).unwrap();
        std::fs::write(room.at("project/sub/.env"), WORD).unwrap();
        for (name, value) in &mut room.env {
            if name == "PATH" {
                let mut all = bin.clone().into_os_string();
                all.push(":");
                all.push(&value);
                *value = all;
            }
        }
        Some(Held { room })
    }

    fn confine(&self, reach: NetworkAccess) -> Confine {
        let path = self.room.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
        Confine::new(Arc::new(Rules), reach, path).required(true)
    }

    fn run(&self, language: Language, code: &str) -> Outcome {
        self.run_within(language, code, NetworkAccess::All)
    }

    fn run_within(&self, language: Language, code: &str, reach: NetworkAccess) -> Outcome {
        let confine = self.confine(reach);
        let limit = Duration::from_secs(60);
        block_on(async {
            let never = Cancel::never();
            self.room
                .start_within(language, code, None, limit, DEFAULT_MAX_OUTPUT, never, Some(&confine))
                .await
        })
        .unwrap()
    }

    /// Nothing denied has happened.
    fn held(&self, code: &str, outcome: &Outcome) {
        assert!(!self.room.at("mark").exists(), "boom ran: {code}");
        assert!(!outcome.combined.text.contains(WORD), "read: {code}: {}", outcome.combined.text);
        let locked = std::fs::read_to_string(self.room.at("project/locked"));
        assert_eq!(locked.ok().as_deref(), Some("as it was"), "changed: {code}");
    }
}

#[test]
fn no_route_reaches_what_is_denied() {
    let Some(held) = Held::new() else { return };
    let cases = include_str!("confine.txt");
    let mut run = 0;
    for code in cases.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let (language, code) = code.split_once(": ").unwrap();
        let language: Language = language.parse().unwrap();
        if held.room.runtimes.find(language).is_err() {
            skipped::without(&format!("runtime:{}", language.name()), &format!("no {language} here"));
            continue;
        }
        let outcome = held.run(language, code);
        held.held(code, &outcome);
        run += 1;
        // Each must be stopped by the rules, not by a mistake in the case.
        assert!(!outcome.stopped.is_empty(), "nothing was stopped: {code}: {}", outcome.combined.text);
    }
    assert!(run > 20, "{run} cases ran");
}

#[test]
fn what_is_not_denied_goes_on_as_before() {
    let Some(held) = Held::new() else { return };
    for (code, wanted) in [
        ("cat .env.example", "harmless"),
        ("ls -A sub; test -e .env && echo there", ".env\nthere"),
        (
            "echo made > new; cat new; mv new newer; cat newer; rm newer; ls newer 2>/dev/null || echo gone",
            "made\nmade\ngone",
        ),
        ("cat locked", "as it was"),
        ("mkdir -p d/e && mv d f && ls f", "e"),
        ("f() { echo in $1; }; f here; (echo sub); echo a | cat; cat <(echo p)", "in here\nsub\na\np"),
        ("echo body > s.sh; chmod +x s.sh; ./s.sh; sh s.sh; cat < s.sh >/dev/null; echo $?", "0"),
        ("cat /dev/stdin < .env.example; cat /proc/self/comm", "harmless"),
        ("exec 3< .env.example; cat /proc/self/fd/3; cat /dev/fd/3", "harmless"),
    ] {
        let outcome = held.run(Language::Shell, code);
        assert!(
            outcome.stdout.text.contains(wanted.lines().last().unwrap()),
            "{code}: {}",
            outcome.combined.text
        );
        assert_eq!(outcome.stopped, Vec::<String>::new(), "{code}");
    }
}

#[test]
fn a_task_is_kept_and_leaves_nothing_behind() {
    let Some(held) = Held::new() else { return };
    let before = threads();
    let outcome = held.run(Language::Shell, "(sleep 0.1; boom) & (cat .env &) ; wait; echo done");
    held.held("background", &outcome);
    assert!(outcome.combined.text.contains("done"), "{}", outcome.combined.text);
    // The thread that answers ends with the last process that may ask.
    let deadline = Instant::now() + Duration::from_secs(20);
    while threads() > before && Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert!(threads() <= before, "{} threads, {before} before", threads());
}

/// This process's threads that answer for runs.
fn threads() -> usize {
    let all = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = all.filter_map(|entry| std::fs::read_to_string(entry.path().join("comm")).ok());
    names.filter(|name| name.trim() == "confine").count()
}

#[test]
fn the_network_is_off_when_required() {
    let Some(held) = Held::new() else { return };
    let code = "import socket\ns = socket.socket(); print('made')";
    if held.room.runtimes.find(Language::Python).is_err() {
        skipped::without("runtime:python", "no Python here");
        return;
    }
    assert!(held.run_within(Language::Python, code, NetworkAccess::All).stdout.text.contains("made"));
    assert!(!held.run_within(Language::Python, code, NetworkAccess::Off).stdout.text.contains("made"));
    let connect = |ip: &str| {
        format!(
            "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ntry:\n  s.connect(('{ip}', 9)); print('reached')\nexcept PermissionError: print('refused')\nexcept OSError: print('other')"
        )
    };
    let public =
        |ip: &str| held.run_within(Language::Python, &connect(ip), NetworkAccess::Public).stdout.text;
    assert!(public("10.1.2.3").contains("refused"));
    assert!(public("169.254.169.254").contains("refused"));
    assert!(public("127.0.0.1").contains("reached"));
}

/// `cargo nextest run -p plimsoll-sandbox what_enforcement_costs --run-ignored all --no-capture` prints the cost.
#[test]
#[ignore = "a measurement, not a law: its figures depend on the machine"]
fn what_enforcement_costs() {
    let Some(held) = Held::new() else { return };
    let confine = held.confine(NetworkAccess::All);
    for code in [
        "true",
        "i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done",
        "cat $(find /usr/include /usr/share/doc -type f 2>/dev/null | head -2000) > /dev/null; true",
    ] {
        for with in [None, Some(&confine)] {
            let mut all: Vec<u128> = (0..15)
                .map(|_| {
                    let started = Instant::now();
                    block_on(async {
                        let limit = Duration::from_secs(60);
                        let never = Cancel::never();
                        held.room
                            .start_within(Language::Shell, code, None, limit, DEFAULT_MAX_OUTPUT, never, with)
                            .await
                    })
                    .unwrap();
                    started.elapsed().as_micros()
                })
                .collect();
            all.sort_unstable();
            eprintln!(
                "{} µs (median of 15), least {}: confined {} {code:.40}",
                all[7],
                all[0],
                with.is_some()
            );
        }
    }
}
