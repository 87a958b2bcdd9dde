//! Our own standard output and error: writing to them, and knowing when nobody reads them any more.

use std::io::{self, Write};

use super::part::Part;

/// Where the command's output goes in the end.
#[derive(Debug, Default)]
pub(super) struct Ways {
    closed: [bool; 2],
    failed: Option<io::Error>,
}

impl Ways {
    /// Writes, whole or not at all from where it fails.
    pub(super) fn print(&mut self, part: Part, bytes: &[u8]) {
        if self.closed[part.at()] {
            return;
        }
        let written = match part {
            Part::Out => io::stdout().write_all(bytes).and_then(|()| io::stdout().flush()),
            Part::Err => io::stderr().write_all(bytes),
        };
        if let Err(error) = written {
            self.closed[part.at()] = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failed.get_or_insert(error);
            }
        }
    }

    /// Whether nobody reads at `part` any more, or it cannot be written.
    pub(super) fn is_closed(&mut self, part: Part) -> bool {
        let closed = self.closed[part.at()] || nobody_reads(part);
        self.closed[part.at()] = closed;
        closed
    }

    /// Why something could not be written, other than that nobody reads it.
    pub(super) fn failure(self) -> Option<io::Error> {
        self.failed
    }
}

/// Whether the other end has gone, which is known without writing.
#[cfg(unix)]
fn nobody_reads(part: Part) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let (out, err) = (io::stdout(), io::stderr());
    let end = match part {
        Part::Out => PollFd::new(&out, PollFlags::empty()),
        Part::Err => PollFd::new(&err, PollFlags::empty()),
    };
    let mut ends = [end];
    let looked = poll(&mut ends, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    looked.is_ok() && ends[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

#[cfg(not(unix))]
fn nobody_reads(_part: Part) -> bool {
    false
}
