//! A table of processes (`ps aux`, `ps -ef`) that doesn't fit: command lines are cut so that every process stays, and where
//! even that is too much, those that use the most stay. Owns which columns say how much a process uses.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::Left;
use crate::counted::counted;
use crate::normal;

/// Lengths of a process's line that are tried, in bytes.
const WIDTHS: [usize; 6] = [240, 180, 140, 110, 90, 70];
/// Room for the line that says how many are left out, in bytes.
const MARK: usize = 80;

/// Whether a line is the heading of such a table.
pub(crate) fn begins(line: &str) -> bool {
    columns(line).is_some()
}

/// Where the columns are that say how much a process uses.
fn columns(line: &str) -> Option<Vec<usize>> {
    let names: Vec<&str> = line.split_whitespace().collect();
    let is_table = matches!(names[..], ["USER", "PID", ..] | ["UID", "PID", ..]);
    let used: Vec<usize> =
        (0..names.len()).filter(|at| matches!(names[*at], "%CPU" | "%MEM" | "C")).collect();
    (is_table && !used.is_empty()).then_some(used)
}

/// A table of more than `room` bytes that fits; `None` for any other text.
pub(crate) fn within(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let (heading, rows) = text.split_once('\n')?;
    let columns = columns(heading)?;
    let rows: Vec<&str> = normal::lines(rows).filter(|row| !row.is_empty()).collect();
    let cut = |row: &str, width: usize| match row.len() <= width {
        true => format!("{row}\n"),
        false => format!("{}…\n", row[..row.floor_char_boundary(width)].trim_end()),
    };
    for width in WIDTHS {
        let all: String = rows.iter().map(|row| cut(row, width)).collect();
        if heading.len() + 1 + all.len() <= room {
            return Some((format!("{heading}\n{all}"), Vec::new()));
        }
    }
    let use_of = |row: &str| -> u64 {
        let words: Vec<&str> = row.split_whitespace().take(6).collect();
        let tenths = |at: &usize| {
            let figure = words.get(*at)?;
            let (whole, part) = figure.split_once('.').unwrap_or((*figure, "0"));
            Some(whole.parse::<u64>().ok()? * 10 + part.parse::<u64>().ok()?)
        };
        columns.iter().filter_map(tenths).max().unwrap_or(0)
    };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|at| (Reverse(use_of(rows[*at])), *at));
    let width = WIDTHS[WIDTHS.len() - 1];
    let mut left = room.checked_sub(heading.len() + 1 + MARK)?;
    let mut shown = vec![false; rows.len()];
    for at in order {
        let length = cut(rows[at], width).len();
        let Some(rest) = left.checked_sub(length) else { break };
        left = rest;
        shown[at] = true;
    }
    let mut out = format!("{heading}\n");
    rows.iter().zip(&shown).filter(|(_, shown)| **shown).for_each(|(row, _)| out.push_str(&cut(row, width)));
    let hidden = shown.iter().filter(|shown| !**shown).count();
    let _ = writeln!(out, "… {} that use no more than these", counted(hidden, "more processes"));
    Some((out, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::within;

    fn table(busy: usize) -> String {
        let row = |n: usize| {
            let cpu = if n == busy { "98.7" } else { "0.0" };
            format!(
                "root {n} {cpu} 0.1 2000 100 ? Ss Nov20 0:00 /usr/lib/shop/bin/service{n} --config /etc/shop/{n}.conf --verbose --listen 0.0.0.0:8000 --more {}\n",
                "x".repeat(60)
            )
        };
        let rows: String = (100..300).map(row).collect();
        format!("USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\n{rows}")
    }

    #[test]
    fn every_process_stays_as_long_as_its_line_can_be_cut() {
        let text = table(200);
        let (out, left_out) = within(&text, 24_000).unwrap();
        assert!(out.len() <= 24_000 && left_out.is_empty(), "{}", out.len());
        assert_eq!(out.lines().count(), 201);
        assert!((100..300).all(|n| out.contains(&format!("bin/service{n} "))), "{out}");
        assert!(out.contains("root 200 98.7 0.1") && out.contains("…\n"), "{out}");
    }

    #[test]
    fn the_busiest_stay_where_not_all_fit() {
        let (out, _) = within(&table(200), 4_000).unwrap();
        assert!(out.len() <= 4_000 && out.contains("root 200 98.7 0.1"), "{out}");
        let shown = out.lines().filter(|line| line.starts_with("root ")).count();
        assert!(
            out.ends_with(&format!("\n… {} more processes that use no more than these\n", 200 - shown)),
            "{out}"
        );
        assert_eq!(within(&table(200), 90_000), None);
        assert_eq!(within(&"a line\n".repeat(900), 900), None);
        let other = "UID PID PPID C STIME TTY TIME CMD\n".to_owned()
            + &(0..90)
                .map(|n| {
                    format!("root {n} 1 {} 10:00 ? 00:00:00 /usr/bin/serve{n} --all the options\n", n / 80)
                })
                .collect::<String>();
        let (out, _) = within(&other, 2_000).unwrap();
        assert!((80..90).all(|n| out.contains(&format!("/usr/bin/serve{n} "))), "{out}");
    }
}
