//! A profile of Python (`cProfile`) that doesn't fit: the calls that took longest stay, with what the program printed around it.
//! Owns where the table is and how its rows are ordered.

use std::fmt::Write as _;

use crate::Left;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::normal;

/// The columns in front of a function.
const FIGURES: usize = 5;
/// How many lines above the columns' names are of the table.
const HEAD: usize = 8;
/// Room for the line that says how many are left out, in bytes.
const MARK: usize = 48;
/// The share of the room that the program's own output may take.
const OTHERS: usize = 3;

/// Whether a line has the names of the columns.
pub(crate) fn begins(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("ncalls ") && line.ends_with("filename:lineno(function)")
}

/// A text of more than `room` bytes whose table fits; `None` for any other text.
pub(crate) fn of_longest_calls(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let names = lines.iter().position(|line| begins(line))?;
    let from = names.saturating_sub(HEAD);
    let head = lines[from..names].iter().position(|line| line.contains(" function calls "))? + from;
    let rows: Vec<(f64, String)> = lines[names + 1..].iter().map_while(|line| row(line)).collect();
    let whole = |lines: &[&str]| -> String { lines.iter().map(|line| format!("{line}\n")).collect() };
    let above = ends_of(&whole(&lines[..head]), room / OTHERS);
    let below = ends_of(whole(&lines[names + 1 + rows.len()..]).trim_start(), room / OTHERS / 2);
    let mut out = above;
    for line in lines[head..=names].iter().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "{}", line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let mut left = room.checked_sub(out.len() + below.len() + MARK)?;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // A table by names or lines, or in no order, doesn't have the longest calls first.
    if !lines[head..names].iter().any(|line| is_order_by_figures(line)) {
        order.sort_by(|one, other| rows[*other].0.total_cmp(&rows[*one].0));
    }
    let mut shown = vec![false; rows.len()];
    for at in order {
        let Some(rest) = left.checked_sub(rows[at].1.len() + 1) else { break };
        left = rest;
        shown[at] = true;
    }
    for ((_, row), _) in rows.iter().zip(&shown).filter(|(_, shown)| **shown) {
        let _ = writeln!(out, "{row}");
    }
    let hidden = shown.iter().filter(|shown| !**shown).count();
    if hidden > 0 {
        let _ = writeln!(out, "… {} not shown", counted(hidden, "functions"));
    }
    Some((out + &below, Vec::new()))
}

/// `Ordered by: internal time`, `Ordered by: call count`.
fn is_order_by_figures(line: &str) -> bool {
    let first = line.trim().strip_prefix("Ordered by: ").and_then(|keys| keys.split(',').next());
    first.is_some_and(|key| key.ends_with(" time") || key.ends_with(" count"))
}

/// `17/1 0.002 0.000 0.040 0.040 cart.py:12(total)`, and how long the function itself took; `None` for another line.
fn row(line: &str) -> Option<(f64, String)> {
    let mut rest = line.trim();
    let mut figures = Vec::with_capacity(FIGURES);
    for _ in 0..FIGURES {
        let (figure, after) = rest.split_once(' ')?;
        figures.push(figure);
        rest = after.trim_start();
    }
    let calls = figures.first()?.split('/').all(|count| count.parse::<u64>().is_ok());
    let times: Vec<f64> = figures[1..].iter().filter_map(|figure| figure.parse().ok()).collect();
    let took = *times.first().filter(|_| calls && times.len() + 1 == FIGURES && !rest.is_empty())?;
    Some((took, format!("{} {rest}", figures.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::of_longest_calls;

    fn profile(order: &str, rows: impl Iterator<Item = (usize, f64)>) -> String {
        let mut text: String =
            (0..200).map(|n| format!("customer {n} has ordered {} times\n", n * 7)).collect();
        text += "200 customers\n";
        text += "         20498 function calls (19954 primitive calls) in 0.038 seconds\n\n";
        text += &format!("   {order}\n\n");
        text += "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n";
        for (n, took) in rows {
            text += &format!(
                "    {n}/1    {took:.3}    0.000    0.{:03}    0.000 cart.py:{n}(part{n})\n",
                999 - n
            );
        }
        text + "\n\nwritten to cart.prof\n"
    }

    #[test]
    fn the_calls_that_took_longest_stay() {
        let longest_first =
            profile("Ordered by: internal time", (0..700).map(|n| (n, 0.9 - 0.001 * n as f64)));
        let by_count = profile("Ordered by: call count, file name", (0..700).map(|n| (n, 0.001 * n as f64)));
        let otherwise = [
            "Ordered by: standard name",
            "Ordered by: name/file/line",
            "Ordered by: line number",
            "Random listing order was used",
        ]
        .map(|order| profile(order, (0..700).map(|n| (n, if n == 444 { 0.5 } else { 0.001 }))));
        let longest = "444/1 0.500 0.000 0.555 0.000 cart.py:444(part444)\n";
        for room in [1_500, 2_000, 9_000] {
            let by_figures = [
                (&longest_first, "0/1 0.900 0.000 0.999 0.000 cart.py:0(part0)\n"),
                (&by_count, "0/1 0.000 0.000 0.999 0.000 cart.py:0(part0)\n"),
            ];
            for (text, longest) in by_figures.into_iter().chain(otherwise.iter().map(|text| (text, longest)))
            {
                let (short, _) = of_longest_calls(text, room).unwrap();
                assert!(short.len() <= room, "{room}: {short}");
                for fact in [
                    "200 customers\n",
                    "20498 function calls (19954 primitive calls) in 0.038 seconds\n",
                    "ncalls tottime percall cumtime percall filename:lineno(function)\n",
                    longest,
                    " functions not shown\n",
                    "written to cart.prof\n",
                ] {
                    assert!(short.contains(fact), "{room} {fact}: {short}");
                }
            }
        }
        assert_eq!(of_longest_calls(&by_count, by_count.len()), None);
        assert_eq!(of_longest_calls(&"ncalls are few\n".repeat(900), 2_000), None);
    }
}
