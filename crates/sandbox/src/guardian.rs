//! The guardian: one small shell per server that ends the groups which are still running when the server
//! dies, however it dies. PDEATHSIG reaches only the first process of a group and exists only on Linux;
//! a pipe that closes reaches everyone.
//!
//! The shell reads `+ <group>` and `- <group>` lines from us, and the first also from each child itself. End of file means that we are gone: it then
//! kills what is left on its list. It starts with the first child and sits in a group of its own, so that
//! whatever ends us does not end it as well. Windows needs none: job objects do the same.

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

/// Starts a child while the shell runs and listens. `start` is given the shell's list, on which the child puts
/// itself before it becomes another program: a server that is killed at that moment would otherwise leave the
/// child's own children behind. Nobody closes the list meanwhile, because the lock is held.
pub(crate) fn starting<T>(start: impl FnOnce(Option<RawFd>) -> T) -> T {
    let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
    // A line that means nothing tells whether anybody reads: the child must not be the one to find out.
    if guardian.tell('?', 0).is_err()
        && let Err(error) = guardian.start()
    {
        guardian.pipe = None;
        log::warn!("no guardian for child processes: {error}");
    }
    start(guardian.pipe.as_ref().map(AsRawFd::as_raw_fd))
}

/// Puts a group on the list. Failing is not fatal: the group then only has PDEATHSIG.
pub(crate) fn watch(group: u32) {
    let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
    guardian.live.insert(group);
    if guardian.tell('+', group).is_err()
        && let Err(error) = guardian.start()
    {
        log::warn!("no guardian for child processes: {error}");
    }
}

/// Takes a group off the list; to be called while its number cannot have been reused yet.
pub(crate) fn forget(group: u32) {
    let mut guardian = GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner);
    if guardian.live.remove(&group) && guardian.tell('-', group).is_err() {
        // Somebody ended the shell. The next child starts another one with the list as it is then.
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
