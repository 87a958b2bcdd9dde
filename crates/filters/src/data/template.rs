//! Messages and their variable parts: a line as fixed words and slots whose values change, such as numbers, ids,
//! addresses, times and `key=value`. Owns what counts as a slot, which lines are of one kind, and how a kind is
//! written in one line.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};

use foldhash::fast::FixedState;

pub(crate) use super::clock::clock;
use super::clock::{is_named_date, is_offset, is_time};
use super::columns::{Judged, judge};
use crate::clip::clipped;

/// The minimum number of kinds that differ in one word to be joined: the word is a name.
const NAMES: usize = 6;
/// Words of a line that are looked at; the rest is one more slot.
const WORDS: usize = 60;
/// Longest line of a kind and longest summary of a slot, in bytes.
const LONG: usize = 500;
const LONG_SLOT: usize = 160;

/// A part of a line: the value, and the text before and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part<'t> {
    Word(&'t str),
    Slot { before: &'t str, value: &'t str, after: &'t str },
    Time(&'t str),
}

/// A line taken apart.
pub(crate) fn parts(line: &str) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some(word) = next_word(&mut rest) {
        if out.len() == WORDS {
            out.push(Part::Slot { before: "", value: word, after: "" });
            break;
        }
        let mut ahead = rest;
        let begins_time =
            is_named_date(word) && next_word(&mut ahead).is_some_and(|next| clock(next).is_some());
        let ends_time = is_offset(word) && matches!(out.last(), Some(Part::Time(_)));
        out.push(if begins_time || ends_time { Part::Time(word) } else { part(word) });
    }
    out
}

/// The next word; text in quotation marks is one word.
fn next_word<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let text = rest.trim_start();
    if text.is_empty() {
        return None;
    }
    let plain = text.find(char::is_whitespace).unwrap_or(text.len());
    // A quoted value goes on to its other mark.
    let end = match text[..plain].find('"') {
        Some(open) if text[..plain].matches('"').count() == 1 && text[..open].ends_with('=') => {
            text[open + 1..].find('"').map_or(plain, |close| {
                let close = open + 1 + close + 1;
                close + text[close..].find(char::is_whitespace).unwrap_or(text.len() - close)
            })
        }
        _ => plain,
    };
    *rest = &text[end..];
    Some(&text[..end])
}

fn part(word: &str) -> Part<'_> {
    let digit = word.bytes().any(|byte| byte.is_ascii_digit());
    if digit && is_time(word) {
        return Part::Time(word);
    }
    if let Some(at) = word.find('=').filter(|at| *at > 0 && word[..*at].bytes().all(is_key)) {
        let (before, value) = word.split_at(at + 1);
        let inner = value.trim_matches(['"', ',', ';', ')', ']', '}']);
        let from = value.find(inner).unwrap_or_default();
        // The unit of a number isn't part of the number: `took=12ms`.
        let figures = inner.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let unit = inner.len() - figures;
        let number = if figures > 0
            && unit <= 3
            && inner[figures..].bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'%')
            && !is_identity(inner, &inner[figures..])
        {
            figures
        } else {
            inner.len()
        };
        return Part::Slot {
            before: &word[..before.len() + from],
            value: &inner[..number],
            after: &value[from + number..],
        };
    }
    if !digit {
        return Part::Word(word);
    }
    let around = |c: char| !c.is_alphanumeric() && !matches!(c, '/' | '-' | '+' | '_' | '%' | '#');
    // An object of JSON is one value with its braces.
    let inner = if word.starts_with("{\"") && word.ends_with('}') { word } else { word.trim_matches(around) };
    let from = word.find(inner).unwrap_or_default();
    // A number with its unit: `12ms`, `#17`, `3.5%`.
    let sign = inner.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    let figures = inner[sign..].bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let figures = inner[sign..sign + figures].trim_end_matches('.').len();
    let unit = &inner[sign + figures..];
    let whole =
        unit.len() <= 4 && unit.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'%') && sign <= 1;
    if whole && figures > 0 && !is_identity(inner, unit) {
        let start = from + sign;
        return Part::Slot {
            before: &word[..start],
            value: &word[start..start + figures],
            after: &word[start + figures..],
        };
    }
    Part::Slot { before: &word[..from], value: inner, after: &word[from + inner.len()..] }
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@')
}

/// Whether figures and letters are an identity's (`65bd`, `9180943b`) and not a number's with its unit: else each ending would make
/// a kind of its own. Short ones may be bytes or days.
fn is_identity(word: &str, unit: &str) -> bool {
    let is_lower = word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_mixed = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    // No number of bytes or days has zeros in front: `000b`.
    let is_padded = matches!(word.as_bytes(), [b'0', b'0'..=b'9', ..]);
    let is_short = word.len() < 4 || word.len() < 8 && matches!(unit, "b" | "d") && !is_padded;
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_lower && is_mixed && !is_short || is_hex && word.len() >= 6 && unit.len() > 2
}

