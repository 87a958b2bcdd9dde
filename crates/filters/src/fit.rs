//! Cuts a text to a number of bytes, and divides a budget among several. Owns what is tried before a text is cut at
//! both ends; `cap` decides what matters in it.

use crate::cap::{cap, spread};

/// Less than this, in bytes, can't describe a real output.
pub(crate) const LEAST: usize = 160;
/// How often a text is tried with less room before it is cut at both ends.
pub(crate) const TRIES: usize = 4;

/// `text` in at most `room` bytes: failures first, then both ends; of data a sample of all its parts.
#[must_use]
pub fn fit(text: &str, data: bool, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let mut asked = room;
    for _ in 0..TRIES {
        let cut = if data { spread(text, usize::MAX, asked) } else { cap(text, usize::MAX, asked) };
        let over = cut.trim_end_matches('\n').len().saturating_sub(room);
        if over == 0 && !cut.trim().is_empty() {
            return cut.trim_end_matches('\n').to_owned();
        }
        asked = asked.saturating_sub(over + 16);
        if asked < LEAST {
            break;
        }
    }
    ends(text, room)
}

/// Two thirds of the room for the beginning and one for the end, in whole lines where lines are short.
fn ends(text: &str, room: usize) -> String {
    let note = "\n… left out …\n";
    let Some(room) = room.checked_sub(note.len()) else { return String::new() };
    let head = &text[..text.floor_char_boundary(room * 2 / 3)];
    let head = head.rfind('\n').filter(|end| *end > head.len() / 2).map_or(head, |end| &head[..end]);
    let tail = &text[text.ceil_char_boundary(text.len() - (room - head.len()).min(room / 3))..];
    let tail = tail.find('\n').filter(|end| *end < tail.len() / 2).map_or(tail, |end| &tail[end + 1..]);
    format!("{}{note}{}", head.trim_end_matches('\n'), tail.trim_end_matches('\n'))
}

/// `room` in equal shares, none larger than requested.
pub(crate) fn shared(wanted: &[usize], room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|at| wanted[*at]);
    let mut granted = vec![0; wanted.len()];
    let (mut left, mut many) = (room, wanted.len());
    for at in order {
        granted[at] = wanted[at].min(left / many);
        left -= granted[at];
        many -= 1;
    }
    granted
}
