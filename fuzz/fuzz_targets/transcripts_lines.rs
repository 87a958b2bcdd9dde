//! Any bytes as a transcript, in every format: no reader panics, reading does not depend on how the bytes arrive,
//! what is cut off says a part of the same, and counting a file twice costs what it costs. The first byte chooses
//! the format.
#![no_main]

use std::io::Read;

use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use transcripts::{COMMAND_BYTES, Record, Records, Totals};

/// Gives a few bytes at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let size = out.len().min(self.0.len()).min(7);
        let (part, rest) = self.0.split_at(size);
        out[..size].copy_from_slice(part);
        self.0 = rest;
        Ok(size)
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let formats = agents::formats();
    let format = formats[usize::from(*choice) % formats.len()];
    let mut records = Records::new(format, "session", bytes);
    let whole: Vec<Record> = records.by_ref().collect();
    let counts = records.counts();
    assert!(counts.too_long + counts.unreadable <= counts.lines);
    assert_eq!(Records::new(format, "session", Slow(bytes)).collect::<Vec<_>>(), whole);

    // At a line's end: an object that is complete where a file ends is taken, and there may be rubbish behind it.
    let half = bytes.len() / 2;
    let line = bytes[..half].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let cut = if format.document { half } else { line };
    let part: Vec<Record> = Records::new(format, "session", &bytes[..cut]).collect();
    assert_eq!(part, whole[..part.len()]);

    let (mut once, mut twice) = (Totals::new(TimeZone::UTC), Totals::new(TimeZone::UTC));
    for record in &whole {
        match record {
            Record::Usage(usage) => once.add(usage),
            Record::Shown(shown) => {
                assert!(shown.command.as_ref().is_none_or(|command| command.len() <= COMMAND_BYTES));
            }
        }
    }
    for record in whole.iter().chain(&whole) {
        if let Record::Usage(usage) = record {
            twice.add(usage);
        }
    }
    assert_eq!(once.rows(), twice.rows());
});
