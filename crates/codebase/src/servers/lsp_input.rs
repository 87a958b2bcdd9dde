//! What a language server writes: its messages on standard output and its complaints on standard error. Owns how much of either
//! is read, and which part may be shown.

use std::io::{BufRead, BufReader, Read as _};
use std::sync::Mutex;

use serde_json::Value;

/// The longest message that is read, in bytes.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;
/// The longest line of a message's header, in bytes.
const MAX_HEADER: u64 = 8 * 1024;
/// The error for a server that closed its output.
pub(super) const ENDED: &str = "it ended";
/// How many bytes are searched for its complaints, and how many are shown.
const COMPLAINTS: u64 = 64 * 1024;
const COMPLAINT: usize = 300;

/// A server's message as part of a line: the agent or a terminal gets it.
pub(super) fn reason(message: &str) -> String {
    message.split(|c: char| c.is_control()).collect::<Vec<_>>().join(" ").chars().take(200).collect()
}

/// The next message; nothing follows an error.
pub(super) fn read_message(input: &mut impl BufRead) -> Result<Value, String> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let read = input
            .by_ref()
            .take(MAX_HEADER)
            .read_until(b'\n', &mut line)
            .map_err(|error| error.to_string())?;
        if read == 0 {
            return Err(ENDED.to_owned());
        }
        if !line.ends_with(b"\n") {
            return Err("it says what isn't of the protocol".to_owned());
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err("it says what isn't of the protocol".to_owned());
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or("it sends a message without a length")?;
    if length > MAX_MESSAGE {
        return Err(format!("it sends a message of {length} bytes"));
    }
    let mut body = Vec::new();
    let read =
        input.by_ref().take(length as u64).read_to_end(&mut body).map_err(|error| error.to_string())?;
    if read < length {
        return Err(ENDED.to_owned());
    }
    serde_json::from_slice(&body).map_err(|error| format!("it sends what isn't JSON: {error}"))
}

/// Keeps the line in which a server tells what is wrong: the first that mentions an error, or its first.
pub(super) fn keep_complaint(stderr: impl std::io::Read, complaint: &Mutex<Option<String>>) {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    let (mut read, mut sure) = (0, false);
    while read < COMPLAINTS && !sure {
        line.clear();
        match stderr.by_ref().take(COMPLAINTS).read_until(b'\n', &mut line) {
            Ok(count @ 1..) => read += count as u64,
            _ => return,
        }
        let text = String::from_utf8_lossy(&line);
        let text = text::redact(text.trim()).into_owned();
        let Ok(mut known) = complaint.lock() else { return };
        sure = text.to_ascii_lowercase().contains("error");
        if !text.is_empty() && (sure || known.is_none()) {
            *known = Some(text[..text.floor_char_boundary(COMPLAINT)].to_owned());
        }
    }
    // Whatever else it writes must not block it.
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_one_by_one_and_other_input_is_an_error() {
        let mut input: &[u8] = b"Content-Length: 2\r\n\r\n{}content-length: 4\r\nX: y\r\n\r\ntrue";
        assert_eq!(read_message(&mut input), Ok(json!({})));
        assert_eq!(read_message(&mut input), Ok(json!(true)));
        assert_eq!(read_message(&mut input), Err("it ended".to_owned()));
        for wrong in [
            &b"hello\n"[..],
            b"Content-Length: 99999999999\r\n\r\n",
            b"Content-Length: x\r\n\r\n{}",
            b"Content-Length: 9\r\n\r\n{}",
            b"Content-Length: 2\r\n\r\nno",
            b"\r\n",
        ] {
            assert!(read_message(&mut &*wrong).is_err(), "{}", String::from_utf8_lossy(wrong));
        }
        let long = vec![b'x'; 100_000];
        assert!(read_message(&mut long.as_slice()).is_err(), "a header without an end");
    }

    #[test]
    fn a_servers_message_is_one_line_without_control_characters() {
        assert_eq!(reason("no\n(tool: all done)\x1b[2J"), "no (tool: all done) [2J");
        assert_eq!(reason(&"ä".repeat(500)).chars().count(), 200);
    }
}
