//! Keys of model providers in a real keyring: GNOME Keyring in a session of its own, asked by `secret-tool`. A key in
//! no keyring is reported as being in the file. Each test starts a session and runs one of the ignored tests in it.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "tests")]

mod world;

use std::process::Command;

use home::Env;
use plimsoll_memory::SYSTEM;
use plimsoll_memory::wire::{KeyLocation, Keys, Provider};
use serde_json::json;
use world::{NOW, World};

const KEY: &str = "key-of-the-test";
const BUS: &str = "DBUS_SESSION_BUS_ADDRESS";

/// Whether all that is needed is installed.
fn is_there() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon", "secret-tool"]
        .iter()
        .all(|program| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()));
    if !there {
        skipped::without("keyring", "dbus, gnome-keyring or libsecret-tools is not installed");
    }
    there
}

/// Runs a test of this file in a session of its own, after a script.
fn session(script: &str, test: &str) {
    let dir = tempfile::tempdir().unwrap();
    let script = format!("{script}exec \"$0\" --exact {test} --ignored --nocapture");
    let mut command = Command::new("dbus-run-session");
    command.args(["--", "sh", "-euc", &script]).arg(std::env::current_exe().unwrap()).env_clear();
    command
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", dir.path())
        .env("XDG_RUNTIME_DIR", dir.path());
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    let printed =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

/// Unlocks a keyring, then waits until it owns its name on the bus: whoever asks before that has the bus start a second
/// one, which is locked.
const UNLOCK: &str = "printf x | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 &
    owner='org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets'
    tries=0
    until dbus-send --session --print-reply --dest=org.freedesktop.DBus / $owner | grep -q true; do
        tries=$((tries + 1))
        test $tries -lt 600
        sleep 0.05
    done
    printf y | secret-tool store --label=try try try\n";

#[test]
fn a_key_is_kept_in_the_keyring_that_answers_and_nowhere_else() {
    if is_there() {
        session(UNLOCK, "in_a_session_with_a_keyring");
    }
}

#[test]
fn a_keyring_that_stays_locked_leaves_the_file_and_says_so() {
    if is_there() {
        // There is nobody to type its password.
        session("", "in_a_session_whose_keyring_is_locked");
    }
}

/// What the desktop's own program finds there.
fn looked_up(home: &std::path::Path) -> String {
    let mut command = Command::new("secret-tool");
    command.args(["lookup", "application", "plimsoll", "provider", "anthropic", "home"]).arg(home);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

fn here(world: &World) -> Env {
    Env::for_test(world.host.home.root()).with(BUS, std::env::var(BUS).unwrap())
}

#[test]
#[ignore = "runs in a session that another test makes"]
fn in_a_session_with_a_keyring() {
    let settings = "[memory.model]\nprovider = \"anthropic\"\nname = \"some-model\"\n";
    let world = World::at(NOW, settings);
    let root = world.host.home.root();
    let keys = Keys::of(&world.host.home);
    keys.set(Provider::Anthropic, "an-older-key").unwrap();
    assert_eq!(keys.set_in(&here(&world), Provider::Anthropic, KEY).unwrap(), KeyLocation::Keyring);
    assert_eq!(looked_up(root), KEY);
    assert!(!keys.path().exists(), "the older one is gone from the file");
    // The list tells where the key is without asking for it; and no file has it.
    let list = || world.typed("memory", &["key", "list"], json!({})).unwrap().data;
    assert_eq!(list(), json!({"keys": ["anthropic"], "kept_in": {"anthropic": "the system's keyring"}}));
    assert_eq!(world.data("memory", json!({"action": "status"}))["model"]["key"], "set");
    let doctor = (SYSTEM.check)(&*world.host);
    assert!(
        doctor.iter().any(|check| check.detail.to_string().contains("the system's keyring")),
        "{doctor:?}"
    );
    for file in std::fs::read_dir(root).unwrap().flatten().filter(|file| file.path().is_file()) {
        let bytes = std::fs::read(file.path()).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{}", file.path().display());
    }
    // An uninstall names it and takes it away.
    let named: Vec<String> = (SYSTEM.elsewhere)(&world.host.home).iter().map(ToString::to_string).collect();
    assert_eq!(named, ["the key of anthropic in the system's keyring"]);
    assert!((SYSTEM.leave)(&world.host.home).is_empty());
    assert_eq!(looked_up(root), "");
    assert!((SYSTEM.elsewhere)(&world.host.home).is_empty());
    // Another one takes its place, and is taken away.
    assert_eq!(keys.set_in(&here(&world), Provider::Anthropic, "a-newer-key").unwrap(), KeyLocation::Keyring);
    assert_eq!(looked_up(root), "a-newer-key");
    assert_eq!(
        world.typed("memory", &["key", "remove", "anthropic"], json!({})).unwrap().data["key"],
        "removed"
    );
    assert_eq!((looked_up(root).as_str(), &list()["keys"]), ("", &json!([])));
}

#[test]
#[ignore = "runs in a session that another test makes"]
fn in_a_session_whose_keyring_is_locked() {
    let world = World::new();
    let keys = Keys::of(&world.host.home);
    let KeyLocation::File(Some(why)) = keys.set_in(&here(&world), Provider::Anthropic, KEY).unwrap() else {
        panic!("nobody could have unlocked it");
    };
    assert!(!why.is_empty() && !why.contains(KEY), "{why}");
    assert!(std::fs::read_to_string(keys.path()).unwrap().contains(KEY));
    let listed = world.typed("memory", &["key", "list"], json!({})).unwrap().data;
    assert!(listed["kept_in"]["anthropic"].as_str().unwrap().contains("0600"), "{listed}");
    assert!(keys.forget(Provider::Anthropic).unwrap() && !keys.path().exists());
}
