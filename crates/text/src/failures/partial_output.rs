//! The failures of a text that is only part of an output: its lines in order, with marks where some are missing. States no figures:
//! a line number, a sum or a size would be taken for the output's.

use std::collections::BTreeMap;

use super::render::one_of_each_kind;
use super::{Failure, Failures, clip, line};

/// The first and last lines' share of the room, in percent.
const ENDS_SHARE: usize = 15;
/// The mark for missing lines.
const GAP: &str = "…\n";
/// Fewer missing lines are shown instead of marked.
const WORTH_A_MARK: usize = 3;
/// Room for the closing line that counts what is missing.
const MORE: usize = 40;
/// How often a smaller selection is tried until the text fits.
const TRIES: usize = 8;

/// The failures of the already shortened `text` in at most `max_bytes` bytes, each with up to `context_lines` lines before and
/// after it, without counts and line numbers.
#[must_use]
pub fn extract_from_part(text: &str, context_lines: usize, max_bytes: usize) -> String {
    // Numbers are positions in this list.
    let lines: Vec<(&str, usize, bool)> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| parse_repeated(line).unwrap_or((line, 1, false)))
        .collect();
    let mut scan = Failures::new(context_lines);
    lines.iter().for_each(|(line, times, differ)| scan.repeated_line(line, *times, *differ));
    let mut asked = max_bytes;
    let mut out = String::new();
    for _ in 0..TRIES {
        out = layout(&scan, &lines, asked);
        if out.len() <= max_bytes || asked == 0 {
            break;
        }
        asked = asked.saturating_sub(out.len() - max_bytes + max_bytes / 32);
    }
    // Marks longer than what they hide are pointless.
    if text.len() <= out.len().min(max_bytes) {
        return text.to_owned();
    }
    if out.len() > max_bytes {
        out.truncate(out.floor_char_boundary(max_bytes.saturating_sub("…".len())));
        out.push('…');
    }
    out
}

/// A line that represents several, with their number and whether they differed: `x  [×3]`, `x  [×3, times differ]`.
fn parse_repeated(line: &str) -> Option<(&str, usize, bool)> {
    let (printed, mark) = line.strip_suffix(']')?.rsplit_once("  [×")?;
    let digits = mark.bytes().take_while(u8::is_ascii_digit).count();
    let times = mark[..digits].parse().ok().filter(|times| *times > 0)?;
    (digits == mark.len() || mark[digits..].ends_with(" differ")).then_some((
        printed,
        times,
        digits < mark.len(),
    ))
}

/// How a line is shown.
#[derive(Default)]
struct ShownLine<'s> {
    header: Option<&'s (usize, String)>,
    /// How many lines it represents, and whether these differ.
    times: usize,
    alike: bool,
}

fn layout(scan: &Failures, lines: &[(&str, usize, bool)], room: usize) -> String {
    let mut shown: BTreeMap<usize, ShownLine<'_>> = BTreeMap::new();
    let mut used = MORE;
    // The last ones matter most.
    used += ends(scan.totals.iter().rev(), room / 5, &mut shown);
    used += ends(scan.first.iter(), room * ENDS_SHARE / 200, &mut shown);
    used += ends(scan.tail.iter().rev(), room * ENDS_SHARE / 200, &mut shown);
    let room = room.saturating_sub(used);
    let kept: Vec<&Failure> = scan.kept.iter().collect();
    let context = [usize::MAX, scan.context / 2, usize::from(scan.context > 0), 0];
    let all = context.into_iter().filter(|_| scan.unkept == 0).find(|context| cost(&kept, *context) <= room);
    let (chosen, context) = match all {
        Some(context) => (kept.iter().map(|found| (*found, found.again)).collect(), context),
        None => one_of_each_kind(scan, &kept, room),
    };
    for (found, others) in &chosen {
        let near = found.before.iter().rev().take(context).chain(found.after.iter().take(context));
        for (at, _) in near {
            shown.entry(*at).or_default();
        }
        let line = shown.entry(found.at).or_default();
        line.header = found.header.as_ref();
        line.times = others + 1;
        line.alike = found.alike || *others != found.again;
    }
    let mut out = String::new();
    let (mut previous, mut missing) = (0, 0);
    for (at, what) in &shown {
        missing += between(&mut out, lines, previous, *at, what.header);
        let Some((line, times, differ)) = lines.get(at - 1) else { continue };
        let (times, alike) = if what.times > 0 { (what.times, what.alike) } else { (*times, *differ) };
        write(&mut out, line, times, alike);
        previous = *at;
    }
    missing += between(&mut out, lines, previous, lines.len() + 1, None);
    if missing > 0 {
        let lines = if missing == 1 { "line" } else { "lines" };
        out.push_str(&format!("… {missing} {lines} left out …\n"));
    }
    out
}

/// The maximum size of `found` with `context` lines around each.
fn cost(found: &[&Failure], context: usize) -> usize {
    let line = |(_, text): &(usize, String)| text.len() + 1;
    found
        .iter()
        .map(|found| {
            let near = found.before.iter().rev().take(context).chain(found.after.iter().take(context));
            let header = found.header.as_ref().map_or(0, line);
            let mark = if found.again > 0 { 24 } else { 0 };
            near.map(line).sum::<usize>() + found.text.len() + 1 + header + mark + GAP.len()
        })
        .sum()
}

