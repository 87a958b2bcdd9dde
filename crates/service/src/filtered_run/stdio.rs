//! Plimsoll's own standard output and error: writes to them and notices when nobody reads them any longer.

use std::io::{self, Write};

use super::output_stream::OutputStream;

/// The two output streams, with their state.
#[derive(Debug, Default)]
pub(super) struct Stdio {
    closed: [bool; 2],
    failed: Option<io::Error>,
}

impl Stdio {
    /// Writes everything, or gives the stream up at the first error.
    pub(super) fn print(&mut self, stream: OutputStream, bytes: &[u8]) {
        if self.closed[stream.index()] {
            return;
        }
        let written = match stream {
            OutputStream::Out => io::stdout().write_all(bytes).and_then(|()| io::stdout().flush()),
            OutputStream::Err => io::stderr().write_all(bytes),
        };
        if let Err(error) = written {
            self.closed[stream.index()] = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failed.get_or_insert(error);
            }
        }
    }

    /// Whether nobody reads this stream any longer, or writing to it failed.
    pub(super) fn is_closed(&mut self, stream: OutputStream) -> bool {
        let closed = self.closed[stream.index()] || is_reader_gone(stream);
        self.closed[stream.index()] = closed;
        closed
    }

    /// The first write error other than a closed pipe.
    pub(super) fn failure(self) -> Option<io::Error> {
        self.failed
    }
}

/// Whether the reading end is closed, found out without writing.
#[cfg(unix)]
fn is_reader_gone(stream: OutputStream) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let (out, err) = (io::stdout(), io::stderr());
    let end = match stream {
        OutputStream::Out => PollFd::new(&out, PollFlags::empty()),
        OutputStream::Err => PollFd::new(&err, PollFlags::empty()),
    };
    let mut ends = [end];
    let polled = poll(&mut ends, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    polled.is_ok() && ends[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

#[cfg(not(unix))]
fn is_reader_gone(_part: OutputStream) -> bool {
    false
}
