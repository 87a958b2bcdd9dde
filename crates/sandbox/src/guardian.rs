//! The guardian: one small shell per server that ends the groups still running when the server dies, however it dies.
//! PDEATHSIG reaches only a group's first process and exists only on Linux; a pipe that closes reaches everything.
//!
//! The shell reads `+ <group>` and `- <group>` lines from the server, and the first kind also from each child. End of file
//! means that the server is gone: it then kills what is left on its list. It starts with the first child, in a group of its
//! own, so that whatever ends the server doesn't end it too. Windows needs none: job objects do the same.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM PIPE
live=
while read -r op group; do
  case $op in
    +) live="$live $group" ;;
    -) rest=
       for one in $live; do [ "$one" = "$group" ] || rest="$rest $one"; done
       live=$rest ;;
  esac
done
for one in $live; do kill -s KILL -- "-$one"; done
"#;

struct Guardian {
    live: BTreeSet<u32>,
    pipe: Option<ChildStdin>,
}

static GUARDIAN: Mutex<Guardian> = Mutex::new(Guardian { live: BTreeSet::new(), pipe: None });

/// Starts a child while the shell runs and listens. `start` gets the shell's list, to which the child adds itself before
/// exec: a server killed at that moment would otherwise leave the child's own children behind. The lock keeps the list
/// open meanwhile.
pub(crate) fn starting<T>(start: impl FnOnce(Option<RawFd>) -> T) -> T {
    let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
    // An empty line tests whether anyone reads: the child must not be the one to find out.
    if guardian.tell('?', 0).is_err()
        && let Err(error) = guardian.start()
    {
        guardian.pipe = None;
        log::warn!("no guardian for child processes: {error}");
    }
    start(guardian.pipe.as_ref().map(AsRawFd::as_raw_fd))
}

/// Adds a group to the list. Failing isn't fatal: the group then only has PDEATHSIG.
pub(crate) fn watch(group: u32) {
    let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
    guardian.live.insert(group);
    if guardian.tell('+', group).is_err()
        && let Err(error) = guardian.start()
    {
        log::warn!("no guardian for child processes: {error}");
    }
}

/// Removes a group from the list; call it while its id can't have been reused.
pub(crate) fn forget(group: u32) {
    let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
    if guardian.live.remove(&group) && guardian.tell('-', group).is_err() {
        // The shell was killed. The next child starts another one with the list as it is then.
        guardian.pipe = None;
    }
}

impl Guardian {
    fn tell(&mut self, op: char, group: u32) -> io::Result<()> {
        let pipe = self.pipe.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        pipe.write_all(format!("{op} {group}\n").as_bytes())
    }

    fn start(&mut self) -> io::Result<()> {
        let mut shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "plimsoll-guardian"])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        self.pipe = shell.stdin.take();
        for group in self.live.clone() {
            self.tell('+', group)?;
        }
        Ok(())
    }
}