/// Shows as many of these lines as fit; returns their size.
fn ends<'s, 'l>(
    lines: impl Iterator<Item = &'l (usize, String)>,
    room: usize,
    shown: &mut BTreeMap<usize, ShownLine<'s>>,
) -> usize {
    let mut used = 0;
    for (at, line) in lines {
        if used + line.len() + 1 > room {
            break;
        }
        used += line.len() + 1;
        shown.entry(*at).or_default();
    }
    used
}

/// The text between two shown lines: nothing, the lines themselves, or a mark with the name of the file that the second
/// one is about, because another name may have come between. Returns how many lines are missing.
fn between(
    out: &mut String,
    lines: &[(&str, usize, bool)],
    from: usize,
    to: usize,
    header: Option<&(usize, String)>,
) -> usize {
    let hidden = lines.get(from..to - 1).unwrap_or_default();
    let bytes: usize = hidden.iter().map(|(line, ..)| line.len() + 1).sum();
    if hidden.len() < WORTH_A_MARK || bytes <= GAP.len() {
        hidden.iter().for_each(|(line, times, differ)| write(out, line, *times, *differ));
        return 0;
    }
    // At the end, the closing line says it.
    if to <= lines.len() {
        out.push_str(GAP);
    }
    let above = header.is_none().then(|| heading(lines, to)).flatten();
    let named = header.or(above.as_ref()).filter(|(at, _)| *at != to);
    if let Some((_, name)) = named {
        out.push_str(name);
        out.push('\n');
    }
    let inside = named.is_some_and(|(at, _)| *at > from);
    hidden.iter().map(|(_, times, _)| times).sum::<usize>() - usize::from(inside)
}

/// The file name above the line at `at`, and its position.
fn heading(lines: &[(&str, usize, bool)], at: usize) -> Option<(usize, String)> {
    lines.get(at - 1).filter(|(line, ..)| line::wants_header(line))?;
    let name = |(place, (line, ..)): (usize, &(&str, usize, bool))| {
        Some((place + 1, line::header(line)?.to_owned()))
    };
    lines[..at].iter().enumerate().rev().find_map(name)
}

fn write(out: &mut String, text: &str, times: usize, alike: bool) {
    let clean = crate::strip_ansi(text);
    let visible = line::visible(&clean);
    out.push_str(&clip(visible, line::judge(visible).spot));
    if times > 1 {
        out.push_str(&format!("  [×{times}{}]", if alike { " of this kind" } else { "" }));
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::extract_from_part;

    #[test]
    fn lines_are_in_their_order_under_their_files() {
        let mut text = String::new();
        for file in 0..40 {
            text.push_str(&format!("src/part{file}.js\n"));
            for line in 1..9 {
                text.push_str(&format!(
                    "  {line}:1  error  Name{} is not defined  no-undef\n",
                    file * 8 + line
                ));
            }
        }
        let shown = extract_from_part(&text, 1, 2_000);
        assert!(shown.len() <= 2_000 && shown.contains("…\n"), "{shown}");
        let file_of = |line: &str| {
            let words = line.split("  [×").next().unwrap_or(line).trim_end();
            let at = text.find(words).unwrap();
            text[..at].lines().rfind(|line| line.starts_with("src/")).unwrap().to_owned()
        };
        let mut file = String::new();
        for line in shown.lines() {
            match line {
                "…" => file = String::new(),
                _ if line.starts_with("src/") => file = line.to_owned(),
                _ if line.starts_with("  ") => assert_eq!(file, file_of(line), "{line} in {shown}"),
                _ => assert!(line.starts_with('…'), "{line}"),
            }
        }
    }

    #[test]
    fn one_or_two_lines_are_shown_instead_of_a_mark() {
        let text = "error: one\na\nb\nerror: two\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nerror: three\n";
        let shown = extract_from_part(text, 0, 400);
        assert_eq!(shown, "error: one\na\nb\nerror: two\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nerror: three\n");
        let long = text.replace("c\n", &"step of some work\n".repeat(60));
        let shown = extract_from_part(&long, 0, 400);
        assert!(
            shown.starts_with("error: one\na\nb\nerror: two\n") && shown.contains("error: three\n"),
            "{shown}"
        );
        assert!(shown.contains("\n…\n") && shown.ends_with("lines left out …\n"), "{shown}");
    }

    #[test]
    fn a_count_in_a_line_is_added_to() {
        let line = "ERROR the disk is full  [×40]\nINFO a\nINFO b\nINFO c\nINFO d\n";
        let shown = extract_from_part(&line.repeat(60), 0, 300);
        assert!(shown.contains("ERROR the disk is full  [×2400]\n"), "{shown}");
        assert_eq!(
            extract_from_part("ERROR the disk is full  [×40]\n", 0, 300),
            "ERROR the disk is full  [×40]\n"
        );
    }
}
