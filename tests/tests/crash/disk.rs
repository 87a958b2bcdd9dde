//! A disk without room.

use std::path::Path;
use std::process::{Command, Stdio};

use plimsoll_tests::{Scratch, Server, sidecar};
use serde_json::json;

use crate::ships::{finds, text};

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
    assert_eq!(said.text, "on\nexit code 0");
    assert!(finds(&mut server, "early"));

    // Room again.
    std::fs::remove_file(&stuffing).unwrap();
    let said = server.call("index", json!({"content": text("late"), "source": "late"})).unwrap();
    assert!(!said.failed, "{}", said.text);
    assert!(finds(&mut server, "late") && finds(&mut server, "early"));
}
