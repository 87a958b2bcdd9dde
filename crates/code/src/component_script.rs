//! Extracts the script of a Svelte or Vue component. Everything else becomes spaces, so that lines and byte offsets don't
//! change.

/// The text with everything outside `<script>` blanked, for languages that keep code in pages.
pub(crate) fn of(language: &str, text: &str) -> Option<String> {
    if !matches!(language, "svelte" | "vue") {
        return None;
    }
    let mut out: Vec<u8> = text.bytes().map(|b| if b == b'\n' { b } else { b' ' }).collect();
    let mut at = 0;
    while let Some(open) = text[at..].find("<script") {
        let open = at + open;
        let Some(inner) = text[open..].find('>').map(|i| open + i + 1) else { break };
        let close = text[inner..].find("</script").map_or(text.len(), |i| inner + i);
        out[inner..close].copy_from_slice(&text.as_bytes()[inner..close]);
        at = close;
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_scripts_stay() {
        let text = "<p>ü</p>\n<script lang=\"ts\">\nlet a\n</script>\n<b/>";
        let out = super::of("vue", text).unwrap();
        assert_eq!(out.len(), text.len());
        assert_eq!(out.trim(), "let a");
        assert_eq!(out.lines().count(), text.lines().count());
        assert_eq!(super::of("rust", text), None);
    }
}
