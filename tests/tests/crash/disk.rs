//! A full disk.

use std::path::Path;
use std::process::{Command, Stdio};

use plimsoll_tests::{Scratch, Server, sidecar};
use serde_json::json;

use crate::stored_texts::{finds, text};

/// A small file system of its own, if the system allows one.
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
        skipped::without("mount", "only root may mount a small disk");
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
    let printed = server.call("index", json!({"content": big, "source": "big"})).unwrap();
    assert!(printed.failed && printed.text.contains("disk is full"), "{}", printed.text);
    assert!(finds(&mut server, "early"));
    // A command still runs, even one whose output would be kept in full.
    let code =
        "for i in $(seq 1 60000); do echo \"line $i is fine and rather long\"; done; echo 'ERROR: the last'";
    let printed = server.call("execute", json!({"language": "shell", "code": code})).unwrap();
    assert!(printed.text.contains("ERROR: the last"), "{}", printed.text);
    drop(server);

    // Not one byte left, and a server that starts only now.
    let stuffing = disk.path().join("stuffing");
    let mut file = std::fs::File::create(&stuffing).unwrap();
    while std::io::Write::write(&mut file, &[7; 4096]).is_ok_and(|written| written > 0) {}
    drop(file);
    let mut server = disk.server(&scratch);
    assert!(finds(&mut server, "early"));
    let printed = server.call("index", json!({"content": big, "source": "big"})).unwrap();
    assert!(printed.failed && printed.text.contains("disk is full"), "{}", printed.text);
    let printed = server.call("execute", json!({"language": "shell", "code": "echo on"})).unwrap();
    assert_eq!(printed.text, "on\nexit code 0");
    assert!(finds(&mut server, "early"));

    // Room again.
    std::fs::remove_file(&stuffing).unwrap();
    let printed = server.call("index", json!({"content": text("late"), "source": "late"})).unwrap();
    assert!(!printed.failed, "{}", printed.text);
    assert!(finds(&mut server, "late") && finds(&mut server, "early"));
}

/// Indexing code on a disk that is too small: reported, nothing damaged, and completed once there is room.
#[test]
fn a_full_disk_while_code_is_indexed() {
    let scratch = Scratch::new().unwrap();
    let Some(disk) = SmallDisk::mount(&scratch, "6m") else { return };
    let code = |arguments: &[&str]| {
        let mut command = scratch.command(sidecar());
        command.arg("code").args(arguments).env("PLIMSOLL_HOME", disk.path().join("data")).output().unwrap()
    };
    std::fs::create_dir_all(scratch.project.join("src")).unwrap();
    for number in 0..1_500 {
        let words: String = (0..40).map(|n| format!("  const part{n} = 'w{number}x{n}';\n")).collect();
        let text = format!("export function letter{number}() {{\n{words}}}\n");
        std::fs::write(scratch.project.join(format!("src/f{number}.ts")), text).unwrap();
    }
    let stuffing = disk.path().join("stuffing");
    std::fs::write(&stuffing, vec![7; 5_900_000]).unwrap();
    let printed = code(&["search", "letter"]);
    let text =
        String::from_utf8_lossy(&printed.stderr).into_owned() + &String::from_utf8_lossy(&printed.stdout);
    assert!(text.contains("full"), "{text}");
    std::fs::remove_file(&stuffing).unwrap();
    let printed = code(&["search", "letter", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(answer["index"]["status"], "ready", "{answer}");
    let printed = code(&["status", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(status["stats"]["files"], 1_501, "{status}");
}

/// A config with two names is written in place. On a full disk both names keep the old text, and once there is room
/// everything works.
#[test]
fn a_full_disk_while_a_hard_linked_config_is_edited() {
    let scratch = Scratch::new().unwrap();
    let Some(disk) = SmallDisk::mount(&scratch, "1m") else { return };
    let folder = disk.path().join(".cursor");
    let (config, twin) = (folder.join("mcp.json"), folder.join("twin.json"));
    std::fs::create_dir(&folder).unwrap();
    // Exactly one block: each longer text needs another.
    let start = "{\n  \"mcpServers\": {},\n  \"note\": \"";
    let theirs = format!("{start}{}\"\n}}\n", "n".repeat(4096 - start.len() - 4));
    assert_eq!(theirs.len(), 4096);
    std::fs::write(&config, &theirs).unwrap();
    std::fs::hard_link(&config, &twin).unwrap();
    let run = |way: &str| {
        let mut command = scratch.command(sidecar());
        command.args([way, "cursor", "--yes"]).env("HOME", disk.path());
        let output = command.env("PLIMSOLL_HOME", scratch.home.join("data")).output().unwrap();
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        (output.status.success(), text)
    };
    let stuffing = disk.path().join("stuffing");
    let mut file = std::fs::File::create(&stuffing).unwrap();
    while std::io::Write::write(&mut file, &[7; 4096]).is_ok_and(|written| written > 0) {}
    drop(file);
    let (well, printed) = run("connect");
    assert!(!well && printed.contains("mcp.json couldn't be written"), "{printed}");
    assert!(printed.contains("Its files are as they were."), "{printed}");
    for name in [&config, &twin] {
        assert!(std::fs::read_to_string(name).unwrap() == theirs, "{} is torn", name.display());
    }

    std::fs::remove_file(&stuffing).unwrap();
    let (well, printed) = run("connect");
    assert!(well, "{printed}");
    assert!(std::fs::read_to_string(&twin).unwrap().contains("--agent"));
    let (well, printed) = run("disconnect");
    assert!(well, "{printed}");
    assert!(std::fs::read_to_string(&twin).unwrap() == theirs, "the old text is back");
}
