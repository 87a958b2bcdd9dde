//! Findings of Scala 3's compiler: the place in a ruler, and below it the source with the message in its margin. sbt
//! writes the level in front of each line. Owns distinguishing these lines.

use super::finding::Finding;
use super::place::place;

/// Lines of a finding at most.
const LONGEST: usize = 80;
/// The first and last lines of a box around an explanation.
const BOX: &str = "----------";
/// sbt's prefix of a line.
const FRONTS: [&str; 3] = ["[error] ", "[warn] ", "[info] "];

/// `-- [E006] Not Found Error: src/Cart.scala:12:8 -----` with its source and message below, and how many of the lines behind were
/// used.
pub(super) fn scala<'t>(line: &'t str, rest: &[&'t str]) -> Option<(Finding<'t>, usize)> {
    let front = FRONTS.into_iter().find(|front| line.starts_with(*front)).unwrap_or_default();
    let head = line.strip_prefix(front)?.strip_prefix("-- ")?;
    let coded = head.strip_prefix('[').and_then(|inside| inside.split_once("] "));
    let (rule, head) = coded.filter(|(code, _)| is_code(code)).unwrap_or(("", head));
    let (severity, spot) = head.split_once(": ")?;
    let is_level = ["Error", "Warning", "Info"].iter().any(|level| severity.ends_with(*level));
    let found = place(spot).filter(|found| found.rest.bytes().all(|byte| byte == b'-'))?;
    let (mut words, mut beside): (Vec<&'t str>, Vec<&'t str>) = (Vec::new(), Vec::new());
    let (mut used, mut boxed) = (0, false);
    for line in rest.iter().copied().take(LONGEST) {
        let Some((bare, margin)) = line.strip_prefix(front).and_then(|bare| Some((bare, margin(bare)?)))
        else {
            break;
        };
        used += 1;
        match margin {
            Margin::Source => beside.push(bare.trim_end()),
            Margin::Words("") => boxed |= bare.contains(BOX),
            Margin::Words(text) => words.push(text),
        }
    }
    // The box around an explanation ends outside of the margin.
    let is_end = |line: &&str| {
        let bare = line.strip_prefix(front).map(str::trim);
        bare.is_some_and(|bare| bare.starts_with(BOX) && bare.bytes().all(|byte| byte == b'-'))
    };
    used += usize::from(boxed && rest.get(used).is_some_and(is_end));
    let (message, more) = words.split_first()?;
    let (message, more, file, at) = (*message, more.to_vec(), found.file, found.at);
    is_level.then_some((Finding { file, at, severity, rule, message, times: 1, more, beside }, used))
}

/// `E006`.
fn is_code(text: &str) -> bool {
    text.strip_prefix('E')
        .is_some_and(|figures| figures.len() > 1 && figures.bytes().all(|b| b.is_ascii_digit()))
}

/// The text in or after the margin of a line.
enum Margin<'t> {
    /// `12 |  val x = y`, `   |  ^^^`.
    Source,
    /// `   |  Not found: y`; `None` if it only separates lines.
    Words(&'t str),
}

fn margin(line: &str) -> Option<Margin<'_>> {
    let unnumbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = unnumbered.trim_start().strip_prefix('|')?.trim();
    let is_numbered = unnumbered.len() < line.len();
    let is_marks = !text.is_empty() && text.bytes().all(|byte| b"^ ".contains(&byte));
    let is_ruler = text.bytes().all(|byte| matches!(byte, b'-' | b' '));
    Some(match (is_numbered || is_marks, is_ruler) {
        (true, _) => Margin::Source,
        (false, true) => Margin::Words(""),
        (false, false) => Margin::Words(text),
    })
}

