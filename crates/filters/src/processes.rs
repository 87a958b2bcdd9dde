//! A table of processes (`ps aux`, `ps -ef`) that doesn't fit: command lines are cut so that every process stays, and where
//! even that is too much, those that use the most stay. Owns which columns say how much a process uses, and where the table is.

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

/// Whether a line of the table is a process: its number is the second word, or the first one where the filter's rule left only
/// the number and the name.
fn is_process(row: &str) -> bool {
    let mut words = row.split_whitespace();
    let first = words.next();
    let number = match words.next() {
        Some("…") => first,
        second => second,
    };
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A table of more than `room` bytes that fits, with what is printed around it; `None` for any other text.
pub(crate) fn within(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let from = lines.iter().position(|line| begins(line))? + 1;
    let columns = columns(lines[from - 1])?;
    let end = lines[from..].iter().position(|line| !is_process(line)).map_or(lines.len(), |end| from + end);
    let rows = &lines[from..end];
    // Other commands may have printed what is around the table.
    let whole = |lines: &[&str]| -> String { lines.iter().map(|line| format!("{line}\n")).collect() };
    let (above, below) = (whole(&lines[..from]), whole(&lines[end..]));
    let room = room.checked_sub(above.len() + below.len())?;
    let cut = |row: &str, width: usize| match row.len() <= width {
        true => format!("{row}\n"),
        false => format!("{}…\n", row[..row.floor_char_boundary(width)].trim_end()),
    };
    for width in WIDTHS {
        let all: String = rows.iter().map(|row| cut(row, width)).collect();
        if all.len() <= room {
            return Some((above + &all + &below, Vec::new()));
        }
    }
    let use_of = |row: &&str| {
        let words: Vec<&str> = row.split_whitespace().collect();
        let figures = columns.iter().filter_map(|at| words.get(*at)?.parse::<f64>().ok());
        figures.fold(0.0, f64::max)
    };
    let used: Vec<f64> = rows.iter().map(use_of).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|one, other| used[*other].total_cmp(&used[*one]));
    let width = WIDTHS[WIDTHS.len() - 1];
    let mut left = room.checked_sub(MARK)?;
    let mut shown = vec![false; rows.len()];
    for at in order {
        let length = cut(rows[at], width).len();
        let Some(rest) = left.checked_sub(length) else { break };
        left = rest;
        shown[at] = true;
    }
    let mut out = above;
    rows.iter().zip(&shown).filter(|(_, shown)| **shown).for_each(|(row, _)| out.push_str(&cut(row, width)));
    let hidden = shown.iter().filter(|shown| !**shown).count();
    let _ = writeln!(out, "… {}; none uses more than these", counted(hidden, "more processes"));
    Some((out + &below, Vec::new()))
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
            out.ends_with(&format!("\n… {} more processes; none uses more than these\n", 200 - shown)),
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

    #[test]
    fn what_other_commands_print_around_the_table_stays_there() {
        let above = "Fri Nov 20 10:11:12 UTC 2026\n";
        let below = "Filesystem Size Used\n/dev/sda1 100G 99G\ndf: /mnt: Input/output error\n";
        // A kernel's thread, of which the filter's rule leaves the number and the name.
        let text = format!("{above}{}17 … [rcu_gp]\n{below}", table(200));
        for (room, all) in [(24_000, true), (4_000, false)] {
            let (out, _) = within(&text, room).unwrap();
            assert!(out.len() <= room && out.contains("root 200 98.7 0.1"), "{room}: {out}");
            assert!(out.starts_with(&format!("{above}USER PID ")) && out.ends_with(below), "{room}: {out}");
            let shown = out.lines().filter(|line| line.starts_with("root ") || line.contains('[')).count();
            let mark = format!("\n… {} more processes; none uses more than these\n{below}", 201 - shown);
            assert_eq!(out.ends_with(&mark), !all, "{room}: {out}");
        }
        // Two tables, of which neither is small.
        assert_eq!(within(&(table(200) + &table(200)), 4_000), None);
    }

    #[test]
    fn figures_of_any_length_are_compared() {
        let text = table(200).replace(" 0.0 0.1 ", " 18446744073709551615 0.1 ");
        let (out, _) = within(&text, 4_000).unwrap();
        assert!(out.contains("root 100 18446744073709551615"), "{out}");
    }
}
