//! Frames of pytest's traces in the code that Python itself carries, whose file isn't a path. Owns their form.

/// The place of such a frame and what follows it: `<frozen importlib._bootstrap>:1204: in _gcd_import`.
pub(super) fn frozen(line: &str) -> Option<(&str, &str)> {
    const OPEN: &str = "<frozen ";
    let number = OPEN.len() + line.strip_prefix(OPEN)?.find(">:")? + 2;
    let end = number + line[number..].bytes().take_while(u8::is_ascii_digit).count();
    let what = line[end..].strip_prefix(": ")?;
    (end > number).then_some((&line[..end], what.trim()))
}

#[cfg(test)]
mod tests {
    use super::frozen;

    #[test]
    fn a_place_has_a_number() {
        let line = "<frozen runpy>:198: in _run_module_as_main";
        assert_eq!(frozen(line), Some(("<frozen runpy>:198", "in _run_module_as_main")));
        for other in ["<frozen runpy>:", "<frozen runpy>: in x", "<frozen runpy>:19", "<string>:1: in x"] {
            assert_eq!(frozen(other), None, "{other}");
        }
    }
}
