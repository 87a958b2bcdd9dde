//! The table of coverage.py: each file that is not covered in full with its share, the worst first, and the tool's
//! own total. Owns parsing its rows.

use std::fmt::Write as _;

use crate::Left;
use crate::counted::counted;
use crate::normal;

/// Up to so many rows stay in the tool's order.
const FEW: usize = 12;
/// Longest list of missing lines in a longer table, in bytes, and the table's share of the room.
const MISSING: usize = 60;

struct Row<'t> {
    name: &'t str,
    /// Statements, missing ones, branches.
    counts: Vec<&'t str>,
    /// In hundredths of a per cent.
    covered: u32,
    missing: &'t str,
}

/// `text` with its tables of coverage, in about `room` bytes.
pub(crate) fn coverage(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut out = String::with_capacity(text.len());
    // What fits as a whole shares its room with nothing.
    let share = if text.len() <= room { usize::MAX } else { room / 2 };
    let (mut at, mut full, mut found) = (0, 0, false);
    while let Some(line) = lines.get(at) {
        at += 1;
        if !(line.starts_with("Name ") && line.contains(" Stmts ") && line.contains(" Cover")) {
            push(&mut out, line);
            continue;
        }
        let mut rows = Vec::new();
        let start = at;
        while let Some(line) = lines.get(at).filter(|line| !line.starts_with("TOTAL")) {
            match row(line) {
                Some(row) => rows.push(row),
                None if line.trim_matches('-').is_empty() => {}
                None => break,
            }
            at += 1;
        }
        if rows.is_empty() {
            push(&mut out, line);
            lines[start..at].iter().for_each(|line| push(&mut out, line));
            continue;
        }
        found = true;
        let before = rows.len();
        rows.retain(|row| row.covered < 10_000);
        full += before - rows.len();
        table(line, rows, share, &mut out);
        if let Some(total) = lines.get(at).filter(|line| line.starts_with("TOTAL")) {
            push(&mut out, &squeezed(total));
            at += 1;
        }
    }
    let counts = if full > 0 { vec![("files fully covered", full)] } else { Vec::new() };
    found.then_some((out, counts))
}

fn table(header: &str, mut rows: Vec<Row<'_>>, room: usize, out: &mut String) {
    let few = rows.len() <= FEW;
    if !few {
        rows.sort_by_key(|row| row.covered);
    }
    push(out, &format!("{}{}", squeezed(header), if few { "" } else { " (worst first)" }));
    let from = out.len();
    for (nth, row) in rows.iter().enumerate() {
        let mut line = format!("{} {}", row.name, row.counts.join(" "));
        if !row.missing.is_empty() {
            let cut =
                if few || row.missing.len() <= MISSING + 16 { row.missing.len() } else { ends(row.missing) };
            let _ = write!(line, " {}", &row.missing[..cut]);
            if cut < row.missing.len() {
                let more = row.missing[cut..].matches(", ").count();
                let _ = write!(line, ", … {more} more");
            }
        }
        if out.len() - from + line.len() > room && nth + 2 < rows.len() {
            let rest = rows.len() - nth;
            let rest =
                if few { counted(rest, "more files") } else { counted(rest, "files") + " covered better" };
            let _ = writeln!(out, "… {rest} not shown");
            return;
        }
        push(out, &line);
    }
}

/// Where a list of missing lines can be cut.
fn ends(missing: &str) -> usize {
    missing[..missing.floor_char_boundary(MISSING)].rfind(", ").unwrap_or(missing.len())
}

fn row(line: &str) -> Option<Row<'_>> {
    // Names seldom have blanks; the counts are searched from the percent sign on.
    let per_cent = line.find('%')?;
    let (head, missing) = (&line[..=per_cent], line[per_cent + 1..].trim());
    let mut words = head.split_whitespace();
    let name = words.next().filter(|_| !line.starts_with(' '))?;
    let counts: Vec<&str> = words.collect();
    let (covered, numbers) = counts.split_last()?;
    let covered: f64 = covered.strip_suffix('%')?.parse().ok()?;
    let all = numbers.iter().all(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    (all && numbers.len() >= 2).then_some(Row { name, counts, covered: (covered * 100.0) as u32, missing })
}

fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::coverage;

    const REPORT: &str = include_str!("../../tests/fixtures/coverage-report.txt");

    /// Its room is its own size: the agent would show it whole.
    #[test]
    fn every_file_with_missing_lines_stays_where_the_table_fits() {
        let (short, counts) = coverage(REPORT, REPORT.len() + 1).unwrap();
        for row in REPORT.lines().filter(|line| line.contains('%') && !line.contains("100%")) {
            let row = row.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(short.contains(&row), "{row}: {short}");
        }
        assert!(!short.contains("not shown") && short.len() < REPORT.len(), "{short}");
        assert_eq!(counts, [("files fully covered", 3)]);
        // Where it doesn't fit, it has half of the room, and counts the rest.
        let (cut, _) = coverage(REPORT, 1_200).unwrap();
        assert!(cut.contains("more files not shown\n") && cut.contains("TOTAL 2315 846 63%"), "{cut}");
    }
}
