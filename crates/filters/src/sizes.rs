//! Sizes of folders and files (`du`) that don't fit: the largest stay, in their order. Owns comparing sizes that are printed
//! for people.

use std::fmt::Write as _;

use crate::Left;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::normal;

/// Room for the line that says how many are left out, in bytes.
const MARK: usize = 80;

/// Whether a line is a size and a path.
pub(crate) fn begins(line: &str) -> bool {
    size(line).is_some()
}

/// The largest of the sizes in `text`, if they take more than `room` bytes, and the other lines; `None` for any other text.
pub(crate) fn largest(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let mut entries: Vec<(f64, &str)> = Vec::new();
    let mut others = String::new();
    for line in normal::lines(text) {
        match size(line) {
            Some(size) => entries.push((size, line)),
            None => others.extend([line, "\n"]),
        }
    }
    let others = ends_of(&others, room / 4);
    let mut left = room.checked_sub(others.len() + MARK)?;
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|one, other| entries[*other].0.total_cmp(&entries[*one].0));
    let mut shown = vec![false; entries.len()];
    for at in order {
        let Some(rest) = left.checked_sub(entries[at].1.len() + 1) else { break };
        left = rest;
        shown[at] = true;
    }
    let mut out = String::with_capacity(room);
    for ((_, line), _) in entries.iter().zip(&shown).filter(|(_, shown)| **shown) {
        let _ = writeln!(out, "{line}");
    }
    let hidden = shown.iter().filter(|shown| !**shown).count();
    if hidden > 0 {
        let _ = writeln!(out, "… {} not shown; none is larger than these", counted(hidden, "entries"));
    }
    (hidden < entries.len()).then(|| (others + &out, Vec::new()))
}

/// The size in front of a tab and a path, in its own unit or in the one that all lines have: `1.2M`, `17`.
fn size(line: &str) -> Option<f64> {
    let (printed, path) = line.split_once('\t')?;
    let unit = printed.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let figures = printed.strip_suffix(unit)?;
    // `K`, `KiB`, `kB`.
    let power = match unit.strip_suffix("iB").or_else(|| unit.strip_suffix('B')).unwrap_or(unit) {
        "" => 0,
        letter => 1 + "KMGTPEZY".find(letter.to_ascii_uppercase().as_str()).filter(|_| letter.len() == 1)?,
    };
    // One figure is behind the mark of a fraction, three are behind that of thousands.
    let is_fraction = figures.rsplit_once(['.', ',']).is_some_and(|(_, after)| after.len() != 3);
    let figures = figures.replace(['.', ','], if is_fraction { "." } else { "" });
    let number: f64 = figures.parse().ok()?;
    (!path.is_empty()).then(|| number * 1024_f64.powi(i32::try_from(power).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{largest, size};

    #[test]
    fn sizes_are_compared_across_units() {
        let printed = ["0\ta", "17\ta", "512\ta", "4.0K\ta", "1,5M\ta", "24M\ta", "1.1G\ta", "2TiB\ta"];
        let sizes: Vec<f64> = printed.into_iter().map(|line| size(line).unwrap()).collect();
        assert!(sizes.is_sorted(), "{sizes:?}");
        assert_eq!(size("4.0K\ta"), Some(4096.0));
        // `du -B\'1`, `du -B\'K`.
        for (line, bytes) in [
            ("999\ta", 999.0),
            ("1,234\ta", 1_234.0),
            ("1.234.567\ta", 1_234_567.0),
            ("1,234K\ta", 1_263_616.0),
        ] {
            assert_eq!(size(line), Some(bytes), "{line}");
        }
        for line in ["du: cannot access 'x'", "4.0K", "K\ta", "4.0Q\ta", "4K\t", "a\tb", "4.0 K\ta"] {
            assert_eq!(size(line), None, "{line}");
        }
    }

    #[test]
    fn the_largest_stay_where_not_all_fit() {
        let mut text: String =
            (0..400).map(|n| format!("{}K\tnode_modules/package-{n}\n", 4 + n * 37 % 900)).collect();
        text.insert_str(4_000, "\n24M\tnode_modules/typescript\n");
        text.push_str("du: cannot read directory 'node_modules/x': Permission denied\n241M\tnode_modules\n");
        assert_eq!(largest(&text, text.len()), None);
        for room in [600, 2_000, 8_000] {
            let (short, _) = largest(&text, room).unwrap();
            assert!(short.len() <= room, "{room}: {short}");
            for fact in ["24M\tnode_modules/typescript\n", "241M\tnode_modules\n", "Permission denied\n"] {
                assert!(short.contains(fact), "{room} {fact}: {short}");
            }
            let rows: Vec<f64> = short.lines().filter_map(size).collect();
            let least = rows.iter().copied().fold(f64::MAX, f64::min);
            let larger = text.lines().filter_map(size).filter(|size| *size > least).count();
            assert!(
                larger < rows.len() && short.ends_with("; none is larger than these\n"),
                "{room}: {short}"
            );
        }
        // What is printed beside them may be all that has no room.
        let unreadable = "du: cannot read directory 'node_modules/x': Permission denied\n".repeat(90);
        let (short, _) = largest(&(unreadable + "4.0K\ta\n8.0K\t.\n"), 2_000).unwrap();
        assert!(short.ends_with("\n4.0K\ta\n8.0K\t.\n"), "{short}");
    }
}