/// A line of such a finding without sbt's prefix.
pub(super) fn without_front(line: &str) -> &str {
    let bare = FRONTS.into_iter().find_map(|front| line.strip_prefix(front));
    bare.filter(|bare| bare.starts_with("-- ") || margin(bare).is_some()).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::scala;
    use crate::laws::{Form, laws};
    use crate::{FilterSet, shorten_within};

    #[test]
    fn a_finding_is_its_place_its_message_and_its_source() {
        let rest = [
            "12 |    val total: Long = \"none\"",
            "   |                      ^^^^^^",
            "   |                      Found:    (\"none\" : String)",
            "   |                      Required: Long",
            "   |",
            "1 error found",
        ];
        let line = "-- [E007] Type Mismatch Error: src/Cart.scala:12:22 --------------";
        let (found, used) = scala(line, &rest).unwrap();
        assert_eq!((found.file, &*found.at, found.rule), ("src/Cart.scala", "12:22", "E007"));
        assert_eq!((found.severity, found.message), ("Type Mismatch Error", "Found:    (\"none\" : String)"));
        assert_eq!((&found.more[..], found.beside.len(), used), (&["Required: Long"][..], 2, 5));
        let by_sbt: Vec<String> = rest.iter().map(|line| format!("[warn] {line}")).collect();
        let by_sbt: Vec<&str> = by_sbt.iter().map(String::as_str).collect();
        let line = "[warn] -- Deprecation Warning: src/Cart.scala:12:22 --";
        let (found, used) = scala(line, &by_sbt).unwrap();
        assert_eq!((found.severity, found.rule, used), ("Deprecation Warning", "", 5));
        for (line, rest) in [
            ("-- Error: src/Cart.scala:12:22 --", &["Found: a"][..]),
            ("-- Error: src/Cart.scala:12:22 of the list", &rest[..]),
            ("-- Note: src/Cart.scala:12:22 --", &rest[..]),
            ("-- Error: no place --", &rest[..]),
            ("[error] -- Error: src/Cart.scala:12:22 --", &rest[..]),
        ] {
            assert!(scala(line, rest).is_none(), "{line}");
        }
    }

    /// As `-explain` prints it, by the compiler and by sbt.
    #[test]
    fn the_end_of_an_explanations_box_belongs_to_the_finding() {
        let ruler = "-".repeat(60);
        let (top, end) = (format!("   |{ruler}"), format!("    {ruler}"));
        let rest = [
            "12 |  taxRate",
            "   |  ^^^^^^^",
            "   |  Not found: taxRate",
            top.as_str(),
            "   | No name is bound to it.",
            end.as_str(),
            end.as_str(),
        ];
        let (found, used) = scala("-- [E006] Not Found Error: src/Cart.scala:12:2 --", &rest).unwrap();
        assert_eq!((&found.more[..], used), (&["No name is bound to it."][..], 6));
        let by_sbt: Vec<String> = rest.iter().map(|line| format!("[error] {line}")).collect();
        let by_sbt: Vec<&str> = by_sbt.iter().map(String::as_str).collect();
        let (_, used) = scala("[error] -- [E006] Not Found Error: src/Cart.scala:12:2 --", &by_sbt).unwrap();
        assert_eq!(used, 6);
        // A ruler without a box isn't the compiler's.
        let (_, used) =
            scala("-- Error: src/Cart.scala:12:2 --", &["   |  Not found: taxRate", end.as_str()]).unwrap();
        assert_eq!(used, 1);
    }

    #[test]
    fn many_sbt_errors_keep_every_place() {
        let finding = |n: usize| {
            let file = ["Cart", "Ledger", "Till"][n % 3];
            let (code, kind, message) = match n % 2 {
                0 => ("E006", "Not Found Error", "Not found: taxRate"),
                _ => (
                    "E007",
                    "Type Mismatch Error",
                    "Found:    (\"none\" : String)\n[error]     |            Required: Long",
                ),
            };
            format!(
                "[error] -- [{code}] {kind}: /home/ana/shop/src/main/scala/shop/{file}.scala:{n}:12 -------------\n[error] {n} |    val sum{n} = taxRate\n[error]     |            ^^^^^^^\n[error]     |            {message}\n[error]     |\n[error]     | longer explanation available when compiling with `-explain`\n"
            )
        };
        let errors: String = (100..185).map(finding).collect();
        let text = format!(
            "{errors}[error] 85 errors found\n[error] (Compile / compileIncremental) Compilation failed\n"
        );
        for (command, room) in [("sbt compile", 24_000), ("sbt compile", 6_000), ("./unknown", 6_000)] {
            let done = shorten_within(&FilterSet::builtin(), command, Some(1), &text, room).unwrap();
            assert!(
                done.text.len() <= room + room / 10 && !done.text.contains("of this kind"),
                "{room}: {}",
                done.text
            );
            for fact in
                ["E006", "E007", "Not found: taxRate", "Found: ", "85 errors found", "Compilation failed"]
            {
                assert!(done.text.contains(fact), "{command} {room} {fact}: {}", done.text);
            }
            assert!((100..185).all(|n| done.text.contains(&format!("{n}:12"))), "{room}: {}", done.text);
            let wrong = laws(Form::Report, &text, Some(&done));
            assert!(wrong.is_empty(), "{command} {room}: {wrong:?}\n{}", done.text);
        }
    }
}
