//! Valgrind's report of memory errors: errors that differ only inside libraries are merged, with the frames of the
//! program itself. Owns which frames these are: those whose addresses are near `main`'s.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use crate::Left;
use crate::counted::counted;

/// A program's own code is at most this far from its `main`, in bytes; libraries are loaded elsewhere.
const NEAR: u64 = 1 << 24;
/// Frames that are shown where none is the program's.
const FOREIGN: usize = 4;

/// The report in about `room` bytes.
pub(crate) fn memcheck(text: &str, room: usize) -> Option<Left> {
    let mains: Vec<u64> = text
        .lines()
        .filter_map(valgrind_line)
        .filter_map(frame)
        .filter(|one| one.name == "main")
        .map(|one| one.at)
        .collect();
    let own = |one: &Frame<'_>| mains.iter().any(|main| main.abs_diff(one.at) < NEAR);
    let mut parts: Vec<Part> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut block: Vec<&str> = Vec::new();
    let mut origins: HashSet<String> = HashSet::new();
    let mut count = 0;
    let mut close = |block: &mut Vec<&str>, parts: &mut Vec<Part>| {
        if block.iter().any(|line| frame(line).is_some()) {
            count += 1;
            let (key, mut shown) = error(block, &own);
            if !known.contains_key(&key) {
                shown = without_known(&shown, &mut origins);
            }
            match known.get(&key) {
                Some(at) => parts[*at].times += 1,
                None => {
                    known.insert(key, parts.len());
                    parts.push(Part { text: shown, times: 1, is_error: true });
                }
            }
        } else {
            let lines = block.iter().filter(|line| !is_banner(line) && !line.is_empty());
            parts.extend(lines.map(|line| Part { text: format!("{line}\n"), times: 1, is_error: false }));
        }
        block.clear();
    };
    for line in text.lines() {
        match valgrind_line(line) {
            Some(printed) if printed.trim().is_empty() => close(&mut block, &mut parts),
            Some(printed) => block.push(printed),
            // The program's own output.
            None => {
                close(&mut block, &mut parts);
                parts.push(Part { text: format!("{line}\n"), times: 1, is_error: false });
            }
        }
    }
    close(&mut block, &mut parts);
    if count == 0 {
        return None;
    }
    let others: usize = parts.iter().filter(|part| !part.is_error).map(|part| part.text.len()).sum();
    let mut left = room.saturating_sub(others + 60);
    let (mut out, mut kinds, mut omitted) = (String::new(), 0, 0);
    for part in &parts {
        let times = if part.times > 1 { format!("×{} ", part.times) } else { String::new() };
        if !part.is_error {
            out.push_str(&part.text);
            continue;
        }
        // Later errors are as bad as earlier ones: a long one leaves room for others.
        if part.text.len() + times.len() > left {
            (kinds, omitted) = (kinds + 1, omitted + part.times);
            continue;
        }
        left -= part.text.len() + times.len();
        out.push_str(&times);
        out.push_str(&part.text);
    }
    if kinds > 0 {
        let _ = writeln!(out, "… {} in {}", counted(omitted, "more errors"), counted(kinds, "places"));
    }
    let left_out = text.lines().count().saturating_sub(out.lines().count());
    let _ = writeln!(out, "… {} of frames and repeats not shown", counted(left_out, "lines"));
    Some((out, Vec::new()))
}

