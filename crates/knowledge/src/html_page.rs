//! Reads the bytes of an HTML page as Markdown, whether it was fetched or is a file: which bytes are a page, its encoding, its
//! conversion. Pure.

use crate::decode;

/// How many leading bytes tell a page, after comments and the like.
const START_BYTES: usize = 512;
/// How much may precede the start of a page: a licence, a copy's own note.
const PREFACE_BYTES: usize = 8_192;

/// Whether bytes without a reliable name or type begin like a page. Comments, processing instructions and a byte order mark
/// may come first.
pub(crate) fn looks_like_html(body: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&body[..body.len().min(PREFACE_BYTES)]);
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            comment if comment.starts_with("<!--") => comment.find("-->").map(|at| at + "-->".len()),
            instruction if instruction.starts_with("<?xml") => {
                instruction.find("?>").map(|at| at + "?>".len())
            }
            _ => break,
        };
        let Some(end) = end else { return false };
        rest = rest[end..].trim_start();
    }
    let start = crate::cut(rest, START_BYTES).to_ascii_lowercase();
    ["<!doctype html", "<html", "<head"].iter().any(|tag| start.starts_with(tag))
}

/// The page in `body`. `charset` is what the server declared, `url` the page's address or empty.
pub(crate) fn read(body: &[u8], charset: Option<&str>, url: &str) -> text::Page {
    let charset = charset.map(str::to_owned).or_else(|| charset_in_html(body));
    text::html_to_markdown(&decode::text_of(body, charset.as_deref()), url)
}

/// The encoding in a page's own head, within the first kilobyte, where browsers look for it.
fn charset_in_html(body: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&body[..body.len().min(1024)]).to_ascii_lowercase();
    let at = head.find("charset")?;
    let rest = head[at + "charset".len()..].trim_start().strip_prefix('=')?;
    let value = rest.trim_start().trim_start_matches(['"', '\'']);
    let end = value
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':')))
        .unwrap_or(value.len());
    (end > 0).then(|| value[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_recognised_by_its_start() {
        for page in [
            "<!DOCTYPE html><p>x",
            "\u{feff}\n<html lang=en>",
            "<!-- saved from a site -->\n<!doctype html>",
            "<?xml version=\"1.0\"?>\n<!-- c --><html xmlns=\"http://www.w3.org/1999/xhtml\">",
            "<head><title>x</title>",
        ] {
            assert!(looks_like_html(page.as_bytes()), "{page}");
        }
        for other in ["", "<!-- never closed", "<?xml version=\"1.0\"?><feed/>", "text <html>", "<htm"] {
            assert!(!looks_like_html(other.as_bytes()), "{other}");
        }
        assert!(!looks_like_html(b"<?xml version=\"1.0\""));
    }
}
