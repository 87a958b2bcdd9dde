//! Separates the head of a server's answer, as `curl -i` prints it, from its body.

/// The heads of HTTP answers that a text begins with, and the body below the last one.
pub(super) fn http_head(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    while text[at..].starts_with("HTTP/") {
        let (head, _) = text[at..].split_once("\n\n")?;
        at += head.len() + 2;
    }
    (at > 0).then(|| text.split_at(at))
}