/// Lines of one kind: the same words around the same slots.
#[derive(Debug, Default)]
pub(crate) struct Kind<'t> {
    /// The lines, by their numbers.
    pub(crate) lines: Vec<usize>,
    /// Their parts.
    pub(crate) parts: Vec<Vec<Part<'t>>>,
    /// Places of words that differ between them.
    names: Vec<usize>,
}

const SEED: FixedState = FixedState::with_seed(0);

fn key(parts: &[Part<'_>], loud: bool, without: Option<usize>) -> u64 {
    let mut hasher = SEED.build_hasher();
    (loud, parts.len(), without).hash(&mut hasher);
    for (at, part) in parts.iter().enumerate() {
        match part {
            _ if without == Some(at) => 0_u8.hash(&mut hasher),
            Part::Word(word) => (1_u8, word).hash(&mut hasher),
            Part::Slot { before, after, .. } => (2_u8, before, after).hash(&mut hasher),
            Part::Time(_) => 3_u8.hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// Lines by kind, in the order of their first ones. `loud` keeps lines separate that are shown one by one.
pub(crate) fn kinds<'t>(lines: &[(usize, &'t str, bool)]) -> Vec<(bool, Kind<'t>)> {
    let mut known: HashMap<u64, usize> = HashMap::new();
    let mut kinds: Vec<(bool, Kind<'t>)> = Vec::new();
    for (number, line, loud) in lines {
        let parts = parts(line);
        let at = *known.entry(key(&parts, *loud, None)).or_insert_with(|| {
            kinds.push((*loud, Kind::default()));
            kinds.len() - 1
        });
        if let Some((_, kind)) = kinds.get_mut(at) {
            kind.lines.push(*number);
            kind.parts.push(parts);
        }
    }
    joined(kinds)
}

/// Kinds that differ in one word only become one, where there are many of them.
fn joined(kinds: Vec<(bool, Kind<'_>)>) -> Vec<(bool, Kind<'_>)> {
    const MOST: usize = 3_000;
    if kinds.len() < NAMES || kinds.len() > MOST {
        return kinds;
    }
    let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, (loud, kind)) in kinds.iter().enumerate() {
        let Some(parts) = kind.parts.first() else { continue };
        for (place, part) in parts.iter().enumerate() {
            // A line of two words has nothing left without one.
            if matches!(part, Part::Word(_)) && parts.len() > 2 {
                groups.entry(key(parts, *loud, Some(place)) ^ place as u64).or_default().push(at);
            }
        }
    }
    let mut large: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() >= NAMES).collect();
    large.sort_by_key(|group| (std::cmp::Reverse(group.len()), group.first().copied()));
    let mut kinds: Vec<Option<(bool, Kind<'_>)>> = kinds.into_iter().map(Some).collect();
    for group in large {
        if group.iter().any(|at| kinds[*at].is_none()) {
            continue;
        }
        let mut members = group.iter().filter_map(|at| Some((*at, kinds[*at].take()?)));
        let Some((first, (loud, mut kind))) = members.next() else { continue };
        for (_, (_, other)) in members {
            if let (Some(one), Some(two)) = (kind.parts.first(), other.parts.first()) {
                let place = (0..one.len()).find(
                    |place| matches!((one[*place], two[*place]), (Part::Word(a), Part::Word(b)) if a != b),
                );
                kind.names.extend(place.filter(|place| !kind.names.contains(place)));
            }
            kind.lines.extend(other.lines);
            kind.parts.extend(other.parts);
        }
        let mut order: Vec<usize> = (0..kind.lines.len()).collect();
        order.sort_by_key(|at| kind.lines[*at]);
        kind.lines = order.iter().map(|at| kind.lines[*at]).collect();
        kind.parts = order.iter().map(|at| std::mem::take(&mut kind.parts[*at])).collect();
        kinds[first] = Some((loud, kind));
    }
    kinds.into_iter().flatten().collect()
}

impl<'t> Kind<'t> {
    /// How many words with letters are the same in all its lines.
    pub(crate) fn words(&self) -> usize {
        let parts = self.parts.first().into_iter().flatten().enumerate();
        parts
            .filter(|(at, part)| {
                !self.names.contains(at)
                    && matches!(part, Part::Word(word) if word.contains(char::is_alphabetic))
            })
            .count()
    }

    /// Whether its lines differ in nothing but the time that each begins with. A time in a message is what it's about, and where
    /// there is nothing but times, they are the data.
    pub(crate) fn is_constant(&self) -> bool {
        if self.parts.first().is_some_and(|parts| parts.iter().all(|part| matches!(part, Part::Time(_)))) {
            return false;
        }
        let later = |parts: &[Part<'t>]| -> Vec<Part<'t>> {
            let is_time = |part: &&Part<'t>| matches!(part, Part::Time(_));
            let behind = parts.iter().skip_while(|part| !is_time(part)).skip_while(is_time);
            behind.filter(is_time).copied().collect()
        };
        let mut rows = self.parts.iter().map(|parts| (self.values(parts), later(parts)));
        rows.next().is_some_and(|first| rows.all(|row| row == first))
    }

    /// The values of its slots, a row for each line, and what they have in common.
    pub(crate) fn judged(&self) -> Judged {
        let rows: Vec<Vec<&str>> = self.parts.iter().map(|parts| self.values(parts)).collect();
        judge(&rows, rows.first().map_or(0, Vec::len))
    }

    fn values(&self, parts: &[Part<'t>]) -> Vec<&'t str> {
        parts
            .iter()
            .enumerate()
            .filter_map(|(at, part)| match part {
                Part::Slot { value, .. } => Some(*value),
                Part::Word(word) if self.names.contains(&at) => Some(*word),
                _ => None,
            })
            .collect()
    }

    /// The kind in one line: its words, and for each slot its values.
    pub(crate) fn written(&self, judged: &Judged) -> String {
        let mut out = String::new();
        let mut columns = judged.columns.iter();
        let mut slot = |before: &str, after: &str, out: &mut String| {
            let Some(column) = columns.next() else { return };
            let _ = match column.constant() {
                Some(only) => write!(out, "{before}{only}{after} "),
                None => write!(out, "{before}{{{}}}{after} ", clipped(&column.summary(), LONG_SLOT)),
            };
        };
        for (at, part) in self.parts.first().into_iter().flatten().enumerate() {
            match part {
                Part::Slot { before, after, .. } => slot(before, after, &mut out),
                Part::Word(_) if self.names.contains(&at) => slot("", "", &mut out),
                Part::Word(word) => {
                    let _ = write!(out, "{word} ");
                }
                Part::Time(_) => {}
            }
        }
        clipped(out.trim_end(), LONG).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::kinds;

    fn written(lines: &[String]) -> Vec<String> {
        let lines: Vec<(usize, &str, bool)> =
            lines.iter().enumerate().map(|(at, line)| (at, line.as_str(), false)).collect();
        kinds(&lines)
            .iter()
            .map(|(_, kind)| format!("×{} {}", kind.lines.len(), kind.written(&kind.judged())))
            .collect()
    }

    #[test]
    fn a_slot_lists_its_values() {
        let lines: Vec<String> = (0..300)
            .map(|n| {
                format!(
                    "2026-11-20T10:00:{:02}Z INFO job {n} of 3f{n:06x}aa done in {}ms status={} ({} MB)",
                    n % 60,
                    3 + n % 90,
                    [200, 200, 204][n % 3],
                    7
                )
            })
            .collect();
        assert_eq!(
            written(&lines),
            [
                "×300 INFO job {0 to 299, all different} of {all different such as 3f000000aa} done in {3 to 92, 90 different values}ms status={204 ×100; 200 ×200} (7 MB)"
            ]
        );
    }

    #[test]
    fn an_offset_and_a_named_date_belong_to_a_time_and_are_values_elsewhere() {
        let of = |line: &dyn Fn(i32) -> String| written(&(0..30).map(line).collect::<Vec<_>>());
        let change = of(&|n: i32| {
            format!(
                "[22/Nov/2026:06:24:{n:02} +0100] stock of cart [change +{:04}]",
                if n < 15 { 7 } else { 12 }
            )
        });
        assert_eq!(change, ["×30 stock of cart [change +{0007, 0012 ×15 each}]"]);
        let due = of(&|n: i32| format!("[22/Nov/2026 06:24:{n:02}] cart is due 0{}/Dec/2026", 1 + n % 2));
        assert_eq!(due, ["×30 cart is due {01/Dec/2026, 02/Dec/2026 ×15 each}"]);
    }

    #[test]
    fn identities_are_of_one_kind_whatever_letters_are_in_them() {
        let ids = ["65bd", "094f", "8f31", "1170", "719a", "b307", "c4e2", "32e1", "9e99", "001b"];
        let line = |n: usize| format!("request {} of id={:08x} took {n}ms", ids[n % 10], n * 0x0123_4567);
        let lines: Vec<String> = (100..140).map(line).collect();
        assert_eq!(
            written(&lines),
            [
                "×40 request {001b, 094f, 1170, 32e1, 65bd, 719a, 8f31, 9e99, b307, c4e2 ×4 each} of id={all different such as 71c71c3c} took {100 to 139, all different}ms"
            ]
        );
        let sizes: Vec<String> = (0..9).map(|n| format!("read 10{n}4b of 20{n}8B in 3{n}00d")).collect();
        assert_eq!(
            written(&sizes),
            [
                "×9 read {1004 to 1084, all different}b of {2008 to 2088, all different}B in {3000 to 3800, all different}d"
            ]
        );
    }

    #[test]
    fn names_are_slots_where_there_are_many() {
        let lines: Vec<String> = (0..90)
            .map(|n| {
                format!(
                    "user {} has signed in",
                    ["ana", "omar", "dana", "li", "eve", "tom", "kim", "jo", "max"][n % 9]
                )
            })
            .collect();
        assert_eq!(
            written(&lines),
            ["×90 user {ana, dana, eve, jo, kim, li, max, omar, tom ×10 each} has signed in"]
        );
        let few: Vec<String> =
            (0..90).map(|n| format!("the {} has ended", ["import", "export"][n % 2])).collect();
        assert_eq!(written(&few), ["×45 the import has ended", "×45 the export has ended"]);
    }
}