/// An error without the trailing frames that another one had, word for word.
fn without_known(shown: &str, origins: &mut HashSet<String>) -> String {
    let mut out = String::with_capacity(shown.len());
    for (nth, line) in shown.lines().enumerate() {
        match line.split_once(": ").filter(|_| nth > 0) {
            Some((what, chain)) if chain.contains(" < ") && !origins.insert(chain.to_owned()) => {
                // The last frame that no other error has distinguishes it.
                out.push_str(what);
                out.push_str(", same frames as above: ");
                out.push_str(chain.split(" < ").nth(1).unwrap_or(chain));
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// A part of the report: an error, or unchanged text.
struct Part {
    text: String,
    times: usize,
    is_error: bool,
}

/// One frame.
struct Frame<'t> {
    at: u64,
    name: &'t str,
    /// `report.c:17`, or where its library is.
    place: &'t str,
    /// How often it's there in a row: `  [×2]`.
    times: &'t str,
}

/// Valgrind's text in a line, without its `==12672==`.
fn valgrind_line(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("==")?.split_once("==")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

/// `   at 0x48478F6: strcpy (in /usr/lib/…)`, `   by 0x10930A: bucket_for (report.c:17)`.
fn frame(line: &str) -> Option<Frame<'_>> {
    let line = line.trim_start();
    let rest = line.strip_prefix("at 0x").or_else(|| line.strip_prefix("by 0x"))?;
    let (address, rest) = rest.split_once(": ")?;
    // A function that calls itself is one line with a mark.
    let (rest, times) = rest.split_at(rest.find("  [×").unwrap_or(rest.len()));
    let (name, place) = rest.rsplit_once(" (").unwrap_or((rest, ""));
    let at = u64::from_str_radix(address, 16).ok()?;
    Some(Frame { at, name, place: place.trim_end_matches(')'), times })
}

fn is_banner(line: &str) -> bool {
    line.starts_with("Copyright (C)")
        || line.starts_with("Using Valgrind")
        || line.starts_with("Memcheck, a memory")
}

/// An error with its merge key, and its shown form.
fn error(block: &[&str], own: &dyn Fn(&Frame<'_>) -> bool) -> (String, String) {
    let (mut key, mut shown) = (String::new(), String::new());
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let close = |frames: &mut Vec<Frame<'_>>, key: &mut String, shown: &mut String| {
        let all_own = frames.iter().filter(|one| own(one)).count();
        let chosen: Vec<&Frame<'_>> = frames
            .iter()
            .enumerate()
            .filter(|(at, one)| *at == 0 || if all_own > 0 { own(one) } else { *at < FOREIGN })
            .map(|(_, one)| one)
            .collect();
        for (nth, one) in chosen.iter().enumerate() {
            let place = if one.place.starts_with("in ") || one.place.is_empty() {
                String::new()
            } else {
                format!(" ({})", one.place)
            };
            let printed = format!("{}{place}{}", one.name, one.times);
            // The place inside a library doesn't make another error.
            if own(one) || all_own == 0 {
                key.push_str(&printed);
                key.push('<');
            }
            shown.push_str(if nth == 0 { ": " } else { " < " });
            shown.push_str(&printed);
        }
        if !shown.is_empty() {
            shown.push('\n');
        }
        frames.clear();
    };
    for line in block {
        if let Some(one) = frame(line) {
            frames.push(one);
            continue;
        }
        if !shown.is_empty() || !frames.is_empty() {
            close(&mut frames, &mut key, &mut shown);
            shown.push_str("  ");
        }
        let line = line.trim();
        shown.push_str(line);
        // Addresses differ from one to the next.
        key.extend(line.split(' ').filter(|word| !word.starts_with("0x")));
        key.push('\n');
    }
    close(&mut frames, &mut key, &mut shown);
    (key, shown)
}

#[cfg(test)]
mod tests {
    use super::memcheck;

    #[test]
    fn a_function_that_calls_itself_is_one_frame_with_its_count() {
        let text = "==7== Command: ./tree\n==7== \n==7== Invalid read of size 8\n==7==    at 0x109184: walk (tree.c:4)\n\
            ==7==    by 0x109190: walk (tree.c:6)  [×40]\n==7==    by 0x10920A: main (tree.c:9)\n\
            ==7==  Address 0x0 is not stack'd\n==7== \n==7== ERROR SUMMARY: 1 errors from 1 contexts\n";
        let (out, _) = memcheck(text, 9_000).unwrap();
        let error = "Invalid read of size 8: walk (tree.c:4) < walk (tree.c:6)  [×40] < main (tree.c:9)\n";
        assert!(out.contains(error), "{out}");
    }
}
