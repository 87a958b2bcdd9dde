//! Where a command substitution ends. Owns nothing else: what it runs is not looked at, and what could end elsewhere than it
//! seems has no end here.

/// Deepest nesting that is followed.
const DEEPEST: usize = 8;

/// The length of the `$(…)` that `text` begins with; `None` where that cannot be told for certain.
pub(super) fn end(text: &str) -> Option<usize> {
    within(text.as_bytes(), DEEPEST)
}

fn within(bytes: &[u8], depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    let mut at = "$(".len();
    let mut open = 0_usize;
    loop {
        match *bytes.get(at)? {
            b')' if open == 0 => break,
            b')' => open -= 1,
            b'(' => open += 1,
            b'\\' => at += 1,
            b'\'' => at += 1 + memchr::memchr(b'\'', bytes.get(at + 1..)?)?,
            b'"' => at += quoted(bytes.get(at..)?, depth)? - 1,
            b'$' if bytes.get(at + 1) == Some(&b'(') => at += within(bytes.get(at..)?, depth)? - 1,
            // Comments, here-documents and other shells' ways may hide a bracket.
            b'`' | b'#' | b'\n' => return None,
            b'<' if bytes.get(at + 1) == Some(&b'<') => return None,
            _ => {}
        }
        at += 1;
    }
    // The patterns of `case` end in a bracket that opened nowhere.
    let inside = std::str::from_utf8(bytes.get(2..at)?).ok()?;
    (!inside.split_whitespace().any(|word| word == "case")).then_some(at + 1)
}

/// The length of the text in double quotes that `bytes` begins with.
fn quoted(bytes: &[u8], depth: usize) -> Option<usize> {
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 1,
            b'`' => return None,
            b'$' if bytes.get(at + 1) == Some(&b'(') => at += within(bytes.get(at..)?, depth)? - 1,
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn an_end_is_told_only_where_it_is_certain() {
        for (text, inside) in [
            ("$(date) x", "$(date)"),
            ("$(a \")\" ')' \\) $(b (c)) \"$(d \")\")\") x", "$(a \")\" ')' \\) $(b (c)) \"$(d \")\")\")"),
            ("$((1 + 2))", "$((1 + 2))"),
            ("$(ls $(pwd))/x", "$(ls $(pwd))"),
        ] {
            assert_eq!(end(text), Some(inside.len()), "{text}");
        }
        for text in ["$(a", "$(a 'b)", "$(a # b)", "$(a <<X)", "$(a `b`)", "$(case a in b) c;; esac)"] {
            assert_eq!(end(text), None, "{text}");
        }
        assert_eq!(end(&"$(".repeat(90_000)), None);
    }
}
