//! The thread that answers one run's questions for as long as a process of the run lives. When it is gone, with the server or
//! before, the run's remaining processes can neither start programs nor open files.
#![expect(unsafe_code, reason = "the step between fork and exec is set up through an unsafe call")]

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustix::event::{PollFd, PollFlags, poll};

use super::rules::Rules;
use super::{Armed, Confine, Support, decide, filter, notify};

/// Enough for the judge to match long command lines.
const STACK: usize = 1024 * 1024;

/// Makes `command` install the filter before exec, and starts the thread that answers for it.
pub(super) fn arm(confine: &Confine, command: &mut tokio::process::Command) -> io::Result<Armed> {
    if let Support::No(why) = super::support() {
        if confine.insists {
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        let (end, _) = UnixStream::pair()?;
        return Ok(Armed { _child_end: end });
    }
    let files = confine.judge.has_file_rules() || !confine.programs.is_empty();
    let filter = filter::program(files, confine.reach);
    let (ours, theirs) = UnixStream::pair()?;
    let first = confine.trusts_first.then(|| command.as_std().get_program().as_bytes().to_vec());
    let rules = Rules::of(confine, first, false);
    let noted = confine.clone();
    std::thread::Builder::new().name("confine".into()).stack_size(STACK).spawn(move || {
        if let Some(listener) = notify::receive_fd(ours.as_raw_fd()) {
            let listener = Arc::new(listener);
            noted.line.open(&listener);
            serve(&listener, &rules, &noted);
        }
    })?;
    let (socket, insists) = (theirs.as_raw_fd(), confine.insists);
    // SAFETY: between fork and exec only system calls are made and nothing is allocated; the filter was built before, and the
    // socket is open in the parent, and so in its copy, until the command has been started.
    unsafe {
        command.pre_exec(move || {
            let installed = notify::install(&filter).and_then(|fd| notify::send_fd(socket, fd));
            match installed {
                Err(errno) if insists => Err(io::Error::from_raw_os_error(errno)),
                _ => Ok(()),
            }
        });
    }
    Ok(Armed { _child_end: theirs })
}

/// The listener while a process can still ask.
#[derive(Default)]
pub(super) struct Listener {
    listener: Mutex<Weak<OwnedFd>>,
    /// Locked while a question is answered: a received and unanswered one would wait forever.
    answering: Mutex<()>,
}

impl Listener {
    fn open(&self, listener: &Arc<OwnedFd>) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(listener);
    }

    /// Passes the listener on; this process no longer answers. `None` if no process can ask.
    pub(super) fn release(&self) -> Option<OwnedFd> {
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).upgrade()?;
        let mut fds = [PollFd::new(&*listener, PollFlags::IN)];
        let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)).ok()?;
        if fds.first().is_none_or(|fd| fd.revents().contains(PollFlags::HUP)) {
            return None;
        }
        std::mem::forget(self.answering.lock().unwrap_or_else(PoisonError::into_inner));
        listener.try_clone().ok()
    }
}

/// Answers on a listener that another process passed on.
pub(super) fn go_on(confine: &Confine, listener: OwnedFd) {
    serve(&listener, &Rules::of(confine, None, true), confine);
}

/// Answers until no process can ask.
fn serve(listener: &OwnedFd, rules: &Rules, noted: &Confine) {
    let listener = listener.as_fd();
    notify::request_sync_wakeup(listener);
    loop {
        let mut fds = [PollFd::new(&listener, PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        let told = fds.first().map_or(PollFlags::HUP, PollFd::revents);
        if !told.contains(PollFlags::IN) {
            return;
        }
        let _answering = noted.line.answering.lock().unwrap_or_else(PoisonError::into_inner);
        match notify::receive(listener) {
            Ok(Some(question)) => {
                let refused = decide::decide(rules, &question).err();
                if let Some(why) = refused.as_ref().and_then(|refused| refused.why.clone()) {
                    noted.note(why);
                }
                notify::answer(listener, question.id, refused.map(|refused| refused.errno));
            }
            Ok(None) => {}
            Err(error) => {
                log::warn!("confining a run: {error}");
                return;
            }
        }
    }
}

/// Tests it on a short-lived thread: a filter belongs to the thread that installs it.
pub(super) fn probe() -> Support {
    if !filter::KNOWN {
        return Support::No("this processor's system calls aren't known here".into());
    }
    let tried = std::thread::Builder::new().name("probe".into()).stack_size(64 * 1024).spawn(|| {
        let nothing_watched = filter::probe();
        notify::install(&nothing_watched).map(notify::own_fd).map(drop)
    });
    let installed = match tried.map(std::thread::JoinHandle::join) {
        Ok(Ok(installed)) => installed,
        Ok(Err(_)) => return Support::No("trying it failed".into()),
        Err(error) => return Support::No(format!("no thread for trying it: {error}")),
    };
    if let Err(errno) = installed {
        let error = io::Error::from_raw_os_error(errno);
        return Support::No(match errno {
            libc::EBUSY => {
                "this process runs under another supervisor of system calls already, and the kernel \
                            allows one (a container, or Plimsoll itself)"
                    .into()
            }
            libc::EINVAL | libc::ENOSYS => {
                format!("this kernel has no seccomp notification, which came with Linux 5.5: {error}")
            }
            libc::EPERM | libc::EACCES => {
                format!("the container or service that Plimsoll runs in forbids seccomp filters: {error}")
            }
            _ => format!("seccomp refused: {error}"),
        });
    }
    if let Err(error) = rustix::fs::openat2(
        rustix::fs::CWD,
        "/",
        rustix::fs::OFlags::PATH | rustix::fs::OFlags::CLOEXEC,
        rustix::fs::Mode::empty(),
        rustix::fs::ResolveFlags::NO_MAGICLINKS,
    ) {
        return Support::No(format!("openat2, which came with Linux 5.6, doesn't work: {error}"));
    }
    let here = [7u8; 8];
    let mut copy = [0u8; 8];
    if notify::read_memory(std::process::id(), here.as_ptr().addr() as u64, &mut copy) != Some(8)
        || copy != here
    {
        return Support::No(
            "the container that Plimsoll runs in forbids looking at a process's memory (process_vm_readv)"
                .into(),
        );
    }
    Support::Yes("seccomp notification")
}
