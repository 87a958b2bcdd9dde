//! Recognises text that Plimsoll made (digests, shortened outputs, their marks and addresses), so that nothing shortens it a
//! second time: line numbers would then point into the digest.

/// The longest text that Plimsoll makes, in bytes. A longer one only quotes such text.
const LONGEST: usize = 64 * 1024;

/// Whether Plimsoll made `text`, or a part that a pipe let through.
#[must_use]
pub fn is_own_output(text: &str) -> bool {
    text.len() <= LONGEST && text.lines().any(is_mark)
}

/// Whether only Plimsoll writes such a line.
fn is_mark(line: &str) -> bool {
    let line = line.trim();
    match line.as_bytes().first() {
        Some(b'[') => is_closing(line),
        Some(b'>') => is_numbered_failure(line),
        // The first byte of `…`.
        Some(0xe2) => is_gap(line),
        Some(b'0'..=b'9' | b'n' | b'o') => is_summary(line),
        Some(b'l') => is_heading(line),
        _ => false,
    }
}

/// `[left out: 12 tests passed; full: plimsoll://task/t0]`, `[full: plimsoll://task/t0]`.
fn is_closing(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    inside.is_some_and(|inside| {
        let address = inside.rsplit("full: ").next().filter(|_| inside.contains("full: "));
        address.is_some_and(|address| address.starts_with("plimsoll://") && !address.contains(' '))
            || inside.starts_with("only the first ") && inside.contains(" are kept: plimsoll://")
    })
}

/// `> 17| error: …`.
fn is_numbered_failure(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("> ") else { return false };
    let digits = digits(rest);
    digits > 0 && rest[digits..].starts_with("| ")
}

/// `… 12 lines left out …`, `… [12 lines, 1.2 KB not shown] …`, `… 3 more failure lines not shown`.
fn is_gap(line: &str) -> bool {
    let Some(inside) = line.strip_prefix("… ") else { return false };
    let bare = inside.trim_start_matches('[');
    let digits = digits(bare);
    if digits == 0 {
        return false;
    }
    let rest = bare[digits..].trim_end_matches('…').trim_end();
    matches!(rest, " line left out" | " lines left out")
        || rest.starts_with(" line") && rest.ends_with(" not shown]")
        || rest.starts_with(" more failure line") && rest.ends_with(" not shown")
}

/// `lines with "web:test: " in front:`, `lines with "> nx run web:test" above:`, the heading of a package among several.
fn is_heading(line: &str) -> bool {
    line.strip_prefix("lines with \"").is_some_and(|rest| {
        let is_title = rest.starts_with("> ") || rest.starts_with("==");
        rest.ends_with(" \" in front:") || is_title && rest.ends_with("\" above:")
    })
}

/// `12 failure lines; output: 900 lines, 40.1 KB`, `output: 900 lines, 40.1 KB`.
fn is_summary(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix("output: ") {
        let (lines, size) = rest.split_once(", ").unwrap_or_default();
        let unit = size.rsplit(' ').next().unwrap_or_default();
        return digits(lines) > 0
            && [" line", " lines"].contains(&&lines[digits(lines)..])
            && digits(size) > 0
            && ["B", "KB", "MB", "GB", "TB"].contains(&unit)
            && size.split(' ').count() == 2;
    }
    let rest = match digits(line) {
        // The second is the wording of earlier versions.
        0 => line
            .strip_prefix("no line was recognised as a failure")
            .or_else(|| line.strip_prefix("no line states a failure")),
        digits => {
            line[digits..].strip_prefix(" failure line").map(|rest| rest.strip_prefix('s').unwrap_or(rest))
        }
    };
    rest.and_then(|rest| rest.strip_prefix("; output: ")).is_some_and(|rest| digits(rest) > 0)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::is_own_output;

    #[test]
    fn only_plimsolls_own_marks_are_recognised() {
        for ours in [
            "test result: FAILED\n[left out: 12 tests passed; full: plimsoll://task/t0123456789ab]\n",
            "a\n[full: plimsoll://task/t01]",
            "> 17| error: the disk is full\n",
            "failures:\n  16| x\n  > 17| error",
            "… 12 lines left out …\n",
            "… 1 line left out …\n",
            "a\n… [12 lines, 1.2 KB not shown] …\nb",
            "3 failure lines; output: 900 lines, 40.1 KB\n",
            "1 failure line; output: 9 lines, 40 B\n",
            "output: 900 lines, 40.1 KB\ntotals:\n",
            "no line was recognised as a failure; output: 9 lines, 40 B\n",
            "no line states a failure; output: 9 lines, 40 B\n",
            "… 3 more failure lines not shown\n",
            "lines with \"packages/web test: \" in front:\n",
            "lines with \"> nx run web:test\" above:\n",
            "lines with \"==================== Test output for //web:test:\" above:\n",
        ] {
            assert!(is_own_output(ours), "{ours}");
        }
        for others in [
            "",
            "> 17 tests\n",
            "> 3 │ const a",
            "… 12 more items",
            "[left out: everything]",
            "see [plimsoll://task/t01] for more",
            "3 failures; output: x",
            "output: 3 lines of text, 4 KB",
            "output: 12",
            "… and 3 lines left out of it",
            "lines with \"web\" in front of them",
            "lines with a number in front:",
            "lines with \"web\" above:",
        ] {
            assert!(!is_own_output(others), "{others}");
        }
        assert!(!is_own_output(&format!("{}\n> 17| error", "a line\n".repeat(20_000))));
    }
}
